// Written by `cargo xtask gen` from crates/protocol. Do not edit: `cargo xtask check` compares.

export type OpId = string;

export type ConversationId = string;

export type ItemId = string;

export type TurnId = string;

export type CallId = string;

export type ModelId = string;

export type Millis = number;

export type Epoch = number;

export type Seq = number;

export type TabId = number;

export type WindowId = number;

export type OpEnvelope = { 
/**
 * Made by the view, a fresh one for each thing the person does.
 */
id: OpId, 
/**
 * What is asked.
 */
op: Op, };

export type Op = { "type": "hello" } | { "type": "attach", 
/**
 * Which conversation; one that does not exist yet has an empty snapshot.
 */
conversation: ConversationId, 
/**
 * The last sequence number this view has seen of it.
 */
since: Seq | null, } | { "type": "list_conversations", 
/**
 * The last one that the view has.
 */
after: ConversationId, } | { "type": "send_message", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * What the person wrote; refused when it is empty.
 */
text: string, 
/**
 * The tab the person is looking at.
 */
tab: WorkingTab | null, } | { "type": "answer_question", 
/**
 * Which conversation; a sub-agent's calls are in its own.
 */
conversation: ConversationId, 
/**
 * The item that asks.
 */
item: ItemId, 
/**
 * The options chosen, or one free answer. Refused when there is none, or more than one
 * where one was asked for.
 */
answers: Array<string>, } | { "type": "decide", 
/**
 * Which conversation; a sub-agent's calls are in its own.
 */
conversation: ConversationId, 
/**
 * The call's item.
 */
item: ItemId, 
/**
 * True: it runs. False: it does not, and the model is told.
 */
approve: boolean, 
/**
 * What the model is told beside; may be empty.
 */
note: string, } | { "type": "stop", 
/**
 * Which conversation.
 */
conversation: ConversationId, } | { "type": "retry", 
/**
 * Which conversation.
 */
conversation: ConversationId, } | { "type": "edit_message", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * The message's item.
 */
item: ItemId, 
/**
 * The new text; refused when it is empty.
 */
text: string, 
/**
 * The tab the person is looking at.
 */
tab: WorkingTab | null, } | { "type": "regenerate", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * Which turn.
 */
turn: TurnId, } | { "type": "compact", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * What the summary should dwell on; may be empty.
 */
instruction: string, } | { "type": "clear", 
/**
 * Which conversation.
 */
conversation: ConversationId, } | { "type": "rename_conversation", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * The new title; refused when it is empty.
 */
title: string, } | { "type": "delete_conversation", 
/**
 * Which conversation.
 */
conversation: ConversationId, } | { "type": "call_tool", 
/**
 * The tool's name.
 */
tool: string, 
/**
 * The arguments as JSON text, exactly as a model would send them.
 */
arguments: string, 
/**
 * The tab to stand in for the conversation's.
 */
tab: TabId | null, } | { "type": "save_model", 
/**
 * The record.
 */
model: ModelDraft, } | { "type": "delete_model", 
/**
 * Which record.
 */
model: ModelId, } | { "type": "use_model", 
/**
 * Which record; null: none. There is always one for new turns.
 */
model: ModelId | null, 
/**
 * What for.
 */
role: ModelRole, } | { "type": "list_usage", 
/**
 * How many days, today included. 1 to 366.
 */
days: number, } | { "type": "check_model", 
/**
 * Which record.
 */
model: ModelId, } | { "type": "find_models" } | { "type": "save_settings", 
/**
 * All of them: a view sends back what it got with its change.
 */
settings: Settings, };

export type EventEnvelope = { 
/**
 * Which life of the core sent it.
 */
epoch: Epoch, 
/**
 * Its number.
 */
seq: Seq, 
/**
 * What happened.
 */
event: Event, };

