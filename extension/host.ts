// What the core is handed: everything it may ask of JavaScript, and nothing else.
// The Rust side declares the same methods; names and types change on both sides together.

import type { BrokerCall, BrokerReply, EventEnvelope } from "../www/generated/protocol.ts";
import type { FileEntry, FileHead, WorkspaceFiles } from "./files.ts";
import type { HttpHead, HttpRequest, OpenRequests } from "./http.ts";
import { type Line, mayTakeLine } from "./line.ts";
import type { FromCore, ToCore } from "./messages.ts";
import type { PageReader } from "./page_reader.ts";
import { relay } from "./relay.ts";

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
  /** Each of the files' methods rejects with a `FileError`. */
  files_read(path: string): Promise<Uint8Array>;
  files_head(path: string, max: number): Promise<FileHead>;
  files_blob_url(path: string, mime: string): Promise<string>;
  files_write(path: string, bytes: Uint8Array): Promise<void>;
  files_list(path: string): Promise<FileEntry[]>;
  files_remove(path: string): Promise<void>;
  /** The JSON text of a `PageText`; rejects with an Error whose message says what happened. */
  read_page(body: Uint8Array, contentType: string, url: string): Promise<string>;
  /** What is no character becomes U+FFFD; throws for an encoding that nobody knows. */
  decode(label: string, bytes: Uint8Array): string;
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
  /** The person's language and time zone, as they are now, with the zone's offset at that moment. */
  locale(at: number): Locale;
}

/** How the person writes and reckons time. */
export interface Locale {
  /** A BCP 47 tag: `de-CH`. */
  readonly language: string;
  /** An IANA name: `Europe/Zurich`. */
  readonly timeZone: string;
  /** East of Greenwich is positive. */
  readonly utcOffsetMinutes: number;
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
    private readonly files: WorkspaceFiles,
    private readonly line: Line,
    private readonly reader: PageReader,
  ) {}

  /** Takes a message of the document. */
  receive(message: ToCore): void {
    switch (message.kind) {
      case "broker_reply":
        this.replied(message.id, message.reply);
        return;
      case "line":
        this.line.opened(message.name, message.open);
        return;
    }
  }

  private replied(id: number, reply: BrokerReply): void {
    const resolve = this.pending.get(id);
    if (resolve === undefined) return;
    this.pending.delete(id);
    resolve(reply);
    // The service worker is awake now, so a line costs nothing but two messages.
    if (reply.reply === "ok") this.line.want();
  }

  broker(call: BrokerCall): Promise<BrokerReply> {
    if (this.line.isOpen && mayTakeLine(call)) return relay(call, () => this.line.send(call));
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

  files_read(path: string): Promise<Uint8Array> {
    return this.files.read(path);
  }

  files_head(path: string, max: number): Promise<FileHead> {
    return this.files.head(path, max);
  }

  files_blob_url(path: string, mime: string): Promise<string> {
    return this.files.blobUrl(path, mime);
  }

  files_write(path: string, bytes: Uint8Array): Promise<void> {
    return this.files.write(path, bytes);
  }

  files_list(path: string): Promise<FileEntry[]> {
    return this.files.list(path);
  }

  files_remove(path: string): Promise<void> {
    return this.files.remove(path);
  }

  read_page(body: Uint8Array, contentType: string, url: string): Promise<string> {
    return this.reader.read(body, contentType, url);
  }

  decode(label: string, bytes: Uint8Array): string {
    return new TextDecoder(label).decode(bytes);
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

  locale(at: number): Locale {
    return {
      language: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      // JavaScript counts westwards; taken from 0 so that UTC is 0 and not -0.
      utcOffsetMinutes: 0 - new Date(at).getTimezoneOffset(),
    };
  }
}
