// Writes that wait: what is asked of the file, and what is read back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Opener, type SyncHandle, WriteBehind, writeBehind } from "./write_behind.ts";

/** A file in memory that tells what was asked of it. */
class FakeFile implements SyncHandle {
  content = new Uint8Array();
  readonly asked: string[] = [];
  /** How many bytes of the next writes are taken; the rest does not fit. */
  room = Infinity;

  read(into: Uint8Array, { at = 0 } = {}): number {
    this.asked.push(`read ${at}`);
    const found = this.content.subarray(at, at + into.length);
    into.set(found);
    return found.length;
  }

  write(bytes: Uint8Array, { at = 0 } = {}): number {
    this.asked.push(`write ${at}+${bytes.length}`);
    if (this.room === 0) throw new DOMException("No room.", "QuotaExceededError");
    const taken = bytes.subarray(0, this.room);
    const grown = new Uint8Array(Math.max(this.content.length, at + taken.length));
    grown.set(this.content);
    grown.set(taken, at);
    this.content = grown;
    return taken.length;
  }

  truncate(size: number): void {
    this.asked.push(`truncate ${size}`);
    this.content = this.content.slice(0, size);
  }

  getSize(): number {
    this.asked.push("size");
    return this.content.length;
  }

  get bytes(): number[] {
    return [...this.content];
  }

  flush(): void {
    this.asked.push("flush");
  }

  close(): void {
    this.asked.push("close");
  }
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

function both(): { file: FakeFile; handle: WriteBehind } {
  const file = new FakeFile();
  return { file, handle: new WriteBehind(file) };
}

test("writes that follow each other are one, before the flush that was asked for", () => {
  const { file, handle } = both();
  assert.equal(handle.write(bytes(1, 2), { at: 0 }), 2);
  assert.equal(handle.write(bytes(3), { at: 2 }), 1);
  assert.deepEqual(file.asked, []);
  handle.flush();
  assert.deepEqual(file.asked, ["write 0+3", "flush"]);
  assert.deepEqual(file.bytes, [1, 2, 3]);
  handle.flush();
  assert.deepEqual(file.asked.slice(2), ["flush"]);
});

test("a write elsewhere comes after the ones before it", () => {
  const { file, handle } = both();
  handle.write(bytes(1, 2, 3), { at: 4 });
  handle.write(bytes(9), { at: 5 });
  handle.write(bytes(7), { at: 0 });
  handle.flush();
  assert.deepEqual(file.asked, ["write 4+3", "write 5+1", "write 0+1", "flush"]);
  assert.deepEqual(file.bytes, [7, 0, 0, 0, 1, 9, 3]);
});

test("what was written is what is read, and counts for the size", () => {
  const { file, handle } = both();
  handle.write(bytes(1, 2, 3), { at: 0 });
  const into = new Uint8Array(2);
  assert.equal(handle.read(into, { at: 1 }), 2);
  assert.deepEqual([...into], [2, 3]);
  handle.write(bytes(4), { at: 3 });
  assert.equal(handle.getSize(), 4);
  handle.write(bytes(5), { at: 4 });
  handle.truncate(2);
  handle.write(bytes(6), { at: 2 });
  handle.close();
  assert.deepEqual(file.bytes, [1, 2, 6]);
  assert.equal(file.asked.at(-1), "close");
});

test("a run longer than the room grows, and is written out before it takes too much", () => {
  const { file, handle } = both();
  const page = new Uint8Array(400 * 1024).fill(5);
  for (const at of [0, 1, 2, 3]) handle.write(page, { at: at * page.length });
  assert.deepEqual(file.asked, [`write 0+${2 * page.length}`]);
  handle.flush();
  assert.equal(file.content.length, 4 * page.length);
  assert.ok(file.content.every((byte) => byte === 5));
});

test("what does not fit is told at the flush, and is not written later over something else", () => {
  const { file, handle } = both();
  handle.write(bytes(1, 2), { at: 0 });
  file.room = 0;
  assert.throws(() => {
    handle.flush();
  }, { name: "QuotaExceededError" });
  file.room = 1;
  handle.write(bytes(1, 2), { at: 0 });
  assert.throws(() => {
    handle.flush();
  }, /Of 2 bytes 1 were written/);
  file.room = Infinity;
  handle.flush();
  assert.equal(file.asked.at(-1), "flush");
  assert.deepEqual(file.bytes, [1]);
});

test("all files that are opened are such files, and a file that is refused stays refused", async () => {
  const file = new FakeFile();
  const answers = [Promise.resolve(file), Promise.reject(new DOMException("", "NoModificationAllowedError"))];
  const opener: Opener = { createSyncAccessHandle: () => answers.shift() ?? Promise.resolve(file) };
  writeBehind(opener);
  const handle = await opener.createSyncAccessHandle();
  handle.write(bytes(1), { at: 0 });
  assert.deepEqual(file.asked, []);
  await assert.rejects(opener.createSyncAccessHandle(), { name: "NoModificationAllowedError" });
});