export type Event = { "type": "core", 
/**
 * How it is.
 */
health: CoreHealth, } | { "type": "applied", 
/**
 * Which op.
 */
op: OpId, } | { "type": "refused", 
/**
 * Which op.
 */
op: OpId, 
/**
 * Why, and what would work.
 */
refusal: Refusal, } | { "type": "welcome", 
/**
 * Which op.
 */
op: OpId, 
/**
 * All that a view needs beside the conversations' contents.
 */
welcome: Welcome, } | { "type": "conversations", 
/**
 * Which op.
 */
op: OpId, 
/**
 * Newest first.
 */
conversations: Array<ConversationSummary>, 
/**
 * Whether there are older ones.
 */
more: boolean, } | { "type": "snapshot", 
/**
 * Which op.
 */
op: OpId, 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * True when the items are all there are; false when they are what changed since.
 */
complete: boolean, 
/**
 * Ordered by position.
 */
items: Array<ItemView>, 
/**
 * The agent's own to-do list.
 */
tasks: Array<TaskView>, 
/**
 * What runs in it.
 */
run: RunView, } | { "type": "tool_answer", 
/**
 * Which op.
 */
op: OpId, 
/**
 * Exactly what a model would be given.
 */
text: string, 
/**
 * Whether it is an error result.
 */
is_error: boolean, 
/**
 * How long the tool took.
 */
millis: number, } | { "type": "item", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * The whole item.
 */
item: ItemView, } | { "type": "blocks", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * Which item.
 */
item: ItemId, 
/**
 * How many blocks stay as they are.
 */
keep: number, 
/**
 * What follows them.
 */
blocks: Array<Block>, } | { "type": "tasks", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * All of it.
 */
tasks: Array<TaskView>, } | { "type": "cleared", 
/**
 * Which one.
 */
conversation: ConversationId, } | { "type": "sub_agent_event", 
/**
 * The conversation whose call started the sub-agent.
 */
conversation: ConversationId, 
/**
 * The call.
 */
call: CallId, 
/**
 * The sub-agent's own conversation.
 */
child: ConversationId, 
/**
 * What happened in it: an item, blocks, a run or tasks.
 */
event: Event, } | { "type": "run", 
/**
 * Which conversation.
 */
conversation: ConversationId, 
/**
 * Its state now.
 */
run: RunView, } | { "type": "conversation", 
/**
 * The line.
 */
summary: ConversationSummary, } | { "type": "conversation_deleted", 
/**
 * Which one.
 */
conversation: ConversationId, } | { "type": "models", 
/**
 * All of them.
 */
models: Array<ModelView>, 
/**
 * Which of them does what.
 */
roles: ModelRoles, } | { "type": "model_checked", 
/**
 * Which op.
 */
op: OpId, 
/**
 * Which record.
 */
model: ModelId, 
/**
 * What came of it.
 */
report: ModelReport, } | { "type": "models_found", 
/**
 * Which op.
 */
op: OpId, 
/**
 * The servers that answered.
 */
servers: Array<ModelServer>, } | { "type": "settings", 
/**
 * All of them.
 */
settings: Settings, } | { "type": "usage_by_day", 
/**
 * Which op.
 */
op: OpId, 
/**
 * The day it is where the person is, such as `2026-03-09`.
 */
today: string, 
/**
 * Newest first; what open turns have used so far is in today's.
 */
days: Array<UsageOfDay>, };

export type CoreHealth = { "state": "ready" } | { "state": "waiting_for_storage", 
/**
 * What is wrong, for a person.
 */
message: string, } | { "state": "failed", 
/**
 * What is wrong and what to do, for a person.
 */
message: string, };

export type Refusal = { 
/**
 * snake_case, stable.
 */
code: string, 
/**
 * One or two sentences: what was wrong, and what would work.
 */
message: string, };

export type Welcome = { 
/**
 * The newest, newest first.
 */
conversations: Array<ConversationSummary>, 
/**
 * Whether there are older ones: `list_conversations` gives them.
 */
more_conversations: boolean, 
/**
 * The model records, without their keys.
 */
models: Array<ModelView>, 
/**
 * The one for new turns.
 */
roles: ModelRoles, 
/**
 * The settings.
 */
settings: Settings, };

export type ConversationSummary = { 
/**
 * Which one.
 */
id: ConversationId, 
/**
 * Given by the person, else the start of the first message.
 */
title: string, 
/**
 * When it was made.
 */
created_at: Millis, 
/**
 * When its last item came.
 */
updated_at: Millis, 
/**
 * Whether a turn is running in it.
 */
running: boolean, 
/**
 * Whether that turn waits for the person.
 */
waiting: boolean, 
/**
 * What its turns that are over have used, their sub-agents included.
 */
usage: Usage, };

