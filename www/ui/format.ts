// Numbers, durations and times for people, in their locale.

import type { Millis } from "../generated/protocol.ts";

const count = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

const utcDay = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const money = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const smallMoney = new Intl.NumberFormat(undefined, {
  style: "currency",
  currency: "USD",
  maximumSignificantDigits: 2,
});
const list = new Intl.ListFormat();
const whole = new Intl.NumberFormat();

function unit(name: "millisecond" | "second" | "minute", maximumFractionDigits: number): Intl.NumberFormat {
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: name,
    unitDisplay: "short",
    maximumFractionDigits,
  });
}
const milliseconds = unit("millisecond", 0);
const tenths = unit("second", 1);
const seconds = unit("second", 0);
const minutes = unit("minute", 0);

/** "3.4K". */
export function formatCount(value: number): string {
  return count.format(value);
}

/** "3,412". */
export function formatWhole(value: number): string {
  return whole.format(value);
}

/** An amount in billionths of a dollar: "$1.25", "$0.0034", no coarser than it is worth reading. */
export function formatCost(cost: number): string {
  const dollars = cost / 1e9;
  return (dollars >= 0.01 || dollars === 0 ? money : smallMoney).format(dollars);
}

/** "42 ms", "1.4 sec", "12 sec", "2 min 5 sec": no finer than it is worth reading. */
export function formatDuration(millis: number): string {
  if (millis < 100) return milliseconds.format(millis);
  if (millis < 10_000) return tenths.format(millis / 1000);
  return formatSeconds(Math.round(millis / 1000) * 1000);
}

/** Whole seconds, for something that is still counting. */
export function formatSeconds(millis: number): string {
  const total = Math.max(0, Math.floor(millis / 1000));
  if (total < 60) return seconds.format(total);
  return `${minutes.format(Math.floor(total / 60))} ${seconds.format(total % 60)}`;
}

/** What is left of a wait: whole minutes while there are any, so that the number stands still while one reads. */
export function formatLeft(millis: number): string {
  return millis >= 60_000 ? minutes.format(Math.ceil(millis / 60_000)) : formatSeconds(millis);
}

/** "red, blue, and green". */
export function formatList(words: readonly string[]): string {
  return list.format(words);
}

/** A day such as "2026-03-09", which belongs to no time zone. */
export function formatDate(isoDay: string): string {
  return utcDay.format(new Date(isoDay));
}

/** The time for today, the day for this year, the date before that. */
export function formatWhen(at: Millis, now: Millis): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) return clock.format(then);
  return then.getFullYear() === today.getFullYear() ? day.format(then) : dayOfYear.format(then);
}
