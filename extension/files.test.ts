import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessHandle, type DirectoryHandle, FileError, type FileHandle, WorkspaceFiles } from "./files.ts";

/** The browser or the worker is gone: nothing answers any more. */
class Died extends Error {}

/** A file system in memory, whose owner may die after some steps, and whose disk may be full. */
class FakeDisk {
  stepsLeft = Infinity;
  room = Infinity;
  readonly root = new FakeDirectory(this, "");

  step(): void {
    if (this.stepsLeft <= 0) throw new Died();
    this.stepsLeft -= 1;
  }

  /** Every file with its text, and every empty directory. */
  all(): string[] {
    return this.root.all("").sort();
  }
}

function problem(name: string, message = name): DOMException {
  return new DOMException(message, name);
}

class FakeFile implements FileHandle {
  readonly kind = "file";
  bytes = new Uint8Array();
  isOpen = false;
  /** How often a reader finds that the file was replaced since it was opened. */
  replaced = 0;

  constructor(
    private readonly disk: FakeDisk,
    private parent: FakeDirectory,
    public name: string,
  ) {}

  async getFile(): Promise<File> {
    await this.later();
    const file = new File([this.bytes], this.name);
    if (this.replaced > 0) {
      this.replaced -= 1;
      file.arrayBuffer = () => Promise.reject(problem("NotReadableError"));
    }
    return file;
  }

  async createSyncAccessHandle(): Promise<AccessHandle> {
    await this.later();
    if (this.isOpen) throw problem("NoModificationAllowedError");
    this.isOpen = true;
    return {
      truncate: (size) => {
        this.disk.step();
        this.bytes = this.bytes.slice(0, size);
      },
      write: (bytes, { at }) => {
        this.disk.step();
        const count = Math.min(bytes.length, this.disk.room);
        this.bytes = new Uint8Array([...this.bytes.slice(0, at), ...bytes.slice(0, count)]);
        return count;
      },
      flush: () => {
        this.disk.step();
      },
      close: () => {
        this.isOpen = false;
      },
    };
  }

  async move(directory: FakeDirectory, name: string): Promise<void> {
    await this.later();
    const there = directory.entries.get(name);
    if (there instanceof FakeDirectory) throw problem("InvalidModificationError");
    if (there?.isOpen === true) throw problem("NoModificationAllowedError");
    this.parent.entries.delete(this.name);
    directory.entries.set(name, this);
    this.parent = directory;
    this.name = name;
  }

  private async later(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.disk.step();
  }
}

class FakeDirectory implements DirectoryHandle {
  readonly kind = "directory";
  readonly entries = new Map<string, FakeFile | FakeDirectory>();

  constructor(
    private readonly disk: FakeDisk,
    readonly name: string,
  ) {}

  getFileHandle(name: string, options?: { create: boolean }): Promise<FakeFile> {
    return this.entry(name, FakeFile, options, () => new FakeFile(this.disk, this, name));
  }

  getDirectoryHandle(name: string, options?: { create: boolean }): Promise<FakeDirectory> {
    return this.entry(name, FakeDirectory, options, () => new FakeDirectory(this.disk, name));
  }

  async removeEntry(name: string): Promise<void> {
    await this.later(name);
    if (!this.entries.delete(name)) throw problem("NotFoundError");
  }

  async *values(): AsyncGenerator<FakeFile | FakeDirectory> {
    await this.later("any");
    yield* [...this.entries.values()].reverse();
  }

  all(prefix: string): string[] {
    return [...this.entries].flatMap(([name, entry]) => {
      const path = `${prefix}${name}`;
      if (entry instanceof FakeFile) return [`${path}=${new TextDecoder().decode(entry.bytes)}`];
      const inside = entry.all(`${path}/`);
      return inside.length === 0 ? [`${path}/`] : inside;
    });
  }

