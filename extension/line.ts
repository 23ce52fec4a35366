// A line from the core's worker to the service worker, past the document. The document shares its
// thread with every open view, so while a view draws, calls that go by way of it wait.
//
// Only calls that change nothing take the line: Chrome does not keep a service worker alive for a
// message on it. The line is a BroadcastChannel with a name that nobody can guess; that the service
// worker is at its end, and still lives, is a Web Lock of the same name.

import type { BrokerCall, BrokerReply } from "../www/generated/protocol.ts";
import type { LineChannel } from "./line_channel.ts";

/** On the line's channel. */
export type LineMessage = { id: number; call: BrokerCall } | { id: number; reply: BrokerReply };

/** Whether a call may take the line. */
export function mayTakeLine({ call }: { call: BrokerCall["call"] }): boolean {
  switch (call) {
    case "tabs_list":
      return true;
    // It changes nothing either, but it may wait for seconds.
    case "tabs_progress":
    case "tabs_open":
    case "tabs_navigate":
    case "tabs_close":
    case "tabs_activate":
    case "keep_waking":
    case "local_origins":
      return false;
  }
}

/** What surrounds the core's end. */
export interface Surroundings {
  /** Asks the service worker to take the other end; `Line.opened` has the answer. */
  ask(name: string): void;
  /** The line's channel. */
  channel(name: string, heard: (message: LineMessage) => void): LineChannel;
  /** Calls `died` when nobody holds the lock of that name any more. */
  watch(name: string, died: () => void): void;
  /** A name that nobody can guess. */
  name(): string;
}

interface Waiting {
  readonly resolve: (reply: BrokerReply) => void;
  readonly reject: (error: Error) => void;
}

type State =
  | { is: "closed" }
  | { is: "asked"; name: string }
  | { is: "open"; name: string; channel: LineChannel };

/** The core's end. */
export class Line {
  private state: State = { is: "closed" };
  private readonly waiting = new Map<number, Waiting>();
  private lastCall = 0;

  constructor(private readonly around: Surroundings) {}

  get isOpen(): boolean {
    return this.state.is === "open";
  }

  /** Asks for a line if there is none. To be called when the service worker has just answered, so that nothing is woken for it. */
  want(): void {
    if (this.state.is !== "closed") return;
    const name = this.around.name();
    this.state = { is: "asked", name };
    this.around.ask(name);
  }

  /** The service worker has taken the other end, or has not. */
  opened(name: string, is: boolean): void {
    if (this.state.is !== "asked" || this.state.name !== name) return;
    if (!is) {
      this.state = { is: "closed" };
      return;
    }
    const channel = this.around.channel(name, (message) => {
      this.hear(message);
    });
    this.state = { is: "open", name, channel };
    this.around.watch(name, () => {
      this.end(name);
    });
  }

  /** The answer, by the line. Rejects when the service worker went away first, or there is no line. */
  send(call: BrokerCall): Promise<unknown> {
    const { state } = this;
    if (state.is !== "open") return Promise.reject(new Error("There is no line."));
    const id = (this.lastCall += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      state.channel.post({ id, call });
    });
  }

  private hear(message: LineMessage): void {
    if (!("reply" in message)) return;
    this.waiting.get(message.id)?.resolve(message.reply);
    this.waiting.delete(message.id);
  }

  private end(name: string): void {
    if (this.state.is !== "open" || this.state.name !== name) return;
    this.state.channel.close();
    this.state = { is: "closed" };
    for (const { reject } of this.waiting.values()) reject(new Error("The service worker stopped."));
    this.waiting.clear();
  }
}
