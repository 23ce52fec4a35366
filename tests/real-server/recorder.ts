// Stands before a server and keeps what is said, byte for byte: what a request asked and what came.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request and its response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly asked: string;
  status: number;
  /** The pieces of the body as the network gave them. */
  readonly pieces: Buffer[];
}

export class Recorder {
  readonly exchanges: Exchange[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: string,
  ) {}

  /** Passes on to `target`, an address without a path. */
  static async start(target: string): Promise<Recorder> {
    const server = createServer();
    const recorder = new Recorder(server, target);
    server.on("request", (request, response) => {
      recorder.pass(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const exchange: Exchange = { method: request.method ?? "", path: request.url ?? "", asked: body.toString(), status: 0, pieces: [] };
    this.exchanges.push(exchange);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      const isOfTheConnection = ["host", "connection", "content-length", "accept-encoding", "origin"].includes(name);
      if (typeof value === "string" && !isOfTheConnection) headers.set(name, value);
    }
    const gone = new AbortController();
    response.on("close", () => {
      gone.abort();
    });
    const answer = await fetch(`${this.target}${exchange.path}`, {
      method: exchange.method,
      headers,
      signal: gone.signal,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    exchange.status = answer.status;
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, type === null ? {} : { "content-type": type });
    for await (const piece of answer.body ?? []) {
      exchange.pieces.push(Buffer.from(piece));
      response.write(piece);
    }
    response.end();
  }
}
