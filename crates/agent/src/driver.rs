//! The driver: the one place where the core touches the outside.

mod act;
mod agents;
mod conversations;
mod doctor;
mod doors;
mod images;
mod ops;
mod records;
mod request;
mod shelf;
mod spending;
mod tool;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::channel::oneshot;
use futures::future::{AbortHandle, Abortable, LocalBoxFuture, select};
use futures::stream::{FuturesUnordered, StreamExt};
use futures::{FutureExt, select_biased};
use tabwright_host::Host;
use tabwright_protocol::{
    CallId, ConversationId, CoreHealth, Event, Millis, ModelServer, OpEnvelope, OpId, OriginRule,
    Settings,
};
use tabwright_store::{Store, StoreError, StoreErrorKind};
use tabwright_tools::Registry;

use crate::machine::{Conversation, Input, RequestNumber, Timer};
use crate::outbox::Outbox;
use doctor::Checked;
use doors::Doors;
use records::Models;
use spending::Ledger;
use tool::ToolAnswer;

/// What ends a driver badly. The core begins again from the disk.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The database.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// A row that this version wrote and cannot read.
    #[error(
        "A stored {what} cannot be read ({why}). Nothing was deleted; a newer version may read it."
    )]
    Unreadable {
        /// What kind of row.
        what: &'static str,
        /// The reader's words.
        why: String,
    },
}

impl AgentError {
    /// Whether another try cannot mend it.
    pub fn is_final(&self) -> bool {
        match self {
            Self::Unreadable { .. } => true,
            Self::Store(error) => match error.kind() {
                StoreErrorKind::Corrupt
                | StoreErrorKind::TooNew
                | StoreErrorKind::Bug
                | StoreErrorKind::Superseded => true,
                StoreErrorKind::Locked | StoreErrorKind::Full | StoreErrorKind::Io => false,
            },
        }
    }

    /// Whether another core owns the database now.
    pub fn is_superseded(&self) -> bool {
        match self {
            Self::Store(error) => error.kind() == StoreErrorKind::Superseded,
            Self::Unreadable { .. } => false,
        }
    }
}

/// How a driver ended well.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing to do for as long as the settings say; everything is on disk.
    Rest,
    /// Nobody can send ops any more.
    Deserted,
}

/// What a running task stands for, so that it can be given up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Task {
    Request(RequestNumber),
    Call(CallId),
    Timer(Timer),
}

/// How long a turn's first request waits until the browser knows that a turn is open, in
/// milliseconds. It takes some tens of them when the service worker sleeps.
const LONGEST_WAIT_FOR_WAKING: u64 = 1_000;

/// What tasks send back.
enum Message {
    Input(ConversationId, Input),
    ToolAnswer(OpId, ToolAnswer),
    Checked(Box<Checked>),
    Found(OpId, Vec<ModelServer>),
    Idle,
}

/// Whether the browser is to bring the core back, and whether it knows.
#[derive(Debug, Default)]
struct Waking {
    wanted: Cell<bool>,
    /// Not known after a start.
    told: Cell<Option<bool>>,
    /// Whether somebody is telling it.
    busy: Cell<bool>,
    /// Who waits until it knows that a turn is open.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Waking {
    fn is_told(&self) -> bool {
        self.told.get() == Some(self.wanted.get())
    }

    fn tell(&self, on: bool) {
        self.told.set(Some(on));
        if on {
            for waiting in self.waiting.take() {
                // Whoever has given up waiting needs nothing any more.
                let _ = waiting.send(());
            }
        }
    }

    /// Waits until the browser would bring the core back, but not for ever: a turn that may have to
    /// wait for a person after a death is better than none.
    async fn until_on(&self, host: &Host) {
        if self.told.get() == Some(true) {
            return;
        }
        let (sender, told) = oneshot::channel();
        self.waiting.borrow_mut().push(sender);
        select(told, host.clock.sleep(LONGEST_WAIT_FOR_WAKING)).await;
    }
}

