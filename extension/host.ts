// What the core is handed: everything it may ask of JavaScript, and nothing else.
// The Rust side declares the same methods; names and types change on both sides together.

import type { BrokerCall, BrokerReply, EventEnvelope } from "../www/generated/protocol.ts";
import type { HttpHead, HttpRequest, OpenRequests } from "./http.ts";
import type { FromCore, ToCore } from "./messages.ts";

/** The methods that the core calls. */
export interface JsHost {
  /** Never rejects. */
  broker(call: BrokerCall): Promise<BrokerReply>;
  /** Rejects with an Error whose message says what happened. */
  http_open(id: number, request: HttpRequest): Promise<HttpHead>;
  /** Null at the end; rejects when the connection broke. */
  http_read(id: number): Promise<Uint8Array | null>;
  /** Aborts whatever is still going on. May be called again, and before `http_open` has ended. */
  http_close(id: number): void;
  emit(envelope: EventEnvelope): void;
  sleep(id: number, millis: number): Promise<void>;
  /** Its promise then stays as it is for ever. May be called again, and after the sleep has ended. */
  sleep_cancel(id: number): void;
  /** Unix milliseconds. */
  now(): number;
  /** 32 random bits. */
  random(): number;
  /** Nothing to do, everything on disk: the core's context may be closed. */
  rest(): void;
}

/** The longest time a timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MILLIS = 2 ** 31 - 1;

/** The host of a core in a worker of the offscreen document. */
export class WorkerHost implements JsHost {
  private readonly pending = new Map<number, (reply: BrokerReply) => void>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private lastCall = 0;

  constructor(
    private readonly post: (message: FromCore) => void,
    private readonly tell: (envelope: EventEnvelope) => void,
    private readonly requests: OpenRequests,
  ) {}

  /** Takes a message of the document. */
  receive(message: ToCore): void {
    this.pending.get(message.id)?.(message.reply);
    this.pending.delete(message.id);
  }

  broker(call: BrokerCall): Promise<BrokerReply> {
    const id = (this.lastCall += 1);
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      this.post({ kind: "broker", id, call });
    });
  }

  http_open(id: number, request: HttpRequest): Promise<HttpHead> {
    return this.requests.open(id, request);
  }

  http_read(id: number): Promise<Uint8Array | null> {
    return this.requests.read(id);
  }

  http_close(id: number): void {
    this.requests.close(id);
  }

  emit(envelope: EventEnvelope): void {
    this.tell(envelope);
  }

  sleep(id: number, millis: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.timers.delete(id);
        resolve();
      };
      this.timers.set(id, setTimeout(wake, Math.min(millis, LONGEST_TIMER_MILLIS)));
    });
  }

  sleep_cancel(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }

  now(): number {
    return Date.now();
  }

  random(): number {
    const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
    return bits;
  }

  rest(): void {
    this.post({ kind: "rest" });
  }
}
