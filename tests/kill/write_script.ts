// A model that writes twelve times: in each round one bare write, `open_tab` of that write's address,
// and one reading call. What comes next it takes from the history it is sent and from nothing else:
// the first write without a result. So a history that has lost a result makes it write twice.

import type { Gate } from "../model-server/gate.ts";
import type { Misbehaviour } from "../model-server/misbehave.ts";
import type { Conversation, ModelRequest, ScriptedCall, Step } from "../model-server/script.ts";

export const WRITES = 12;
/** The round of the last answer, which has no calls. */
export const LAST = WRITES + 1;
export const LAST_TEXT = "All is written.";
/** What the model asks the person, where it does. */
export const QUESTION = "May I go on?";

/** Where an answer stops: before its first byte, in the middle, or before its end. */
export type StopAt = "request" | "half" | "whole";

/** A round's number, or the request for a summary. */
export type Round = number | "summary";

/** The model of one run. */
export class WriteScript {
  private readonly stops = new Map<string, Gate>();
  private readonly refusals = new Map<Round, Misbehaviour>();
  private end: () => void = () => undefined;
  /** Ends when the last answer has gone out whole. */
  readonly finished = new Promise<void>((resolve) => {
    this.end = resolve;
  });

  constructor(
    private readonly address: (k: number) => string,
    /** In this round the person is asked first. */
    private readonly asksIn: number | null = null,
  ) {}

  /** Stops once at that place. */
  stop(round: Round, at: StopAt, gate: Gate): void {
    this.stops.set(`${round} ${at}`, gate);
  }

  /** Refuses a round's first request. */
  refuse(round: Round, how: Misbehaviour): void {
    this.refusals.set(round, how);
  }

  /** Answers a request. */
  async answer(request: ModelRequest): Promise<Step> {
    const { conversation } = request;
    if (isForSummary(conversation)) return this.reply("summary", { text: summaryOf(conversation, this.address) });
    const round = nextWrite(conversation, this.address);
    if (round === LAST) {
      void request.ended.then(() => {
        if (request.outcome === "complete") this.end();
      });
      return this.reply(round, { text: LAST_TEXT });
    }
    if (round === this.asksIn && !wasAnswered(conversation)) {
      return { calls: [{ name: "ask_user", arguments: { question: QUESTION, options: ["Yes", "No"] } }] };
    }
    const write = { name: "open_tab", arguments: { url: this.address(round), active: false } };
    return this.reply(round, { calls: [write, { name: "list_tabs", arguments: {} }] });
  }

  private async reply(round: Round, step: Step): Promise<Step> {
    const refusal = this.refusals.get(round);
    this.refusals.delete(round);
    if (refusal !== undefined) return { misbehave: refusal };
    await this.take(round, "request")?.pass();
    const half = this.take(round, "half");
    const until = this.take(round, "whole");
    return { ...step, ...(half === null ? {} : stoppedHalfway(step, half)), ...(until === null ? {} : { until }) };
  }

  private take(round: Round, at: StopAt): Gate | null {
    const key = `${round} ${at}`;
    const gate = this.stops.get(key) ?? null;
    this.stops.delete(key);
    return gate;
  }
}

/** The same answer with the gate in the middle of its text, or of its first call's arguments. */
function stoppedHalfway({ text, calls }: Step, gate: Gate): Step {
  if (text !== undefined) return { pieces: [...halves(text, gate)] };
  const [first, ...rest] = calls ?? [];
  if (first === undefined) return {};
  const stopped: ScriptedCall = { ...first, pieces: halves(JSON.stringify(first.arguments), gate) };
  return { calls: [stopped, ...rest] };
}

function halves(text: string, gate: Gate): (string | Gate)[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), gate, text.slice(middle)];
}

/** The first write that has no result. */
function nextWrite(conversation: Conversation, address: (k: number) => string): number {
  const written = writtenIn(conversation, address);
  let next = 1;
  while (written.has(next)) next += 1;
  return Math.min(next, LAST);
}

/** The writes that have a result in what the model is shown, or are in its summary. */
function writtenIn({ messages }: Conversation, address: (k: number) => string): Set<number> {
  const withResult = new Set(messages.flatMap(({ results }) => results.map(({ id }) => id)));
  const called = messages.flatMap(({ calls }) => calls).filter(({ id }) => withResult.has(id));
  const summed = messages.flatMap(({ text }) => /Written so far:([ \d]*)\./.exec(text)?.[1]?.split(" ") ?? []);
  const all = Array.from({ length: WRITES }, (_, index) => index + 1);
  return new Set(all.filter((k) => summed.includes(String(k)) || called.some((call) => call.arguments.includes(`"${address(k)}"`))));
}

function isForSummary({ messages }: Conversation): boolean {
  return messages.at(-1)?.text.includes("between <summary> and </summary>") ?? false;
}

function summaryOf(conversation: Conversation, address: (k: number) => string): string {
  const written = [...writtenIn(conversation, address)].sort((a, b) => a - b);
  return `<summary>Written so far: ${written.join(" ")}.</summary>`;
}

function wasAnswered({ messages }: Conversation): boolean {
  return messages.some(({ results }) => results.some(({ name }) => name === "ask_user"));
}