export type RunView = { "state": "idle" } | { "state": "working", 
/**
 * Which turn.
 */
turn: TurnId, 
/**
 * The model request it is at, from 1.
 */
round: number, 
/**
 * What it is doing.
 */
activity: Activity, 
/**
 * What it has used so far, its sub-agents included.
 */
usage: Usage, };

export type Activity = { "activity": "waiting_for_model" } | { "activity": "streaming" } | { "activity": "running_tools" } | { "activity": "waiting_for_person" } | { "activity": "compacting" } | { "activity": "retrying", 
/**
 * When.
 */
at: Millis, 
/**
 * Which attempt will be made then, from 2.
 */
attempt: number, 
/**
 * Why, for a person.
 */
reason: string, };

export type ItemView = { 
/**
 * Which item.
 */
id: ItemId, 
/**
 * Its place: items are shown in rising order. Never reused.
 */
position: number, 
/**
 * When it last changed, as a place in the stream of events.
 */
seq: Seq, 
/**
 * The turn it belongs to.
 */
turn: TurnId, 
/**
 * When it was made.
 */
at: Millis, 
/**
 * What it is.
 */
body: ItemBody, };

export type ItemBody = { "kind": "user_message", 
/**
 * The text.
 */
text: string, } | { "kind": "assistant_message", 
/**
 * The text as typed blocks.
 */
blocks: Array<Block>, 
/**
 * The text as the model sent it, for copying. Empty while it streams.
 */
text: string, 
/**
 * What the model thought aloud, as plain text.
 */
thinking: string, 
/**
 * Whether it is whole.
 */
state: MessageState, 
/**
 * The model's id at the provider.
 */
model: string, } | { "kind": "tool_call", 
/**
 * Which call.
 */
call: CallId, 
/**
 * The tool's name.
 */
tool: string, 
/**
 * What it does, in words: "List tabs".
 */
title: string, 
/**
 * The arguments as the model sent them.
 */
arguments: string, 
/**
 * How far it is.
 */
state: CallState, 
/**
 * How often its effect was started. More than 1 only for calls that may run again.
 */
attempts: number, 
/**
 * The sub-agent's own conversation, where the call started one.
 */
child: ConversationId | null, } | { "kind": "question", 
/**
 * The question.
 */
question: string, 
/**
 * What may be answered; nothing else may.
 */
options: Array<string>, 
/**
 * Whether it is answered.
 */
state: QuestionState, } | { "kind": "summary", 
/**
 * The summary as typed blocks.
 */
blocks: Array<Block>, 
/**
 * The same as text.
 */
text: string, 
/**
 * False when no model made it: a list of what was asked and done.
 */
by_model: boolean, } | { "kind": "notice", 
/**
 * How much it matters.
 */
level: NoticeLevel, 
/**
 * snake_case, stable.
 */
code: string, 
/**
 * One or two sentences: what happened, and what to do.
 */
text: string, } | { "kind": "turn_end", 
/**
 * Why.
 */
reason: TurnEndReason, 
/**
 * What it used.
 */
usage: Usage, 
/**
 * How long it took.
 */
millis: number, } | { "kind": "gone" };

export type MessageState = { "state": "streaming" } | { "state": "complete" } | { "state": "cut", 
/**
 * Why.
 */
reason: CutReason, };

export type CutReason = "stopped" | "interrupted" | "connection" | "length" | "refused";

export type CallState = { "state": "waiting" } | { "state": "awaiting_approval", 
/**
 * What it is about to do and why the person is asked.
 */
reason: string, } | { "state": "asking", 
/**
 * The question.
 */
question: string, 
/**
 * What the person may choose from; a free answer is always possible.
 */
options: Array<string>, 
/**
 * Whether several may be chosen.
 */
multiple: boolean, 
/**
 * When it stops waiting.
 */
until: Millis, } | { "state": "running", 
/**
 * When.
 */
since: Millis, } | { "state": "done", 
/**
 * What the model was given, without the boundary around untrusted text.
 */
result: string, 
/**
 * Whether it is an error result.
 */
is_error: boolean, 
/**
 * How long it took.
 */
millis: number, } | { "state": "unknown" };

export type QuestionState = { "state": "open", 
/**
 * Until when.
 */
until: Millis, } | { "state": "answered", 
/**
 * How.
 */
answer: string, } | { "state": "expired" };

