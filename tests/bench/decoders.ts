// How fast the decoders of `crates/llm` are, beside known parsers on the same recorded streams.
//
//     cargo xtask bench decoders
//
// Natively and as WASM (built as the core is) beside `eventsource-stream` and `serde_json`; and both
// beside `eventsource-parser` and `JSON.parse` in Node. Prints a table, and the same as one line of
// JSON. No test judges it: a number depends on the machine, and on what else it does.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { pathToFileURL } from "node:url";
import { readWithNode } from "./peers/node.ts";

const ROUNDS = Number(process.env["TABWRIGHT_BENCH_ROUNDS"] ?? 9);
const FOLDER = new URL("../../target/bench/", import.meta.url);

/** What wasm-bindgen makes of `crates/bench`. */
interface Wasm {
  initSync(options: { module: Uint8Array }): void;
  recorded(format: string): Uint8Array;
  Body: new (format: string) => { read(ours: boolean, piece: number): Uint32Array; free(): void };
}

/** Of one format in pieces of one size: the seconds of every round, by reader. */
interface Row {
  readonly format: string;
  readonly bytes: number;
  readonly piece: number;
  readonly lengths: readonly number[];
  readonly seconds: Readonly<Record<Reader, readonly number[]>>;
}

type Reader = "native" | "native peer" | "wasm" | "wasm peer" | "node";

interface NativeRow {
  readonly format: string;
  readonly bytes: number;
  readonly piece: number;
  readonly lengths: readonly number[];
  readonly ours: readonly number[];
  readonly peer: readonly number[];
}

async function main(): Promise<void> {
  const program = process.env["TABWRIGHT_BENCH"];
  if (program === undefined) throw new Error("Start it with `cargo xtask bench decoders`.");
  const native = JSON.parse(execFileSync(program, [String(ROUNDS)], { encoding: "utf8" })) as NativeRow[];
  const wasm = (await import(pathToFileURL(new URL("bench.js", FOLDER).pathname).href)) as Wasm;
  wasm.initSync({ module: readFileSync(new URL("optimised.wasm", FOLDER)) });
  report(native.map((row) => inNode(wasm, row)));
}

/** The same in this process. Readers take turns, so that what else the machine does falls on all. */
function inNode(wasm: Wasm, { format, bytes, piece, lengths, ours, peer }: NativeRow): Row {
  const body = new wasm.Body(format);
  const recorded = wasm.recorded(format);
  const readers = {
    wasm: () => body.read(true, piece),
    "wasm peer": () => body.read(false, piece),
    node: () => readWithNode(format, recorded, piece),
  };
  const seconds: Record<string, number[]> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, read] of Object.entries(readers)) {
      const started = performance.now();
      const said = read();
      const taken = (performance.now() - started) / 1_000;
      if (said.join() !== lengths.join()) throw new Error(`${name} reads ${format} differently: ${said.join()}, not ${lengths.join()}.`);
      // The first round is to warm up.
      if (round > 0) (seconds[name] ??= []).push(taken);
    }
  }
  body.free();
  const { wasm: w = [], "wasm peer": p = [], node = [] } = seconds;
  return { format, bytes, piece, lengths, seconds: { native: ours, "native peer": peer, wasm: w, "wasm peer": p, node } };
}

function report(rows: readonly Row[]): void {
  const table = rows.map(({ format, bytes, piece, seconds }) => {
    const speed = (reader: Reader): number => bytes / 1e6 / median(seconds[reader]);
    const speeds = { native: speed("native"), nativePeer: speed("native peer"), wasm: speed("wasm"), wasmPeer: speed("wasm peer"), node: speed("node") };
    const { native, nativePeer, wasm, wasmPeer, node } = speeds;
    return { format, bytes, piece, ...speeds, ratios: { native: native / nativePeer, wasm: wasm / wasmPeer, wasmToNode: wasm / node } };
  });
  const line = (name: string, ...cells: string[]): string => [name.padEnd(24), ...cells.map((cell) => cell.padStart(11))].join(" ");
  console.log(line("MB/s, pieces of bytes", "native", "its peer", "ratio", "WASM", "its peer", "ratio", "Node", "WASM ratio"));
  for (const { format, piece, native, nativePeer, wasm, wasmPeer, node, ratios } of table) {
    const speeds = [native.toFixed(1), nativePeer.toFixed(1), ratios.native.toFixed(2), wasm.toFixed(1), wasmPeer.toFixed(1), ratios.wasm.toFixed(2), node.toFixed(1), ratios.wasmToNode.toFixed(2)];
    console.log(line(`${format}, ${piece}`, ...speeds));
  }
  console.log("A ratio is ours over the peer's: above 1 we are faster.");
  console.log(JSON.stringify({ bench: "decoders", cores: cpus().length, rounds: ROUNDS, node: process.version, rows: table }));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

await main();
