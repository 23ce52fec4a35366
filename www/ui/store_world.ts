// Events and states as tests of the store need them, with conversation "c" open.

import type {
  Block,
  CallState,
  ConversationId,
  ConversationSummary,
  Event,
  ItemView,
  RunView,
  Settings,
  TaskView,
  Usage,
} from "../generated/protocol.ts";
import { initialState, openConversation, reduce, type State } from "./store.ts";

export const settings: Settings = {
  max_rounds: 50,
  max_tokens: 2_000_000,
  max_minutes: 60,
  max_cents: null,
  max_cents_a_day: null,
  max_tokens_a_day: null,
  max_sub_agents: 4,
  ask_before_acting: false,
  idle_minutes: 5,
};

export const noUsage: Usage = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0, cost: 0, unpriced: 0 };

export function paragraph(text: string): Block {
  return { block: "paragraph", content: [{ inline: "text", text }] };
}

export function user(position: number, seq = position): ItemView {
  return line(position, seq, { kind: "user_message", text: `message ${position}` });
}

export function streaming(position: number, seq: number, ...blocks: Block[]): ItemView {
  const state = { state: "streaming" } as const;
  return line(position, seq, { kind: "assistant_message", blocks, text: "", thinking: "", state, model: "m" });
}

/** A call of the tool `agent` whose sub-agent has that conversation. */
export function agentCall(position: number, seq: number, child: ConversationId | null, state: CallState): ItemView {
  const fields = { tool: "agent", title: "Sub-agent", arguments: "{}", attempts: 1 } as const;
  return line(position, seq, { kind: "tool_call", call: `call ${position}`, ...fields, state, child });
}

export function gone(position: number, seq: number): ItemView {
  return line(position, seq, { kind: "gone" });
}

export function line(position: number, seq: number, body: ItemView["body"]): ItemView {
  return { id: `i${position}`, position, seq, turn: "t", at: 0, body };
}

export function task(id: string, status: TaskView["status"] = "pending"): TaskView {
  return { id, subject: `task ${id}`, description: null, status };
}

export function summary(id: string, updated_at: number, running = false): ConversationSummary {
  return { id, title: id, created_at: 0, updated_at, running, waiting: false, usage: noUsage };
}

export function working(): RunView {
  return { state: "working", turn: "t", round: 1, activity: { activity: "waiting_for_model" }, usage: noUsage };
}

export function snapshot(complete: boolean, items: ItemView[], conversation = "c", tasks: TaskView[] = []): Event {
  return { type: "snapshot", op: "o", conversation, complete, items, tasks, run: { state: "idle" } };
}

export function item(changed: ItemView, conversation = "c"): Event {
  return { type: "item", conversation, item: changed };
}

export function blocks(keep: number, added: Block[], conversation = "c"): Event {
  return { type: "blocks", conversation, item: "i2", keep, blocks: added };
}

export function ofChild(child: ConversationId, event: Event, conversation = "c"): Event {
  return { type: "sub_agent_event", conversation, call: "call 1", child, event };
}

/** The state after these events, the first of which has number 101. */
export function after(...events: Event[]): State {
  return events.reduce(
    (state, event, index) => reduce(state, { epoch: 0, seq: 101 + index, event }),
    openConversation(initialState, "c"),
  );
}

/** The state after one more event, with number 150. */
export function next(state: State, event: Event): State {
  return reduce(state, { epoch: 0, seq: 150, event });
}

/** Items in short: which, and of when. */
export function shown(items: readonly ItemView[] | undefined): string[] {
  return (items ?? []).map(({ id, seq }) => `${id}@${seq}`);
}