export type TaskView = { 
/**
 * A decimal number, from 1, never reused.
 */
id: string, 
/**
 * What is to be done.
 */
subject: string, 
/**
 * More of it.
 */
description: string | null, 
/**
 * How far it is.
 */
status: TaskStatus, };

export type TaskStatus = "pending" | "in_progress" | "completed";

export type NoticeLevel = "info" | "warning" | "error";

export type TurnEndReason = "done" | "stopped" | "limit" | "failed";

export type Usage = { 
/**
 * Tokens of the requests, those read from the provider's cache included.
 */
input: number, 
/**
 * Of those, read from the provider's cache.
 */
cached: number, 
/**
 * Of those, written to the provider's cache.
 */
written: number, 
/**
 * Tokens of the answers, reasoning included.
 */
output: number, 
/**
 * Of those, reasoning.
 */
reasoning: number, 
/**
 * What they cost by the prices in the model's record, in billionths of a US dollar.
 */
cost: number, 
/**
 * How many of the tokens are of models without prices: their cost is not known.
 */
unpriced: number, };

export type Prices = { 
/**
 * Tokens of a request.
 */
input: number, 
/**
 * Tokens of an answer, thinking included.
 */
output: number, 
/**
 * Tokens of a request that were read from the provider's cache; null: as the others.
 */
cached: number | null, 
/**
 * Tokens of a request that were written to the provider's cache; null: as the others.
 */
written: number | null, };

export type UsageOfDay = { 
/**
 * The day where the person is, such as `2026-03-09`.
 */
day: string, 
/**
 * The model's id at the provider.
 */
model: string, 
/**
 * What was used.
 */
usage: Usage, };

export type Block = { "block": "paragraph", 
/**
 * Its text.
 */
content: Array<Inline>, } | { "block": "heading", 
/**
 * 1 to 6.
 */
level: number, 
/**
 * Its text.
 */
content: Array<Inline>, } | { "block": "code", 
/**
 * The fence's language, empty when it has none.
 */
language: string, 
/**
 * The code.
 */
text: string, } | { "block": "quote", 
/**
 * What is quoted.
 */
blocks: Array<Block>, } | { "block": "list", 
/**
 * The first number of an ordered list, null for bullets.
 */
start: number | null, 
/**
 * The items.
 */
items: Array<ListItem>, } | { "block": "table", 
/**
 * One a column.
 */
align: Array<TableAlign>, 
/**
 * The header's cells.
 */
head: Array<Array<Inline>>, 
/**
 * The rows' cells.
 */
rows: Array<Array<Array<Inline>>>, } | { "block": "math", 
/**
 * The source.
 */
tex: string, } | { "block": "rule" };

export type ListItem = { 
/**
 * Its box in a task list, null elsewhere.
 */
checked: boolean | null, 
/**
 * Its content.
 */
blocks: Array<Block>, };

export type TableAlign = "none" | "left" | "center" | "right";

export type Inline = { "inline": "text", 
/**
 * The text.
 */
text: string, } | { "inline": "code", 
/**
 * The code.
 */
text: string, } | { "inline": "emphasis", 
/**
 * What is emphasised.
 */
content: Array<Inline>, } | { "inline": "strong", 
/**
 * What is emphasised.
 */
content: Array<Inline>, } | { "inline": "strike", 
/**
 * What is struck out.
 */
content: Array<Inline>, } | { "inline": "link", 
/**
 * The address.
 */
url: string, 
/**
 * What is shown.
 */
content: Array<Inline>, } | { "inline": "image", 
/**
 * http or https.
 */
url: string, 
/**
 * The alternative text.
 */
alt: string, } | { "inline": "math", 
/**
 * The source.
 */
tex: string, } | { "inline": "break" };

