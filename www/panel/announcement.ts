// What a screen reader is told: messages when they are finished, and what needs attention. Text
// that is still arriving is never read out piece by piece.

import type { ConversationId, Event, ItemBody, RunView, TurnEndReason } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";

export function announcement(event: Event, open: ConversationId): string | null {
  switch (event.type) {
    case "item":
      return event.conversation === open ? ofItem(event.item.body) : null;
    case "run":
      return event.conversation === open ? ofRun(event.run) : null;
    case "core":
    case "applied":
    case "refused":
    case "welcome":
    case "conversations":
    case "snapshot":
    case "tool_answer":
    case "blocks":
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
    case "user_message":
    case "tool_call":
      return null;
    default:
      return body satisfies never;
  }
}

function ofRun(run: RunView): string | null {
  if (run.state === "idle") return null;
  const { activity } = run;
  switch (activity.activity) {
    case "waiting_for_model":
      return t("activity_waiting");
    case "retrying":
      return activity.reason;
    case "streaming":
    case "running_tools":
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
