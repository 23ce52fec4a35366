// A file that is written in runs: SQLite appends to its log in many small writes, each of which costs
// more than the bytes in it, and asks for none of them to be on disk before it says so.
//
// Invariant: after `flush` everything written is on disk, or `flush` has thrown; what is read is what
// was written last. A worker that dies in between loses what it could have lost without this.

/** What of a file's handle is used here; a worker's `FileSystemSyncAccessHandle` is one. */
export interface SyncHandle {
  read(into: Uint8Array, options?: { at?: number }): number;
  write(bytes: Uint8Array, options?: { at?: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

/** Room for what a step usually writes, in bytes. It grows when a step writes more. */
const ROOM = 64 * 1024;
/** A run that has grown longer than this is written out: a large import is not kept twice. */
const LONGEST_RUN = 1024 * 1024;

/** A handle whose writes wait, while they follow each other, until they are needed. */
export class WriteBehind implements SyncHandle {
  private room = new Uint8Array(ROOM);
  /** Where in the file the waiting run begins, and how long it is. */
  private start = 0;
  private length = 0;

  constructor(private readonly handle: SyncHandle) {}

  write(bytes: Uint8Array, options?: { at?: number }): number {
    const at = options?.at;
    if (at === undefined) throw new Error("A write must say where.");
    if (at !== this.start + this.length || this.length + bytes.length > LONGEST_RUN) this.writeOut();
    if (this.length === 0) this.start = at;
    this.makeRoom(this.length + bytes.length);
    this.room.set(bytes, this.length);
    this.length += bytes.length;
    return bytes.length;
  }

  read(into: Uint8Array, options?: { at?: number }): number {
    this.writeOut();
    return this.handle.read(into, options);
  }

  truncate(size: number): void {
    this.writeOut();
    this.handle.truncate(size);
  }

  getSize(): number {
    this.writeOut();
    return this.handle.getSize();
  }

  flush(): void {
    this.writeOut();
    this.handle.flush();
  }

  close(): void {
    try {
      this.writeOut();
    } finally {
      this.handle.close();
    }
  }

  /** What cannot be written is forgotten: SQLite is told, and takes the whole step back. */
  private writeOut(): void {
    const { start, length } = this;
    this.length = 0;
    if (length === 0) return;
    const written = this.handle.write(this.room.subarray(0, length), { at: start });
    if (written !== length) throw new Error(`Of ${length} bytes ${written} were written.`);
  }

  private makeRoom(needed: number): void {
    if (needed <= this.room.length) return;
    const room = new Uint8Array(Math.max(needed, 2 * this.room.length));
    room.set(this.room.subarray(0, this.length));
    this.room = room;
  }
}

/** What opens files for synchronous work: `FileSystemFileHandle.prototype`. */
export interface Opener {
  createSyncAccessHandle: (this: Opener, ...options: unknown[]) => Promise<SyncHandle>;
}

/** Makes all files that are opened from now on ones that are written in runs. */
export function writeBehind(opener: Opener): void {
  const { createSyncAccessHandle: open } = opener;
  opener.createSyncAccessHandle = async function (...options) {
    return new WriteBehind(await open.apply(this, options));
  };
}
