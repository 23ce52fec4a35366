// A turn as text on a terminal, as it happens.

import type { CallState, ItemId, ItemView, QuestionState } from "../../www/generated/protocol.ts";
import { stableTextOf, textOf } from "./transcript.ts";

/** Prints items when they come and when they change. */
export class Printer {
  /** What was printed of each item: text of a message, or the state of a call. */
  private readonly printed = new Map<ItemId, string>();
  private isLineOpen = false;

  constructor(private readonly write: (text: string) => void) {}

  /** Prints what is new of an item. */
  show({ id, body }: ItemView): void {
    switch (body.kind) {
      case "user_message":
        this.once(id, `> ${body.text}`);
        return;
      case "assistant_message":
        if (body.state.state === "streaming") this.grow(id, stableTextOf(body.blocks), false);
        else this.grow(id, textOf(body.blocks), true);
        if (body.state.state === "cut") this.once(`${id}.cut`, `[cut: ${body.state.reason}]`);
        return;
      case "tool_call":
        this.call(id, body.tool, body.arguments, body.state);
        return;
      case "question":
        this.question(id, body.question, body.options, body.state);
        return;
      case "summary":
        this.once(id, "earlier messages were summed up");
        return;
      case "gone":
        return;
      case "notice":
        this.once(id, `! ${body.level}: ${body.text} (${body.code})`);
        return;
      case "turn_end": {
        const tokens = body.usage.input + body.usage.output;
        this.once(id, `turn ended: ${body.reason}, ${tokens} tokens, ${(body.millis / 1_000).toFixed(1)} s`);
        return;
      }
    }
  }

  private call(id: ItemId, tool: string, callArguments: string, state: CallState): void {
    switch (state.state) {
      case "waiting":
        return;
      case "awaiting_approval":
        this.once(`${id}.approval`, `? allow ${tool} ${callArguments}? ${state.reason} (answer in the panel)`);
        return;
      case "asking":
        this.once(`${id}.question`, `? ${[state.question, ...state.options].join(" / ")} (answer in the panel)`);
        return;
      case "running":
        this.once(`${id}.start`, `-> ${tool} ${callArguments}`);
        return;
      case "done":
        this.once(`${id}.start`, `-> ${tool} ${callArguments}`);
        this.once(id, `<- ${state.is_error ? "error: " : ""}${state.result} (${state.millis} ms)`);
        return;
      case "unknown":
        this.once(`${id}.start`, `-> ${tool} ${callArguments}`);
        this.once(id, "<- interrupted, may have happened");
        return;
    }
  }

  private question(id: ItemId, question: string, options: readonly string[], state: QuestionState): void {
    this.once(`${id}.question`, `? ${[question, ...options].join(" / ")} (answer in the panel)`);
    if (state.state === "answered") this.once(id, `answered: ${state.answer}`);
    if (state.state === "expired") this.once(id, "not answered in time");
  }

  /** Prints a message as it grows. What is on the terminal cannot be taken back, so a changed beginning waits for the end. */
  private grow(id: ItemId, text: string, isWhole: boolean): void {
    const printed = this.printed.get(id) ?? "";
    if (text.startsWith(printed)) {
      if (text.length > printed.length) this.append(id, printed, text);
    } else if (isWhole) {
      this.closeLine();
      this.append(id, "", text);
    }
    if (isWhole) this.closeLine();
  }

  private append(id: ItemId, printed: string, text: string): void {
    if (printed === "") this.closeLine();
    this.write(text.slice(printed.length));
    this.printed.set(id, text);
    this.isLineOpen = !text.endsWith("\n");
  }

  private once(id: ItemId, line: string): void {
    if (this.printed.has(id)) return;
    this.printed.set(id, line);
    this.closeLine();
    this.write(`${line}\n`);
  }

  private closeLine(): void {
    if (this.isLineOpen) this.write("\n");
    this.isLineOpen = false;
  }
}
