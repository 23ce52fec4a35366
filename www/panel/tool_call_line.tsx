// A tool call as one quiet line: what, how far, how long. It unfolds to what went in and came out.

import type { JSX } from "preact";

import type { CallState, ItemBody } from "../generated/protocol.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { formatDuration, formatSeconds } from "../ui/format.ts";
import { useNow } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";
import { CheckIcon, ErrorIcon, QuestionIcon, Spinner, ToolIcon } from "../ui/icons.tsx";
import { Fold } from "./fold.tsx";
import { argumentHint, prettyJson } from "./tool_text.ts";

export function ToolCallLine({ body }: { body: Extract<ItemBody, { kind: "tool_call" }> }): JSX.Element {
  const { title, tool, state, attempts } = body;
  return (
    <div class="line tool">
      <Fold
        icon={stateIcon(state)}
        title={title}
        hint={argumentHint(body.arguments)}
        end={<StateText state={state} />}
        isBusy={state.state === "running"}
        state={isTrouble(state) ? "trouble" : state.state}
      >
        <p class="tool-name">
          <code>{tool}</code>
          {attempts > 1 && <span>{t("tool_attempts", String(attempts))}</span>}
        </p>
        <Part label={t("tool_arguments")} text={body.arguments === "" ? "{}" : body.arguments} />
        {state.state === "done" && (
          <Part label={state.is_error ? t("tool_error") : t("tool_result")} text={state.result} />
        )}
        {state.state === "unknown" && <p>{t("tool_unknown_help")}</p>}
      </Fold>
    </div>
  );
}

function Part({ label, text }: { label: string; text: string }): JSX.Element {
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

function isTrouble(state: CallState): boolean {
  return state.state === "unknown" || (state.state === "done" && state.is_error);
}

function stateIcon(state: CallState): JSX.Element {
  switch (state.state) {
    case "waiting":
      return <ToolIcon />;
    case "running":
      return <Spinner />;
    case "done":
      return state.is_error ? <ErrorIcon /> : <CheckIcon />;
    case "unknown":
      return <QuestionIcon />;
    default:
      return state satisfies never;
  }
}

function StateText({ state }: { state: CallState }): JSX.Element {
  switch (state.state) {
    case "waiting":
      return <span>{t("tool_waiting")}</span>;
    case "running":
      return <RunningText since={state.since} />;
    case "done":
      return (
        <>
          <span class={state.is_error ? "" : "hidden"}>
            {state.is_error ? t("tool_failed") : t("tool_done")}
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

function RunningText({ since }: { since: number }): JSX.Element {
  const elapsed = useNow(true) - since;
  return (
    <>
      <span class="hidden">{t("tool_running")}</span>
      {elapsed >= 1000 && <span class="time">{formatSeconds(elapsed)}</span>}
    </>
  );
}
