// The outcomes of a kill matrix, for a person.

import type { Outcome } from "./matrix.ts";
import { type Way, WAYS } from "./stage.ts";
import type { Fault } from "./verdict.ts";

const FAULTS: readonly Fault[] = ["not finished", "lost", "duplicated", "not told", "illegal history"];

/** A table with a row for each way, and a line for each run that broke something. */
export function report(outcomes: readonly Outcome[]): string {
  const ways = Object.keys(WAYS).filter((way): way is Way => outcomes.some((outcome) => outcome.way === way));
  const rows = ways.map((way) => row(WAYS[way].what, outcomes.filter((outcome) => outcome.way === way)));
  const table = [["", "points", "runs", "finished", ...FAULTS.slice(1), "unknown writes", "s a run"], ...rows];
  if (rows.length > 1) table.push(row("all", outcomes));
  const broken = outcomes.flatMap(({ point, way, findings }) =>
    findings.map(({ fault, why }) => `${WAYS[way].what} × ${point}: ${fault}: ${why}`),
  );
  return [...aligned(table), ...(broken.length === 0 ? [] : ["", ...new Set(broken)])].join("\n");
}

/** How many runs, and how many of them broke something. */
function row(name: string, outcomes: readonly Outcome[]): string[] {
  const broken = (fault: Fault): number => outcomes.filter(({ findings }) => findings.some((finding) => finding.fault === fault)).length;
  const points = new Set(outcomes.map(({ point }) => point)).size;
  const unknown = outcomes.reduce((sum, outcome) => sum + outcome.unknown, 0);
  const seconds = outcomes.reduce((sum, { millis }) => sum + millis, 0) / 1_000 / outcomes.length;
  const counts = [points, outcomes.length, outcomes.length - broken("not finished"), ...FAULTS.slice(1).map(broken), unknown];
  return [name, ...counts.map(String), seconds.toFixed(1)];
}

function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0)));
  return table.map((cells) => {
    const padded = cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)));
    return padded.join("  ");
  });
}
