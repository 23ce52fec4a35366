// What the lifecycle tests do inside the core's own contexts.

import type { BrokerCall, BrokerReply } from "../../www/generated/protocol.ts";
import type { Browser } from "../rig/browser.ts";

/** Asks the broker from the core's worker, over the core's own way. */
export async function askBroker(rig: Browser, call: BrokerCall): Promise<BrokerReply> {
  const id = Math.floor(Math.random() * 2 ** 50) + 2 ** 51;
  const expression = `new Promise((resolve) => {
    const hear = ({ data }) => {
      if (data.id !== ${id}) return;
      self.removeEventListener("message", hear);
      resolve(data.reply);
    };
    self.addEventListener("message", hear);
    self.postMessage({ kind: "broker", id: ${id}, call: ${JSON.stringify(call)} });
  })`;
  return (await rig.evaluateIn("core.worker.js", expression)) as BrokerReply;
}

/** The id of the core that is alive: another one has another. */
export async function coreId(rig: Browser): Promise<string> {
  const query = `navigator.locks.query().then(({ held }) =>
    held.find(({ name }) => name === "tabwright.core.alive")?.clientId ?? "none")`;
  return String(await rig.evaluateIn("offscreen.html", query));
}

/** How many lines there are from the core to the service worker: their locks have names that nobody can guess. */
export async function lines(rig: Browser): Promise<number> {
  const query = "navigator.locks.query().then(({ held }) => held.filter(({ name }) => /^[0-9a-f-]{36}$/.test(name)).length)";
  return Number(await rig.evaluateIn("offscreen.html", query));
}
