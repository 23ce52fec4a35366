// The way from a view to the core and back.
//
// Invariant: a view may lose the core at any instant and holds no truth of its own, so every op
// stays here until its answer has come, and is sent again (with the same id, which makes that
// harmless) whenever the core may not have heard it. Events that would be wrong without the ones
// that were missed before them are held back until the core has told the whole state again.

import type {
  ConversationId,
  Event,
  EventEnvelope,
  Op,
  OpEnvelope,
  OpId,
} from "../generated/protocol.ts";
import { Following } from "./following.ts";

export type ToCore =
  | { kind: "op"; envelope: OpEnvelope }
  /** The person wants another attempt: only this, and no op, brings back a core that was given up. */
  | { kind: "try_again" };

export type FromCore =
  /** In their order. */
  | { kind: "events"; envelopes: EventEnvelope[] }
  | { kind: "core_down"; message: string };

export type EnsureAnswer = { ok: true } | { ok: false; message: string };

/** What the client needs from the world. In the extension it is Chrome; in a test it is a fake. */
export interface Door {
  post(message: ToCore): void;
  /** Called once; everything that comes over the channel goes to `listener`. */
  listen(listener: (message: unknown) => void): void;
  /** Never rejects. */
  isCoreAlive(): Promise<boolean>;
  /** Resolves when no core lives. Never rejects. */
  untilCoreDies(): Promise<void>;
  /** Asks the service worker to start the core. Never rejects. */
  ensureCore(): Promise<EnsureAnswer>;
  newId(): string;
}

/** How well the core answers. */
export type Link =
  | { state: "ok" }
  | { state: "waking"; reason: string | null }
  | { state: "down"; reason: string | null };

/** An event that answers an op. */
export type Answer = Extract<Event, { op: OpId }>;

export interface ClientListener {
  onEvent(envelope: EventEnvelope): void;
  onLink(link: Link): void;
  /** Whether the person waits for work that only a living core can go on with. */
  hasRunningTurn(): boolean;
}

export const WAKING_AFTER_MS = 1_000;
export const RESEND_EVERY_MS = 3_000;
export const GIVE_UP_AFTER_MS = 15_000;

/** A core that has not opened its database yet has no epoch, and numbers what it says anew each time. */
const NO_EPOCH = 0;

type Pending = {
  envelope: OpEnvelope;
  isPosted: boolean;
  resolve: (answer: Answer) => void;
};

export class CoreClient {
  readonly #door: Door;
  readonly #listener: ClientListener;
  readonly #pending = new Map<OpId, Pending>();
  #link: Link = { state: "ok" };
  #reason: string | null = null;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #isDelivering = false;
  #isWatching = false;
  /** The core lives and said what it waits for, so its silence is no riddle. */
  #isStorageAwaited = false;

  #last: EventEnvelope | null = null;
  readonly #following = new Following();

  constructor(door: Door, listener: ClientListener) {
    this.#door = door;
    this.#listener = listener;
    door.listen((message) => this.#receive(message));
  }

  /** Resolves with the answer, however long that takes; it never rejects. */
  send(op: Op): Promise<Answer> {
    return new Promise((resolve) => {
      const id = this.#door.newId();
      this.#pending.set(id, { envelope: { id, op }, isPosted: false, resolve });
      if (this.#timers.length === 0) this.#startWaiting();
      void this.#deliver();
    });
  }

  /** Follows this conversation from its beginning, in the place of all before. */
  attach(conversation: ConversationId): void {
    this.#following.only(conversation);
    this.#attachToAll();
  }

  /** Follows this one beside it, such as a sub-agent's. */
  follow(conversation: ConversationId): void {
    if (this.#following.add(conversation)) this.#sendAttach(conversation);
  }

  /** Asks for everything that may have been missed: at the start, after a gap, a freeze or a death. */
  sync(): void {
    this.#withdraw("hello");
    void this.send({ type: "hello" });
    this.#attachToAll();
  }

  /** The person asked to try again after the core was given up. */
  retry(): void {
    if (this.#pending.size === 0) this.sync();
    this.#stopWaiting();
    this.#startWaiting();
    this.#setLink({ state: "waking", reason: null });
    this.#door.post({ kind: "try_again" });
    this.#postAgain();
  }

  #attachToAll(): void {
    this.#withdraw("attach");
    for (const conversation of this.#following.conversations()) this.#sendAttach(conversation);
  }

  #sendAttach(conversation: ConversationId): void {
    void this.send({ type: "attach", conversation, since: this.#following.since(conversation) });
  }

  /** A newer question takes the place of an unanswered older one of its kind. */
  #withdraw(type: "hello" | "attach"): void {
    for (const [id, { envelope }] of this.#pending) {
      if (envelope.op.type === type) this.#pending.delete(id);
    }
  }

  async #deliver(): Promise<void> {
    // One question to the lock manager serves every op that is added while it is under way.
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    const isAlive = await this.#door.isCoreAlive();
    this.#isDelivering = false;
    if (isAlive) {
      this.#post((pending) => !pending.isPosted);
    } else {
      // Nobody would hear it. The core says when it is ready, and then everything is sent.
      void this.#ensure();
    }
  }

  #post(isWanted: (pending: Pending) => boolean): void {
    for (const pending of this.#pending.values()) {
      if (!isWanted(pending)) continue;
      pending.isPosted = true;
      this.#door.post({ kind: "op", envelope: pending.envelope });
    }
  }

  async #ensure(): Promise<void> {
    const answer = await this.#door.ensureCore();
    if (answer.ok) return;
    this.#reason = answer.message;
    if (this.#link.state === "waking") this.#setLink({ state: "waking", reason: answer.message });
  }

  #postAgain(): void {
    void this.#ensure();
    this.#post(() => true);
  }

  #receive(message: unknown): void {
    if (!isFromCore(message)) return;
    switch (message.kind) {
      case "events":
        for (const envelope of message.envelopes) this.#receiveEvent(envelope);
        return;
      case "core_down":
        this.#giveUp(message.message);
        return;
      default:
        message satisfies never;
    }
  }

