// One answer on its way: writes, waits, and notices when the client goes away. Every wait ends when the client does.

import type { ServerResponse } from "node:http";

import type { Gate } from "./gate.ts";
import type { Cut } from "./plan.ts";

/** Thrown out of an answer that nobody listens to any more. */
export class GoneError extends Error {}

/** Who is told of an answer's progress. */
export interface Progress {
  /** The head goes out. */
  head(status: number): void;
  /** The last bytes go out. */
  end(): void;
}

export class Wire {
  readonly response: ServerResponse;
  /** Set when the server itself broke the connection. */
  dropped = false;
  readonly #left: Promise<void>;
  readonly #progress: Progress;
  #gone = false;

  constructor(response: ServerResponse, progress: Progress) {
    this.response = response;
    this.#progress = progress;
    this.#left = new Promise((resolve) => {
      response.on("close", () => {
        this.#gone = true;
        resolve();
      });
    });
  }

  /** Resolves when the connection of this answer is closed, or its answer is whole. */
  get left(): Promise<void> {
    return this.#left;
  }

  head(status: number, headers: Record<string, string>): void {
    this.#stay();
    this.response.writeHead(status, headers);
    this.response.flushHeaders();
    this.#progress.head(status);
  }

  /** Resolves when the bytes have gone out, so that each chunk stays one. */
  async write(bytes: Buffer | string): Promise<void> {
    this.#stay();
    await new Promise<void>((resolve) => {
      this.response.write(bytes, () => resolve());
    });
    this.#stay();
  }

  async end(): Promise<void> {
    this.#stay();
    this.#progress.end();
    await new Promise<void>((resolve) => {
      this.response.end(() => resolve());
    });
  }

  async pause(ms: number): Promise<void> {
    if (ms <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#left,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      }),
    ]);
    clearTimeout(timer);
    this.#stay();
  }

  async gate(gate: Gate): Promise<void> {
    await Promise.race([this.#left, gate.pass()]);
    this.#stay();
  }

  /** Breaks the answer off. Does not come back. */
  async cut(how: "drop" | "stall" | "end-early"): Promise<never> {
    switch (how) {
      case "drop":
        this.dropped = true;
        if (this.response.headersSent) this.response.socket?.destroy();
        else this.response.socket?.resetAndDestroy();
        break;
      case "stall":
        break;
      case "end-early":
        await this.end();
        break;
    }
    await this.#left;
    throw new GoneError();
  }

  #stay(): void {
    if (this.#gone) throw new GoneError();
  }
}

/** A cut that the wire makes; the other kind is an event that the shape makes. */
export const isBreak = (cut: Cut): cut is Cut & { how: "drop" | "stall" | "end-early" } => cut.how !== "overloaded";
