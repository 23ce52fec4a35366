// The worker that the core lives in: takes the locks, loads the program, and passes ops and events.

import init, { Core } from "tabwright-core";
import { askDocument } from "./ask_document.ts";
import { EventBatch } from "./event_batch.ts";
import { describeFault } from "./fault.ts";
import { type DirectoryHandle, WorkspaceFiles } from "./files.ts";
import { WorkerHost } from "./host.ts";
import { OpenRequests } from "./http.ts";
import { Line } from "./line.ts";
import { openChannel } from "./line_channel.ts";
import { ALIVE_LOCK, CHANNEL, CORE_LOCK, type ChannelMessage, type FromCore, type ToCore } from "./messages.ts";
import { OpIntake } from "./op_intake.ts";
import { PageReader } from "./page_reader.ts";
import { Redirects } from "./redirects.ts";
import { type Opener, writeBehind } from "./write_behind.ts";

/** A core whose document was just closed lets go of the lock within milliseconds; this is generous. */
const PREDECESSOR_MILLIS = 2_000;

const channel = new BroadcastChannel(CHANNEL);
let broken = false;

const events = new EventBatch((envelopes) => {
  channel.postMessage({ kind: "events", envelopes } satisfies ChannelMessage);
}, (work) => {
  queueMicrotask(work);
});
const intake = new OpIntake({
  broadcast(envelope) {
    events.add(envelope);
  },
  replace(message) {
    post({ kind: "fatal", message });
  },
});
const redirects = new Redirects();
const host = new WorkerHost(
  post,
  (envelope) => {
    intake.emit(envelope);
  },
  new OpenRequests(fetch.bind(self), (body, signal) => askDocument(body, signal, post), () => navigator.onLine, redirects),
  // TypeScript's types for pages leave out what only a worker may do with a file.
  new WorkspaceFiles(async () => (await navigator.storage.getDirectory()) as unknown as DirectoryHandle),
  new Line({
    ask(name) {
      post({ kind: "line", name });
    },
    channel: openChannel,
    watch(name, died) {
      void navigator.locks.request(name, died);
    },
    name: () => crypto.randomUUID(),
  }),
  new PageReader(() => new Worker(new URL("reader.worker.js", import.meta.url), { type: "module" })),
);

self.addEventListener("message", (event: MessageEvent<ToCore>) => {
  host.receive(event.data);
});
self.addEventListener("error", (event) => {
  event.preventDefault();
  breakDown(event.error);
});
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  breakDown(event.reason);
});
channel.addEventListener("message", ({ data }: MessageEvent<ChannelMessage>) => {
  switch (data.kind) {
    case "op":
      intake.take(data.envelope);
      return;
    case "try_again":
      intake.tryAgain();
      return;
    case "redirect":
      redirects.tell(data.url, data);
      return;
    case "events":
    case "core_down":
      return;
  }
});

void main().catch(breakDown);

async function main(): Promise<void> {
  if (!(await hold(CORE_LOCK, AbortSignal.timeout(PREDECESSOR_MILLIS)))) {
    post({ kind: "left" });
    self.close();
    return;
  }
  // Whoever watched the core before this one lets go as soon as it is told of that core's death.
  await hold(ALIVE_LOCK, null);
  post({ kind: "holding" });
  writeBehind(FileSystemFileHandle.prototype as unknown as Opener);
  await init({ module_or_path: new URL("core.wasm", import.meta.url) });
  const core = new Core(host);
  core.start();
  intake.begin(core);
}

/** Takes a lock until this worker dies; false when the signal came first. */
function hold(name: string, signal: AbortSignal | null): Promise<boolean> {
  return new Promise((resolve) => {
    const options: LockOptions = signal === null ? {} : { signal };
    navigator.locks
      .request(name, options, () => {
        resolve(true);
        return new Promise<never>(() => undefined);
      })
      .catch(() => {
        resolve(false);
      });
  });
}

/** After a trap the program's memory is not to be trusted: the document replaces this worker. */
function breakDown(thrown: unknown): void {
  if (broken) return;
  broken = true;
  console.error("The core broke down.", thrown);
  post({ kind: "fatal", message: describeFault(thrown) });
}

function post(message: FromCore, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
