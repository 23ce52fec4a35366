// The core's requests to the network, each open from `open` to `close` under an id the core made.
// Messages of failures name the server's origin only: a path or query may hold a secret.

/** A request, in the words of the core. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** The head of a response. Header names are in lower case. */
export interface HttpHead {
  status: number;
  url: string;
  headers: [string, string][];
}

interface OpenRequest {
  readonly abort: AbortController;
  readonly server: string;
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
}

/** The requests that are open. */
export class OpenRequests {
  private readonly openById = new Map<number, OpenRequest>();

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly isOnline: () => boolean,
  ) {}

  /** Sends a request and waits for the head of the response. */
  async open(id: number, request: HttpRequest): Promise<HttpHead> {
    if (this.openById.has(id)) throw new Error(`Request ${id} is open already.`);
    const entry: OpenRequest = { abort: new AbortController(), server: serverOf(request.url), reader: null };
    this.openById.set(id, entry);
    try {
      const response = await this.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        // A copy: the bytes may be a view of memory that moves when the core allocates.
        body: request.body === null ? null : new Uint8Array(request.body),
        signal: entry.abort.signal,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        cache: "no-store",
        redirect: "follow",
      });
      entry.reader = response.body?.getReader() ?? null;
      return { status: response.status, url: response.url, headers: [...response.headers] };
    } catch (thrown) {
      this.openById.delete(id);
      throw this.failure(entry, "No response from", thrown);
    }
  }

  /** The next bytes of the body, or null at its end. */
  async read(id: number): Promise<Uint8Array | null> {
    const entry = this.openById.get(id);
    if (entry === undefined) throw new Error(`Request ${id} is not open.`);
    if (entry.reader === null) return null;
    try {
      const { value } = await entry.reader.read();
      return value ?? null;
    } catch (thrown) {
      throw this.failure(entry, "The connection broke to", thrown);
    }
  }

  /** Ends a request wherever it is. */
  close(id: number): void {
    this.openById.get(id)?.abort.abort();
    this.openById.delete(id);
  }

  private failure(entry: OpenRequest, what: string, thrown: unknown): Error {
    if (entry.abort.signal.aborted) return new Error("The request was cancelled.");
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const hint = this.isOnline() ? "" : " This computer is offline.";
    return new Error(`${what} ${entry.server}: ${reason}.${hint}`);
  }
}

function serverOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    throw new Error("The address is not an absolute http or https address.");
  }
  return parsed.origin;
}
