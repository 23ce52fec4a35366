// Keeps one core worker running: starts it, learns of its death, starts the next one, or gives up
// until a person asks. Knows neither Chrome nor the DOM, so that its rules can be tested.
//
// Invariant: what asks by itself (an op that is sent again, an alarm, a view that opens) never makes
// room for another start. A core that dies of the work it finds on disk would else be started without end.

import type { BrokerCall, BrokerReply } from "../www/generated/protocol.ts";
import type { FromCore, ToCore } from "./messages.ts";
import { RestartPolicy } from "./restart_policy.ts";

/** A running worker. */
export interface CoreWorker {
  post(message: ToCore): void;
  terminate(): void;
}

/** What surrounds the keeper. */
export interface Surroundings {
  /** Starts a worker; `failed` is called when its program cannot be loaded. */
  start(heard: (message: FromCore) => void, failed: () => void): CoreWorker;
  /** Calls `died` once the worker that said it is holding its lock has lost it. */
  watch(died: () => void): void;
  /** Asks the service worker. Never rejects. */
  broker(call: BrokerCall): Promise<BrokerReply>;
  /** Asks the service worker to take the end of a line: whether it has. Never rejects. */
  line(name: string): Promise<boolean>;
  /** Asks Chrome's built-in model for a worker, until that has died, and answers on the port. */
  prompt(body: Uint8Array, port: MessagePort, died: AbortSignal): void;
  /** Tells the views that there is no core, and why. */
  announceDown(message: string): void;
  /** Closes the document, and with it everything in it. */
  close(): void;
  now(): number;
  after(millis: number, work: () => void): void;
}

type State =
  | { is: "new" }
  /** A worker runs, or will after a pause (then it is null). */
  | { is: "running"; worker: CoreWorker | null }
  /** Too many died; a person has to ask. */
  | { is: "down"; message: string }
  | { is: "closing" };

/** Keeps one core worker running. */
export class CoreKeeper {
  private state: State = { is: "new" };
  private readonly policy = new RestartPolicy();
  /** Ends what is done for the worker that runs. */
  private work = new AbortController();

  constructor(private readonly around: Surroundings) {}

  /** Somebody needs the core, or is told again why there is none. False when the document is closing: ask the next one. */
  ensure(): boolean {
    switch (this.state.is) {
      case "new":
        this.startAfterPause("");
        return true;
      case "running":
        return true;
      case "down":
        this.around.announceDown(this.state.message);
        return true;
      case "closing":
        return false;
    }
  }

  /** A person wants another attempt, so the earlier ones do not count any more. */
  tryAgain(): void {
    this.policy.reset();
    if (this.state.is === "down") this.startAfterPause("");
  }

  private startAfterPause(lastFault: string): void {
    const pause = this.policy.next(this.around.now());
    if (pause === null) {
      const message = `The core stopped five times within a minute. Last: ${lastFault}`;
      this.state = { is: "down", message };
      this.around.announceDown(message);
      return;
    }
    this.state = { is: "running", worker: null };
    this.around.after(pause, () => {
      this.start();
    });
  }

  private start(): void {
    const worker = this.around.start(
      (message) => {
        if (this.isCurrent(worker)) this.hear(worker, message);
      },
      () => {
        this.replace(worker, "its program could not be loaded.");
      },
    );
    this.state = { is: "running", worker };
  }

  private hear(worker: CoreWorker, message: FromCore): void {
    switch (message.kind) {
      case "holding":
        this.around.watch(() => {
          this.replace(worker, "its worker went away.");
        });
        return;
      case "broker":
        void this.around.broker(message.call).then((reply) => {
          if (this.isCurrent(worker)) worker.post({ kind: "broker_reply", id: message.id, reply });
        });
        return;
      case "line": {
        const { name } = message;
        void this.around.line(name).then((open) => {
          if (this.isCurrent(worker)) worker.post({ kind: "line", name, open });
        });
        return;
      }
      case "prompt":
        this.around.prompt(message.body, message.port, this.work.signal);
        return;
      case "fatal":
        this.replace(worker, message.message);
        return;
      case "left":
      case "rest":
        this.state = { is: "closing" };
        worker.terminate();
        this.around.close();
        return;
    }
  }

  /** A death is told in more than one way; only the first word about a worker counts. */
  private replace(worker: CoreWorker, fault: string): void {
    if (!this.isCurrent(worker)) return;
    worker.terminate();
    this.work.abort();
    this.work = new AbortController();
    this.startAfterPause(fault);
  }

  private isCurrent(worker: CoreWorker): boolean {
    return this.state.is === "running" && this.state.worker === worker;
  }
}
