// One broker call from the document to the service worker and back.
// Invariant: it always answers, and an answer other than the broker's own says that the effect is not known.

import type { BrokerCall, BrokerReply } from "../www/generated/protocol.ts";
import type { ToServiceWorker } from "./messages.ts";

const LIMIT_MILLIS = 30_000;

/** Sends through `send` (`chrome.runtime.sendMessage`) and waits for the answer, at most half a minute. */
export async function relay(
  call: BrokerCall,
  send: (message: ToServiceWorker) => Promise<unknown>,
  limitMillis: number = LIMIT_MILLIS,
): Promise<BrokerReply> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<BrokerReply>((resolve) => {
    timer = setTimeout(() => {
      resolve({ reply: "error", kind: "timeout", message: `No answer within ${limitMillis / 1_000} s.` });
    }, limitMillis);
  });
  const answer = send({ to: "worker", kind: "broker", call }).then(asReply, (thrown: unknown) =>
    unavailable(thrown instanceof Error ? thrown.message : String(thrown)),
  );
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function asReply(answer: unknown): BrokerReply {
  const answered = typeof answer === "object" && answer !== null && "reply" in answer;
  return answered ? (answer as BrokerReply) : unavailable("The service worker gave no answer.");
}

function unavailable(message: string): BrokerReply {
  return { reply: "error", kind: "unavailable", message };
}
