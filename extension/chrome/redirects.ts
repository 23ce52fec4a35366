// chrome.webRequest, which only looks here: where the core's own requests are sent on to.

/** What Chrome says of a redirect, as far as it is used. */
export interface RedirectDetails {
  readonly url: string;
  readonly redirectUrl: string;
  readonly statusCode: number;
  readonly initiator?: string | undefined;
}

/** The parts of Chrome that are used. */
export interface RedirectsApi {
  readonly runtime: { readonly id: string };
  readonly webRequest: {
    readonly onBeforeRedirect: {
      addListener(listener: (details: RedirectDetails) => void, filter: chrome.webRequest.RequestFilter): void;
    };
  };
}

/** Chrome's number for what is in no tab, such as the offscreen document and its worker. */
const NO_TAB = -1;

/** Tells of each redirect that a request of this extension's own met, and of nobody else's. */
export function watchRedirects(api: RedirectsApi, tell: (url: string, status: number, location: string) => void): void {
  const own = `chrome-extension://${api.runtime.id}`;
  api.webRequest.onBeforeRedirect.addListener(
    ({ initiator, url, statusCode, redirectUrl }) => {
      if (initiator === own) tell(url, statusCode, redirectUrl);
    },
    { urls: ["http://*/*", "https://*/*"], types: ["xmlhttprequest"], tabId: NO_TAB },
  );
}
