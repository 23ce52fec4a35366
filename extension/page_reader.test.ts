import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { PageReader, type ReadAnswer, type ReadJob, type ReaderWorker } from "./page_reader.ts";

/** A worker that does nothing but what a test says. */
class FakeWorker implements ReaderWorker {
  readonly jobs: ReadJob[] = [];
  isTerminated = false;
  onmessage: ReaderWorker["onmessage"] = null;
  onerror: ReaderWorker["onerror"] = null;

  postMessage(job: ReadJob): void {
    this.jobs.push(job);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(answer: ReadAnswer): void {
    this.onmessage?.({ data: answer } as MessageEvent<ReadAnswer>);
  }

  breakDown(message: string): void {
    this.onerror?.({ message, preventDefault: () => undefined } as ErrorEvent);
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

function stage() {
  const workers: FakeWorker[] = [];
  const reader = new PageReader(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    { page: 1_000, idle: 5_000 },
  );
  const ended: string[] = [];
  const read = (url: string): void => {
    reader.read(new Uint8Array(), "", url).then(
      (json) => ended.push(`${url} ${json}`),
      (error: unknown) => ended.push(`${url} ${error instanceof Error ? error.message : String(error)}`),
    );
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  return { workers, read, ended, settled };
}

test("pages are read one after the other, by a worker that starts with the first", async () => {
  const { workers, read, ended, settled } = stage();
  assert.equal(workers.length, 0);
  read("a");
  read("b");
  const worker = workers[0];
  assert(worker !== undefined);
  assert.deepEqual(worker.jobs.map(({ url }) => url), ["a"]);
  worker.answer({ id: 7, json: "of nobody" });
  worker.answer({ id: 1, json: "1" });
  assert.deepEqual(worker.jobs.map(({ url }) => url), ["a", "b"]);
  worker.answer({ id: 2, json: "2" });
  await settled();
  assert.deepEqual([workers.length, ended], [1, ["a 1", "b 2"]]);
});

test("a page that takes too long or breaks the worker fails alone", async () => {
  const { workers, read, ended, settled } = stage();
  for (const url of ["a", "b", "c", "d"]) read(url);
  mock.timers.tick(999);
  assert.equal(workers[0]?.isTerminated, false);
  mock.timers.tick(1);
  assert.equal(workers[0].isTerminated, true);
  workers[1]?.breakDown("out of memory");
  workers[2]?.answer({ id: 3, error: "unreachable" });
  workers[3]?.answer({ id: 4, json: "4" });
  // One that has been ended may still have something to say.
  workers[0].answer({ id: 4, json: "late" });
  await settled();
  assert.deepEqual(ended, [
    "a The page could not be read within 1 s.",
    "b The page could not be read: out of memory.",
    "c The page could not be read: unreachable.",
    "d 4",
  ]);
  assert.deepEqual(workers.map(({ isTerminated }) => isTerminated), [true, true, true, false]);
});

test("an idle worker is let go, and the next page starts another", async () => {
  const { workers, read, ended, settled } = stage();
  read("a");
  workers[0]?.answer({ id: 1, json: "1" });
  mock.timers.tick(4_999);
  assert.equal(workers[0]?.isTerminated, false);
  mock.timers.tick(1);
  assert.equal(workers[0].isTerminated, true);
  read("b");
  workers[1]?.answer({ id: 2, json: "2" });
  await settled();
  assert.deepEqual(ended, ["a 1", "b 2"]);
});
