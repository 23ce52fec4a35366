// The workspace's files in a real browser: through the tools, over its file system, and after deaths.

import type { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";
import { expect, test } from "../rig/fixtures.ts";
import { callTool, expectError, expectResult } from "./tools_page.ts";

/** A picture of one black point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const PNG_SIZE = Buffer.from(PNG, "base64").length;

async function clientOf(rig: Browser): Promise<CoreClient> {
  return CoreClient.connect(await rig.openPanel());
}

test("files are written, read, listed and deleted", async ({ rig }) => {
  const client = await clientOf(rig);
  await expectResult(client, "opfs_list", {}, []);
  const content = "# Grüße\r\nzwei\n";
  await expectResult(client, "opfs_write", { path: "/a/b/notes.md", content }, { path: "a/b/notes.md", size: 16 });
  await expectResult(client, "opfs_read", { path: "a/b/notes.md" }, {
    path: "a/b/notes.md",
    content,
    totalLines: 2,
    startLine: 1,
    endLine: 2,
    mimeType: "text/markdown",
    type: "text",
  });
  await expectResult(client, "opfs_write", { path: "a/b/notes.md", content: "" }, { path: "a/b/notes.md", size: 0 });
  await expectResult(client, "opfs_write", { path: "日本 語.txt", content: "x" }, { path: "日本 語.txt", size: 1 });
  await expectResult(client, "opfs_list", {}, [
    { name: "a", type: "directory" },
    { name: "日本 語.txt", type: "file", size: 1 },
  ]);
  await expectResult(client, "opfs_list", { path: "a/b/" }, [{ name: "notes.md", type: "file", size: 0 }]);
  await expectResult(client, "opfs_delete", { path: "a" }, { success: true });
  await expectResult(client, "opfs_list", {}, [{ name: "日本 語.txt", type: "file", size: 1 }]);
});

test("what is not there, or is something else, or is no path is an error", async ({ rig }) => {
  const client = await clientOf(rig);
  for (const tool of ["opfs_read", "opfs_list", "opfs_delete"]) {
    await expectError(client, tool, { path: "no/such" }, "not_found", "there is no `no/such`");
    await expectError(client, tool, { path: "../database" }, "invalid_path", "cannot leave the workspace");
  }
  await callTool(client, "opfs_write", { path: "d/f", content: "x" });
  await expectError(client, "opfs_read", { path: "d" }, "rejected", "`d` is not a file");
  await expectError(client, "opfs_write", { path: "d", content: "" }, "rejected", "`d` is not a file");
  await expectError(client, "opfs_list", { path: "d/f" }, "rejected", "`d/f` is not a directory");
  await expectError(client, "opfs_write", { path: "d/f/g", content: "" }, "rejected", "`d/f` is not a directory");
  await expectError(client, "opfs_read", { path: "d/f/g" }, "not_found", "there is no `d/f/g`");
});

test("a binary file comes as an address that the extension's pages can show", async ({ rig }) => {
  const panel = await rig.openPanel();
  const client = await CoreClient.connect(panel);
  await callTool(client, "opfs_write", { path: "dot", content: `data:image/png;base64,${PNG}` });
  const read = await callTool(client, "opfs_read", { path: "dot" });
  const blobUrl: unknown = expect.stringMatching(/^blob:chrome-extension:/);
  expect(read).toEqual({ path: "dot", blobUrl, size: PNG_SIZE, mimeType: "image/png", type: "binary" });
  const widthOf = (url: string): Promise<number> =>
    panel.evaluate(
      (source) =>
        new Promise<number>((resolve) => {
          const image = new Image();
          image.onload = () => {
            resolve(image.naturalWidth);
          };
          image.onerror = () => {
            resolve(-1);
          };
          image.src = source;
        }),
      url,
    );
  const { blobUrl: url } = read as { blobUrl: string };
  expect(await widthOf(url)).toBe(1);
  await expectResult(client, "opfs_read", { path: "dot", mode: "blob" }, read);

  // The address is that of the content, and ends with it.
  await callTool(client, "opfs_write", { path: "dot", content: "text" });
  expect(await widthOf(url)).toBe(-1);
});

test("a file that is in use is not replaced", async ({ rig }) => {
  const client = await clientOf(rig);
  await callTool(client, "opfs_write", { path: "f", content: "old" });
  const hold = `(async () => {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getDirectoryHandle("workspace")).getFileHandle("f");
    self.held = await file.createSyncAccessHandle();
  })()`;
  await rig.evaluateIn("core.worker.js", hold);
  await expectError(client, "opfs_write", { path: "f", content: "new" }, "locked", "`f` is in use");
  await expectError(client, "opfs_delete", { path: "f" }, "locked", "`f` is in use");
  await rig.evaluateIn("core.worker.js", "self.held.close()");
  expect(await callTool(client, "opfs_read", { path: "f" })).toMatchObject({ content: "old" });
  await expectResult(client, "opfs_list", {}, [{ name: "f", type: "file", size: 3 }]);
  await expectResult(client, "opfs_write", { path: "f", content: "new" }, { path: "f", size: 3 });
});

/** Each is one letter again and again, of a length of its own, so that a mixture of two shows. */
const CONTENTS = ["a".repeat(300_000), "b".repeat(100_000), "c".repeat(200_001)];

/** Writes until the core dies: to one file that is there, and to one new file after another. Ends with those that were acknowledged. */
async function writeUntilDeath(client: CoreClient, die: () => Promise<unknown>): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  const death = new AbortController();
  const write = async (round: number, name: string): Promise<void> => {
    const content = CONTENTS[round % CONTENTS.length] ?? "";
    await callTool(client, "opfs_write", { path: `d/${name}`, content });
    if (!death.signal.aborted) acknowledged.add(name);
  };
  const writing = (async () => {
    for (let round = 0; !death.signal.aborted; round += 1) await Promise.all([write(round, "there"), write(round, `new${round}`)]);
    // What was under way at the death of a browser is answered by nobody.
  })().catch(() => undefined);
  await expect.poll(() => acknowledged.size).toBeGreaterThan(2);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
  await die();
  death.abort();
  await Promise.race([writing, new Promise((resolve) => setTimeout(resolve, 500))]);
  return acknowledged;
}