  #receiveEvent(envelope: EventEnvelope): void {
    const { epoch, event } = envelope;
    if (event.type === "core" && epoch === NO_EPOCH) {
      this.#watchForDeath();
      this.#listener.onEvent(envelope);
      this.#hearHealth(event);
      return;
    }
    const last = this.#last;
    if (last !== null && envelope.seq <= last.seq) return;
    this.#last = envelope;
    this.#watchForDeath();

    const hasMissedSome =
      last !== null && (envelope.epoch !== last.epoch || envelope.seq !== last.seq + 1);
    if (hasMissedSome) {
      this.#following.missedSome();
      this.sync();
    }
    if (this.#isUsable(envelope.event)) this.#listener.onEvent(envelope);
    this.#advance(envelope);
    this.#settle(envelope.event);
  }

  /** Whether the event means what it says to this view, given what the view has seen so far. */
  #isUsable(event: Event): boolean {
    if (event.type === "blocks") return this.#following.isWhole(event.conversation);
    if (event.type === "sub_agent_event") return event.event.type !== "blocks" || this.#following.isWhole(event.child);
    if (event.type === "snapshot") return event.complete || this.#pending.has(event.op);
    // Another view's page of the list need not join on to what this one has.
    if (event.type === "conversations") return this.#pending.has(event.op);
    return true;
  }

  #advance({ seq, event }: EventEnvelope): void {
    if (event.type === "snapshot" && this.#isUsable(event)) this.#following.wasTold(event.conversation, seq);
    this.#following.heard(seq);
  }

  #settle(event: Event): void {
    if (event.type === "core") {
      this.#hearHealth(event);
    } else if ("op" in event) {
      const pending = this.#pending.get(event.op);
      if (pending === undefined) return;
      this.#pending.delete(event.op);
      pending.resolve(event);
      this.#becomeOk();
    }
  }

  /** The core is there. What is still unanswered gets its full time from now on. */
  #becomeOk(): void {
    this.#isStorageAwaited = false;
    this.#stopWaiting();
    this.#setLink({ state: "ok" });
    this.#startWaiting();
  }

  #hearHealth({ health }: Extract<Event, { type: "core" }>): void {
    switch (health.state) {
      case "ready":
        this.#reason = null;
        this.#becomeOk();
        this.#post(() => true);
        return;
      case "waiting_for_storage":
        // It has the ops, or will be sent them when it is ready; and should it die, that is heard.
        this.#isStorageAwaited = true;
        this.#stopWaiting();
        this.#setLink({ state: "waking", reason: health.message });
        return;
      case "failed":
        this.#giveUp(health.message);
        return;
      default:
        health satisfies never;
    }
  }

  #watchForDeath(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    void this.#door.untilCoreDies().then(() => {
      this.#isWatching = false;
      this.#isStorageAwaited = false;
      this.#outliveCore();
    });
  }

  /** What the dead core did not answer, its successor is asked at once. */
  #outliveCore(): void {
    for (const pending of this.#pending.values()) pending.isPosted = false;
    if (this.#listener.hasRunningTurn()) this.sync();
    if (this.#link.state === "waking") this.#setLink({ state: "ok" });
    if (this.#pending.size === 0) return;
    if (this.#link.state === "ok") {
      this.#stopWaiting();
      this.#startWaiting();
    }
    void this.#deliver();
  }

  /** A tool may rightly take long; everything else is answered at once by a living core. */
  #isWaiting(): boolean {
    return [...this.#pending.values()].some(({ envelope }) => envelope.op.type !== "call_tool");
  }

  #startWaiting(): void {
    if (!this.#isWaiting() || this.#isStorageAwaited) return;
    const after = (millis: number, act: () => void) => this.#timers.push(setTimeout(act, millis));
    after(WAKING_AFTER_MS, () => this.#setLink({ state: "waking", reason: this.#reason }));
    for (let at = RESEND_EVERY_MS; at < GIVE_UP_AFTER_MS; at += RESEND_EVERY_MS) {
      after(at, () => this.#postAgain());
    }
    after(GIVE_UP_AFTER_MS, () => this.#giveUp(this.#reason));
  }

  #stopWaiting(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #giveUp(reason: string | null): void {
    this.#isStorageAwaited = false;
    this.#stopWaiting();
    this.#setLink({ state: "down", reason });
  }

  #setLink(link: Link): void {
    if (link.state === this.#link.state && JSON.stringify(link) === JSON.stringify(this.#link)) return;
    this.#link = link;
    this.#listener.onLink(link);
  }
}

/** Other views' ops come over the same channel; only the core's words count. */
function isFromCore(message: unknown): message is FromCore {
  if (typeof message !== "object" || message === null || !("kind" in message)) return false;
  return message.kind === "events" || message.kind === "core_down";
}
