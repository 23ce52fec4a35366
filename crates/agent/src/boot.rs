//! The core's life: open the database, drive, and begin again from the disk when that ended badly.

use futures::channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures::future::LocalBoxFuture;
use tabwright_host::Host;
use tabwright_protocol::{CoreHealth, Epoch, Event, OpEnvelope};
use tabwright_store::{Store, StoreError};
use tabwright_tools::{Registry, ToolError};

use crate::driver::{AgentError, Driver, End};
use crate::outbox::Outbox;

/// Opens the database. Called again when it was locked, or after a failed write.
pub type OpenStore = Box<dyn Fn() -> LocalBoxFuture<'static, Result<Store, StoreError>>>;

/// The pauses between attempts to open the database, in milliseconds; the last one goes on.
/// After a crash its files can stay locked for some seconds.
const PAUSES: [u64; 8] = [50, 100, 200, 400, 800, 1_600, 3_200, 10_000];
/// After that many milliseconds a failure is a new one, and waited for as at first.
const LIVED_WELL: u64 = 60_000;
/// How many attempts are made before views are told.
const QUIET_ATTEMPTS: usize = 4;

/// A core with these tools: where its ops go in, and its life, to be polled until it ends. It ends when it has
/// nothing to do, when another core has taken over, or when nothing can be done.
pub fn core(
    host: Host,
    open: OpenStore,
    tools: Result<Registry, ToolError>,
) -> (UnboundedSender<OpEnvelope>, LocalBoxFuture<'static, ()>) {
    let (sender, ops) = unbounded();
    (sender, Box::pin(live(host, open, tools, ops)))
}

async fn live(
    host: Host,
    open: OpenStore,
    tools: Result<Registry, ToolError>,
    mut ops: UnboundedReceiver<OpEnvelope>,
) {
    let tools = match tools {
        Ok(tools) => tools,
        Err(error) => return fail(&host, &format!("The tools do not fit together: {error}")),
    };
    let mut failures = 0;
    loop {
        let began = host.clock.now();
        let ended = match opened(&host, &open).await {
            Ok(store) => match Driver::start(host.clone(), store, tools.clone()) {
                Ok(driver) => driver.run(&mut ops).await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match ended {
            Ok(End::Rest) => return host.lifecycle.rest(),
            Ok(End::Deserted) => return,
            Err(error) if error.is_superseded() => {
                return fail(
                    &host,
                    "Another Tabwright core has taken over; this one has stopped.",
                );
            }
            Err(error) if error.is_final() => return fail(&host, &error.to_string()),
            Err(error) => {
                if host.clock.now().0.saturating_sub(began.0) > LIVED_WELL {
                    failures = 0;
                }
                failures += 1;
                tell(
                    &host,
                    CoreHealth::WaitingForStorage {
                        message: error.to_string(),
                    },
                );
                host.clock.sleep(pause(failures)).await;
            }
        }
    }
}

/// The opened database. What another try cannot mend is an error; anything else is tried for ever,
/// and views are told what is being waited for. Nothing is ever deleted.
async fn opened(host: &Host, open: &OpenStore) -> Result<Store, AgentError> {
    let mut attempt = 0;
    loop {
        let error = match open().await {
            Ok(store) => return Ok(store),
            Err(error) => AgentError::from(error),
        };
        if error.is_final() {
            return Err(error);
        }
        attempt += 1;
        if attempt >= QUIET_ATTEMPTS {
            tell(
                host,
                CoreHealth::WaitingForStorage {
                    message: error.to_string(),
                },
            );
        }
        host.clock.sleep(pause(attempt)).await;
    }
}

fn pause(attempt: usize) -> u64 {
    let index = attempt.saturating_sub(1).min(PAUSES.len() - 1);
    PAUSES[index]
}

fn fail(host: &Host, message: &str) {
    tell(
        host,
        CoreHealth::Failed {
            message: message.to_owned(),
        },
    );
}

/// Tells views how the core is while it has no epoch of its own yet.
fn tell(host: &Host, health: CoreHealth) {
    Outbox::new(host.views.clone(), Epoch(0)).send(Event::Core { health });
}