export type BrokerCall = { "call": "tabs_list" } | { "call": "tabs_open", 
/**
 * An http or https address, or `about:blank`; the broker refuses any other.
 */
url: string, 
/**
 * Whether its window shows it.
 */
active: boolean, 
/**
 * Its window; none means the one used last.
 */
window: WindowId | null, 
/**
 * How long the answer may wait for the load to end, at most [`MAX_TAB_WAIT_MILLIS`].
 */
wait_millis: number, } | { "call": "tabs_navigate", 
/**
 * The tab.
 */
tab: TabId, 
/**
 * As for `tabs_open`.
 */
url: string, 
/**
 * Whether its window is to show it; false leaves that as it is.
 */
active: boolean, 
/**
 * As for `tabs_open`.
 */
wait_millis: number, } | { "call": "tabs_progress", 
/**
 * The tab.
 */
tab: TabId, 
/**
 * As for `tabs_open`.
 */
wait_millis: number, } | { "call": "tabs_close", 
/**
 * The tab.
 */
tab: TabId, } | { "call": "tabs_activate", 
/**
 * The tab.
 */
tab: TabId, } | { "call": "keep_waking", 
/**
 * Whether to.
 */
on: boolean, } | { "call": "local_origins", 
/**
 * All of them: what is not listed any more is taken back.
 */
rules: Array<OriginRule>, };

export type OriginRule = { 
/**
 * `localhost`, `127.0.0.1` or `[::1]`; the broker refuses any other.
 */
host: string, 
/**
 * The port.
 */
port: number, };

export type BrokerReply = { "reply": "ok", 
/**
 * What came of it.
 */
value: BrokerValue, } | { "reply": "error", 
/**
 * What kind of failure.
 */
kind: BrokerErrorKind, 
/**
 * Chrome's own words, or the broker's.
 */
message: string, };

export type BrokerValue = { "value": "done" } | { "value": "tabs", 
/**
 * The tabs.
 */
tabs: Array<Tab>, } | { "value": "tab", 
/**
 * The tab.
 */
tab: Tab, } | { "value": "progress", 
/**
 * How far it is.
 */
progress: TabProgress, };

export type BrokerErrorKind = "invalid" | "not_found" | "denied" | "unavailable" | "timeout" | "failed";

export type Tab = { 
/**
 * Chrome's id.
 */
id: TabId, 
/**
 * The address; empty when Chrome does not tell.
 */
url: string, 
/**
 * The title; empty when Chrome does not tell.
 */
title: string, 
/**
 * Whether it is the one shown in its window.
 */
active: boolean, 
/**
 * Its window.
 */
windowId: WindowId, 
/**
 * Its place in the window, from 0.
 */
index: number, 
/**
 * Whether it makes sound.
 */
audible: boolean, 
/**
 * How far it is.
 */
status: TabStatus, };

export type TabStatus = "unloaded" | "loading" | "complete";

export type TabProgress = { 
/**
 * The tab.
 */
tab: Tab, 
/**
 * The address that it is leaving its page for, until the first byte of the next one.
 */
pending: string | null, 
/**
 * Which document it shows, in Chrome's words: each load has another, a jump inside a page has
 * not. None when Chrome does not tell, as for a tab that shows nothing yet.
 */
document: string | null, 
/**
 * Why it shows an error page instead: `net::ERR_…`, or that Chrome does not tell why.
 */
failure: string | null, };

export type WorkingTab = { 
/**
 * Chrome's id.
 */
id: TabId, 
/**
 * The address; empty when Chrome does not tell.
 */
url: string, 
/**
 * The title; empty when Chrome does not tell.
 */
title: string, };

export type ModelDraft = { 
/**
 * Which record; a new id makes a new one.
 */
id: ModelId, 
/**
 * What the person calls it.
 */
name: string, 
/**
 * How it is spoken to.
 */
provider: ProviderKind, 
/**
 * The server's base address, such as `https://api.openai.com/v1`. Empty for Chrome's own model.
 */
address: string, 
/**
 * The model's id at the provider.
 */
model: string, 
/**
 * The key; null keeps the one that is stored, empty forgets it.
 */
key: string | null, 
/**
 * Says that its answers come from a script, so that nobody takes it for a model.
 */
scripted: boolean, 
/**
 * How many tokens it reads at once, 2,000 or more; null for what its name suggests. Ollama is
 * told the same figure (`num_ctx`), so that it never drops the beginning of a prompt unsaid.
 */
context_window: number | null, 
/**
 * What is asked of it beyond that, and what it can do.
 */
options?: ModelOptions, };

