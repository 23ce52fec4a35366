// A local web server whose pages are what the agent writes: opening `/write/<run>/<k>` is the effect
// of write k, and every request of it is counted. Whatever opens a page twice is counted, so that
// nothing can be overlooked; a browser that was killed starts with one empty tab, and no page is cached.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Gate } from "../model-server/gate.ts";

/** Where the answer to a write's request stops: before its first byte, or in the middle of the page. */
export type HoldAt = "request" | "page";

interface Hold {
  readonly at: HoldAt;
  readonly gate: Gate;
}

const START = "<!doctype html><html lang=en><head><link rel=icon href='data:,'><title>";
const END = "</title></head><body><p>Written.</p></body></html>";

/** The server. */
export class WriteServer {
  private readonly counts = new Map<string, number>();
  private readonly holds = new Map<string, Hold>();

  private constructor(private readonly http: Server) {
    http.on("request", (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response));
  }

  static async start(): Promise<WriteServer> {
    const http = createServer();
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    return new WriteServer(http);
  }

  /** The address whose opening is write k of a run. */
  address(run: string, k: number): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}/write/${run}/${k}`;
  }

  /** How often write k of a run has happened. */
  hits(run: string, k: number): number {
    return this.counts.get(`/write/${run}/${k}`) ?? 0;
  }

  /** Stops at the next request of that write. The gate lets it go on. */
  hold(run: string, k: number, at: HoldAt): Gate {
    const gate = new Gate();
    this.holds.set(`/write/${run}/${k}`, { at, gate });
    return gate;
  }

  async close(): Promise<void> {
    for (const { gate } of this.holds.values()) gate.open();
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, "close");
  }

  private async answer({ url = "/" }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!url.startsWith("/write/")) {
      response.writeHead(404).end();
      return;
    }
    this.counts.set(url, (this.counts.get(url) ?? 0) + 1);
    const hold = this.holds.get(url);
    this.holds.delete(url);
    if (hold?.at === "request") await hold.gate.pass();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    response.write(START);
    if (hold?.at === "page") await hold.gate.pass();
    response.end(`Write ${url.split("/").at(-1) ?? ""}${END}`);
  }
}
