// Makes sure that the offscreen document is there, listens, and is not about to close.
//
// Chrome allows one such document and rejects the second `createDocument`, also while the first is
// still loading or closing. So nothing is believed until the document itself has answered.

import type { ToDocument } from "./messages.ts";

/** The parts of Chrome and of time that are used. */
export interface OffscreenApi {
  /** Whether Chrome lists an offscreen document of ours; it may be loading or closing. */
  exists(): Promise<boolean>;
  /** Ends when the document has loaded. */
  create(): Promise<void>;
  close(): Promise<void>;
  /** Sends to all our contexts; rejects when nobody listens. */
  send(message: ToDocument): Promise<unknown>;
  sleep(millis: number): Promise<void>;
  now(): number;
}

const SECOND_DOCUMENT = "Only a single offscreen document may be created.";
const ANSWER_MILLIS = 1_000;
const PAUSE_MILLIS = 50;
const PATIENCE_MILLIS = 10_000;

/** Makes the function that ensures the document; calls at the same time share one attempt. */
export function offscreenEnsurer(api: OffscreenApi): () => Promise<void> {
  let inFlight: Promise<void> | null = null;
  return () => {
    inFlight ??= ensure(api).finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
}

async function ensure(api: OffscreenApi): Promise<void> {
  const deadline = api.now() + PATIENCE_MILLIS;
  while (api.now() < deadline) {
    if (!(await api.exists())) {
      if (await create(api)) return;
    } else if (await answers(api)) {
      return;
    }
    await api.sleep(PAUSE_MILLIS);
  }
  // It is there, and deaf. What the core had acknowledged is on disk, so a new one loses nothing.
  await api.close();
  if (!(await create(api))) throw new Error("The core's document could not be replaced. Reload the extension.");
}

/** Creates the document; false when there is one already. */
async function create(api: OffscreenApi): Promise<boolean> {
  try {
    await api.create();
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes(SECOND_DOCUMENT)) return false;
    throw thrown;
  }
}

async function answers(api: OffscreenApi): Promise<boolean> {
  const answer = api.send({ to: "offscreen", kind: "ensure" }).catch(() => null);
  const first = await Promise.race([answer, api.sleep(ANSWER_MILLIS)]);
  return typeof first === "object" && first !== null && "ok" in first && first.ok === true;
}
