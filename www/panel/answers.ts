// What a question's card sends, and what is read from the result of a question that was answered.

import { parsedObject, stringIn } from "./tool_text.ts";

/** As many buttons, and of such a length, as one takes in at a glance. */
const MOST_BUTTONS = 4;
const LONGEST_BUTTON = 24;

/** Whether the options are buttons, of which one click answers, and not a list to choose from. */
export function areButtons(options: readonly string[], isMultiple: boolean): boolean {
  const isShort = options.every((option) => option.length <= LONGEST_BUTTON);
  return !isMultiple && isShort && options.length > 0 && options.length <= MOST_BUTTONS;
}

/** What was chosen, in the order of the options, and what was written. Where one answer was asked for, what was written is it. */
export function answersOf(
  options: readonly string[],
  chosen: ReadonlySet<number>,
  free: string,
  isMultiple: boolean,
): string[] {
  const written = free.trim() === "" ? [] : [free.trim()];
  if (!isMultiple && written.length > 0) return written;
  return [...options.filter((_, index) => chosen.has(index)), ...written];
}

/** What became of a question. */
export type Outcome = { readonly answers: readonly string[]; readonly isStopped: boolean };

/** Reads the result of `ask_user`; null when it is none that one could read. */
export function outcomeOf(result: string): Outcome | null {
  const value = parsedObject(result);
  if (value === null || !("answer" in value)) return null;
  const isStopped = stringIn(value, "reason") === "aborted";
  const answer = stringIn(value, "answer");
  if (answer === null) return value["answer"] === null ? { answers: [], isStopped } : null;
  return { answers: severalIn(value["answers"]) ?? [answer], isStopped };
}

function severalIn(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const words = value.filter((word) => typeof word === "string");
  return words.length === value.length ? words : null;
}
