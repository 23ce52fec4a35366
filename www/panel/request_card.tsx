// The frame of every card in which the person is asked for something, and how its answer goes out.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ItemId } from "../generated/protocol.ts";
import { Spinner } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";
import { REQUEST_CARD } from "./follow_end.ts";

export function RequestCard(props: {
  item: ItemId;
  /** For what names itself after the card's text: that has the id with "-text". */
  id: string;
  icon: JSX.Element;
  title: string;
  /** What is asked, or why. */
  text: string;
  /** What stands at the end of the title's line. */
  end?: ComponentChildren;
  reply: Reply;
  controller: Controller;
  children: ComponentChildren;
}): JSX.Element {
  const { item, id, icon, title, text, end, reply, controller, children } = props;
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (isFree(document.activeElement) && controller.takesNextRequest()) card.current?.focus({ preventScroll: true });
  }, [controller]);
  return (
    <article
      ref={card}
      class="line request"
      data-request={item}
      aria-labelledby={`${id}-title ${id}-text`}
      aria-busy={reply.isSending}
      tabIndex={-1}
    >
      <div class="request-head">
        {reply.isSending ? <Spinner /> : icon}
        <h2 id={`${id}-title`} dir="auto">
          {title}
        </h2>
        {end}
      </div>
      <p id={`${id}-text`} class="request-text" dir="auto">
        {text}
      </p>
      {children}
      {reply.fault !== null && (
        <p class="field-fault" role="alert">
          {reply.fault}
        </p>
      )}
    </article>
  );
}

/** Where the focus waits when nothing is done with it: nowhere, or where the person may write. */
function isFree(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.closest(".composer") !== null;
}

export type Reply = {
  isSending: boolean;
  /** Why the last answer was refused. */
  fault: string | null;
  send: (answer: () => Promise<string | null>) => void;
};

export function useReply(item: ItemId, controller: Controller): Reply {
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const deliver = async (answer: () => Promise<string | null>) => {
    setSending(true);
    setFault(null);
    const refusal = await answer();
    // The core took it: the card goes away as soon as the item has changed, and asks no more until then.
    if (refusal === null) {
      goOn(item, controller);
      return;
    }
    setFault(refusal);
    setSending(false);
  };
  // A disabled button would lose the focus; these only do not answer twice.
  return { isSending, fault, send: (answer) => void (isSending || deliver(answer)) };
}

/** To what else is asked, or to the composer; but whoever has gone on to something else is left there. */
function goOn(item: ItemId, controller: Controller): void {
  const cards = [...document.querySelectorAll<HTMLElement>(REQUEST_CARD)];
  const answered = cards.find(({ dataset }) => dataset["request"] === item);
  const { activeElement } = document;
  if (activeElement !== document.body && answered?.contains(activeElement) !== true) return;
  const next = cards.find((card) => card !== answered);
  if (next === undefined) controller.goToComposer();
  else next.focus();
}
