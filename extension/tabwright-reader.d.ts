// The page reader, as wasm-bindgen makes it from crates/reader. The build resolves this name to what
// it made.

declare module "tabwright-reader" {
  /** Loads the program. Once, before anything else. */
  export default function init(options: { module_or_path: URL }): Promise<unknown>;

  /** The label of the encoding that bytes are in. */
  export function encoding(bytes: Uint8Array, contentType: string): string;

  /** A page in UTF-8, as the JSON text of a `PageText`. */
  export function read_page(html: Uint8Array, url: string): string;
}