  private async entry<T extends FakeFile | FakeDirectory>(
    name: string,
    wanted: abstract new (...args: never[]) => T,
    options: { create: boolean } | undefined,
    make: () => T,
  ): Promise<T> {
    await this.later(name);
    const known = this.entries.get(name);
    if (known instanceof wanted) return known;
    if (known !== undefined) throw problem("TypeMismatchError");
    if (options?.create !== true) throw problem("NotFoundError");
    const made = make();
    this.entries.set(name, made);
    return made;
  }

  private async later(name: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.disk.step();
    if (name === "" || name === "." || name === "..") throw new TypeError("Name is not allowed.");
  }
}

function filesOn(disk: FakeDisk): WorkspaceFiles {
  return new WorkspaceFiles(() => Promise.resolve(disk.root));
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Does one thing after another and expects these answers; an error is its kind and its words. */
async function check(script: [string, string][], disk = new FakeDisk()): Promise<void> {
  const files = filesOn(disk);
  for (const [command, expected] of script) {
    const answer = await perform(files, command).catch((thrown: unknown) => {
      if (!(thrown instanceof FileError)) throw thrown;
      return `${thrown.kind}: ${thrown.message}`;
    });
    assert.equal(answer, expected, command);
  }
}

async function perform(files: WorkspaceFiles, command: string): Promise<string> {
  const [verb = "", path = "", text = ""] = command.split(/[ =]/);
  switch (verb) {
    case "write":
      await files.write(path, bytes(text));
      return "done";
    case "remove":
      await files.remove(path);
      return "done";
    case "read":
      return textOf(await files.read(path));
    case "head": {
      const { bytes, size } = await files.head(path, 2);
      return `${textOf(bytes)} of ${size}`;
    }
    case "list": {
      const entries = await files.list(path);
      return entries.map(({ name, size }) => (size === null ? `${name}/` : `${name}:${size}`)).join(" ");
    }
    default:
      assert.fail(`no such command: ${verb}`);
  }
}

test("files can be written, read, listed and removed", async () => {
  const disk = new FakeDisk();
  await check(
    [
      ["list", ""],
      ["write a/b/c.txt=hello", "done"],
      ["write a/b.txt=x", "done"],
      ["write z=zz", "done"],
      ["list", "a/ z:2"],
      ["list a", "b/ b.txt:1"],
      ["read a/b/c.txt", "hello"],
      ["head a/b/c.txt", "he of 5"],
      ["head a/b.txt", "x of 1"],
      ["write a/b/c.txt=bye", "done"],
      ["read a/b/c.txt", "bye"],
      ["write empty=", "done"],
      ["head empty", " of 0"],
      ["remove a/b", "done"],
      ["list a", "b.txt:1"],
      ["remove a/b.txt", "done"],
      ["list a", ""],
    ],
    disk,
  );
  assert.deepEqual(disk.all(), ["tabwright/unfinished/", "workspace/a/", "workspace/empty=", "workspace/z=zz"]);
});

test("what is not there or is something else is an error, in the words of the native fake", async () => {
  await check([
    ["read no", "not_found: there is no `no`"],
    ["head no", "not_found: there is no `no`"],
    ["list no", "not_found: there is no `no`"],
    ["list no/deeper", "not_found: there is no `no/deeper`"],
    ["remove no", "not_found: there is no `no`"],
    ["write a/b=x", "done"],
    ["read a", "invalid: `a` is not a file"],
    ["write a=x", "invalid: `a` is not a file"],
    ["list a/b", "invalid: `a/b` is not a directory"],
    ["list a/b/c", "not_found: there is no `a/b/c`"],
    ["read a/b/c", "not_found: there is no `a/b/c`"],
    ["remove a/b/c", "not_found: there is no `a/b/c`"],
    ["write a/b/c=x", "invalid: `a/b` is not a directory"],
    ["write a/b/c/d=x", "invalid: `a/b` is not a directory"],
    ["write a/..=x", "invalid: `a/..` is no path: Name is not allowed."],
    ["list a", "b:1"],
  ]);
});

/** Dies after that many steps of a write of `new`, and expects the file as it was or new. True when the write was done by then. */
async function dieAfter(steps: number, before: string[]): Promise<boolean> {
  const disk = new FakeDisk();
  await filesOn(disk).write("d/other", bytes("other"));
  if (before.length > 0) await filesOn(disk).write("d/f", bytes("old"));
  disk.stepsLeft = steps;
  const writing = filesOn(disk).write("d/f", bytes("new"));
  const isDone = await writing.then(
    () => true,
    () => false,
  );
  const found = disk.all().filter((path) => path.startsWith("workspace/d/f"));
  const isNew = isDone || found.includes("workspace/d/f=new");
  assert.deepEqual(found, isNew ? ["workspace/d/f=new"] : before, `after ${steps} steps`);

  // The next life goes on, and clears up what this one left.
  disk.stepsLeft = Infinity;
  await filesOn(disk).write("d/f", bytes("next"));
  assert.deepEqual(disk.all(), ["tabwright/unfinished/", "workspace/d/f=next", "workspace/d/other=other"]);
  return isDone;
}

test("whenever it dies, a file holds its old or its new bytes and nothing else is in the workspace", async () => {
  for (const before of [[], ["workspace/d/f=old"]]) {
    let steps = 0;
    while (!(await dieAfter(steps, before))) steps += 1;
    assert.ok(steps > 5, "a write has steps to die between");
  }
});

test("a full disk changes nothing and leaves nothing", async () => {
  const disk = new FakeDisk();
  const files = filesOn(disk);
  await files.write("f", bytes("old"));
  disk.room = 2;
  await assert.rejects(files.write("f", bytes("new!")), { kind: "full", message: "only 2 of 4 bytes could be written" });
  assert.deepEqual(disk.all(), ["tabwright/unfinished/", "workspace/f=old"]);
});

test("a file that somebody holds open is not replaced, and nothing is left of the attempt", async () => {
  const disk = new FakeDisk();
  const files = filesOn(disk);
  await files.write("f", bytes("old"));
  const workspace = await disk.root.getDirectoryHandle("workspace");
  const handle = await (await workspace.getFileHandle("f")).createSyncAccessHandle();
  await assert.rejects(files.write("f", bytes("new")), { kind: "locked", message: "`f` is in use" });
  assert.deepEqual(disk.all(), ["tabwright/unfinished/", "workspace/f=old"]);
  handle.close();
  await files.write("f", bytes("new"));
  assert.equal(textOf(await files.read("f")), "new");
});

test("writes at the same time do not mix", async () => {
  const files = filesOn(new FakeDisk());
  const texts = ["one", "two", "three"];
  await Promise.all(texts.map((text) => files.write("f", bytes(text))));
  assert.ok(texts.includes(textOf(await files.read("f"))));
});

test("a file that is replaced while it is read is read again, but not for ever", async () => {
  const disk = new FakeDisk();
  const files = filesOn(disk);
  await files.write("f", bytes("text"));
  const file = await (await disk.root.getDirectoryHandle("workspace")).getFileHandle("f");
  file.replaced = 2;
  assert.equal(textOf(await files.read("f")), "text");
  file.replaced = 3;
  await assert.rejects(files.read("f"), { kind: "failed", message: "NotReadableError" });
});

test("an address of a file holds until the file is written or removed", async () => {
  const files = filesOn(new FakeDisk());
  const read = async (url: string): Promise<string> => {
    const answer = await fetch(url);
    return `${answer.headers.get("content-type") ?? ""}: ${await answer.text()}`;
  };
  await files.write("d/f", bytes("one"));
  const first = await files.blobUrl("d/f", "image/png");
  assert.equal(await files.blobUrl("d/f", "image/png"), first);
  assert.equal(await read(first), "image/png: one");
  await files.write("d/f", bytes("two"));
  await assert.rejects(read(first));
  const second = await files.blobUrl("d/f", "image/png");
  assert.equal(await read(second), "image/png: two");
  await files.write("d/fg", bytes("other"));
  assert.equal(await read(second), "image/png: two");
  await files.remove("d");
  await assert.rejects(read(second));
  await assert.rejects(files.blobUrl("d/f", "image/png"), { kind: "not_found" });
});
