// The content of every page in a folder by the reader as it is shipped, a line of JSON each.
//
//     cargo xtask extract --wasm DIR
//
// Reads NAME.html and NAME.html.gz; prints {"id": NAME, "text": Markdown, "ms": milliseconds}.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const FOLDER = new URL("../../target/reader/", import.meta.url);

/** What wasm-bindgen makes of `crates/reader`. */
interface Reader {
  initSync(options: { module: Uint8Array }): void;
  encoding(bytes: Uint8Array, contentType: string): string;
  read_page(html: Uint8Array, url: string): string;
}

async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("Start it with `cargo xtask extract --wasm DIR`.");
  const reader = (await import(pathToFileURL(new URL("reader.js", FOLDER).pathname).href)) as Reader;
  reader.initSync({ module: readFileSync(new URL("optimised.wasm", FOLDER)) });
  for (const file of readdirSync(folder).toSorted()) {
    const [, id] = /^(.+)\.html(?:\.gz)?$/.exec(file) ?? [];
    if (id === undefined) continue;
    const bytes = readFileSync(join(folder, file));
    const page = file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
    const started = performance.now();
    const text = read(reader, page);
    console.log(JSON.stringify({ id, text, ms: performance.now() - started }));
  }
}

function read(reader: Reader, bytes: Uint8Array): string {
  const label = reader.encoding(bytes, "");
  const utf8 = label === "utf-8" ? bytes : new TextEncoder().encode(new TextDecoder(label).decode(bytes));
  return (JSON.parse(reader.read_page(utf8, "")) as { markdown: string }).markdown;
}

await main();