/// The core at work. Holds nothing that is not on disk or cannot be lost.
pub struct Driver {
    host: Host,
    store: Store,
    doors: Doors,
    outbox: Outbox,
    models: Models,
    settings: Settings,
    /// What was used today.
    ledger: Ledger,
    /// Sub-agents of which views know that they wait for the person.
    waiting: BTreeSet<ConversationId>,
    /// Conversations that run, and those last shown.
    loaded: BTreeMap<ConversationId, Conversation>,
    tasks: FuturesUnordered<LocalBoxFuture<'static, ()>>,
    aborts: HashMap<Task, AbortHandle>,
    /// Runs of tools by hand, and examinations of models, that have not answered.
    consoles: usize,
    sender: UnboundedSender<Message>,
    messages: UnboundedReceiver<Message>,
    /// Whether the browser is to bring the core back, and whether it knows.
    waking: Rc<Waking>,
    /// The timer after which an idle core rests.
    idle: Option<AbortHandle>,
    /// The local servers that the browser was told to show no origin to.
    told_origins: Rc<RefCell<Option<Vec<OriginRule>>>>,
    /// Whether a model record was on this computer before the last change.
    had_local_model: bool,
    /// The person's language and time zone, as they were last asked for.
    here: RefCell<Option<agents::Here>>,
    /// When something last happened.
    active_at: Millis,
}

impl Driver {
    /// Takes the database over and goes on with what was interrupted.
    pub fn start(host: Host, mut store: Store, registry: Registry) -> Result<Self, AgentError> {
        let epoch = store.begin_epoch()?;
        let models = Models::load(&store)?;
        let settings = records::load_settings(&store)?;
        let had_local_model = !models.local_origins().is_empty();
        let (sender, messages) = unbounded();
        let mut driver = Self {
            outbox: Outbox::new(host.views.clone(), epoch),
            host,
            store,
            doors: Doors::new(registry, settings.ask_before_acting),
            waiting: BTreeSet::new(),
            models,
            settings,
            ledger: Ledger::default(),
            loaded: BTreeMap::new(),
            tasks: FuturesUnordered::new(),
            aborts: HashMap::new(),
            consoles: 0,
            sender,
            messages,
            waking: Rc::default(),
            idle: None,
            told_origins: Rc::default(),
            had_local_model,
            here: RefCell::new(None),
            active_at: Millis(0),
        };
        driver.outbox.send(Event::Core {
            health: CoreHealth::Ready,
        });
        driver.resume_all()?;
        driver.update_waking();
        Ok(driver)
    }

