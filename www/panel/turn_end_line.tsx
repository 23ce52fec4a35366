// The end of a turn: what it took, a copy of the answer, and the way on where there is one.

import type { JSX } from "preact";

import type { ConversationId, ItemBody, ItemView, TurnEndReason, TurnId } from "../generated/protocol.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { formatDuration } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";
import { RegenerateIcon, RetryIcon } from "../ui/icons.tsx";
import { itemsOf } from "../ui/store.ts";
import { turnEndKey } from "./announcement.ts";
import type { Controller } from "./controller.ts";
import { UsageText } from "./usage_text.tsx";

export function TurnEndLine(props: {
  conversation: ConversationId;
  turn: TurnId;
  body: Extract<ItemBody, { kind: "turn_end" }>;
  controller: Controller;
  canContinue: boolean;
}): JSX.Element {
  const { conversation, turn, body, controller, canContinue } = props;
  const { reason, usage, millis } = body;
  // One that only summed up has none.
  const answer = answerOf(itemsOf(controller.view.state, conversation), turn);
  return (
    <div class="line turn-end">
      {reason === "done" && answer !== "" && <CopyButton text={() => answer} label={t("copy_answer")} />}
      {reason !== "done" && canContinue && (
        <button type="button" class="button" onClick={() => void controller.retryTurn()}>
          <RetryIcon />
          {continueLabel(reason)}
        </button>
      )}
      {canContinue && (
        <button
          type="button"
          class="icon-button small"
          aria-label={t("regenerate")}
          title={t("regenerate")}
          onClick={() => void controller.regenerate(turn)}
        >
          <RegenerateIcon />
        </button>
      )}
      <p>
        {reason !== "done" && <span>{t(turnEndKey[reason])}</span>}
        <span>{formatDuration(millis)}</span>
        <UsageText usage={usage} />
      </p>
    </div>
  );
}

function continueLabel(reason: Exclude<TurnEndReason, "done">): string {
  switch (reason) {
    case "failed":
      return t("try_again");
    case "stopped":
    case "limit":
      return t("continue_turn");
    default:
      return reason satisfies never;
  }
}

/** What the model last said in the turn, as it wrote it. */
function answerOf(items: readonly ItemView[], turn: TurnId): string {
  const item = items.findLast(
    ({ turn: own, body }) => own === turn && body.kind === "assistant_message" && body.text !== "",
  );
  return item?.body.kind === "assistant_message" ? item.body.text : "";
}
