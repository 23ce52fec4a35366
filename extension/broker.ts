// The broker: a closed list of calls to Chrome, each checked here again although the core is trusted.
// Invariant: it holds no state, and it never evaluates a path or code that it was sent.

import type {
  BrokerCall,
  BrokerErrorKind,
  BrokerReply,
  BrokerValue,
  OriginRule,
} from "../www/generated/protocol.ts";
import { LOCAL_HOSTS, type NetRulesApi, setLocalOrigins } from "./chrome/net_rules.ts";
import { listTabs, type TabsApi } from "./chrome/tabs.ts";
import { keepWaking, type WakeApi } from "./chrome/wake.ts";

/** The parts of Chrome that the broker may touch. */
export type BrokerApi = { readonly tabs: TabsApi } & WakeApi & NetRulesApi;

/** Answers a call. Never rejects. */
export async function answer(call: unknown, api: BrokerApi): Promise<BrokerReply> {
  const checked = check(call);
  if (typeof checked === "string") return error("invalid", checked);
  try {
    return { reply: "ok", value: await perform(checked, api) };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return error(kindOf(message), message);
  }
}

async function perform(call: BrokerCall, api: BrokerApi): Promise<BrokerValue> {
  switch (call.call) {
    case "tabs_list":
      return { value: "tabs", tabs: await listTabs(api.tabs) };
    case "keep_waking":
      await keepWaking(call.on, api);
      return { value: "done" };
    case "local_origins":
      await setLocalOrigins(call.rules, api);
      return { value: "done" };
  }
}

/** The call with exactly the fields it has, or what is wrong with it. */
function check(call: unknown): BrokerCall | string {
  if (!isRecord(call)) return "A call is an object with the name of the call.";
  switch (call["call"]) {
    case "tabs_list":
      return { call: "tabs_list" };
    case "keep_waking": {
      const on = call["on"];
      return typeof on === "boolean" ? { call: "keep_waking", on } : "keep_waking needs `on`: true or false.";
    }
    case "local_origins":
      return checkLocalOrigins(call["rules"]);
    default:
      return `The broker knows no call ${JSON.stringify(call["call"])}.`;
  }
}

function checkLocalOrigins(rules: unknown): BrokerCall | string {
  if (!Array.isArray(rules)) return "local_origins needs `rules`: a list of hosts with ports.";
  const checked: OriginRule[] = [];
  for (const rule of rules as unknown[]) {
    const { host, port } = isRecord(rule) ? rule : {};
    if (typeof host !== "string" || !LOCAL_HOSTS.includes(host)) {
      return `The host ${JSON.stringify(host)} is not of this computer; a rule may name ${LOCAL_HOSTS.join(", ")}.`;
    }
    if (typeof port !== "number" || !Number.isInteger(port) || port < 1 || port > 65535) {
      return `The port ${JSON.stringify(port)} is not a port; it must be 1 to 65535.`;
    }
    checked.push({ host, port });
  }
  return { call: "local_origins", rules: checked };
}

/** Chrome tells kinds of failure apart in words only. */
function kindOf(message: string): BrokerErrorKind {
  if (/\bno (tab|window|frame|document) with\b/i.test(message)) return "not_found";
  if (/\bcannot access\b|\bnot allowed\b|\bpermission\b/i.test(message)) return "denied";
  return "failed";
}

function error(kind: BrokerErrorKind, message: string): BrokerReply {
  return { reply: "error", kind, message };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
