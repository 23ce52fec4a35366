// chrome.tabs, in the protocol's words. How a load goes on is in tab_load.ts.

import type { Tab } from "../../www/generated/protocol.ts";

/** The parts of Chrome that are used. */
export interface TabsApi {
  readonly tabs: {
    query(info: chrome.tabs.QueryInfo): Promise<chrome.tabs.Tab[]>;
    update(id: number, properties: chrome.tabs.UpdateProperties): Promise<chrome.tabs.Tab | undefined>;
    remove(id: number): Promise<void>;
  };
  readonly windows: {
    update(id: number, info: chrome.windows.UpdateInfo): Promise<unknown>;
  };
}

/** All tabs of all windows, in Chrome's order. A tab without an id cannot be addressed, so it is left out. */
export async function listTabs({ tabs }: TabsApi): Promise<Tab[]> {
  const all = await tabs.query({});
  return all.flatMap((tab) => (tab.id === undefined ? [] : [describe(tab, tab.id)]));
}

/** Chrome answers only when a tab is gone, and its page may ask the person first. */
const CLOSE_MILLIS = 2_000;

/** Closes a tab. A person who is asked by its page is not waited for: then it is still there. */
export async function closeTab(id: number, { tabs }: TabsApi, limitMillis: number = CLOSE_MILLIS): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMillis);
  });
  try {
    await Promise.race([tabs.remove(id), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes its window show a tab, and focuses the window. */
export async function activateTab(id: number, { tabs, windows }: TabsApi): Promise<Tab> {
  const tab = found(await tabs.update(id, { active: true }), id);
  await windows.update(tab.windowId, { focused: true });
  return describe(tab, id);
}

/** The tab in the protocol's words. */
export function describe(tab: chrome.tabs.Tab, id: number): Tab {
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

/** Chrome's types allow for no tab where Chrome's words for a missing one are an error. */
export function found(tab: chrome.tabs.Tab | undefined, id: number): chrome.tabs.Tab {
  if (tab === undefined) throw new Error(`No tab with id: ${id}.`);
  return tab;
}
