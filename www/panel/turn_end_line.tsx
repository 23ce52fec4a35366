// The end of a turn: what it took, a copy of the answer, and the way on where there is one.

import type { JSX } from "preact";

import type { ItemBody, ItemView, TurnEndReason, TurnId, Usage } from "../generated/protocol.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { formatCount, formatDuration, formatWhole } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";
import { RetryIcon } from "../ui/icons.tsx";
import { turnEndKey } from "./announcement.ts";
import type { Controller } from "./controller.ts";

export function TurnEndLine(props: {
  turn: TurnId;
  body: Extract<ItemBody, { kind: "turn_end" }>;
  controller: Controller;
  canContinue: boolean;
}): JSX.Element {
  const { turn, body, controller, canContinue } = props;
  const { reason, usage, millis } = body;
  const answer = () => answerOf(controller.view.state.open?.items ?? [], turn);
  return (
    <div class="line turn-end">
      {reason === "done" && <CopyButton text={answer} label={t("copy_answer")} />}
      {reason !== "done" && canContinue && (
        <button type="button" class="button" onClick={() => void controller.retryTurn()}>
          <RetryIcon />
          {continueLabel(reason)}
        </button>
      )}
      <p>
        {reason !== "done" && <span>{t(turnEndKey[reason])}</span>}
        <span>{formatDuration(millis)}</span>
        {hasUsage(usage) && (
          <span title={usageDetail(usage)}>{t("turn_tokens", formatCount(usage.input + usage.output))}</span>
        )}
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

/** A provider that counts nothing is not a turn that cost nothing. */
function hasUsage(usage: Usage): boolean {
  return usage.input > 0 || usage.output > 0;
}

function usageDetail({ input, cached, output, reasoning }: Usage): string {
  return t(
    "turn_tokens_detail",
    formatWhole(input),
    formatWhole(cached),
    formatWhole(output),
    formatWhole(reasoning),
  );
}

/** What the model last said in the turn, as it wrote it. */
function answerOf(items: readonly ItemView[], turn: TurnId): string {
  const item = items.findLast(
    ({ turn: own, body }) => own === turn && body.kind === "assistant_message" && body.text !== "",
  );
  return item?.body.kind === "assistant_message" ? item.body.text : "";
}
