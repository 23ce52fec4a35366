// The conversation as one column of lines, followed at its end.

import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { ConversationId, ItemBody, ItemView } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { DownIcon, QuestionIcon } from "../ui/icons.tsx";
import { memo } from "../ui/memo.tsx";
import type { ChildConversation, OpenConversation } from "../ui/store.ts";
import { ActivityLine } from "./activity_line.tsx";
import type { Controller, Outgoing } from "./controller.ts";
import { REQUEST_CARD, useFollowEnd } from "./follow_end.ts";
import { ItemLine } from "./item_line.tsx";
import { OutgoingLine } from "./outgoing_line.tsx";
import { stretchesOf } from "./stretches.ts";

export function Transcript(props: {
  open: OpenConversation | null;
  outgoing: readonly Outgoing[];
  controller: Controller;
}): JSX.Element {
  const { open, outgoing, controller } = props;
  const { scroller, content, isAtEnd, asksOutOfSight, jumpToEnd } = useFollowEnd();
  // Whoever sends something wants to see what comes of it.
  useEffect(() => {
    if (outgoing.length > 0) jumpToEnd();
  }, [outgoing.length, jumpToEnd]);

  const items = open?.items ?? NO_ITEMS;
  const before = useRef<readonly (readonly ItemView[])[]>([]);
  const stretches = (before.current = stretchesOf(items, before.current));
  const conversation = controller.conversation;
  const isIdle = open?.run.state !== "working" && outgoing.every(({ refusal }) => refusal !== null);
  const lastEnd = lastTurnEnd(items);
  return (
    <>
      <div
        class="transcript"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t("conversation")}
        tabIndex={0}
      >
        <div class="column" ref={content}>
          {stretches.map((stretch, at) => (
            <Stretch
              key={at}
              items={stretch}
              conversation={conversation}
              subAgents={open?.children ?? NO_CHILDREN}
              controller={controller}
              isIdle={isIdle}
              lastEnd={lastEnd !== null && stretch.includes(lastEnd) ? lastEnd : null}
            />
          ))}
          {outgoing.map((message) => (
            <OutgoingLine key={message.key} message={message} controller={controller} />
          ))}
          {open?.run.state === "working" && <ActivityLine run={open.run} since={turnStart(items)} />}
        </div>
      </div>
      {asksOutOfSight ? (
        <button type="button" class="button primary jump asks" onClick={() => showRequest(scroller.current)}>
          <QuestionIcon />
          {t("jump_to_request")}
        </button>
      ) : (
        !isAtEnd && (
          <button
            type="button"
            class="round-button jump"
            aria-label={t("jump_to_end")}
            title={t("jump_to_end")}
            onClick={() => {
              jumpToEnd();
              // The button goes away, and the keys that scroll must not go with it.
              scroller.current?.focus({ preventScroll: true });
            }}
          >
            <DownIcon />
          </button>
        )
      )}
    </>
  );
}

const NO_ITEMS: readonly ItemView[] = [];
const NO_CHILDREN: OpenConversation["children"] = new Map();

/** Some lines that follow each other. A long conversation grows at its end: what stands before is not looked at again. */
const Stretch = memo(function Stretch(props: {
  items: readonly ItemView[];
  conversation: ConversationId;
  subAgents: OpenConversation["children"];
  controller: Controller;
  isIdle: boolean;
  /** The end of the last turn, if it is here. */
  lastEnd: ItemView | null;
}): JSX.Element {
  const { items, conversation, subAgents, controller, isIdle, lastEnd } = props;
  return (
    <div class="stretch">
      {items.map((item) => (
        <ItemLine
          key={item.id}
          item={item}
          conversation={conversation}
          child={childOf(subAgents, item)}
          controller={controller}
          canChange={isIdle && isChangeable(item)}
          isLastTurnEnd={item === lastEnd}
        />
      ))}
    </div>
  );
});

/** Only these ask whether anything runs; the others need not render again when a turn begins or ends. */
function isChangeable({ body }: ItemView): boolean {
  return body.kind === "user_message" || body.kind === "turn_end";
}

/** The end of the last turn that answers something. One that only summed up may stand after it. */
function lastTurnEnd(items: readonly ItemView[]): ItemView | null {
  const answering = new Set(items.filter(({ body }) => body.kind === "user_message").map(({ turn }) => turn));
  const last = items.findLast(({ turn, body }) => answering.has(turn) && !isRemark(body));
  return last?.body.kind === "turn_end" ? last : null;
}

function isRemark({ kind }: ItemBody): boolean {
  return kind === "summary" || kind === "notice";
}

function childOf(subAgents: OpenConversation["children"], { body }: ItemView): ChildConversation | null {
  if (body.kind !== "tool_call" || body.child === null) return null;
  return subAgents.get(body.child) ?? null;
}

function showRequest(view: HTMLElement | null): void {
  const card = view?.querySelector<HTMLElement>(REQUEST_CARD);
  card?.scrollIntoView({ block: "center" });
  card?.focus({ preventScroll: true });
}

function turnStart(items: readonly ItemView[]): number | null {
  return items.findLast(({ body }) => body.kind === "user_message")?.at ?? null;
}
