// One line of the conversation. It renders again only when its item is another object.

import type { JSX } from "preact";

import type { Block, ConversationId, CutReason, ItemBody, ItemId, ItemView, NoticeLevel } from "../generated/protocol.ts";
import { Blocks } from "../ui/blocks.tsx";
import { type MessageKey, t } from "../ui/i18n.ts";
import { ErrorIcon, InfoIcon, SummaryIcon, ThoughtIcon, WarningIcon } from "../ui/icons.tsx";
import { memo } from "../ui/memo.tsx";
import type { ChildConversation } from "../ui/store.ts";
import type { Controller } from "./controller.ts";
import { Fold } from "./fold.tsx";
import { AnsweredLine, QuestionCard } from "./question_card.tsx";
import { ToolCallLine } from "./tool_call_line.tsx";
import { TurnEndLine } from "./turn_end_line.tsx";
import { UserLine } from "./user_line.tsx";

export type ItemLineProps = {
  item: ItemView;
  /** The conversation it stands in: the open one, or a sub-agent's. */
  conversation: ConversationId;
  /** What is known of the sub-agent that it started. */
  child: ChildConversation | null;
  controller: Controller;
  /** Whether nothing runs, so that what is said here may be changed. */
  canChange: boolean;
  /** Whether it ends the last turn, which may be taken up again here when nothing runs. */
  isLastTurnEnd: boolean;
};

export const ItemLine = memo(function ItemLine(props: ItemLineProps): JSX.Element {
  const { item, conversation, child, controller, canChange, isLastTurnEnd } = props;
  const { body } = item;
  switch (body.kind) {
    case "user_message":
      return <UserLine item={item.id} text={body.text} controller={controller} canEdit={canChange} />;
    case "assistant_message":
      return <AssistantLine body={body} />;
    case "tool_call":
      return (
        <ToolCallLine
          conversation={conversation}
          item={item.id}
          body={body}
          child={child}
          controller={controller}
        />
      );
    case "question":
      return <QuestionLine conversation={conversation} item={item.id} body={body} controller={controller} />;
    case "summary":
      return <SummaryLine blocks={body.blocks} byModel={body.by_model} />;
    case "notice":
      return <NoticeLine level={body.level} text={body.text} />;
    case "turn_end":
      return (
        <TurnEndLine
          conversation={conversation}
          turn={item.turn}
          body={body}
          controller={controller}
          canContinue={canChange && isLastTurnEnd}
        />
      );
    case "gone":
      return <></>;
    default:
      return body satisfies never;
  }
});

function AssistantLine(props: {
  body: Extract<ItemBody, { kind: "assistant_message" }>;
}): JSX.Element | null {
  const { blocks, thinking, state } = props.body;
  // A message may be nothing but the calls that follow it.
  if (blocks.length === 0 && thinking === "" && state.state !== "cut") return null;
  const isThinking = state.state === "streaming" && blocks.length === 0;
  return (
    <article class={blocks.length > 0 ? "line assistant" : "line assistant silent"}>
      {thinking !== "" && (
        <Fold icon={<ThoughtIcon />} title={isThinking ? t("thinking") : t("thought")} isBusy={isThinking}>
          <p class="thinking" dir="auto">
            {thinking}
          </p>
        </Fold>
      )}
      {blocks.length > 0 && (
        <>
          <h2 class="hidden">{t("answer")}</h2>
          <div class="blocks">
            <Blocks blocks={blocks} />
          </div>
        </>
      )}
      {state.state === "cut" && <p class="cut">{t(cutKey[state.reason])}</p>}
    </article>
  );
}

/** A question of Tabwright's own: nothing but its options can be answered. */
function QuestionLine(props: {
  conversation: ConversationId;
  item: ItemId;
  body: Extract<ItemBody, { kind: "question" }>;
  controller: Controller;
}): JSX.Element {
  const { conversation, item, body, controller } = props;
  const { question, options, state } = body;
  switch (state.state) {
    case "open": {
      const asked = { question, options, isMultiple: false, isFree: false, until: state.until };
      return <QuestionCard conversation={conversation} item={item} question={asked} controller={controller} />;
    }
    case "answered":
      return <AnsweredLine question={question} answers={[state.answer]} none="" />;
    case "expired":
      return <AnsweredLine question={question} answers={[]} none={t("question_expired")} />;
    default:
      return state satisfies never;
  }
}

/** The conversation stays in view; the model sees this in the place of what is above. */
function SummaryLine({ blocks, byModel }: { blocks: readonly Block[]; byModel: boolean }): JSX.Element {
  return (
    <div class="line summary">
      <Fold icon={<SummaryIcon />} title={t("summary_title")}>
        <p>{byModel ? t("summary_help") : t("summary_no_model")}</p>
        <div class="blocks">
          <Blocks blocks={blocks} />
        </div>
      </Fold>
    </div>
  );
}

const cutKey = {
  stopped: "cut_stopped",
  interrupted: "cut_interrupted",
  connection: "cut_connection",
  length: "cut_length",
  refused: "cut_refused",
} as const satisfies Record<CutReason, MessageKey>;

function NoticeLine({ level, text }: { level: NoticeLevel; text: string }): JSX.Element {
  return (
    <p class="line notice" data-level={level}>
      {noticeIcon(level)}
      <span dir="auto">{text}</span>
    </p>
  );
}

function noticeIcon(level: NoticeLevel): JSX.Element {
  switch (level) {
    case "info":
      return <InfoIcon />;
    case "warning":
      return <WarningIcon />;
    case "error":
      return <ErrorIcon />;
    default:
      return level satisfies never;
  }
}