/** Every file in the directory is one of the contents, whole, and none of these is missing. */
async function expectWholeFiles(client: CoreClient, acknowledged: ReadonlySet<string>): Promise<void> {
  await expectResult(client, "opfs_list", {}, [{ name: "d", type: "directory" }]);
  const found = (await callTool(client, "opfs_list", { path: "d" })) as { name: string; size: number }[];
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining([...acknowledged]));
  for (const { name, size } of found) {
    const whole = CONTENTS.find(({ length }) => length === size) ?? "none has that length";
    const { content } = (await callTool(client, "opfs_read", { path: `d/${name}`, limit: 1 })) as { content: string };
    expect(whole.startsWith(content), `${name}, ${size} bytes`).toBe(true);
  }
}

const deaths: Record<string, (rig: Browser) => Promise<unknown>> = {
  "the core's worker": (rig) => rig.terminateCoreWorker(),
  "the whole browser": (rig) => rig.kill().then(() => rig.relaunch()),
};

for (const [what, die] of Object.entries(deaths)) {
  test(`when ${what} dies in the middle of writes, every file is whole`, async ({ rig }) => {
    let client = await clientOf(rig);
    for (let life = 0; life < 3; life += 1) {
      const acknowledged = await writeUntilDeath(client, () => die(rig));
      if (what === "the whole browser") client = await clientOf(rig);
      await expectWholeFiles(client, acknowledged);
      await callTool(client, "opfs_delete", { path: "d" });
    }
    // What a life left unfinished is gone with the first write of the next.
    await callTool(client, "opfs_write", { path: "last", content: "x" });
    const left = `(async () => {
      const root = await navigator.storage.getDirectory();
      const directory = await (await root.getDirectoryHandle("tabwright")).getDirectoryHandle("unfinished");
      const names = [];
      for await (const { name } of directory.values()) names.push(name);
      return names;
    })()`;
    expect(await rig.evaluateIn("core.worker.js", left)).toEqual([]);
  });
}
