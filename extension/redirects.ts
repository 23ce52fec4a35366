// Where the requests of the core are sent on to. `fetch` keeps that from its caller; Chrome tells the
// service worker, which tells everyone on the channel.

/** A server's word that what is asked for is elsewhere. */
export interface Redirect {
  readonly status: number;
  /** The whole other address. */
  readonly location: string;
}

/** A request that may be sent on. */
export interface Expected {
  /** The redirect, which may have been told already; null when nobody tells it in time. */
  next(): Promise<Redirect | null>;
  /** Nothing is expected any more. */
  end(): void;
}

interface Waiting {
  readonly url: string;
  told: Redirect | null;
  hear: ((redirect: Redirect | null) => void) | null;
}

/** What is told comes by way of the service worker, which may have to start first. */
const PATIENCE_MILLIS = 5_000;

/** The requests that may be sent on, each from before it is sent until its answer is there. */
export class Redirects {
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly patienceMillis = PATIENCE_MILLIS) {}

  expect(url: string): Expected {
    const waiting: Waiting = { url: withoutFragment(url), told: null, hear: null };
    this.waiting.add(waiting);
    return {
      next: () => this.next(waiting),
      end: () => {
        this.waiting.delete(waiting);
        waiting.hear?.(null);
      },
    };
  }

  /** Takes what the service worker says. Of two requests for one address the older hears it first. */
  tell(url: string, redirect: Redirect): void {
    const asked = withoutFragment(url);
    for (const waiting of this.waiting) {
      if (waiting.url !== asked || waiting.told !== null) continue;
      waiting.told = redirect;
      waiting.hear?.(redirect);
      return;
    }
  }

  private next(waiting: Waiting): Promise<Redirect | null> {
    if (waiting.told !== null) return Promise.resolve(waiting.told);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve(null);
      }, this.patienceMillis);
      waiting.hear = (redirect) => {
        clearTimeout(timer);
        resolve(redirect);
      };
    });
  }
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0] ?? "";
}
