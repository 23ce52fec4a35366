// What the core says in one go as one message. Each message wakes every view, and its drawing takes
// the processors that the core's next step needs.

import type { EventEnvelope } from "../www/generated/protocol.ts";

/** Gathers events until the core has said all that it has to say for now. */
export class EventBatch {
  private gathered: EventEnvelope[] = [];

  constructor(
    private readonly send: (envelopes: EventEnvelope[]) => void,
    /** Calls back when what runs now has ended, before anything else begins: `queueMicrotask`. */
    private readonly soon: (work: () => void) => void,
  ) {}

  add(envelope: EventEnvelope): void {
    this.gathered.push(envelope);
    if (this.gathered.length > 1) return;
    this.soon(() => {
      const envelopes = this.gathered;
      this.gathered = [];
      this.send(envelopes);
    });
  }
}
