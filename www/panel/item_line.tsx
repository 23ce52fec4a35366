// One line of the conversation. It renders again only when its item is another object.

import type { JSX } from "preact";

import type { CutReason, ItemBody, ItemView, NoticeLevel } from "../generated/protocol.ts";
import { Blocks } from "../ui/blocks.tsx";
import { type MessageKey, t } from "../ui/i18n.ts";
import { ErrorIcon, InfoIcon, ThoughtIcon, WarningIcon } from "../ui/icons.tsx";
import { memo } from "../ui/memo.tsx";
import type { Controller } from "./controller.ts";
import { Fold } from "./fold.tsx";
import { ToolCallLine } from "./tool_call_line.tsx";
import { TurnEndLine } from "./turn_end_line.tsx";

export type ItemLineProps = {
  item: ItemView;
  controller: Controller;
  /** Whether it is the last line and nothing runs, so that the turn may be taken up again here. */
  canContinue: boolean;
};

export const ItemLine = memo(function ItemLine(props: ItemLineProps): JSX.Element {
  const { item, controller, canContinue } = props;
  const { body } = item;
  switch (body.kind) {
    case "user_message":
      return (
        <article class="line user">
          <h2 class="hidden">{t("you_said")}</h2>
          <p dir="auto">{body.text}</p>
        </article>
      );
    case "assistant_message":
      return <AssistantLine body={body} />;
    case "tool_call":
      return <ToolCallLine body={body} />;
    case "notice":
      return <NoticeLine level={body.level} text={body.text} />;
    case "turn_end":
      return (
        <TurnEndLine turn={item.turn} body={body} controller={controller} canContinue={canContinue} />
      );
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
    <article class="line assistant">
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
