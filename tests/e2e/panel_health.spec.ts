// What the panel shows while the core is there but has no database to work with.

import type { Page } from "@playwright/test";
import { expect, test } from "../rig/fixtures.ts";
import { coreId } from "./core_page.ts";
import { button, composer } from "./panel_page.ts";

/** A file of the database, held by a test's page. */
interface HeldFile {
  readonly writer: FileSystemWritableFileStream;
  readonly bytes: ArrayBuffer;
}

/** In the page: the files that it holds, in the order of the folder. */
interface Holder {
  held?: HeldFile[];
  original?: ArrayBuffer[];
}

/** Takes the database's files, as soon as the core has let go of them. */
async function takeFiles(panel: Page): Promise<void> {
  const take = (): Promise<number> =>
    panel.evaluate(async () => {
      const held: HeldFile[] = [];
      const visit = async (directory: FileSystemDirectoryHandle): Promise<void> => {
        for await (const handle of directory.values()) {
          if (handle instanceof FileSystemDirectoryHandle) await visit(handle);
          if (!(handle instanceof FileSystemFileHandle)) continue;
          const writer = await handle.createWritable({ keepExistingData: true });
          held.push({ writer, bytes: await (await handle.getFile()).arrayBuffer() });
        }
      };
      await visit(await navigator.storage.getDirectory());
      const holder = globalThis as Holder;
      holder.held = held;
      holder.original ??= held.map(({ bytes }) => bytes);
      return held.length;
    });
  await expect.poll(() => take().catch(() => 0)).toBeGreaterThan(0);
}

/** Lets go of them as they were when they were first taken. */
async function giveBack(panel: Page): Promise<void> {
  await panel.evaluate(async () => {
    const { held = [], original = [] } = globalThis as Holder;
    for (const [index, { writer }] of held.entries()) {
      const bytes = original[index] ?? new ArrayBuffer(0);
      await writer.write({ type: "write", position: 0, data: bytes });
      await writer.truncate(bytes.byteLength);
      await writer.close();
    }
  });
}

/** Lets go of them as a far newer version's. */
async function giveBackNewer(panel: Page): Promise<void> {
  await panel.evaluate(async () => {
    // So many bytes the pool keeps for itself, before the content of each file.
    const start = 4_096;
    const data = new DataView(new ArrayBuffer(4));
    data.setUint32(0, 999_999);
    for (const { writer, bytes } of (globalThis as Holder).held ?? []) {
      const isDatabase = new TextDecoder().decode(bytes.slice(start, start + 15)) === "SQLite format 3";
      // The schema's version in the first page; and a log that is none, for it has pages that go before.
      const position = isDatabase ? start + 60 : start;
      if (bytes.byteLength > start) await writer.write({ type: "write", position, data });
      await writer.close();
    }
  });
}

test("a core that waits for its files says so calmly, for as long as it takes, and then answers", async ({ rig }) => {
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  await rig.closeOffscreen();
  await takeFiles(panel);

  await composer(panel).fill("hello");
  await composer(panel).press("Enter");
  const banner = panel.locator(".link-banner");
  await expect(banner).toContainText("is in use by another owner");
  // The view's patience with a core that is silent ends before this.
  await panel.waitForTimeout(16_000);
  await expect(banner).toContainText("is in use by another owner");
  await expect(banner.getByRole("button")).toHaveCount(0);

  await giveBack(panel);
  await expect(panel.getByRole("alert")).toContainText("No model is set up yet.", { timeout: 15_000 });
  await expect(banner).toBeEmpty();
});

test("a core that cannot open its database says why, to late views too, and a person may have it try again", async ({ rig }) => {
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  await rig.closeOffscreen();
  await takeFiles(panel);
  await giveBackNewer(panel);

  await composer(panel).fill("hello");
  await composer(panel).press("Enter");
  await expect(panel.locator(".link-banner .danger")).toContainText("schema version 999999");
  const first = await coreId(rig);
  const late = await rig.openPanelAsTab();
  await expect(late.locator(".link-banner .danger")).toContainText("schema version 999999");
  expect(await coreId(rig)).toBe(first);

  await button(late, "Try again").click();
  await expect.poll(() => coreId(rig)).not.toBe(first);
  await expect(late.locator(".link-banner .danger")).toContainText("schema version 999999");

  await rig.closeOffscreen();
  await takeFiles(panel);
  await giveBack(panel);
  // A view that waits for an answer may have had the core started again by itself, and needs no button.
  await button(late, "Try again").click({ timeout: 2_000 }).catch(() => undefined);
  await expect(panel.getByRole("alert")).toContainText("No model is set up yet.");
  for (const view of [panel, late]) await expect(view.locator(".link-banner")).toBeEmpty();
});
