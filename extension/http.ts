// The core's requests to the network and to Chrome's built-in model, each open from `open` to `close`
// under an id the core made.
// No redirect is followed here: a header may hold a key, and where it leads may be a machine that no
// page may reach. `fetch` does not say where it leads; the service worker hears it from the browser.
// Messages of failures name the server's origin only: a path or query may hold a secret.

import { BUILT_IN } from "./ask_document.ts";
import type { Redirect, Redirects } from "./redirects.ts";

/** A request, in the words of the core. */
export interface HttpRequest {
  method: string;
  url: string;
  headers: [string, string][];
  /** The request's own: not a view of memory that moves when the core allocates. */
  body: Uint8Array<ArrayBuffer> | null;
  /** Whether a redirect is an answer, with where it leads in its header `location`; else it is an error. */
  tell_redirects: boolean;
}

/** The head of a response. Header names are in lower case. */
export interface HttpHead {
  status: number;
  url: string;
  headers: [string, string][];
}

interface OpenRequest {
  readonly abort: AbortController;
  /** The server's origin, or null for the built-in model. */
  readonly server: string | null;
  reader: ReadableStreamDefaultReader<Uint8Array> | null;
}

/** The requests that are open. */
export class OpenRequests {
  private readonly openById = new Map<number, OpenRequest>();

  constructor(
    private readonly fetch: typeof globalThis.fetch,
    private readonly askBuiltIn: (body: Uint8Array, signal: AbortSignal) => Promise<Response>,
    private readonly isOnline: () => boolean,
    private readonly redirects: Redirects,
  ) {}

  /** Sends a request and waits for the head of the response. */
  async open(id: number, request: HttpRequest): Promise<HttpHead> {
    if (this.openById.has(id)) throw new Error(`Request ${id} is open already.`);
    const entry: OpenRequest = { abort: new AbortController(), server: serverOf(request.url), reader: null };
    this.openById.set(id, entry);
    const redirect = request.tell_redirects ? this.redirects.expect(request.url) : null;
    try {
      const response = await this.send(request, entry);
      if (redirect !== null && response.type === "opaqueredirect") return redirected(request.url, await redirect.next());
      if (response.type === "opaqueredirect" || REDIRECTS.has(response.status)) {
        entry.abort.abort();
        throw new RedirectedError(entry.server ?? "");
      }
      entry.reader = response.body?.getReader() ?? null;
      return { status: response.status, url: response.url, headers: [...response.headers] };
    } catch (thrown) {
      this.openById.delete(id);
      throw this.failure(entry, "No response from", thrown);
    } finally {
      redirect?.end();
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

  private send(request: HttpRequest, { abort: { signal }, server }: OpenRequest): Promise<Response> {
    const { body } = request;
    if (server === null) return this.askBuiltIn(body ?? new Uint8Array(), signal);
    return this.fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body,
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      // A header may hold a key, and the browser would send all but one kind of it on to anywhere.
      redirect: "manual",
    });
  }

  private failure(entry: OpenRequest, what: string, thrown: unknown): Error {
    if (thrown instanceof RedirectedError) return thrown;
    if (entry.abort.signal.aborted) return new Error("The request was cancelled.");
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    if (entry.server === null) return new Error(reason);
    const hint = this.isOnline() ? "" : " This computer is offline.";
    return new Error(`${what} ${entry.server}: ${reason}.${hint}`);
  }
}

function redirected(url: string, redirect: Redirect | null): HttpHead {
  if (redirect === null) throw new Error("The server sends requests on to another address, and the browser did not say which");
  return { status: redirect.status, url, headers: [["location", redirect.location]] };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

class RedirectedError extends Error {
  constructor(server: string) {
    super(`${server} sends requests on to another address, which is not followed because they may carry a key. Use that address itself.`);
  }
}

function serverOf(url: string): string | null {
  if (url.startsWith(BUILT_IN)) return null;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    throw new Error("The address is not an absolute http or https address.");
  }
  return parsed.origin;
}
