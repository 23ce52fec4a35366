// What all runs share: one browser with its profile, one model server, one server of pages, and the
// panel, which a run may take away.

import type { Page } from "playwright-core";
import type { Settings } from "../../www/generated/protocol.ts";
import { SETTINGS } from "../e2e/panel_page.ts";
import { ModelServer } from "../model-server/server.ts";
import { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";
import { WriteServer } from "./write_server.ts";

/** Whom a run uses for its model: one that reads much at once, or one that must be summed up for. */
export type ModelSize = "large" | "small";

const WINDOWS: Readonly<Record<ModelSize, number>> = { large: 200_000, small: 5_000 };

interface View {
  readonly panel: Page;
  readonly client: CoreClient;
}

/** The stage. */
export class Stage {
  private view: View | null = null;

  private constructor(
    readonly browser: Browser,
    readonly models: ModelServer,
    readonly writes: WriteServer,
  ) {}

  static async set(dist: string): Promise<Stage> {
    const [models, writes] = await Promise.all([ModelServer.start(), WriteServer.start()]);
    const browser = await Browser.launch({ dist, headless: true });
    const stage = new Stage(browser, models, writes);
    await stage.saveModels();
    return stage;
  }

  async strike(): Promise<void> {
    await this.browser.close();
    await Promise.all([this.models.close(), this.writes.close()]);
  }

  /** The panel, opened if it is not open. */
  async client(): Promise<CoreClient> {
    if (this.view === null) {
      const panel = await this.browser.openPanel();
      this.view = { panel, client: await CoreClient.connect(panel) };
    }
    return this.view.client;
  }

  /** Makes it as if nothing had been done: no tabs of earlier runs, and no deaths that count. */
  async clear(model: ModelSize, settings: Partial<Settings>): Promise<void> {
    const client = await this.client();
    await this.view?.panel.evaluate(async (pattern) => {
      const tabs = await chrome.tabs.query({ url: pattern });
      await chrome.tabs.remove(tabs.flatMap(({ id }) => id ?? []));
    }, "http://127.0.0.1/write/*");
    await client.tryAgain();
    await client.submit({ type: "use_model", model, role: "current" });
    await client.submit({ type: "save_settings", settings: { ...SETTINGS, ...settings } });
  }

  async closePanel(): Promise<void> {
    const { view } = this;
    this.view = null;
    if (view !== null) await this.browser.closePanel(view.panel);
  }

  async killBrowser(): Promise<void> {
    this.view = null;
    await this.browser.kill();
  }

  private async saveModels(): Promise<void> {
    const client = await this.client();
    for (const id of ["large", "small"] as const) {
      const model = { id, name: id, provider: "open_ai_chat", address: `${this.models.url}/v1`, model: `tabwright-${id}` } as const;
      await client.submit({ type: "save_model", model: { ...model, key: null, scripted: true, context_window: WINDOWS[id] } });
    }
  }
}

/** What can be taken away in the middle of a turn. */
export type Way = "sw" | "panel" | "worker" | "browser";

/** Each way: takes it away, and returns when it has gone. A browser is there again by then, with no view open. */
export const WAYS: Readonly<Record<Way, { what: string; take: (stage: Stage, meanwhile: () => void) => Promise<void> }>> = {
  sw: { what: "service worker stopped", take: (stage) => stage.browser.stopServiceWorker() },
  panel: { what: "panel closed", take: (stage) => stage.closePanel() },
  worker: { what: "core worker terminated", take: (stage) => stage.browser.terminateCoreWorker() },
  browser: {
    what: "browser killed",
    take: async (stage, meanwhile) => {
      await stage.killBrowser();
      meanwhile();
      await stage.browser.relaunch();
    },
  },
};

/** The way with that name. */
export function isWay(name: string): name is Way {
  return Object.hasOwn(WAYS, name);
}