export type ModelView = { 
/**
 * Which record.
 */
id: ModelId, 
/**
 * What the person calls it.
 */
name: string, 
/**
 * How it is spoken to.
 */
provider: ProviderKind, 
/**
 * The server's base address.
 */
address: string, 
/**
 * The model's id at the provider.
 */
model: string, 
/**
 * Whether a key is stored.
 */
has_key: boolean, 
/**
 * Its answers come from a script.
 */
scripted: boolean, 
/**
 * How many tokens it reads at once, as the person set it.
 */
context_window: number | null, 
/**
 * How many that are, as far as is known.
 */
window: number, 
/**
 * What it costs: as the person set it, else what is known of it.
 */
prices: Prices | null, 
/**
 * What is asked of it beyond that. Its headers have no values.
 */
options: ModelOptions, };

export type ModelRoles = { 
/**
 * The one for new turns.
 */
current: ModelId | null, 
/**
 * The one that sums up long conversations; null: the turn's own.
 */
summary: ModelId | null, 
/**
 * The one that a turn goes on with when its own gives no answer; null: none.
 */
fallback: ModelId | null, };

export type ModelRole = "current" | "summary" | "fallback";

export type ProviderKind = "open_ai_chat" | "open_ai_responses" | "anthropic" | "gemini" | "ollama" | "chrome_built_in";

export type ModelOptions = { 
/**
 * The temperature in hundredths, 0 to 200: 70 is 0.7.
 */
temperature: number | null, 
/**
 * How long it shall think before it answers.
 */
reasoning: ReasoningEffort | null, 
/**
 * The most tokens of one answer, thinking included.
 */
output_limit: number | null, 
/**
 * Headers that go with each request, for brokers and gateways.
 */
headers: Array<ExtraHeader>, 
/**
 * What it can do.
 */
can: Capabilities, 
/**
 * It writes its calls into its text, so they are looked for there.
 */
text_calls: boolean, 
/**
 * What it costs, as the person set it; null for what is known of it, if anything is.
 */
prices: Prices | null, };

export type ReasoningEffort = "off" | "minimal" | "low" | "medium" | "high";

export type Capabilities = { 
/**
 * Call tools. Without, it is told of them in words, or not at all.
 */
tools: Capability, 
/**
 * Make several calls in one answer.
 */
parallel_tools: Capability, 
/**
 * Look at images. Without, it is told that one was left out.
 */
vision: Capability, 
/**
 * Think before it answers.
 */
thinking: Capability, 
/**
 * Make images.
 */
image_output: Capability, };

export type ModelReport = { 
/**
 * What the agent can do with it.
 */
verdict: ModelVerdict, 
/**
 * For a person: what works, or what is wrong and what to do.
 */
message: string, 
/**
 * What was put right in the record, each in a sentence.
 */
mended: Array<string>, 
/**
 * What it can do.
 */
can: Capabilities, };

export type ModelVerdict = "works" | "chat_only" | "fails";

export type ModelServer = { 
/**
 * What it is, such as `Ollama`.
 */
name: string, 
/**
 * How it is spoken to.
 */
provider: ProviderKind, 
/**
 * Its base address.
 */
address: string, 
/**
 * The ids of its models.
 */
models: Array<string>, };

export type Capability = "unknown" | "yes" | "no";

export type ExtraHeader = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its value; null in a draft keeps the one that is stored, and is all that a view sees.
 */
value: string | null, };

export type Settings = { 
/**
 * How many model requests one turn may make before it ends with a way to continue. 1 to 500.
 */
max_rounds: number, 
/**
 * How many tokens one turn may use, requests and answers, sub-agents included, before it ends
 * with a way to continue. 10,000 to 100,000,000.
 */
max_tokens: number, 
/**
 * How many minutes one turn may take, without those in which it waits for the person, before
 * it ends with a way to continue. 1 to 1,440.
 */
max_minutes: number, 
/**
 * How many US cents one turn may cost, sub-agents included, before it ends with a way to
 * continue; null: any number. 1 to 1,000,000. What a model without prices costs is not known.
 */
max_cents: number | null, 
/**
 * How many US cents all turns of a day may cost; null: any number. 1 to 1,000,000.
 */
max_cents_a_day: number | null, 
/**
 * How many tokens all turns of a day may use, requests and answers; null: any number. 10,000 or
 * more.
 */
max_tokens_a_day: number | null, 
/**
 * How many sub-agents work at the same time. 1 to 8.
 */
max_sub_agents: number, 
/**
 * Whether the person is asked before every call that changes something.
 */
ask_before_acting: boolean, 
/**
 * After how many minutes without work the core lets go of its memory. 1 to 60.
 */
idle_minutes: number, };
