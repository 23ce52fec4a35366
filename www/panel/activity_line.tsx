// What a running turn is doing, in one quiet line where the answer will appear.

import type { JSX } from "preact";

import type { Activity, Millis, RunView } from "../generated/protocol.ts";
import { formatSeconds } from "../ui/format.ts";
import { useNow } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";

/** Shorter waits need no number. */
const SHOW_TIME_AFTER_MS = 3_000;

export function ActivityLine(props: {
  run: Extract<RunView, { state: "working" }>;
  since: Millis | null;
}): JSX.Element {
  const { run, since } = props;
  const now = useNow(true);
  // A countdown beside a count would only confuse.
  const elapsed = since === null || run.activity.activity === "retrying" ? 0 : now - since;
  return (
    <p class="line activity">
      <span class="pulse" aria-hidden="true" />
      <span>{describe(run.activity, now)}</span>
      {elapsed >= SHOW_TIME_AFTER_MS && <time class="time">{formatSeconds(elapsed)}</time>}
    </p>
  );
}

function describe(activity: Activity, now: Millis): string {
  switch (activity.activity) {
    case "waiting_for_model":
      return t("activity_waiting");
    case "streaming":
      return t("activity_streaming");
    case "running_tools":
      return t("activity_tools");
    case "retrying": {
      const wait = formatSeconds(activity.at - now);
      return t("activity_retrying", activity.reason, String(activity.attempt), wait);
    }
    default:
      return activity satisfies never;
  }
}
