// The service worker: a broker without state, and what wakes the core.
//
// Chrome may end it at any time and starts it for every event. So every listener is registered
// synchronously at the top level, and whatever must be true is made true on every start: after a
// restart of the browser `onStartup` may not fire, and alarms are gone.

import { CHANNEL, type ChannelMessage, type EnsureAnswer } from "./messages.ts";
import { answer } from "./broker.ts";
import { watchRedirects } from "./chrome/redirects.ts";
import { turnsAreOpen, WAKE_ALARM } from "./chrome/wake.ts";
import { offscreenEnsurer } from "./ensure_offscreen.ts";
import { openChannel } from "./line_channel.ts";
import { LineEnd } from "./line_end.ts";
import { admittedKind } from "./senders.ts";

const OFFSCREEN_PAGE = "offscreen.html";

const ensureCore = offscreenEnsurer({
  exists: async () => {
    const contexts = await chrome.runtime.getContexts({ contextTypes: ["OFFSCREEN_DOCUMENT"] });
    return contexts.length > 0;
  },
  create: () =>
    chrome.offscreen.createDocument({
      url: OFFSCREEN_PAGE,
      reasons: ["WORKERS"],
      justification: "Runs the conversations, their model requests and their database in a worker.",
    }),
  close: () => chrome.offscreen.closeDocument(),
  send: (message) => chrome.runtime.sendMessage(message),
  sleep: (millis) => new Promise((resolve) => setTimeout(resolve, millis)),
  now: () => Date.now(),
});

const lineEnd = new LineEnd({
  channel: openChannel,
  hold: (name, release) =>
    new Promise((resolve, reject) => {
      navigator.locks
        .request(name, () => {
          resolve();
          return release;
        })
        .catch(reject);
    }),
  answer: (call) => answer(call, chrome),
});

chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
  const kind = admittedKind(message, sender, chrome.runtime.id);
  if (kind === null) return false;
  switch (kind) {
    case "ensure_core":
      void answerEnsure().then(respond);
      return true;
    case "broker":
      void answer((message as { call?: unknown }).call, chrome).then(respond);
      return true;
    case "line":
      void lineEnd.take((message as { name?: unknown }).name).then(respond, () => respond(false));
      return true;
  }
});

async function answerEnsure(): Promise<EnsureAnswer> {
  try {
    await ensureCore();
    return { ok: true };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, message: `The core could not be started: ${reason}` };
  }
}

/** Starts the core if turns are open. A failure is tried again at the next alarm. */
async function resume(): Promise<void> {
  if (await turnsAreOpen(chrome)) await ensureCore();
}

function resumeAndReport(): void {
  resume().catch((thrown: unknown) => {
    console.error("Open turns could not be resumed; the next alarm tries again.", thrown);
  });
}

chrome.alarms.onAlarm.addListener((alarm) => {
  if (alarm.name === WAKE_ALARM) resumeAndReport();
});

const channel = new BroadcastChannel(CHANNEL);
watchRedirects(chrome, (url, status, location) => {
  channel.postMessage({ kind: "redirect", url, status, location } satisfies ChannelMessage);
});

// These two start the service worker, and the start itself does the work below.
chrome.runtime.onInstalled.addListener(() => undefined);
chrome.runtime.onStartup.addListener(() => undefined);

resumeAndReport();

chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true }).catch((thrown: unknown) => {
  console.error("The toolbar button could not be tied to the side panel.", thrown);
});
