// Trying a model record out, and what came of it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ModelReport, ModelVerdict, ModelView } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";

/** How a check stands. */
export type Check =
  | { state: "none" }
  | { state: "running" }
  | { state: "done"; report: ModelReport }
  /** The core did not take it. */
  | { state: "refused"; reason: string };

const VERDICTS = {
  works: { label: "model_tested_works", look: "badge accent" },
  chat_only: { label: "model_tested_chat_only", look: "badge warning" },
  fails: { label: "model_tested_fails", look: "badge danger" },
} as const satisfies Record<ModelVerdict, { label: MessageKey; look: string }>;

export function useModelCheck(view: View, model: ModelView): [check: Check, begin: () => void] {
  const [check, setCheck] = useState<Check>({ state: "none" });
  const run = async () => {
    setCheck({ state: "running" });
    const answer = await view.send({ type: "check_model", model: model.id });
    if (answer.type === "model_checked") setCheck({ state: "done", report: answer.report });
    else if (answer.type === "refused") setCheck({ state: "refused", reason: answer.refusal.message });
  };
  return [check, () => void (check.state === "running" || run())];
}

export function CheckResult({ check }: { check: Check }): JSX.Element {
  return (
    <div role="status" class="check-result">
      {check.state === "running" && <p class="quiet">{t("model_testing")}</p>}
      {check.state === "refused" && <p class="field-fault">{check.reason}</p>}
      {check.state === "done" && <Report report={check.report} />}
    </div>
  );
}

function Report({ report }: { report: ModelReport }): JSX.Element {
  const { label, look } = VERDICTS[report.verdict];
  return (
    <>
      <p>
        <span class={look}>{t(label)}</span> <span dir="auto">{report.message}</span>
      </p>
      {report.mended.map((sentence) => (
        <p key={sentence} dir="auto">
          {sentence}
        </p>
      ))}
    </>
  );
}
