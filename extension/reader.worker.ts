// The worker that pages are read in, apart from the core: what a page makes of it ends with it.

import init, { encoding, read_page } from "tabwright-reader";
import type { ReadAnswer, ReadJob } from "./page_reader.ts";

const ready = init({ module_or_path: new URL("reader.wasm", import.meta.url) });

self.addEventListener("message", ({ data }: MessageEvent<ReadJob>) => {
  void read(data).then((answer) => {
    self.postMessage(answer);
  });
});

async function read({ id, bytes, contentType, url }: ReadJob): Promise<ReadAnswer> {
  try {
    await ready;
    return { id, json: read_page(inUtf8(bytes, encoding(bytes, contentType)), url) };
  } catch (thrown) {
    return { id, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** The reader knows UTF-8 alone; the browser has the tables of all others. */
function inUtf8(bytes: Uint8Array, label: string): Uint8Array {
  return label === "utf-8" ? bytes : new TextEncoder().encode(new TextDecoder(label).decode(bytes));
}
