// The workspace's files, in the extension's own file system (OPFS).
//
// Invariant: whenever this worker or the whole browser dies, a file holds its old or its new bytes.
// A write fills a file outside the workspace, flushes it to the disk, and then moves it into its
// place in one step. (`createWritable` would leave an empty file where a new one was to be, and its
// own unfinished file beside it.)

/** The directory of the workspace. Never change it: it is where people's files are. */
const WORKSPACE = ["workspace"];
/** Where files are written before they have their name. What is left in there is of a life before. */
const UNFINISHED = ["tabwright", "unfinished"];
/** A file that is replaced between its opening and its reading is opened again. */
const ATTEMPTS = 3;

/** What went wrong: the core's words for it. */
export type FileErrorKind = "not_found" | "invalid" | "full" | "locked" | "failed";

/** A failure, with the kind that the core tells apart. */
export class FileError extends Error {
  constructor(
    readonly kind: FileErrorKind,
    message: string,
  ) {
    super(message);
  }
}

/** The beginning of a file. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** Of the whole file. */
  readonly size: number;
}

/** What a directory holds; a file has a size. */
export interface FileEntry {
  readonly name: string;
  readonly size: number | null;
}

/** The part of `FileSystemSyncAccessHandle` that is used. */
export interface AccessHandle {
  write(bytes: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}

/** The part of `FileSystemFileHandle` that is used. */
export interface FileHandle {
  readonly kind: "file";
  readonly name: string;
  getFile(): Promise<File>;
  createSyncAccessHandle(): Promise<AccessHandle>;
  move(directory: DirectoryHandle, name: string): Promise<void>;
}

/** The part of `FileSystemDirectoryHandle` that is used. */
export interface DirectoryHandle {
  readonly kind: "directory";
  readonly name: string;
  getFileHandle(name: string, options?: { create: boolean }): Promise<FileHandle>;
  getDirectoryHandle(name: string, options?: { create: boolean }): Promise<DirectoryHandle>;
  removeEntry(name: string, options?: { recursive: boolean }): Promise<void>;
  values(): AsyncIterable<FileHandle | DirectoryHandle>;
}

/** The workspace. Paths are relative, with `/` between the parts, and checked by the core. */
export class WorkspaceFiles {
  private readonly urls = new Map<string, string>();
  private unfinished: Promise<DirectoryHandle> | null = null;
  private written = 0;

  /** `root` gives the root of the origin's file system. */
  constructor(private readonly root: () => Promise<DirectoryHandle>) {}

  /** The bytes of a file. */
  async read(path: string): Promise<Uint8Array> {
    return this.withFile(path, async (file) => new Uint8Array(await file.arrayBuffer()));
  }

  /** Its first bytes, at most that many. */
  async head(path: string, maxBytes: number): Promise<FileHead> {
    return this.withFile(path, async (file) => {
      const bytes = new Uint8Array(await file.slice(0, maxBytes).arrayBuffer());
      return { bytes, size: file.size };
    });
  }

  /** An address of the file, until it is written or removed or this worker ends. */
  async blobUrl(path: string, mimeType: string): Promise<string> {
    const known = this.urls.get(path);
    if (known !== undefined) return known;
    const url = await this.withFile(path, (file) => Promise.resolve(URL.createObjectURL(file.slice(0, file.size, mimeType))));
    this.urls.set(path, url);
    return url;
  }

  /** Writes a whole file, making its parents. All or nothing. */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    await telling(path, async () => {
      const { parent, name } = await this.placeFor(path);
      const file = await this.writeUnfinished(bytes);
      try {
        await file.move(parent, name);
      } catch (thrown) {
        await (await this.unfinishedDirectory()).removeEntry(file.name);
        throw thrown;
      }
    });
    this.forgetUrls(path);
  }

