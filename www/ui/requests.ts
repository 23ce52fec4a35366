// What the person is asked: questions and calls that wait for permission.

import type { CallState, ItemView } from "../generated/protocol.ts";
import type { OpenConversation } from "./store.ts";

/** Whether the item waits for the person. */
export function isRequest({ body }: ItemView): boolean {
  if (body.kind === "question") return body.state.state === "open";
  return body.kind === "tool_call" && isAsking(body.state);
}

function isAsking({ state }: CallState): boolean {
  return state === "asking" || state === "awaiting_approval";
}

/** Everything that waits for the person in a conversation and in its sub-agents. */
export function requestsIn({ items, children }: OpenConversation): ItemView[] {
  const ofChildren = [...children.values()].flatMap((child) => child.items.filter(isRequest));
  return [...items.filter(isRequest), ...ofChildren];
}
