// A real Chromium with the extension in it, and everything that can be done to it: open the side
// panel, stop the service worker, end the core's worker, close its document, kill the browser.
//
// Invariant: each of these returns when it has happened, not when it was asked for.

import { createHash } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser as PlaywrightBrowser, type BrowserContext, chromium, type Page } from "playwright-core";
import { BrowserProcess, findChromium, type ProcessOptions } from "./browser_process.ts";
import type { TargetInfo } from "./cdp.ts";
import { until } from "./until.ts";

const ALIVE_LOCK = "tabwright.core.alive";
const PATIENCE_MILLIS = 15_000;
/** A worker that is stopping answers no more. */
const MARK_MILLIS = 300;

/** How to start a browser. */
export interface LaunchOptions {
  /** The built extension. */
  readonly dist: string;
  readonly headless: boolean;
  /** Default: found on the path. */
  readonly chromium?: string | undefined;
  /** Default: a fresh one, removed by `close`. */
  readonly profile?: string | undefined;
  /** Further unpacked extensions. */
  readonly otherExtensions?: readonly string[];
  readonly extraArgs?: readonly string[];
}

/** A real Chromium with the extension in it. */
export class Browser {
  private process: BrowserProcess | null = null;
  private playwright: PlaywrightBrowser | null = null;
  /** The connection that each side panel is seen through. */
  private readonly panelConnections = new Map<Page, PlaywrightBrowser>();

  private constructor(
    private readonly options: ProcessOptions,
    /** Made by Chromium from the folder's path. */
    readonly extensionId: string,
    private readonly ownsProfile: boolean,
  ) {}

  static async launch(options: LaunchOptions): Promise<Browser> {
    const executable = findChromium(options.chromium);
    const extensions = await Promise.all([options.dist, ...(options.otherExtensions ?? [])].map(existing));
    const profile = options.profile ?? (await mkdtemp(join(tmpdir(), "tabwright-profile-")));
    const processOptions = {
      chromium: executable,
      extensions,
      profile,
      headless: options.headless,
      extraArgs: options.extraArgs ?? [],
    };
    const browser = new Browser(processOptions, extensionIdOf(extensions[0] ?? ""), options.profile === undefined);
    try {
      await browser.start();
    } catch (error) {
      await browser.close();
      throw error;
    }
    return browser;
  }

  /** Starts the browser again on the same profile, after `kill`. */
  async relaunch(): Promise<void> {
    await this.start();
  }

  /** Kills every process of the browser at once, as a power cut would. */
  async kill(): Promise<void> {
    await this.running.kill();
    this.forget();
  }

