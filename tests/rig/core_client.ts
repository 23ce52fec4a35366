// Speaks to the core as a view does, from one of the extension's own pages.
//
// An op is sent again until its answer comes, with the same id: the core applies it once. So a test
// may kill whatever it likes while an op is under way.

import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type {
  ConversationId,
  Event,
  EventEnvelope,
  ItemView,
  Op,
  OpEnvelope,
  OpId,
  Refusal,
  RunView,
  TabId,
  TaskView,
  WorkingTab,
} from "../../www/generated/protocol.ts";
import type { ChannelMessage, EnsureAnswer } from "../../extension/messages.ts";
import { Transcript } from "./transcript.ts";

/** An event that answers an op. */
export type Answer = Extract<Event, { op: OpId }>;

/** The answer to an op of that type. */
type AnswerTo<Type extends Answer["type"]> = Extract<Answer, { type: Type }>;

/** How a turn went. */
export interface Turn {
  readonly items: ItemView[];
  readonly end: Extract<ItemView["body"], { kind: "turn_end" }>;
}

/** An op that the core did not do. */
export class Refused extends Error {
  constructor(
    readonly op: Op["type"],
    readonly refusal: Refusal,
  ) {
    super(`The core refused ${op}: ${refusal.message} (${refusal.code})`);
  }
}

interface Pending {
  readonly envelope: OpEnvelope;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const RESEND_MILLIS = 3_000;
const PATIENCE_MILLIS = 30_000;

/** A view without a face. */
export class CoreClient {
  private readonly pending = new Map<OpId, Pending>();
  private readonly listeners = new Set<(envelope: EventEnvelope) => void>();
  private lastDown: string | null = null;

  private constructor(private readonly page: Page) {}

  /** Joins the channel in a page of the extension. One client a page. */
  static async connect(page: Page): Promise<CoreClient> {
    const client = new CoreClient(page);
    await page.exposeBinding("tabwrightRigHears", (_source, message: ChannelMessage) => {
      client.hear(message);
    });
    await page.evaluate(() => {
      const scope = globalThis as unknown as { tabwrightRigHears(message: unknown): void; tabwrightRigChannel: BroadcastChannel };
      scope.tabwrightRigChannel = new BroadcastChannel("tabwright");
      scope.tabwrightRigChannel.addEventListener("message", ({ data }) => {
        scope.tabwrightRigHears(data);
      });
    });
    return client;
  }

