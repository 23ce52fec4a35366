// A sub-agent's work under the call that started it: one line that unfolds to a conversation of its own.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ConversationId, ItemBody } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { InfoIcon, Spinner, StopIcon } from "../ui/icons.tsx";
import { isRequest } from "../ui/requests.ts";
import type { ChildConversation } from "../ui/store.ts";
import { ActivityLine } from "./activity_line.tsx";
import type { Controller } from "./controller.ts";
import { Fold } from "./fold.tsx";
import { ItemLine, type ItemLineProps } from "./item_line.tsx";
import { TaskList } from "./task_list.tsx";
import { CallResult, foldState, stateIcon, StateText } from "./tool_call_parts.tsx";
import { argument } from "./tool_text.ts";

export function SubAgentLine(props: {
  body: Extract<ItemBody, { kind: "tool_call" }>;
  id: ConversationId;
  /** What is known of it; null before it is attached to. */
  child: ChildConversation | null;
  controller: Controller;
}): JSX.Element {
  const { body, id, child, controller } = props;
  const { state } = body;
  const [isOpen, setOpen] = useState(false);
  const onToggle = (isNowOpen: boolean) => {
    setOpen(isNowOpen);
    if (isNowOpen) controller.view.follow(id);
  };
  const asks = child?.items.filter(isRequest) ?? [];
  return (
    <div class="line tool sub-agent">
      <Fold
        icon={stateIcon(state)}
        title={body.title}
        hint={t("sub_agent")}
        end={asks.length > 0 ? <span class="badge accent">{t("waits_for_you")}</span> : <StateText state={state} />}
        isBusy={state.state === "running"}
        state={foldState(state)}
        onToggle={onToggle}
      >
        <Fold icon={<InfoIcon />} title={t("sub_agent_brief")}>
          <p class="brief" dir="auto">
            {argument(body.arguments, "prompt")}
          </p>
        </Fold>
        {child === null ? <Loading /> : <ChildTranscript id={id} child={child} controller={controller} />}
        <CallResult state={state} />
      </Fold>
      {/* What is asked must not wait behind a fold. */}
      {!isOpen && asks.map((item) => <ChildLine key={item.id} item={item} conversation={id} controller={controller} />)}
    </div>
  );
}

function ChildTranscript(props: {
  id: ConversationId;
  child: ChildConversation;
  controller: Controller;
}): JSX.Element {
  const { id, child, controller } = props;
  const { items, run, tasks } = child;
  // The brief is its first message, and stands above already.
  const [first, ...others] = items;
  const shown = first?.body.kind === "user_message" ? others : items;
  return (
    <div class="sub-agent-lines">
      {shown.map((item) => (
        <ChildLine key={item.id} item={item} conversation={id} controller={controller} />
      ))}
      {run.state === "working" && (
        <div class="sub-agent-now">
          {tasks.length > 0 && <TaskList tasks={tasks} />}
          <ActivityLine run={run} since={first?.at ?? null} />
          <button type="button" class="button small" onClick={() => void controller.stopSubAgent(id)}>
            <StopIcon />
            {t("sub_agent_stop")}
          </button>
        </div>
      )}
    </div>
  );
}

/** A line that is the sub-agent's: the person may answer it, and change nothing in it. */
function ChildLine(props: Pick<ItemLineProps, "item" | "conversation" | "controller">): JSX.Element {
  return <ItemLine {...props} child={null} canChange={false} isLastTurnEnd={false} />;
}

function Loading(): JSX.Element {
  return (
    <p class="line activity">
      <Spinner />
      <span>{t("loading")}</span>
    </p>
  );
}
