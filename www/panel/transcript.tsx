// The conversation as one column of lines, followed at its end.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import type { ItemView } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { DownIcon } from "../ui/icons.tsx";
import type { OpenConversation } from "../ui/store.ts";
import { ActivityLine } from "./activity_line.tsx";
import type { Controller, Outgoing } from "./controller.ts";
import { useFollowEnd } from "./follow_end.ts";
import { ItemLine } from "./item_line.tsx";
import { OutgoingLine } from "./outgoing_line.tsx";

export function Transcript(props: {
  open: OpenConversation | null;
  outgoing: readonly Outgoing[];
  controller: Controller;
}): JSX.Element {
  const { open, outgoing, controller } = props;
  const { scroller, content, isAtEnd, jumpToEnd } = useFollowEnd();
  // Whoever sends something wants to see what comes of it.
  useEffect(() => {
    if (outgoing.length > 0) jumpToEnd();
  }, [outgoing.length, jumpToEnd]);

  const items = open?.items ?? [];
  const isIdle = open?.run.state !== "working" && outgoing.every(({ refusal }) => refusal !== null);
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
          {items.map((item, index) => (
            <ItemLine
              key={item.id}
              item={item}
              controller={controller}
              canContinue={isIdle && index === items.length - 1}
            />
          ))}
          {outgoing.map((message) => (
            <OutgoingLine key={message.key} message={message} controller={controller} />
          ))}
          {open?.run.state === "working" && <ActivityLine run={open.run} since={turnStart(items)} />}
        </div>
      </div>
      {!isAtEnd && (
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
      )}
    </>
  );
}

function turnStart(items: readonly ItemView[]): number | null {
  return items.findLast(({ body }) => body.kind === "user_message")?.at ?? null;
}
