// The client's way out to Chrome: the channel, the locks and the service worker.

import type { Door, EnsureAnswer } from "./core_client.ts";

const CHANNEL = "tabwright";
/** Held by the core from its start. */
const CORE_LOCK = "tabwright.core";
/** Held exclusively by a living core, so that whoever asks for a share of it is told of its death. */
const ALIVE_LOCK = "tabwright.core.alive";

export function chromeDoor(): Door {
  const channel = new BroadcastChannel(CHANNEL);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener("message", ({ data }) => listener(data)),
    isCoreAlive,
    untilCoreDies,
    ensureCore,
    newId: () => crypto.randomUUID(),
  };
}

async function isCoreAlive(): Promise<boolean> {
  try {
    const { held } = await navigator.locks.query();
    return held?.some(({ name }) => name === CORE_LOCK) ?? false;
  } catch {
    // A page on its way out may not ask. Not knowing costs a needless wake-up, no more.
    return false;
  }
}

async function untilCoreDies(): Promise<void> {
  try {
    await navigator.locks.request(ALIVE_LOCK, { mode: "shared" }, () => undefined);
  } catch {
    // Only a page on its way out is refused; it has nothing to wait for any more.
    await new Promise<never>(() => undefined);
  }
}

async function ensureCore(): Promise<EnsureAnswer> {
  try {
    const answer: unknown = await chrome.runtime.sendMessage({ to: "worker", kind: "ensure_core" });
    return isEnsureAnswer(answer) ? answer : { ok: true };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function isEnsureAnswer(answer: unknown): answer is EnsureAnswer {
  if (typeof answer !== "object" || answer === null || !("ok" in answer)) return false;
  return answer.ok === true || ("message" in answer && typeof answer.message === "string");
}
