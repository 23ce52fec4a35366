// What the views show, as a pure function of the core's events.
//
// Invariant: an event changes the identity of exactly what it changes. Everything else, down to
// the single block of a streaming message, stays the same object, so that components can tell by
// `===` that they need not render again.

import type {
  CallId,
  CallState,
  ConversationId,
  ConversationSummary,
  CoreHealth,
  Event,
  EventEnvelope,
  ItemView,
  Millis,
  ModelRoles,
  ModelView,
  Seq,
  Settings,
  Welcome,
} from "../generated/protocol.ts";
import {
  type ConversationEvent,
  type ConversationState,
  EMPTY,
  isConversationEvent,
  told,
  withEvent,
} from "./conversation_state.ts";

/** A sub-agent's conversation, from its first snapshot on. */
export type ChildConversation = ConversationState & {
  /** The call that started it. */
  readonly call: CallId;
};

export type OpenConversation = ConversationState & {
  readonly id: ConversationId;
  /** False until its first snapshot: nothing is known about it yet, not even that it is empty. */
  readonly isLoaded: boolean;
  /** Those of its sub-agents that this view has attached to. */
  readonly children: ReadonlyMap<ConversationId, ChildConversation>;
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
  /** Which model does what. */
  roles: ModelRoles;
  settings: Settings | null;
  open: OpenConversation | null;
};

export const initialState: State = {
  health: null,
  isWelcome: false,
  conversations: [],
  listedBackTo: null,
  models: [],
  roles: { current: null, summary: null, fallback: null },
  settings: null,
  open: null,
};

const NO_CHILDREN: OpenConversation["children"] = new Map();

export function openConversation(state: State, id: ConversationId): State {
  return { ...state, open: { ...EMPTY, id, isLoaded: false, children: NO_CHILDREN } };
}

/** The sub-agents of the open conversation that the event shows at work: they are followed, seen or not, for they may ask something. */
export function workingChildren({ open }: State, event: Event): ConversationId[] {
  if (open === null || !("conversation" in event) || event.conversation !== open.id) return [];
  if (event.type === "item") return workingChildrenOf([event.item]);
  return event.type === "snapshot" ? workingChildrenOf(event.items) : [];
}

function workingChildrenOf(items: readonly ItemView[]): ConversationId[] {
  return items.flatMap(({ body }) =>
    body.kind === "tool_call" && body.child !== null && !isOver(body.state) ? [body.child] : [],
  );
}

function isOver({ state }: CallState): boolean {
  return state === "done" || state === "unknown";
}

/** What is known of a conversation that is open, or a sub-agent's of it. */
export function itemsOf({ open }: State, conversation: ConversationId): readonly ItemView[] {
  if (open?.id === conversation) return open.items;
  return open?.children.get(conversation)?.items ?? [];
}

export function currentModel(state: State): ModelView | null {
  return state.models.find((model) => model.id === state.roles.current) ?? null;
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
        roles: event.welcome.roles,
        settings: event.welcome.settings,
      };
    case "conversations":
      return {
        ...state,
        conversations: withSummaries(state.conversations, event.conversations),
        listedBackTo: event.more ? (event.conversations.at(-1)?.updated_at ?? null) : null,
      };
    case "models":
      return { ...state, models: event.models, roles: event.roles };
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
    case "cleared":
      return withOpen(state, event.conversation, emptied);
    case "snapshot":
      return state.open === null ? state : withOpen(state, state.open.id, (open) => withSnapshot(open, event));
    case "item":
    case "blocks":
    case "run":
    case "tasks":
      return withOpen(state, event.conversation, (open) => withOwnEvent(open, event, seq));
    case "sub_agent_event":
      return withOpen(state, event.conversation, (open) => withChildEvent(open, event, seq));
    // Answers go to whoever asked; the truth they speak of comes in events of its own.
    case "applied":
    case "refused":
    case "tool_answer":
    case "model_checked":
    case "models_found":
    case "usage_by_day":
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

/** A snapshot may be of the conversation itself, of one of its sub-agents, or of what another view shows. */
function withSnapshot(open: OpenConversation, event: Extract<Event, { type: "snapshot" }>): OpenConversation {
  if (event.conversation === open.id) return withoutLostChildren({ ...open, ...told(open, event), isLoaded: true });
  const call = callOf(open.items, event.conversation);
  if (call === null) return open;
  const known = open.children.get(event.conversation) ?? EMPTY;
  return withChild(open, event.conversation, { ...told(known, event), call });
}

function withOwnEvent(open: OpenConversation, event: ConversationEvent, seq: Seq): OpenConversation {
  if (!open.isLoaded) return open;
  const next = withEvent(open, event, seq);
  return next.items.length < open.items.length ? withoutLostChildren(next) : next;
}

function withChildEvent(
  open: OpenConversation,
  { child, event }: Extract<Event, { type: "sub_agent_event" }>,
  seq: Seq,
): OpenConversation {
  const known = open.children.get(child);
  if (known === undefined || !isConversationEvent(event)) return open;
  const next = withEvent(known, event, seq);
  return next === known ? open : withChild(open, child, next);
}

function withChild(open: OpenConversation, id: ConversationId, child: ChildConversation): OpenConversation {
  return { ...open, children: new Map(open.children).set(id, child) };
}

/** A sub-agent goes with the call that started it. */
function withoutLostChildren(open: OpenConversation): OpenConversation {
  const left = [...open.children].filter(([id]) => callOf(open.items, id) !== null);
  return left.length === open.children.size ? open : { ...open, children: new Map(left) };
}

function callOf(items: readonly ItemView[], child: ConversationId): CallId | null {
  const item = items.findLast(({ body }) => body.kind === "tool_call" && body.child === child);
  return item?.body.kind === "tool_call" ? item.body.call : null;
}

function emptied(open: OpenConversation): OpenConversation {
  return { ...open, ...EMPTY, isLoaded: true, children: NO_CHILDREN };
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
