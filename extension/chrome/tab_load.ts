// Loading an address in a tab, and how far that is: chrome.tabs and chrome.webNavigation.
// Invariant: what is heard while a call waits is forgotten at its end; the next call asks Chrome again.

import type { TabProgress } from "../../www/generated/protocol.ts";
import { describe, found } from "./tabs.ts";

/** The longest wait of one call: `MAX_TAB_WAIT_MILLIS` of the protocol. */
export const MAX_WAIT_MILLIS = 5_000;

/** How often Chrome is asked meanwhile: it has no event for a load that ends without a page. */
const PAUSE_MILLIS = 50;

/** Chrome keeps the reason of a failure nowhere, so one that came between two calls is not known. */
const NO_REASON = "an error that Chrome does not name";

type ErrorListener = (details: chrome.webNavigation.WebNavigationFramedErrorCallbackDetails) => void;

/** The parts of Chrome that are used. */
export interface TabLoadApi {
  readonly tabs: {
    create(properties: chrome.tabs.CreateProperties): Promise<chrome.tabs.Tab>;
    update(id: number, properties: chrome.tabs.UpdateProperties): Promise<chrome.tabs.Tab | undefined>;
    get(id: number): Promise<chrome.tabs.Tab>;
  };
  readonly webNavigation: {
    getFrame(frame: { tabId: number; frameId: number }): Promise<chrome.webNavigation.GetFrameResultDetails | null | undefined>;
    readonly onErrorOccurred: {
      addListener(listener: ErrorListener): void;
      removeListener(listener: ErrorListener): void;
    };
  };
}

/** Opens a tab. */
export function openTab(
  url: string,
  active: boolean,
  window: number | null,
  waitMillis: number,
  api: TabLoadApi,
): Promise<TabProgress> {
  const begin = async (): Promise<number> => {
    const tab = await api.tabs.create({ url, active, ...(window === null ? {} : { windowId: window }) });
    if (tab.id === undefined) throw new Error("Chrome opened a tab without an id.");
    return tab.id;
  };
  return watch(begin, waitMillis, api);
}

/** Loads another address in a tab. */
export function navigateTab(id: number, url: string, active: boolean, waitMillis: number, api: TabLoadApi): Promise<TabProgress> {
  const begin = async (): Promise<number> => {
    found(await api.tabs.update(id, { url, ...(active ? { active } : {}) }), id);
    return id;
  };
  return watch(begin, waitMillis, api);
}

/** How far a tab's load is. */
export function tabProgress(id: number, waitMillis: number, api: TabLoadApi): Promise<TabProgress> {
  return watch(() => Promise.resolve(id), waitMillis, api);
}

/** Begins, and asks again and again until the load has ended or the time is over. */
async function watch(begin: () => Promise<number>, waitMillis: number, api: TabLoadApi): Promise<TabProgress> {
  const reasons = new Map<string, string>();
  const listener: ErrorListener = ({ frameId, documentId, error }) => {
    if (frameId === 0) reasons.set(documentId, error);
  };
  // Before the load begins: an address that nobody listens at fails within a millisecond.
  api.webNavigation.onErrorOccurred.addListener(listener);
  try {
    const id = await begin();
    const deadline = performance.now() + waitMillis;
    let wantsReason = true;
    for (;;) {
      const progress = await look(id, reasons, api);
      const left = deadline - performance.now();
      if (left <= 0) return progress;
      if (hasEnded(progress, reasons)) {
        // The event with the reason can come a moment after the error page.
        if (progress.failure !== NO_REASON || !wantsReason) return progress;
        wantsReason = false;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MILLIS, left)));
    }
  } finally {
    api.webNavigation.onErrorOccurred.removeListener(listener);
  }
}

async function look(id: number, reasons: ReadonlyMap<string, string>, api: TabLoadApi): Promise<TabProgress> {
  // The tab first: when it has loaded, what its frame shows afterwards is that page or a later one.
  const tab = found(await api.tabs.get(id), id);
  const frame = await api.webNavigation.getFrame({ tabId: id, frameId: 0 });
  const document = frame?.documentId ?? null;
  return {
    tab: describe(tab, id),
    pending: tab.pendingUrl ?? null,
    document,
    failure: frame?.errorOccurred === true ? (reasons.get(document ?? "") ?? NO_REASON) : null,
  };
}

/** An error page that appeared just now is one already, although it is still being drawn. */
function hasEnded({ tab, pending, document, failure }: TabProgress, reasons: ReadonlyMap<string, string>): boolean {
  if (failure !== null && reasons.has(document ?? "")) return true;
  return tab.status !== "loading" && pending === null;
}
