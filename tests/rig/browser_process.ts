// One Chromium process group with the extension loaded, from its start to its certain end.

import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { Cdp } from "./cdp.ts";
import { until } from "./until.ts";

/** How to start the browser. */
export interface ProcessOptions {
  readonly chromium: string;
  /** Unpacked extensions; ours is the first. */
  readonly extensions: readonly string[];
  readonly profile: string;
  readonly headless: boolean;
  readonly extraArgs: readonly string[];
}

/** A running browser. */
export class BrowserProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly pid: number,
    /** Everything, over the pipe. */
    readonly cdp: Cdp,
    /** The port that Playwright connects to. */
    readonly port: number,
  ) {}

  /** Starts it, and waits until it can be spoken to. */
  static async start(options: ProcessOptions): Promise<BrowserProcess> {
    if (!options.headless && !hasDisplay()) {
      throw new Error("There is no display to open a window on. Use --headless, or give it one, such as with xvfb-run.");
    }
    const portFile = join(options.profile, "DevToolsActivePort");
    // A killed browser leaves its file behind.
    await rm(portFile, { force: true });
    const child = spawn(options.chromium, switches(options), {
      // A group of its own: the launcher script, the zygote and the renderers all end with one signal.
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
      // What it leaves in its folder for temporary files goes with the profile.
      env: { ...process.env, TMPDIR: options.profile },
    });
    const started = new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        reject(new Error(`${options.chromium} could not be started: ${error.message}`));
      });
    });
    await started;
    const { pid, stdio } = child;
    if (pid === undefined) throw new Error(`${options.chromium} could not be started.`);
    const cdp = new Cdp(stdio[3] as Writable, stdio[4] as Readable);
    try {
      const port = await until("the browser opened its debugging port", 30_000, async () => {
        if (child.exitCode !== null) throw new Error(`The browser ended at its start with code ${child.exitCode}.`);
        const text = await readFile(portFile, "utf8").catch(() => "");
        return /^\d+\n/.test(text) ? Number.parseInt(text, 10) : null;
      });
      return new BrowserProcess(child, pid, cdp, port);
    } catch (error) {
      killGroup(pid);
      throw error;
    }
  }

  /** Ends with the browser, however that comes about. */
  async exited(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    await new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
  }

  /** Kills the whole group at once, as a power cut would. */
  async kill(): Promise<void> {
    killGroup(this.pid);
    await this.exited();
  }

  /** Closes it like a person would; kills it when that does not help. */
  async close(): Promise<void> {
    await this.cdp.send("Browser.close").catch(() => undefined);
    const timer = setTimeout(() => {
      killGroup(this.pid);
    }, 5_000);
    await this.exited();
    clearTimeout(timer);
    // Whatever of the group is still on its way out would write to a profile that is about to be removed.
    killGroup(this.pid);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function switches({ profile, headless, extensions, extraArgs }: ProcessOptions): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(headless ? ["--headless=new"] : []),
    // Chromium refuses to run its sandbox as root, as in most containers.
    ...(isRoot ? ["--no-sandbox"] : []),
    `--user-data-dir=${profile}`,
    "--remote-debugging-pipe",
    "--remote-debugging-port=0",
    // Chromium 148 presses an extension's button only with this; later ones do without.
    "--enable-unsafe-extension-debugging",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A killed browser would ask about its pages in a bubble over the next one's.
    "--hide-crash-restore-bubble",
    `--load-extension=${extensions.join(",")}`,
    `--disable-extensions-except=${extensions.join(",")}`,
    ...extraArgs,
    "about:blank",
  ];
}

/**
 * The Chromium to use: the one given, that of TABWRIGHT_CHROMIUM, or the first on the path.
 * Branded Google Chrome ignores `--load-extension`, so it is not looked for.
 */
export function findChromium(given: string | undefined): string {
  const named = given ?? process.env["TABWRIGHT_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  for (const name of ["chromium", "chromium-browser"]) {
    const found = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  throw new Error("There is no chromium on the path. Install one, or name it with --chromium or TABWRIGHT_CHROMIUM.");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** On Linux a window needs a display server; elsewhere there is always one. */
function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== "linux" || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);
}
