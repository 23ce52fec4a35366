// What the lines of tool calls have in common: how far a call is, and what went in and came out.

import type { JSX } from "preact";

import type { CallState } from "../generated/protocol.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { formatDuration, formatSeconds } from "../ui/format.ts";
import { useNow } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";
import { CheckIcon, CloseIcon, ErrorIcon, QuestionIcon, ShieldIcon, Spinner, ToolIcon } from "../ui/icons.tsx";
import { errorCode, prettyJson } from "./tool_text.ts";

export function CallPart({ label, text }: { label: string; text: string }): JSX.Element {
  return (
    <figure class="code">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={() => text} label={t("copy_part", label)} />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={label}>
        <code>{prettyJson(text)}</code>
      </pre>
    </figure>
  );
}

/** What came of a call, where something did. */
export function CallResult({ state }: { state: CallState }): JSX.Element | null {
  if (state.state === "unknown") return <p>{t("tool_unknown_help")}</p>;
  if (state.state !== "done") return null;
  return <CallPart label={state.is_error ? t("tool_error") : t("tool_result")} text={state.result} />;
}

/** For the style of a call's fold. */
export function foldState(state: CallState): string {
  if (state.state === "unknown") return "trouble";
  if (state.state !== "done" || !state.is_error) return state.state;
  return isUnwanted(state.result) ? "unwanted" : "trouble";
}

/** What the person did not want has not failed. */
function isUnwanted(result: string): boolean {
  return failureKey(result) !== "tool_failed";
}

export function stateIcon(state: CallState): JSX.Element {
  switch (state.state) {
    case "waiting":
      return <ToolIcon />;
    case "awaiting_approval":
      return <ShieldIcon />;
    case "asking":
      return <QuestionIcon />;
    case "running":
      return <Spinner />;
    case "done":
      if (!state.is_error) return <CheckIcon />;
      return isUnwanted(state.result) ? <CloseIcon /> : <ErrorIcon />;
    case "unknown":
      return <QuestionIcon />;
    default:
      return state satisfies never;
  }
}

export function StateText({ state }: { state: CallState }): JSX.Element {
  switch (state.state) {
    case "waiting":
      return <span>{t("tool_waiting")}</span>;
    case "awaiting_approval":
    case "asking":
      return <span>{t("waits_for_you")}</span>;
    case "running":
      return <RunningText since={state.since} />;
    case "done":
      return (
        <>
          <span class={state.is_error ? "" : "hidden"}>
            {state.is_error ? t(failureKey(state.result)) : t("tool_done")}
          </span>
          <span class="time">{formatDuration(state.millis)}</span>
        </>
      );
    case "unknown":
      return <span>{t("tool_unknown")}</span>;
    default:
      return state satisfies never;
  }
}

function failureKey(result: string): "tool_denied" | "turn_stopped" | "tool_failed" {
  switch (errorCode(result)) {
    case "denied":
      return "tool_denied";
    case "stopped":
      return "turn_stopped";
    default:
      return "tool_failed";
  }
}

function RunningText({ since }: { since: number }): JSX.Element {
  const elapsed = useNow(true) - since;
  return (
    <>
      <span class="hidden">{t("tool_running")}</span>
      {elapsed >= 1000 && <span class="time">{formatSeconds(elapsed)}</span>}
    </>
  );
}
