// The ops' way into the core: from before the core is there until after it has ended.
// Invariant: whoever sends an op to a core that failed is told so, each time; a core that rests says
// nothing, for its views hear of its end and ask its successor.

import type { EventEnvelope, OpEnvelope } from "../www/generated/protocol.ts";

/** What takes the ops: the core. */
export interface OpTaker {
  /** False when it has ended. */
  submit(envelope: OpEnvelope): boolean;
}

/** What surrounds the intake. */
export interface Surroundings {
  /** Sends an event to all views. */
  broadcast(envelope: EventEnvelope): void;
  /** Asks for a new worker in the place of this one. */
  replace(message: string): void;
}

/** Takes ops to the core, and answers for a core that failed. */
export class OpIntake {
  private core: OpTaker | null = null;
  /** What came before the core was loaded. */
  private readonly early: OpEnvelope[] = [];
  /** How the core said that it failed, if that was the last it said of how it is. */
  private failure: { envelope: EventEnvelope; message: string } | null = null;

  constructor(private readonly around: Surroundings) {}

  /** The core is loaded and takes what has come meanwhile. */
  begin(core: OpTaker): void {
    this.core = core;
    for (const envelope of this.early.splice(0)) this.take(envelope);
  }

  take(envelope: OpEnvelope): void {
    if (this.core === null) {
      this.early.push(envelope);
      return;
    }
    if (this.core.submit(envelope) || this.failure === null) return;
    this.around.broadcast(this.failure.envelope);
  }

  /** Passes on what the core says. */
  emit(envelope: EventEnvelope): void {
    const { event } = envelope;
    if (event.type === "core") {
      const { health } = event;
      this.failure = health.state === "failed" ? { envelope, message: health.message } : null;
    }
    this.around.broadcast(envelope);
  }

  /** A person wants another attempt. A core that failed has ended, so only a new one can make it. */
  tryAgain(): void {
    if (this.failure === null) return;
    this.around.replace(this.failure.message);
    // From here on the successor answers.
    this.failure = null;
  }
}
