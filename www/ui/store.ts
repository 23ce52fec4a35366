// What the views show, as a pure function of the core's events.
//
// Invariant: an event changes the identity of exactly what it changes. Everything else, down to
// the single block of a streaming message, stays the same object, so that components can tell by
// `===` that they need not render again.

import type {
  Block,
  ConversationId,
  ConversationSummary,
  CoreHealth,
  Event,
  EventEnvelope,
  ItemId,
  ItemView,
  Millis,
  ModelId,
  ModelView,
  RunView,
  Seq,
  Settings,
  Welcome,
} from "../generated/protocol.ts";

export type OpenConversation = {
  id: ConversationId;
  /** False until its first snapshot: nothing is known about it yet, not even that it is empty. */
  isLoaded: boolean;
  /** In the order they are shown. */
  items: readonly ItemView[];
  run: RunView;
};

export type State = {
  /** Null until the core has said how it is. */
  health: CoreHealth | null;
  /** False until the first welcome: lists are not known yet. */
  isWelcome: boolean;
  /** Newest first. */
  conversations: readonly ConversationSummary[];
  /** The list is whole from now back to here; what is older must be asked for. Null when all of it is there. */
  listedBackTo: Millis | null;
  models: readonly ModelView[];
  currentModel: ModelId | null;
  settings: Settings | null;
  open: OpenConversation | null;
};

export const initialState: State = {
  health: null,
  isWelcome: false,
  conversations: [],
  listedBackTo: null,
  models: [],
  currentModel: null,
  settings: null,
  open: null,
};

const IDLE: RunView = { state: "idle" };

export function openConversation(state: State, id: ConversationId): State {
  return { ...state, open: { id, isLoaded: false, items: [], run: IDLE } };
}

export function currentModel(state: State): ModelView | null {
  return state.models.find((model) => model.id === state.currentModel) ?? null;
}

/**
 * The conversation after which the list goes on at the core. One that changed may stand in the list
 * before its turn has come, so it need not be the last.
 */
export function lastListed({ conversations, listedBackTo }: State): ConversationId | null {
  if (listedBackTo === null) return null;
  return conversations.findLast(({ updated_at }) => updated_at >= listedBackTo)?.id ?? null;
}

export function hasRunningTurn(state: State): boolean {
  return (
    state.open?.run.state === "working" || state.conversations.some(({ running }) => running)
  );
}

export function reduce(state: State, { seq, event }: EventEnvelope): State {
  switch (event.type) {
    case "core":
      return { ...state, health: event.health };
    case "welcome":
      return {
        ...state,
        isWelcome: true,
        ...withNewest(state, event.welcome),
        models: event.welcome.models,
        currentModel: event.welcome.current_model,
        settings: event.welcome.settings,
      };
    case "conversations":
      return {
        ...state,
        conversations: withSummaries(state.conversations, event.conversations),
        listedBackTo: event.more ? (event.conversations.at(-1)?.updated_at ?? null) : null,
      };
    case "models":
      return { ...state, models: event.models, currentModel: event.current };
    case "settings":
      return { ...state, settings: event.settings };
    case "conversation":
      return { ...state, conversations: withSummaries(state.conversations, [event.summary]) };
    case "conversation_deleted":
      return {
        ...state,
        conversations: state.conversations.filter(({ id }) => id !== event.conversation),
        open: state.open?.id === event.conversation ? emptied(state.open) : state.open,
      };
    case "snapshot":
      return withOpen(state, event.conversation, (open) => withSnapshot(open, event));
    case "item":
      return withOpen(state, event.conversation, (open) =>
        open.isLoaded ? withItems(open, putItem(open.items, event.item)) : open,
      );
    case "blocks":
      return withOpen(state, event.conversation, (open) =>
        withItems(open, growMessage(open.items, event.item, event.keep, event.blocks, seq)),
      );
    case "run":
      return withOpen(state, event.conversation, (open) =>
        open.isLoaded ? { ...open, run: event.run } : open,
      );
    // Answers go to whoever asked; the truth they speak of comes in events of its own.
    case "applied":
    case "refused":
    case "tool_answer":
      return state;
    default:
      event satisfies never;
      return state;
  }
}

function withOpen(
  state: State,
  conversation: ConversationId,
  change: (open: OpenConversation) => OpenConversation,
): State {
  if (state.open?.id !== conversation) return state;
  const open = change(state.open);
  return open === state.open ? state : { ...state, open };
}

function withItems(open: OpenConversation, items: readonly ItemView[]): OpenConversation {
  return items === open.items ? open : { ...open, items };
}

function withSnapshot(
  open: OpenConversation,
  { complete, items, run }: Extract<Event, { type: "snapshot" }>,
): OpenConversation {
  const known = open.items;
  const next = complete ? items.map((item) => sameOrNew(known, item)) : items.reduce(putItem, known);
  return { ...open, isLoaded: true, items: next, run };
}

function emptied(open: OpenConversation): OpenConversation {
  return { ...open, isLoaded: true, items: [], run: IDLE };
}

/** The item as it is known already, when it has not changed since. */
function sameOrNew(known: readonly ItemView[], item: ItemView): ItemView {
  const old = known[indexOf(known, item.id)];
  return old !== undefined && old.seq === item.seq ? old : item;
}

function putItem(items: readonly ItemView[], item: ItemView): readonly ItemView[] {
  const at = indexOf(items, item.id);
  const old = items[at];
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

/** The older ones that the person has asked for stay, if nothing is missing between them and the newest. */
function withNewest(
  { isWelcome, conversations: known, listedBackTo }: State,
  { conversations: newest, more_conversations }: Welcome,
): Pick<State, "conversations" | "listedBackTo"> {
  const end = more_conversations ? newest.at(-1)?.updated_at : undefined;
  if (end === undefined) return { conversations: newestFirst(newest), listedBackTo: null };
  const isJoined = isWelcome && known.some(({ updated_at }) => updated_at >= end);
  if (!isJoined) return { conversations: newestFirst(newest), listedBackTo: end };
  return {
    conversations: withSummaries(known.filter(({ updated_at }) => updated_at <= end), newest),
    listedBackTo: listedBackTo === null ? null : Math.min(listedBackTo, end),
  };
}

function withSummaries(
  conversations: readonly ConversationSummary[],
  summaries: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  const renewed = new Set(summaries.map(({ id }) => id));
  return newestFirst([...conversations.filter(({ id }) => !renewed.has(id)), ...summaries]);
}

function newestFirst(conversations: readonly ConversationSummary[]): ConversationSummary[] {
  return conversations.toSorted((a, b) => b.updated_at - a.updated_at);
}
