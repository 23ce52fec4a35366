// When a core that died may be started again: at most five starts in a minute, with growing pauses.

const WINDOW_MILLIS = 60_000;
const PAUSES_MILLIS: readonly number[] = [0, 0, 250, 1_000, 4_000];

/** Counts the starts of the core. */
export class RestartPolicy {
  private starts: number[] = [];

  /** How long to wait before the next start, or null when there were too many. Counts that start. */
  next(now: number): number | null {
    this.starts = this.starts.filter((start) => now - start < WINDOW_MILLIS);
    const pause = PAUSES_MILLIS[this.starts.length];
    if (pause === undefined) return null;
    this.starts.push(now + pause);
    return pause;
  }

  /** Forgets all starts: a person asked again. */
  reset(): void {
    this.starts = [];
  }
}
