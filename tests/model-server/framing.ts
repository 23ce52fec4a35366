// The bytes an answer is sent in: events as text, and text in chunks. Each misbehaviour of framing is here.

import { toJson } from "./json.ts";
import type { Faults } from "./misbehave.ts";
import type { Frame } from "./shapes/shape.ts";

const lineEnd = (faults: Faults): string => (faults.has("lone-cr") ? "\r" : faults.has("crlf") ? "\r\n" : "\n");

/** One event as text. */
export function eventText(frame: Frame, faults: Faults): string {
  const prefix = faults.has("no-space-after-data") ? "data:" : "data: ";
  const lines = (faults.has("several-data-lines") ? toJson(frame.data, 1).split("\n") : [toJson(frame.data)]).map((line) => prefix + line);
  if (frame.event !== null) lines.unshift(`event: ${frame.event}`);
  const end = lineEnd(faults);
  return lines.join(end) + end + end;
}

/** One line of a stream of lines. */
export const lineText = (frame: Frame, faults: Faults): string => toJson(frame.data) + lineEnd(faults);

/** What stands before each event: comments, and events that nobody knows. */
export function preamble(faults: Faults, unknownEvent: Frame): string {
  const end = lineEnd(faults);
  let text = "";
  if (faults.has("comments")) text += `: PROCESSING${end}${end}`;
  if (faults.has("bare-colon")) text += `:${end}${end}`;
  if (faults.has("rewrapped-comments")) text += `data: : PROCESSING${end}${end}`;
  if (faults.has("unknown-events")) text += `id: 7${end}retry: 1000${end}${eventText(unknownEvent, faults)}`;
  return text;
}

export const pingText = (ping: Frame | null, faults: Faults): string =>
  ping === null ? `: ping${lineEnd(faults)}${lineEnd(faults)}` : eventText(ping, faults);

/** The text without its closing blank line, or without the end of its only line. */
export const withoutLastEnd = (text: string): string => text.replace(/(\r\n|\r|\n)$/, "");

export const byteOrderMark = "\ufeff";

/** Puts bytes together or apart, as the misbehaviours ask. Without any, each text is one chunk. */
export class Chunker {
  readonly #faults: Faults;
  #kept: Buffer = Buffer.alloc(0);

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** The chunks that may go out now. */
  push(text: string): Buffer[] {
    const bytes = Buffer.from(text, "utf8");
    const size = this.#faults.has("one-byte-chunks") ? 1 : this.#faults.get("chunks-of")?.bytes;
    if (size !== undefined) {
      const whole = Buffer.concat([this.#kept, bytes]);
      const chunks: Buffer[] = [];
      let at = 0;
      for (; at + size <= whole.length; at += size) chunks.push(whole.subarray(at, at + size));
      this.#kept = whole.subarray(at);
      return chunks;
    }
    if (this.#faults.has("one-chunk")) {
      this.#kept = Buffer.concat([this.#kept, bytes]);
      return [];
    }
    return this.#faults.has("split-utf8") ? cutInCharacters(bytes) : [bytes];
  }

  /** What was kept back. */
  flush(): Buffer[] {
    const kept = this.#kept;
    this.#kept = Buffer.alloc(0);
    return kept.length === 0 ? [] : [kept];
  }
}

/** Cuts inside every character of several bytes, in turn after its first, second and third byte. */
function cutInCharacters(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  let characters = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0xc0) continue;
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const cut = at + 1 + (characters++ % (length - 1));
    chunks.push(bytes.subarray(start, cut));
    start = cut;
  }
  chunks.push(bytes.subarray(start));
  return chunks;
}
