// Finds the list of tabs in the text of a tool result. The text is JSON inside a boundary with a random nonce, and it
// may be cut: the list is looked for, and what can be read of it is taken.

import { isRecord, parseJson } from "./json.ts";

export interface ListedTab {
  title: string;
  url: string;
  active: boolean;
  audible: boolean;
  windowId: number | null;
}

export type TabResult =
  | { kind: "tabs"; tabs: ListedTab[]; cut: boolean }
  | { kind: "error"; message: string }
  | { kind: "unreadable" };

export function readTabResult(text: string): TabResult {
  let sawEmpty = false;
  for (let at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) {
    const list = valueAt(text, at);
    if (!Array.isArray(list)) continue;
    const tabs = list.filter(isRecord).filter(isTab);
    if (tabs.length > 0) return { kind: "tabs", tabs: tabs.map(listed), cut: false };
    sawEmpty ||= list.length === 0;
  }
  const { tabs, error } = objectsIn(text);
  if (tabs.length > 0) return { kind: "tabs", tabs, cut: true };
  if (error !== null) return { kind: "error", message: error };
  return sawEmpty ? { kind: "tabs", tabs: [], cut: false } : { kind: "unreadable" };
}

const isTab = (value: Record<string, unknown>): boolean => typeof value["url"] === "string" && typeof value["title"] === "string";

const listed = (value: Record<string, unknown>): ListedTab => ({
  title: String(value["title"]),
  url: String(value["url"]),
  active: value["active"] === true,
  audible: value["audible"] === true,
  windowId: typeof value["windowId"] === "number" ? value["windowId"] : null,
});

/** The whole objects in the text: tabs of a list that was cut, or an error. */
function objectsIn(text: string): { tabs: ListedTab[]; error: string | null } {
  const tabs: ListedTab[] = [];
  let error: string | null = null;
  for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) {
    const value = valueAt(text, at);
    if (!isRecord(value)) continue;
    if (isTab(value)) tabs.push(listed(value));
    else if (typeof value["error"] === "string") error ??= value["error"];
  }
  return { tabs, error };
}

/** The JSON value that begins with the bracket at `start`, or undefined. */
function valueAt(text: string, start: number): unknown {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return parseJson(text.slice(start, at + 1));
    }
  }
  return undefined;
}
