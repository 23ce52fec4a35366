// What is known of one conversation, the person's own or a sub-agent's, as a function of its events.

import type { Block, Event, ItemId, ItemView, RunView, Seq, TaskView } from "../generated/protocol.ts";

export type ConversationState = {
  /** In the order they are shown. */
  readonly items: readonly ItemView[];
  readonly run: RunView;
  /** The agent's own to-do list. */
  readonly tasks: readonly TaskView[];
};

export const EMPTY: ConversationState = { items: [], run: { state: "idle" }, tasks: [] };

/** What tells of a change in one conversation. */
export type ConversationEvent = Extract<Event, { type: "item" | "blocks" | "run" | "tasks" }>;

/** What an event of a sub-agent may be; anything else does not come from one. */
export function isConversationEvent(event: Event): event is ConversationEvent {
  return event.type === "item" || event.type === "blocks" || event.type === "run" || event.type === "tasks";
}

/** The same object comes back when the event changes nothing. */
export function withEvent<S extends ConversationState>(known: S, event: ConversationEvent, seq: Seq): S {
  switch (event.type) {
    case "item":
      return withItems(known, putItem(known.items, event.item));
    case "blocks":
      return withItems(known, growMessage(known.items, event.item, event.keep, event.blocks, seq));
    case "run":
      return { ...known, run: event.run };
    case "tasks": {
      const tasks = sameOrNewTasks(known.tasks, event.tasks);
      return tasks === known.tasks ? known : { ...known, tasks };
    }
    default:
      return event satisfies never;
  }
}

/** The conversation as the core tells it, with everything that was known already left as it is. */
export function told(
  known: ConversationState,
  { complete, items, tasks, run }: Extract<Event, { type: "snapshot" }>,
): ConversationState {
  const next = complete
    ? items.filter(isThere).map((item) => sameOrNew(known.items, item))
    : items.reduce(putItem, known.items);
  return { items: next, run, tasks: sameOrNewTasks(known.tasks, tasks) };
}

function withItems<S extends ConversationState>(known: S, items: readonly ItemView[]): S {
  return items === known.items ? known : { ...known, items };
}

function isThere({ body }: ItemView): boolean {
  return body.kind !== "gone";
}

/** The item as it is known already, when it has not changed since. */
function sameOrNew(known: readonly ItemView[], item: ItemView): ItemView {
  const old = known[indexOf(known, item.id)];
  return old !== undefined && old.seq === item.seq ? old : item;
}

function putItem(items: readonly ItemView[], item: ItemView): readonly ItemView[] {
  const at = indexOf(items, item.id);
  const old = items[at];
  if (!isThere(item)) return old === undefined ? items : items.toSpliced(at, 1);
  // Events come in order, so a different number is always a newer one.
  if (old !== undefined) return old.seq === item.seq ? items : items.with(at, item);
  const before = items.findLastIndex(({ position }) => position < item.position);
  return items.toSpliced(before + 1, 0, item);
}

function growMessage(
  items: readonly ItemView[],
  id: ItemId,
  keep: number,
  blocks: readonly Block[],
  seq: Seq,
): readonly ItemView[] {
  const at = indexOf(items, id);
  const item = items[at];
  if (item?.body.kind !== "assistant_message") return items;
  const grown = [...item.body.blocks.slice(0, keep), ...blocks];
  return items.with(at, { ...item, seq, body: { ...item.body, blocks: grown } });
}

/** What changes is nearly always at the end. */
function indexOf(items: readonly ItemView[], id: ItemId): number {
  return items.findLastIndex((item) => item.id === id);
}

function sameOrNewTasks(known: readonly TaskView[], tasks: readonly TaskView[]): readonly TaskView[] {
  const next = tasks.map((task) => known.find((old) => isSameTask(old, task)) ?? task);
  const isSame = next.length === known.length && next.every((task, index) => task === known[index]);
  return isSame ? known : next;
}

function isSameTask(a: TaskView, b: TaskView): boolean {
  return a.id === b.id && a.status === b.status && a.subject === b.subject && a.description === b.description;
}
