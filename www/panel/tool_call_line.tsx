// A tool call: a card while it waits for the person, else one quiet line with what, how far and how
// long, which unfolds to what went in and came out.

import type { JSX } from "preact";

import type { ConversationId, ItemBody, ItemId } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { ChildConversation } from "../ui/store.ts";
import { outcomeOf } from "./answers.ts";
import { ApprovalCard } from "./approval_card.tsx";
import type { Controller } from "./controller.ts";
import { Fold } from "./fold.tsx";
import { AnsweredLine, QuestionCard } from "./question_card.tsx";
import { SubAgentLine } from "./sub_agent_line.tsx";
import { CallPart, CallResult, foldState, stateIcon, StateText } from "./tool_call_parts.tsx";
import { argument, argumentHint } from "./tool_text.ts";

type Call = Extract<ItemBody, { kind: "tool_call" }>;

/** The tool whose result is the person's answer. */
const ASK = "ask_user";

export function ToolCallLine(props: {
  conversation: ConversationId;
  item: ItemId;
  body: Call;
  /** What is known of the sub-agent that the call started. */
  child: ChildConversation | null;
  controller: Controller;
}): JSX.Element {
  const { conversation, item, body, child, controller } = props;
  const { state } = body;
  switch (state.state) {
    case "awaiting_approval": {
      const { title, tool } = body;
      const what = { conversation, item, title, tool, arguments: body.arguments, reason: state.reason };
      return <ApprovalCard {...what} controller={controller} />;
    }
    case "asking": {
      const { question, options, multiple, until } = state;
      const asked = { question, options, isMultiple: multiple, isFree: true, until };
      return <QuestionCard conversation={conversation} item={item} question={asked} controller={controller} />;
    }
    case "waiting":
    case "running":
    case "done":
    case "unknown":
      if (body.child === null) return <SettledCall body={body} />;
      return <SubAgentLine body={body} id={body.child} child={child} controller={controller} />;
    default:
      return state satisfies never;
  }
}

function SettledCall({ body }: { body: Call }): JSX.Element {
  const { tool, state } = body;
  const outcome = tool === ASK && state.state === "done" && !state.is_error ? outcomeOf(state.result) : null;
  if (outcome === null) return <PlainCall body={body} />;
  const { answers, isStopped } = outcome;
  const none = isStopped ? t("question_stopped") : t("question_expired");
  return <AnsweredLine question={argument(body.arguments, "question")} answers={answers} none={none} />;
}

function PlainCall({ body }: { body: Call }): JSX.Element {
  const { title, tool, state, attempts } = body;
  return (
    <div class="line tool">
      <Fold
        icon={stateIcon(state)}
        title={title}
        hint={argumentHint(body.arguments)}
        end={<StateText state={state} />}
        isBusy={state.state === "running"}
        state={foldState(state)}
      >
        <p class="tool-name">
          <code>{tool}</code>
          {attempts > 1 && <span>{t("tool_attempts", String(attempts))}</span>}
        </p>
        <CallPart label={t("tool_arguments")} text={body.arguments === "" ? "{}" : body.arguments} />
        <CallResult state={state} />
      </Fold>
    </div>
  );
}
