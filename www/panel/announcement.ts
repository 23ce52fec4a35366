// What a screen reader is told: messages when they are finished, and what needs attention. Text
// that is still arriving is never read out piece by piece.

import type { ConversationId, Event, ItemBody, ItemView, RunView, TurnEndReason } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import { isRequest } from "../ui/requests.ts";

export function announcement(event: Event, open: ConversationId): string | null {
  switch (event.type) {
    case "item":
      return event.conversation === open ? ofItem(event.item.body) : null;
    case "run":
      return event.conversation === open ? ofRun(event.run) : null;
    case "snapshot":
      return event.conversation === open ? ofSnapshot(event.items) : null;
    case "sub_agent_event":
      return event.conversation === open ? ofSubAgent(event.event) : null;
    case "core":
    case "applied":
    case "refused":
    case "welcome":
    case "conversations":
    case "tool_answer":
    case "model_checked":
    case "models_found":
    case "usage_by_day":
    case "blocks":
    case "tasks":
    case "cleared":
    case "conversation":
    case "conversation_deleted":
    case "models":
    case "settings":
      return null;
    default:
      return event satisfies never;
  }
}

function ofItem(body: ItemBody): string | null {
  switch (body.kind) {
    case "assistant_message":
      return body.state.state === "streaming" || body.text === "" ? null : body.text;
    case "notice":
      return body.text;
    case "turn_end":
      return body.reason === "done" ? null : t(turnEndKey[body.reason]);
    case "tool_call":
      return ofCall(body);
    case "question":
      return body.state.state === "open" ? t("announce_question", body.question) : null;
    case "summary":
      return t("summary_title");
    case "user_message":
    case "gone":
      return null;
    default:
      return body satisfies never;
  }
}

function ofCall({ title, state }: Extract<ItemBody, { kind: "tool_call" }>): string | null {
  switch (state.state) {
    case "awaiting_approval":
      return t("announce_approval", title, state.reason);
    case "asking":
      return t("announce_question", state.question);
    case "waiting":
    case "running":
    case "done":
    case "unknown":
      return null;
    default:
      return state satisfies never;
  }
}

/** What was asked before the panel was open is still asked. */
function ofSnapshot(items: readonly ItemView[]): string | null {
  const asks = items.findLast(isRequest);
  return asks === undefined ? null : ofItem(asks.body);
}

/** A sub-agent works in the background: only what it wants of the person is said. */
function ofSubAgent(event: Event): string | null {
  return event.type === "item" && isRequest(event.item) ? ofItem(event.item.body) : null;
}

function ofRun(run: RunView): string | null {
  if (run.state === "idle") return null;
  const { activity } = run;
  switch (activity.activity) {
    case "waiting_for_model":
      return t("activity_waiting");
    case "compacting":
      return t("activity_compacting");
    case "retrying":
      return activity.reason;
    case "streaming":
    case "running_tools":
    // What is asked has been said.
    case "waiting_for_person":
      return null;
    default:
      return activity satisfies never;
  }
}

export const turnEndKey = {
  done: "turn_done",
  stopped: "turn_stopped",
  limit: "turn_limit",
  failed: "turn_failed",
} as const satisfies Record<TurnEndReason, MessageKey>;
