// The Chrome DevTools Protocol over the browser's own pipe.
//
// Playwright does not show what lives behind the pages: the offscreen document, its worker, the
// service worker's target. The pipe reaches them, and it has one more use: when this program goes
// away, however it does, the pipe closes and the browser ends with it.

import type { Readable, Writable } from "node:stream";

/** What `Target.getTargets` tells of a target. */
export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  /** A worker's document: the frame's id, which for a document of its own is its target's id too. */
  readonly parentFrameId?: string;
}

/** A reply, or an event; of events only attaching and detaching are looked at. */
interface Message {
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly targetInfo?: TargetInfo };
  readonly sessionId?: string;
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

interface Waiting {
  readonly sessionId: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const WORKER_MILLIS = 5_000;

/** One connection to one browser process. */
export class Cdp {
  private readonly waiting = new Map<number, Waiting>();
  private readonly attachedBy = new Map<string, (sessionId: string) => void>();
  /** The document's session by the session of its worker. */
  private readonly parents = new Map<string, string>();
  private lastId = 0;
  private rest = "";
  private isClosed = false;

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.setEncoding("utf8");
    output.on("data", (text: string) => {
      this.receive(text);
    });
    output.on("close", () => {
      this.end();
    });
    // A write to a browser that was just killed fails here; the calls are rejected when its output closes.
    input.on("error", () => undefined);
  }

  /** Calls a method, of the browser or of an attached target. */
  send<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(new Error(`${method}: the browser is gone.`));
        return;
      }
      const id = (this.lastId += 1);
      this.waiting.set(id, {
        sessionId,
        resolve: (result) => {
          resolve(result as Result);
        },
        reject: (error) => {
          reject(new Error(`${method}: ${error.message}`));
        },
      });
      this.input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  }

  /** Every target there is, of every type. */
  async targets(): Promise<TargetInfo[]> {
    const { targetInfos } = await this.send<{ targetInfos: TargetInfo[] }>("Target.getTargets", { filter: [{}] });
    return targetInfos;
  }

  /** Evaluates an expression in a target and waits for its promise. */
  evaluate(targetId: string, expression: string): Promise<unknown> {
    return this.attached(targetId, (sessionId) => this.evaluateIn(sessionId, expression));
  }

  /** Evaluates an expression in the worker of a document. Chrome lets workers answer only by way of their document. */
  evaluateInWorkerOf(documentId: string, expression: string): Promise<unknown> {
    return this.attached(documentId, async (documentSession) => {
      const announced = this.nextAttached(documentSession);
      const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
      await this.send("Target.setAutoAttach", params, documentSession);
      return this.evaluateIn(await announced, expression);
    });
  }

  private async attached<T>(targetId: string, work: (sessionId: string) => Promise<T>): Promise<T> {
    const { sessionId } = await this.send<{ sessionId: string }>("Target.attachToTarget", { targetId, flatten: true });
    try {
      return await work(sessionId);
    } finally {
      // An attached debugger keeps a service worker from sleeping. A target that is gone needs no detaching.
      await this.send("Target.detachFromTarget", { sessionId }).catch(() => undefined);
    }
  }

  private async evaluateIn(sessionId: string, expression: string): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send<Evaluated>("Runtime.evaluate", params, sessionId);
    if (exceptionDetails !== undefined) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** The session of the next worker that is attached by way of this document. */
  private nextAttached(parentSession: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.attachedBy.set(parentSession, resolve);
      setTimeout(() => {
        reject(new Error("The document has no worker that could be attached to."));
      }, WORKER_MILLIS).unref();
    });
  }

  private receive(text: string): void {
    const messages = (this.rest + text).split("\0");
    this.rest = messages.pop() ?? "";
    for (const text of messages) {
      const message = JSON.parse(text) as Message;
      if (message.method === undefined) this.settle(message);
      else this.receiveEvent(message);
    }
  }

  private receiveEvent({ method, params, sessionId }: Message): void {
    if (params === undefined) return;
    // The extension's service worker is attached along with its documents.
    if (method === "Target.attachedToTarget" && params.targetInfo?.type === "worker" && sessionId !== undefined) {
      this.parents.set(params.sessionId, sessionId);
      this.attachedBy.get(sessionId)?.(params.sessionId);
      this.attachedBy.delete(sessionId);
    }
    if (method === "Target.detachedFromTarget") this.endSession(params.sessionId);
  }

  /** Nothing will answer any more to what was asked of a target that is gone, or of its worker. */
  private endSession(ended: string): void {
    for (const [id, { sessionId, reject }] of this.waiting) {
      if (sessionId === undefined || (sessionId !== ended && this.parents.get(sessionId) !== ended)) continue;
      this.waiting.delete(id);
      reject(new Error("its target went away."));
    }
  }

  private settle({ id, result, error }: Message): void {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`${error.message} ${error.data ?? ""}`.trim()));
  }

  private end(): void {
    this.isClosed = true;
    for (const { reject } of this.waiting.values()) reject(new Error("the browser went away."));
    this.waiting.clear();
  }
}
