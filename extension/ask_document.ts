// A request to Chrome's built-in model from the worker: like a fetch, but answered by the document.

import type { PromptAnswer } from "./built_in_model.ts";
import type { FromCore } from "./messages.ts";

/** How an address of the browser's own model begins. */
export const BUILT_IN = "builtin:";

/** Asks the document through `post`; the signal gives the request up, and is to be given at its end too. */
export function askDocument(
  body: Uint8Array,
  signal: AbortSignal,
  post: (message: FromCore, transfer: Transferable[]) => void,
): Promise<Response> {
  const { port1: port, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => {
      port.postMessage(null);
      port.close();
      reject(new Error("The request was cancelled."));
    });
    port.onmessage = ({ data }: MessageEvent<PromptAnswer>) => {
      resolve(new Response(data.body, { status: data.status }));
    };
    post({ kind: "prompt", body, port: port2 }, [port2]);
  });
}
