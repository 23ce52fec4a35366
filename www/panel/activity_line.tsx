// What a running turn is doing, in one quiet line where the answer will appear.

import type { JSX } from "preact";

import type { Activity, Millis, RunView } from "../generated/protocol.ts";
import { formatSeconds } from "../ui/format.ts";
import { useNow } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";
import { UsageText } from "./usage_text.tsx";

/** Shorter waits need no number. */
const SHOW_TIME_AFTER_MS = 3_000;

export function ActivityLine(props: {
  run: Extract<RunView, { state: "working" }>;
  since: Millis | null;
}): JSX.Element {
  const { run, since } = props;
  const now = useNow(true);
  const elapsed = since === null || !isCounting(run.activity) ? 0 : now - since;
  return (
    <p class="line activity">
      <span class="pulse" aria-hidden="true" />
      <span>
        {describe(run.activity, now)}
        {elapsed >= SHOW_TIME_AFTER_MS && <time class="time">{formatSeconds(elapsed)}</time>}
        <UsageText usage={run.usage} />
      </span>
    </p>
  );
}

/** A countdown beside a count would only confuse, and the person's own time is nobody's to count. */
function isCounting({ activity }: Activity): boolean {
  return activity !== "retrying" && activity !== "waiting_for_person";
}

function describe(activity: Activity, now: Millis): string {
  switch (activity.activity) {
    case "waiting_for_model":
      return t("activity_waiting");
    case "streaming":
      return t("activity_streaming");
    case "running_tools":
      return t("activity_tools");
    case "waiting_for_person":
      return t("activity_person");
    case "compacting":
      return t("activity_compacting");
    case "retrying": {
      const wait = formatSeconds(activity.at - now);
      return t("activity_retrying", activity.reason, String(activity.attempt), wait);
    }
    default:
      return activity satisfies never;
  }
}
