import assert from "node:assert/strict";
import { test } from "node:test";
import { type RedirectDetails, watchRedirects } from "./chrome/redirects.ts";

test("only the extension's own requests are told of", () => {
  const told: unknown[] = [];
  let hear: ((details: RedirectDetails) => void) | undefined;
  const api = {
    runtime: { id: "us" },
    webRequest: {
      onBeforeRedirect: {
        addListener(listener: (details: RedirectDetails) => void, filter: chrome.webRequest.RequestFilter) {
          assert.deepEqual(filter, { urls: ["http://*/*", "https://*/*"], types: ["xmlhttprequest"], tabId: -1 });
          hear = listener;
        },
      },
    },
  };
  watchRedirects(api, (...all) => told.push(all));
  const details = { url: "https://a.test/old", redirectUrl: "https://b.test/new", statusCode: 301 };
  for (const initiator of ["chrome-extension://them", "https://a.test", undefined]) hear?.({ ...details, initiator });
  assert.deepEqual(told, []);
  hear?.({ ...details, initiator: "chrome-extension://us" });
  assert.deepEqual(told, [["https://a.test/old", 301, "https://b.test/new"]]);
});
