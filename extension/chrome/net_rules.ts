// chrome.declarativeNetRequest: local servers that refuse a browser extension's `Origin` get none.
// Only this file makes session rules, so it may replace all of them.

import type { OriginRule } from "../../www/generated/protocol.ts";

/** The only hosts a rule may name. */
export const LOCAL_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** The parts of Chrome that are used. */
export interface NetRulesApi {
  readonly runtime: { readonly id: string };
  readonly declarativeNetRequest: {
    getSessionRules(): Promise<chrome.declarativeNetRequest.Rule[]>;
    updateSessionRules(options: chrome.declarativeNetRequest.UpdateRuleOptions): Promise<void>;
  };
}

/** Makes the session rules exactly these. */
export async function setLocalOrigins(rules: readonly OriginRule[], api: NetRulesApi): Promise<void> {
  const before = await api.declarativeNetRequest.getSessionRules();
  const prefixes = rules.flatMap((rule) => [addressPrefix("http", 80, rule), addressPrefix("https", 443, rule)]);
  await api.declarativeNetRequest.updateSessionRules({
    removeRuleIds: before.map((rule) => rule.id),
    addRules: [...new Set(prefixes)].map((prefix, index) => withoutOrigin(index + 1, prefix, api.runtime.id)),
  });
}

/** What every address of that server begins with. The scheme's own port is never written out. */
function addressPrefix(scheme: string, ownPort: number, { host, port }: OriginRule): string {
  return port === ownPort ? `${scheme}://${host}/` : `${scheme}://${host}:${port}/`;
}

function withoutOrigin(id: number, prefix: string, extensionId: string): chrome.declarativeNetRequest.Rule {
  return {
    id,
    priority: 1,
    action: { type: "modifyHeaders", requestHeaders: [{ header: "origin", operation: "remove" }] },
    condition: {
      urlFilter: `|${prefix}`,
      isUrlFilterCaseSensitive: true,
      initiatorDomains: [extensionId],
      resourceTypes: ["xmlhttprequest"],
    },
  };
}
