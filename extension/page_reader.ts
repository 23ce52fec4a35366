// Pages, read in a worker that starts with the first of them and ends when none comes for a while.
//
// A page that is not read in time, or that the worker breaks at, ends that worker: the page's reading
// fails, those that wait begin again in a new one, and the core notices nothing.

/** A page to read, to the worker. */
export interface ReadJob {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** The response's header, which may be empty. */
  readonly contentType: string;
  readonly url: string;
}

/** The worker's answer. */
export type ReadAnswer =
  | { readonly id: number; readonly json: string }
  | { readonly id: number; readonly error: string };

/** The worker, as far as it is used. */
export interface ReaderWorker {
  postMessage(job: ReadJob): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<ReadAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

interface Waiting {
  readonly job: ReadJob;
  readonly resolve: (json: string) => void;
  readonly reject: (error: Error) => void;
}

/** The largest page that is read takes a few seconds on a slow computer. */
const PAGE_MILLIS = 20_000;
/** Its memory never shrinks, so an idle one is let go. */
const IDLE_MILLIS = 60_000;

/** Reads one page after the other. */
export class PageReader {
  private readonly queue: Waiting[] = [];
  private worker: ReaderWorker | null = null;
  private current: Waiting | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastId = 0;

  constructor(
    private readonly start: () => ReaderWorker,
    private readonly millis = { page: PAGE_MILLIS, idle: IDLE_MILLIS },
  ) {}

  /** The page as the JSON text of a `PageText`. */
  read(bytes: Uint8Array, contentType: string, url: string): Promise<string> {
    const job = { id: (this.lastId += 1), bytes, contentType, url };
    return new Promise((resolve, reject) => {
      this.queue.push({ job, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current !== null) return;
    clearTimeout(this.timer);
    const next = this.queue.shift();
    if (next === undefined) {
      this.timer = setTimeout(() => {
        this.end();
      }, this.millis.idle);
      return;
    }
    this.current = next;
    const worker = (this.worker ??= this.started());
    this.timer = setTimeout(() => {
      this.broke(`The page could not be read within ${Math.round(this.millis.page / 1_000)} s.`);
    }, this.millis.page);
    worker.postMessage(next.job);
  }

  private started(): ReaderWorker {
    const worker = this.start();
    worker.onmessage = ({ data }) => {
      this.heard(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.broke(`The page could not be read: ${event.message === "" ? "the reader could not be loaded" : event.message}.`);
    };
    return worker;
  }

  private heard(answer: ReadAnswer): void {
    const current = this.current;
    if (current?.job.id !== answer.id) return;
    if ("error" in answer) {
      // What broke once is not to be trusted with another page.
      this.broke(`The page could not be read: ${answer.error}.`);
      return;
    }
    this.current = null;
    current.resolve(answer.json);
    this.next();
  }

  private broke(message: string): void {
    const { current } = this;
    this.end();
    this.current = null;
    current?.reject(new Error(message));
    this.next();
  }

  private end(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
  }
}
