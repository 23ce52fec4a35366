// The side panel: makes the controller out of what Chrome offers, and draws it.

import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/blocks.css";
import "./panel.css";
import "./items.css";
import "./requests.css";
import "./tasks.css";

import { render } from "preact";

import type { WorkingTab } from "../generated/protocol.ts";
import { chromeDoor } from "../ui/chrome_door.ts";
import { setDocumentLanguage } from "../ui/i18n.ts";
import { nextFrame, syncWhenBack } from "../ui/page_life.ts";
import { View } from "../ui/view.ts";
import { App } from "./app.tsx";
import { Controller } from "./controller.ts";

const LAST_CONVERSATION = "tabwright.conversation";

async function activeTab(): Promise<WorkingTab | null> {
  try {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const own = await chrome.tabs.getCurrent();
    if (tab?.id === undefined || tab.id === own?.id) return null;
    return { id: tab.id, url: tab.url ?? "", title: tab.title ?? "" };
  } catch {
    // Without the tab the message still means something; the core asks for what it needs.
    return null;
  }
}

setDocumentLanguage();
const view = new View(chromeDoor());
const controller = new Controller(view, {
  newId: () => crypto.randomUUID(),
  activeTab,
  openOptions: () => void chrome.runtime.openOptionsPage(),
  lastConversation: {
    read: () => localStorage.getItem(LAST_CONVERSATION),
    write: (id) => localStorage.setItem(LAST_CONVERSATION, id),
  },
  now: () => Date.now(),
  nextFrame,
});
syncWhenBack(view);
render(<App controller={controller} />, document.body);