  /** Ends the browser, and removes the profile if `launch` made it. */
  async close(): Promise<void> {
    // Only a profile that is kept needs the seconds that an orderly end takes.
    await (this.ownsProfile ? this.process?.kill() : this.process?.close());
    this.forget();
    if (this.ownsProfile) await rm(this.options.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** Ends when the browser does. */
  exited(): Promise<void> {
    return this.running.exited();
  }

  /** The one context: a profile has no other. */
  get context(): BrowserContext {
    const context = this.playwright?.contexts()[0];
    if (context === undefined) throw new Error("The browser is not running.");
    return context;
  }

  /** The tab that the browser opened with. */
  firstPage(): Promise<Page> {
    return until("the first tab was there", PATIENCE_MILLIS, () => Promise.resolve(this.context.pages()[0] ?? null));
  }

  /** Opens an address in a new tab and waits for its load. */
  async openPage(url: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(url);
    return page;
  }

  /** The address of one of the extension's own pages. */
  extensionUrl(path: string): string {
    return `chrome-extension://${this.extensionId}/${path}`;
  }

  /** The panel's page as a tab. It behaves like the side panel but for its place and its width. */
  openPanelAsTab(): Promise<Page> {
    return this.openPage(this.extensionUrl("panel.html"));
  }

  /** Opens the real side panel, as a click on the toolbar's button does. */
  async openPanel(): Promise<Page> {
    const before = new Set((await this.panelTargets()).map(({ targetId }) => targetId));
    await this.clickToolbarButton();
    const target = await until("the side panel opened", PATIENCE_MILLIS, async () => {
      const panels = await this.panelTargets();
      return panels.find(({ targetId }) => !before.has(targetId)) ?? null;
    });
    // Chrome does not announce a side panel to a connection that is there already, but shows it to a new one.
    const connection = await this.connect();
    const panel = await until("Playwright saw the side panel", PATIENCE_MILLIS, () => pageOf(connection, target));
    await panel.waitForLoadState();
    this.panelConnections.set(panel, connection);
    return panel;
  }

  /** Closes the side panel, as a second click on the toolbar's button does; or the panel's tab. */
  async closePanel(panel: Page): Promise<void> {
    const before = await this.panelTargets();
    const isTab = this.context.pages().includes(panel);
    if (isTab) await panel.close();
    else await this.clickToolbarButton();
    await until("the panel closed", PATIENCE_MILLIS, async () => {
      const left = await this.panelTargets();
      return left.length < before.length ? true : null;
    });
    // Each connection is told of everything that happens in the browser.
    await this.panelConnections.get(panel)?.close();
    this.panelConnections.delete(panel);
  }

  private async clickToolbarButton(): Promise<void> {
    // The offscreen document is a "tab" to Chrome's debugger too; a click there takes the browser down.
    const offscreen = this.extensionUrl("offscreen.html");
    const tab = await until("there was a tab", PATIENCE_MILLIS, () =>
      this.target(({ type, url }) => type === "tab" && url !== offscreen && url !== this.extensionUrl("panel.html")),
    );
    await this.running.cdp.send("Extensions.triggerAction", { id: this.extensionId, targetId: tab.targetId });
  }

  private async panelTargets(): Promise<TargetInfo[]> {
    const targets = await this.targets();
    return targets.filter(({ type, url }) => type === "page" && url === this.extensionUrl("panel.html"));
  }

  private connect(): Promise<PlaywrightBrowser> {
    return chromium.connectOverCDP(`http://127.0.0.1:${this.running.port}`);
  }

  /** Turns "Allow User Scripts" on the extension's details page on or off. */
  async allowUserScripts(on: boolean, extensionId = this.extensionId): Promise<void> {
    const page = await this.openPage("chrome://extensions/");
    const update = JSON.stringify({ extensionId, userScriptsAccess: on });
    await page.evaluate(`chrome.developerPrivate.updateExtensionConfiguration(${update})`);
    await page.close();
  }

  /** Loads the extension from its folder again. Its pages close. */
  async reloadExtension(): Promise<void> {
    const page = await this.openPage("chrome://extensions/");
    // Without developer mode Chromium disables an unpacked extension that is loaded again.
    await page.evaluate("chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })");
    await page.evaluate(`chrome.developerPrivate.reload(${JSON.stringify(this.extensionId)}, {failQuietly: true})`);
    await page.close();
    await this.extensionStarted();
  }

  /** Every target there is: pages, tabs, workers, the offscreen document, and Chrome's own. */
  targets(): Promise<TargetInfo[]> {
    return this.running.cdp.targets();
  }

  /** Everything of the extension that runs, sorted: "core.worker.js", "offscreen.html", "panel.html", "sw.js". */
  async contexts(): Promise<string[]> {
    const targets = await this.targets();
    const named = targets.map((target) => this.nameOf(target, targets));
    return named.filter((name) => name !== null).sort();
  }

  /** Whether a core holds its lock. Wakes nothing. */
  async coreAlive(): Promise<boolean> {
    return (await this.coreHolder()) !== null;
  }

  /** The id of the core that holds the lock, as far as a page or document of ours can be asked. */
  private async coreHolder(): Promise<string | null> {
    const pages = await this.targets();
    const own = pages.filter(({ type, url }) => (type === "page" || type === "background_page") && url.startsWith(this.extensionUrl("")));
    const query = `navigator.locks.query().then(({held}) => held.find(({name}) => name === "${ALIVE_LOCK}")?.clientId ?? "")`;
    for (const { targetId } of own) {
      // It may close while it is asked.
      const holder = await this.running.cdp.evaluate(targetId, query).catch(() => null);
      if (typeof holder === "string") return holder === "" ? null : holder;
    }
    return null;
  }

  /** A worker can live on for some tens of milliseconds after its document is gone. */
  private async coreEnded(holder: string | null): Promise<void> {
    await until("the core had ended", PATIENCE_MILLIS, async () => {
      const now = await this.coreHolder();
      return holder === null || now !== holder ? true : null;
    });
  }

  /** Ends when a core holds its lock. */
  async coreStarted(): Promise<void> {
    await until("a core was alive", PATIENCE_MILLIS, async () => ((await this.coreAlive()) ? true : null));
  }

  /** Stops the service worker, as Chrome does after half a minute of rest. Something may start it again at once. */
  async stopServiceWorker(): Promise<void> {
    const { cdp } = this.running;
    const { targetId } = await this.needed("sw.js");
    // The next life has the same target id, so the one that is to end gets a mark.
    await cdp.evaluate(targetId, "self.tabwrightRigMark = true");
    await cdp.send("Target.closeTarget", { targetId });
    await until("the service worker stopped", PATIENCE_MILLIS, async () => {
      const targets = await this.targets();
      if (!targets.some((target) => target.targetId === targetId)) return true;
      const isMarked = cdp.evaluate(targetId, "self.tabwrightRigMark === true").catch(() => null);
      return (await Promise.race([isMarked, sleep(MARK_MILLIS)])) === false ? true : null;
    });
  }

  /** Closes the offscreen document, and with it the core. */
  async closeOffscreen(): Promise<void> {
    const holder = await this.coreHolder();
    await this.closeTarget("offscreen.html");
    await this.coreEnded(holder);
  }

  /** Ends the core's worker in the middle of whatever it does. */
  async terminateCoreWorker(): Promise<void> {
    const worker = await this.needed("core.worker.js");
    const holder = await this.coreHolder();
    // Nothing needs to answer from a worker that has closed itself.
    this.evaluateIn("core.worker.js", "self.close()").catch(() => undefined);
    await this.gone(worker);
    await this.coreEnded(holder);
  }

  /** Evaluates in a context of the extension that is no page: "sw.js", "offscreen.html", "core.worker.js". */
  async evaluateIn(path: string, expression: string): Promise<unknown> {
    const { targetId } = await this.needed(path);
    const { cdp } = this.running;
    if (path !== "core.worker.js") return cdp.evaluate(targetId, expression);
    const document = await this.needed("offscreen.html");
    return cdp.evaluateInWorkerOf(document.targetId, expression);
  }

  /** Evaluates in any target, such as one of another extension. */
  evaluateInTarget(targetId: string, expression: string): Promise<unknown> {
    return this.running.cdp.evaluate(targetId, expression);
  }

  private async closeTarget(path: string): Promise<void> {
    const target = await this.needed(path);
    await this.running.cdp.send("Target.closeTarget", { targetId: target.targetId });
    await this.gone(target);
  }

  private async gone({ targetId, type }: TargetInfo): Promise<void> {
    await until(`the ${type} was gone`, PATIENCE_MILLIS, async () => {
      const targets = await this.targets();
      return targets.some((target) => target.targetId === targetId) ? null : true;
    });
  }

  private needed(path: string): Promise<TargetInfo> {
    return until(`${path} was running`, PATIENCE_MILLIS, () => this.extensionTarget(path));
  }

  private extensionTarget(path: string): Promise<TargetInfo | null> {
    return this.target((target, all) => this.nameOf(target, all) === path);
  }

  /** Where in the extension a target's program is, or null when it is not ours. */
  private nameOf({ type, url, parentFrameId }: TargetInfo, all: readonly TargetInfo[]): string | null {
    const prefix = this.extensionUrl("");
    // Chrome tells a worker's address only to who attaches, and Chromium 148 not even whose it is. The document starts one worker.
    const isOfDocument = all.some(
      ({ targetId, url }) => url === `${prefix}offscreen.html` && (parentFrameId === undefined || targetId === parentFrameId),
    );
    if (type === "worker") return isOfDocument ? "core.worker.js" : null;
    return type !== "tab" && url.startsWith(prefix) ? url.slice(prefix.length) : null;
  }

  private async target(isWanted: (target: TargetInfo, all: readonly TargetInfo[]) => boolean): Promise<TargetInfo | null> {
    const targets = await this.targets();
    return targets.find((target) => isWanted(target, targets)) ?? null;
  }

  private async start(): Promise<void> {
    this.process = await BrowserProcess.start(this.options);
    await this.extensionStarted();
    this.playwright = await this.connect();
  }

  private async extensionStarted(): Promise<void> {
    const what = `the extension in ${this.options.extensions[0]} started (is it built?)`;
    // The last thing that its first start does is to tie the toolbar's button to the side panel.
    const isTied = "chrome.sidePanel.getPanelBehavior().then((behavior) => behavior.openPanelOnActionClick)";
    await until(what, PATIENCE_MILLIS, async () => {
      const worker = await this.extensionTarget("sw.js");
      if (worker === null) return null;
      const answer = await this.running.cdp.evaluate(worker.targetId, isTied).catch(() => false);
      return answer === true ? true : null;
    });
  }

  private get running(): BrowserProcess {
    if (this.process === null) throw new Error("The browser is not running.");
    return this.process;
  }

  private forget(): void {
    this.process = null;
    this.playwright = null;
    this.panelConnections.clear();
  }
}

async function pageOf(connection: PlaywrightBrowser, { targetId }: TargetInfo): Promise<Page | null> {
  for (const page of connection.contexts()[0]?.pages() ?? []) {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send("Target.getTargetInfo");
    await session.detach();
    if (targetInfo.targetId === targetId) return page;
  }
  return null;
}

async function existing(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    throw new Error(`There is no extension in ${folder}. Build it first: cargo xtask build`);
  }
}

/** Chromium's rule for an unpacked extension: the first half of the path's SHA-256, in the letters a to p. */
function extensionIdOf(folder: string): string {
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 32);
  return digest.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
}
