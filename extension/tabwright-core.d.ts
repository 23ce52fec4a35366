// The core, as wasm-bindgen makes it from crates/web. The build resolves this name to what it made.

declare module "tabwright-core" {
  import type { OpEnvelope } from "../www/generated/protocol.ts";
  import type { JsHost } from "./host.ts";

  /** Loads the program. Once, before anything else. */
  export default function init(options: { module_or_path: URL }): Promise<unknown>;

  /** The core. */
  export class Core {
    constructor(host: JsHost);
    /** Lets it live: it opens the database, goes on with what was interrupted, and takes ops. Once. */
    start(): void;
    /** Takes an op. False when the core has ended and takes none any more. */
    submit(envelope: OpEnvelope): boolean;
  }
}
