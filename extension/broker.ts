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
import { MAX_WAIT_MILLIS, navigateTab, openTab, tabProgress, type TabLoadApi } from "./chrome/tab_load.ts";
import { activateTab, closeTab, listTabs, type TabsApi } from "./chrome/tabs.ts";
import { keepWaking, type WakeApi } from "./chrome/wake.ts";

/** The parts of Chrome that the broker may touch. */
export type BrokerApi = TabsApi & TabLoadApi & WakeApi & NetRulesApi;

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
      return { value: "tabs", tabs: await listTabs(api) };
    case "tabs_open":
      return { value: "progress", progress: await openTab(call.url, call.active, call.window, call.wait_millis, api) };
    case "tabs_navigate":
      return { value: "progress", progress: await navigateTab(call.tab, call.url, call.active, call.wait_millis, api) };
    case "tabs_progress":
      return { value: "progress", progress: await tabProgress(call.tab, call.wait_millis, api) };
    case "tabs_close":
      await closeTab(call.tab, api);
      return { value: "done" };
    case "tabs_activate":
      return { value: "tab", tab: await activateTab(call.tab, api) };
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
    case "tabs_open":
    case "tabs_navigate":
    case "tabs_progress":
    case "tabs_close":
    case "tabs_activate":
      return checkTabCall(call["call"], call);
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

type TabCall = "tabs_open" | "tabs_navigate" | "tabs_progress" | "tabs_close" | "tabs_activate";

function checkTabCall(name: TabCall, call: Record<string, unknown>): BrokerCall | string {
  if (name === "tabs_open") return checkOpen(call);
  const tab = call["tab"];
  if (!isId(tab)) return `${name} needs \`tab\`: a tab's id.`;
  switch (name) {
    case "tabs_navigate": {
      const page = checkPage(name, call);
      return typeof page === "string" ? page : { call: name, tab, ...page };
    }
    case "tabs_progress": {
      const wait_millis = call["wait_millis"];
      return isWait(wait_millis) ? { call: name, tab, wait_millis } : wrongWait(name);
    }
    case "tabs_close":
    case "tabs_activate":
      return { call: name, tab };
  }
}

function checkOpen(call: Record<string, unknown>): BrokerCall | string {
  const page = checkPage("tabs_open", call);
  if (typeof page === "string") return page;
  const window = call["window"];
  if (window !== null && !isId(window)) return "tabs_open needs `window`: a window's id, or null.";
  return { call: "tabs_open", ...page, window };
}

interface PageToLoad {
  url: string;
  active: boolean;
  wait_millis: number;
}

function checkPage(name: TabCall, { url, active, wait_millis }: Record<string, unknown>): PageToLoad | string {
  if (typeof url !== "string" || !isPageAddress(url)) {
    return `${name} opens http and https addresses and about:blank, not ${JSON.stringify(url)}.`;
  }
  if (typeof active !== "boolean") return `${name} needs \`active\`: true or false.`;
  return isWait(wait_millis) ? { url, active, wait_millis } : wrongWait(name);
}

function wrongWait(name: TabCall): string {
  return `${name} needs \`wait_millis\`: a whole number from 0 to ${MAX_WAIT_MILLIS}.`;
}

function isId(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

function isWait(value: unknown): value is number {
  return isId(value) && value >= 0 && value <= MAX_WAIT_MILLIS;
}

/** An address that begins with anything else could be code, a file, or a page of the browser or of this extension. */
function isPageAddress(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  return parsed?.protocol === "http:" || parsed?.protocol === "https:" || parsed?.href === "about:blank";
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
