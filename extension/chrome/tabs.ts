// chrome.tabs, in the protocol's words.

import type { Tab } from "../../www/generated/protocol.ts";

/** The part of `chrome.tabs` that is used. */
export interface TabsApi {
  query(info: chrome.tabs.QueryInfo): Promise<chrome.tabs.Tab[]>;
}

/** All tabs of all windows, in Chrome's order. A tab without an id cannot be addressed, so it is left out. */
export async function listTabs(tabs: TabsApi): Promise<Tab[]> {
  const all = await tabs.query({});
  return all.flatMap((tab) => (tab.id === undefined ? [] : [describe(tab, tab.id)]));
}

function describe(tab: chrome.tabs.Tab, id: number): Tab {
  return {
    id,
    url: tab.url ?? "",
    title: tab.title ?? "",
    active: tab.active,
    windowId: tab.windowId,
    index: tab.index,
    audible: tab.audible ?? false,
    status: tab.status ?? "complete",
  };
}