  /** Calls the listener for every event from now on, until the returned function is called. */
  onEvent(listener: (envelope: EventEnvelope) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  /** The first event from now on that is wanted. */
  nextEvent(isWanted: (event: Event) => boolean, limitMillis = PATIENCE_MILLIS): Promise<EventEnvelope> {
    return new Promise((resolve, reject) => {
      const stop = this.onEvent((envelope) => {
        if (!isWanted(envelope.event)) return;
        finish();
        resolve(envelope);
      });
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`The wanted event did not come within ${limitMillis / 1_000} s.`));
      }, limitMillis);
      const finish = (): void => {
        stop();
        clearTimeout(timer);
      };
    });
  }

  /** Starts the core if there is none. */
  ensureCore(): Promise<EnsureAnswer> {
    return this.page.evaluate<EnsureAnswer>(() => chrome.runtime.sendMessage({ to: "worker", kind: "ensure_core" }));
  }

  /** Sends an op once and waits for nothing, as a view that is closed at that moment. */
  async post(envelope: OpEnvelope): Promise<void> {
    await this.broadcast({ kind: "op", envelope });
  }

  private async broadcast(message: ChannelMessage): Promise<void> {
    await this.page.evaluate((sent) => {
      const scope = globalThis as unknown as { tabwrightRigChannel: BroadcastChannel };
      scope.tabwrightRigChannel.postMessage(sent);
    }, message);
  }

  /** Says that a person wants another attempt, which makes the core's earlier deaths count no more. */
  async tryAgain(): Promise<void> {
    await this.broadcast({ kind: "try_again" });
  }

  /** Does an op: ends with its answer, or rejects with `Refused`. One that was sent before has its id. */
  async submit(op: Op, limitMillis = PATIENCE_MILLIS, id: OpId = randomUUID()): Promise<Answer> {
    const envelope = { id, op };
    const answered = new Promise<Answer>((resolve, reject) => {
      this.pending.set(envelope.id, { envelope, resolve, reject });
    });
    const resend = setInterval(() => void this.deliver(envelope), RESEND_MILLIS);
    const limit = setTimeout(() => {
      const why = this.lastDown === null ? "" : ` The core is down: ${this.lastDown}`;
      this.pending.get(envelope.id)?.reject(new Error(`No answer to ${op.type} within ${limitMillis / 1_000} s.${why}`));
    }, limitMillis);
    try {
      void this.deliver(envelope);
      return await answered;
    } finally {
      clearInterval(resend);
      clearTimeout(limit);
      this.pending.delete(envelope.id);
    }
  }

  /** A conversation's items, its task list, and what runs in it. */
  async attach(conversation: ConversationId): Promise<{ items: ItemView[]; tasks: TaskView[]; run: RunView }> {
    return expected("snapshot", await this.submit({ type: "attach", conversation, since: null }));
  }

  /** Sends a person's message and waits for the end of the turn. */
  async ask(conversation: ConversationId, text: string, tab: WorkingTab | null = null, limitMillis = 60_000): Promise<Turn> {
    const { items: before } = await this.attach(conversation);
    const known = new Set(before.map(({ id }) => id));
    const transcript = new Transcript(conversation);
    const stop = this.onEvent(({ event }) => void transcript.apply(event));
    try {
      const ended = this.nextEvent((event) => isNewEnd(event, conversation, known), limitMillis);
      // Should the op be refused, nobody waits for the end any more.
      ended.catch(() => undefined);
      await this.submit({ type: "send_message", conversation, text, tab });
      await ended;
      const { items } = await this.attach(conversation);
      const ours = items.filter(({ id }) => !known.has(id));
      const end = ours.map(({ body }) => body).find((body) => body.kind === "turn_end");
      if (end === undefined) throw new Error("The turn ended, but its end is not in the conversation.");
      return { items: ours, end };
    } finally {
      stop();
    }
  }

  /** Calls a tool as a model would. */
  async callTool(tool: string, toolArguments: string, tab: TabId | null, limitMillis = 120_000): Promise<AnswerTo<"tool_answer">> {
    return expected("tool_answer", await this.submit({ type: "call_tool", tool, arguments: toolArguments, tab }, limitMillis));
  }

  /** The tab that is shown in the window of the client's page. */
  async activeTab(): Promise<TabId | null> {
    return this.page.evaluate(async () => {
      const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
      return tab?.id ?? null;
    });
  }

  /** A core that is starting hears what is posted to it; one that is not there is started, and says when it is ready. */
  private async deliver(envelope: OpEnvelope): Promise<void> {
    try {
      await this.ensureCore();
      if (this.pending.has(envelope.id)) await this.post(envelope);
    } catch {
      // The service worker or the page went away in the middle; the next round tries again.
    }
  }

  private hear(message: ChannelMessage): void {
    switch (message.kind) {
      case "op":
      case "try_again":
      case "redirect":
        return;
      case "core_down":
        this.lastDown = message.message;
        return;
      case "events":
        for (const envelope of message.envelopes) this.hearEvent(envelope);
        return;
    }
  }

  private hearEvent(envelope: EventEnvelope): void {
    const { event } = envelope;
    for (const listener of [...this.listeners]) listener(envelope);
    if (event.type === "core" && event.health.state === "ready") {
      this.lastDown = null;
      for (const pending of this.pending.values()) void this.deliver(pending.envelope);
    }
    if (!("op" in event)) return;
    const pending = this.pending.get(event.op);
    if (event.type === "refused") pending?.reject(new Refused(pending.envelope.op.type, event.refusal));
    else pending?.resolve(event);
  }
}

function isNewEnd(event: Event, conversation: ConversationId, known: ReadonlySet<string>): boolean {
  if (event.type === "item") {
    return event.conversation === conversation && event.item.body.kind === "turn_end" && !known.has(event.item.id);
  }
  if (event.type !== "snapshot" || event.conversation !== conversation) return false;
  return event.items.some(({ id, body }) => body.kind === "turn_end" && !known.has(id));
}

function expected<Type extends Answer["type"]>(type: Type, answer: Answer): AnswerTo<Type> {
  if (answer.type !== type) throw new Error(`The core answered ${answer.type} where ${type} belongs.`);
  return answer as AnswerTo<Type>;
}
