// What several components need of time and of the view.

import { useEffect, useLayoutEffect, useReducer, useState } from "preact/hooks";

import type { Millis } from "../generated/protocol.ts";

/** Renders again whenever what is subscribed to says so. */
export function useChanges(source: { subscribe(listener: () => void): () => void }): void {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => {
    // Something may have changed between the first render and now.
    renderAgain(undefined);
    return source.subscribe(() => renderAgain(undefined));
  }, [source]);
}

/** The time, anew every second for as long as somebody waits. */
export function useNow(isTicking: boolean): Millis {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