  /** What a directory holds, sorted by name. The root is the empty path. */
  async list(path: string): Promise<FileEntry[]> {
    return telling(path, async () => {
      const directory = await this.directory(path);
      const entries: FileEntry[] = [];
      for await (const entry of directory.values()) {
        const size = entry.kind === "file" ? (await entry.getFile()).size : null;
        entries.push({ name: entry.name, size });
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  /** Removes a file, or a directory and all it holds. */
  async remove(path: string): Promise<void> {
    await telling(path, async () => {
      const [, name] = split(path);
      const parent = await this.directoryOf(path);
      await parent.removeEntry(name, { recursive: true });
    });
    this.forgetUrls(path);
  }

  private async withFile<T>(path: string, work: (file: File) => Promise<T>): Promise<T> {
    return telling(path, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const handle = await this.file(path);
        try {
          return await work(await handle.getFile());
        } catch (thrown) {
          const wasReplaced = isA(thrown, "NotReadableError") || isA(thrown, "NotFoundError");
          if (!wasReplaced || attempt === ATTEMPTS) throw thrown;
        }
      }
    });
  }

  private async file(path: string): Promise<FileHandle> {
    const [, name] = split(path);
    const parent = await this.directoryOf(path);
    return parent.getFileHandle(name).catch((thrown: unknown) => {
      throw isA(thrown, "TypeMismatchError") ? notA(path, "file") : thrown;
    });
  }

  /** The directory with that path. */
  private async directory(path: string): Promise<DirectoryHandle> {
    let directory = await this.workspace();
    const names = parts(path);
    for (const [index, name] of names.entries()) {
      directory = await directory.getDirectoryHandle(name).catch((thrown: unknown) => {
        if (!isA(thrown, "TypeMismatchError")) throw thrown;
        throw index === names.length - 1 ? notA(path, "directory") : missing(path);
      });
    }
    return directory;
  }

  /** The directory that holds what has that path. When there is a file in its place, nothing has it. */
  private directoryOf(path: string): Promise<DirectoryHandle> {
    const [parentPath] = split(path);
    return this.directory(parentPath).catch((thrown: unknown) => {
      throw thrown instanceof FileError ? missing(path) : thrown;
    });
  }

  /** Where a file is to be: its directory, made if need be, and its name in there. */
  private async placeFor(path: string): Promise<{ parent: DirectoryHandle; name: string }> {
    const [parentPath, name] = split(path);
    let parent = await this.workspace();
    let reached = "";
    for (const part of parts(parentPath)) {
      reached = reached === "" ? part : `${reached}/${part}`;
      const here = reached;
      parent = await parent.getDirectoryHandle(part, { create: true }).catch((thrown: unknown) => {
        throw isA(thrown, "TypeMismatchError") ? notA(here, "directory") : thrown;
      });
    }
    await parent.getFileHandle(name).catch((thrown: unknown) => {
      if (isA(thrown, "NotFoundError")) return;
      throw isA(thrown, "TypeMismatchError") ? notA(path, "file") : thrown;
    });
    return { parent, name };
  }

  private async writeUnfinished(bytes: Uint8Array): Promise<FileHandle> {
    const directory = await this.unfinishedDirectory();
    const file = await directory.getFileHandle(String((this.written += 1)), { create: true });
    try {
      const access = await file.createSyncAccessHandle();
      try {
        access.truncate(0);
        const count = access.write(bytes, { at: 0 });
        if (count < bytes.length) throw new FileError("full", `only ${count} of ${bytes.length} bytes could be written`);
        access.flush();
      } finally {
        access.close();
      }
      return file;
    } catch (thrown) {
      await directory.removeEntry(file.name);
      throw thrown;
    }
  }

  /** Emptied once: there is one core at a time, so nobody writes what is in there. */
  private unfinishedDirectory(): Promise<DirectoryHandle> {
    const make = async (): Promise<DirectoryHandle> => {
      const directory = await descend(await this.root(), UNFINISHED);
      const left: string[] = [];
      for await (const { name } of directory.values()) left.push(name);
      // The name of what cannot be removed yet is not given again.
      await Promise.all(left.map((name) => directory.removeEntry(name).catch(() => undefined)));
      this.written = Math.max(this.written, ...left.map(Number).filter(Number.isSafeInteger));
      return directory;
    };
    this.unfinished ??= make().catch((thrown: unknown) => {
      this.unfinished = null;
      throw thrown;
    });
    return this.unfinished;
  }

  private async workspace(): Promise<DirectoryHandle> {
    return descend(await this.root(), WORKSPACE);
  }

  private forgetUrls(path: string): void {
    for (const [known, url] of this.urls) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      URL.revokeObjectURL(url);
      this.urls.delete(known);
    }
  }
}

async function descend(root: DirectoryHandle, names: readonly string[]): Promise<DirectoryHandle> {
  let directory = root;
  for (const name of names) directory = await directory.getDirectoryHandle(name, { create: true });
  return directory;
}

/** Does the work; a failure is told in the core's words. */
async function telling<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof FileError ? thrown : translate(thrown, path);
  }
}

function translate(thrown: unknown, path: string): FileError {
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  switch (name) {
    case "NotFoundError":
      return missing(path);
    case "QuotaExceededError":
      return new FileError("full", "there is no room left on this computer's disk, or in what Chrome allows of it");
    case "NoModificationAllowedError":
      return new FileError("locked", `\`${path}\` is in use`);
    case "TypeError":
      return new FileError("invalid", `\`${path}\` is no path: ${message}`);
    default:
      return new FileError("failed", message);
  }
}

function missing(path: string): FileError {
  return new FileError("not_found", `there is no \`${path}\``);
}

function notA(path: string, wanted: string): FileError {
  return new FileError("invalid", `\`${path}\` is not a ${wanted}`);
}

function isA(thrown: unknown, name: string): boolean {
  return thrown instanceof Error && thrown.name === name;
}

function parts(path: string): string[] {
  return path === "" ? [] : path.split("/");
}

/** The path of the parent, and the name in there. */
function split(path: string): [string, string] {
  const end = path.lastIndexOf("/");
  return end < 0 ? ["", path] : [path.slice(0, end), path.slice(end + 1)];
}
