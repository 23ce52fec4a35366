// Keeps the end of a growing text in view, but only for a reader who is there.

import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A reader this near to the end means to be at it. */
const NEAR_PX = 24;

/** What the person is asked has the item's id in this attribute. */
export const REQUEST_CARD = "[data-request]";

export type FollowEnd = {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  isAtEnd: boolean;
  /** Whether something waits for the person, and nothing of it is in view. */
  asksOutOfSight: boolean;
  jumpToEnd: () => void;
};

export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const [asksOutOfSight, setAsksOutOfSight] = useState(false);

  const jumpToEnd = useCallback(() => {
    isFollowing.current = true;
    scrollToEnd(scroller.current);
  }, []);

  useLayoutEffect(() => {
    const view = scroller.current;
    const text = content.current;
    if (view === null || text === null) return undefined;
    let lastTop = view.scrollTop;

    const look = () => {
      const isEnd = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX;
      if (isEnd) isFollowing.current = true;
      setAtEnd(isEnd);
      const cards = [...view.querySelectorAll(REQUEST_CARD)];
      setAsksOutOfSight(cards.length > 0 && !cards.some((card) => isInView(card, view)));
    };
    const onScroll = () => {
      // Only the reader moves up; being short of the end alone may mean that text has just come.
      if (view.scrollTop < lastTop) isFollowing.current = false;
      lastTop = view.scrollTop;
      look();
    };
    // Whoever unfolds something wants to read it where it is.
    const onClick = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest("summary") !== null) isFollowing.current = false;
    };
    const sizes = new ResizeObserver(() => {
      if (isFollowing.current) scrollToEnd(view);
      look();
    });

    view.addEventListener("scroll", onScroll, { passive: true });
    view.addEventListener("click", onClick);
    sizes.observe(view);
    sizes.observe(text);
    return () => {
      view.removeEventListener("scroll", onScroll);
      view.removeEventListener("click", onClick);
      sizes.disconnect();
    };
  }, []);

  return { scroller, content, isAtEnd, asksOutOfSight, jumpToEnd };
}

function isInView(card: Element, view: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  const visible = view.getBoundingClientRect();
  return bottom > visible.top && top < visible.bottom;
}

function scrollToEnd(view: HTMLElement | null): void {
  if (view !== null) view.scrollTop = view.scrollHeight;
}