    /// Goes on with every open turn. A sub-agent's comes after the one that it belongs to, which
    /// has by then said whether it is still wanted.
    fn resume_all(&mut self) -> Result<(), AgentError> {
        let mut sub_agents = Vec::new();
        for run in self.store.open_runs()? {
            match self.load(&run.conversation) {
                Ok(_) if self.parent_of(&run.conversation).is_some() => {
                    sub_agents.push(run.conversation);
                }
                Ok(_) => self.apply(&run.conversation, Input::Resume, None)?,
                // It stays as it is, for a version that can read it; the others go on.
                Err(AgentError::Unreadable { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        for id in sub_agents {
            let input = if self.is_wanted(&id)? {
                Input::Resume
            } else {
                Input::Stop
            };
            self.apply(&id, input, None)?;
        }
        Ok(())
    }

    /// Works until there has been nothing to do for a while.
    pub async fn run(mut self, ops: &mut UnboundedReceiver<OpEnvelope>) -> Result<End, AgentError> {
        self.active_at = self.host.clock.now();
        self.arm_idle_timer();
        loop {
            let message = select_biased! {
                op = ops.next() => match op {
                    Some(envelope) => {
                        self.op(envelope)?;
                        None
                    }
                    None => return Ok(End::Deserted),
                },
                message = self.messages.next() => message,
                () = self.tasks.select_next_some() => continue,
            };
            match message {
                None => {}
                Some(Message::Input(conversation, input)) => {
                    self.forget_task(&input);
                    self.apply(&conversation, input, None)?;
                }
                Some(Message::ToolAnswer(op, answer)) => self.tool_answered(op, answer)?,
                Some(Message::Checked(checked)) => self.checked(*checked)?,
                Some(Message::Found(op, servers)) => self.found(op, servers),
                Some(Message::Idle) if !self.is_busy() && self.idle_left() == 0 => {
                    self.store.close()?;
                    return Ok(End::Rest);
                }
                Some(Message::Idle) => {
                    self.arm_idle_timer();
                    continue;
                }
            }
            self.active_at = self.host.clock.now();
            self.update_waking();
            self.forget_shown();
        }
    }

    fn is_busy(&self) -> bool {
        self.consoles > 0 || self.open_runs() > 0
    }

    fn open_runs(&self) -> usize {
        self.loaded
            .values()
            .filter(|conversation| conversation.run.is_some())
            .count()
    }

    /// Asks the browser to bring the core back while turns are open.
    fn update_waking(&mut self) {
        self.waking.wanted.set(self.open_runs() > 0);
        if self.waking.is_told() || self.waking.busy.replace(true) {
            return;
        }
        let (host, waking) = (self.host.clone(), self.waking.clone());
        self.spawn(async move {
            // The broker may be asleep or just dying; what matters is that it hears the last word.
            let mut pause = 200;
            while !waking.is_told() {
                let on = waking.wanted.get();
                if host.lifecycle.keep_waking(on).await.is_ok() {
                    waking.tell(on);
                } else {
                    host.clock.sleep(pause).await;
                    pause = (pause * 5).min(20_000);
                }
            }
            waking.busy.set(false);
        });
    }

    /// For how many milliseconds nothing more must happen before the core rests.
    fn idle_left(&self) -> u64 {
        let rest_at = self.active_at.0 + u64::from(self.settings.idle_minutes) * 60_000;
        rest_at.saturating_sub(self.host.clock.now().0)
    }

    /// One timer is always armed: when it ends and nothing has happened for long enough, the core rests.
    fn arm_idle_timer(&mut self) {
        let clock = self.host.clock.clone();
        let sender = self.sender.clone();
        // While a turn runs there is nothing to count down; look again after a while.
        let millis = match self.idle_left() {
            0 => u64::from(self.settings.idle_minutes) * 60_000,
            left => left,
        };
        let timer = self.spawn_abortable(async move {
            clock.sleep(millis).await;
            // The receiver lives as long as the driver.
            let _ = sender.unbounded_send(Message::Idle);
        });
        if let Some(before) = self.idle.replace(timer) {
            before.abort();
        }
    }

    fn spawn(&mut self, task: impl Future<Output = ()> + 'static) {
        self.tasks.push(task.boxed_local());
    }

    fn spawn_as(&mut self, name: Task, task: impl Future<Output = ()> + 'static) {
        let handle = self.spawn_abortable(task);
        self.aborts.insert(name, handle);
    }

    fn spawn_abortable(&mut self, task: impl Future<Output = ()> + 'static) -> AbortHandle {
        let (handle, registration) = AbortHandle::new_pair();
        self.spawn(Abortable::new(task, registration).map(|_| ()));
        handle
    }

    /// Forgets the task that an input is the last word of.
    fn forget_task(&mut self, input: &Input) {
        match input {
            Input::ModelDone { request, .. } => self.aborts.remove(&Task::Request(*request)),
            Input::CallDone { call, .. } => self.aborts.remove(&Task::Call(call.clone())),
            Input::Timer(timer) => self.aborts.remove(&Task::Timer(*timer)),
            Input::Send { .. }
            | Input::Stop
            | Input::Retry
            | Input::Answer { .. }
            | Input::Decide { .. }
            | Input::Edit { .. }
            | Input::Regenerate { .. }
            | Input::Compact { .. }
            | Input::Clear
            | Input::Resume
            | Input::Model { .. } => None,
        };
    }

    /// Drops a task, and with it what it was waiting for.
    fn abandon(&mut self, name: &Task) {
        if let Some(handle) = self.aborts.remove(name) {
            handle.abort();
        }
    }
}
