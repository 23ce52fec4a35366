// Loads the extension again when its folder changed, for a developer who has `cargo xtask watch` running.

import { type FSWatcher, watch } from "node:fs";
import type { Browser } from "./browser.ts";

/** A build writes many files; this long after the last one it is over. */
const QUIET_MILLIS = 500;

/** Watches until the watcher is closed. */
export function reloadOnChange(dist: string, browser: Browser, say: (text: string) => void): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  return watch(dist, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      reload(browser).then(
        () => {
          say("The extension was loaded again.");
        },
        (error: unknown) => {
          say(`The extension could not be loaded again: ${error instanceof Error ? error.message : String(error)}`);
        },
      );
    }, QUIET_MILLIS);
  });
}

async function reload(browser: Browser): Promise<void> {
  await browser.reloadExtension();
  await browser.openPanel();
}
