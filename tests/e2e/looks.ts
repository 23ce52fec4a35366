// Whether a page can be used by everybody, as far as a program can tell, at every width and in both themes.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../rig/fixtures.ts";
import { settled } from "./panel_page.ts";

/** The narrowest side panel there is, a usual one, and a wide window. */
const WIDTHS = [320, 400, 800];
const HEIGHT = 700;

/** Looks at the page as it stands, and leaves a picture of each look in the test's results. Moving parts stand still meanwhile. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await settled(page);
      const look = `${state}, ${width} pixels wide, ${colorScheme}`;
      await page.screenshot({ path: test.info().outputPath(`${state}-${width}-${colorScheme}.png`) });
      expect.soft(await wideOnes(page), `${look}: what has to be scrolled sideways to be read`).toEqual([]);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
      const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => [id, target, failureSummary]));
      expect.soft(findings, `${look}: findings of axe`).toEqual([]);
    }
  }
}

/** What scrolls sideways although it is no table and no code. */
function wideOnes(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((element) => element === document.documentElement || getComputedStyle(element).overflowX === "auto")
      .filter((element) => element.scrollWidth > element.clientWidth && !element.matches("pre, .table"))
      .map((element) => `${element.tagName} ${element.className}`),
  );
}

/** Asserts that the page is as high as its window: only parts of it scroll. */
export async function expectNoPageScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(beyond, "pixels below the page's end").toBe(0);
}
