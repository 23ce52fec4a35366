// The offscreen document: starts the core worker, carries its calls to the service worker, and
// watches its life. It holds no truth: Chrome may close it at any time.

import { answerOn } from "./built_in_model.ts";
import { CHANNEL, ALIVE_LOCK, type ChannelMessage, type FromCore, type ToServiceWorker } from "./messages.ts";
import { CoreKeeper } from "./core_keeper.ts";
import { relay } from "./relay.ts";
import { classOf } from "./senders.ts";

const channel = new BroadcastChannel(CHANNEL);

const keeper = new CoreKeeper({
  start(heard, failed) {
    const worker = new Worker("core.worker.js", { type: "module", name: "core" });
    worker.addEventListener("message", (event: MessageEvent<FromCore>) => {
      heard(event.data);
    });
    // The worker tells its own faults as "fatal" and stops the event there, so this is a program that did not load.
    worker.addEventListener("error", failed);
    return {
      post: (message) => {
        worker.postMessage(message);
      },
      terminate: () => {
        worker.terminate();
      },
    };
  },
  watch(died) {
    void navigator.locks.request(ALIVE_LOCK, died);
  },
  broker: (call) => relay(call, (message) => chrome.runtime.sendMessage(message)),
  line: (name) =>
    chrome.runtime.sendMessage<ToServiceWorker, unknown>({ to: "worker", kind: "line", name }).then(
      (taken) => taken === true,
      () => false,
    ),
  prompt(body, port, died) {
    void answerOn(port, body, globalThis.LanguageModel, died);
  },
  announceDown(message) {
    channel.postMessage({ kind: "core_down", message } satisfies ChannelMessage);
  },
  close() {
    window.close();
  },
  now: () => performance.now(),
  after(millis, work) {
    setTimeout(work, millis);
  },
});

function main(): void {
  channel.addEventListener("message", ({ data }: MessageEvent<ChannelMessage>) => {
    switch (data.kind) {
      case "op":
        keeper.ensure();
        return;
      case "try_again":
        keeper.tryAgain();
        return;
      case "events":
      case "core_down":
      case "redirect":
        return;
    }
  });
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (!isEnsure(message) || classOf(sender, chrome.runtime.id) !== "service_worker") return false;
    if (keeper.ensure()) respond({ ok: true });
    return false;
  });
  keeper.ensure();
}

function isEnsure(message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { to, kind } = message as { to?: unknown; kind?: unknown };
  return to === "offscreen" && kind === "ensure";
}

// A person can open this page in a tab. There it has every API of an extension page, and must not start a core.
const isOffscreen = (chrome as Partial<typeof chrome>).tabs === undefined;
if (isOffscreen) main();
else document.body.textContent = "This page does its work out of sight. There is nothing to see here.";
