import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import type { ModelServer } from "./server.ts";
import { read, requestOf, send } from "./support.ts";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

interface Run {
  child: ChildProcessWithoutNullStreams;
  out: () => string;
  err: () => string;
  ended: Promise<number | null>;
}

function run(...args: string[]): Run {
  // The same loaders as this process has, so that TypeScript runs there too.
  const child = spawn(process.execPath, [...process.execArgv.filter((each) => !each.startsWith("--test")), program, ...args]);
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return { child, out: () => out, err: () => err, ended: once(child, "close").then(([code]) => code as number | null) };
}

/** The address it says it listens on. `send` needs nothing else of a server. */
async function listening({ child, out, err }: Run): Promise<Pick<ModelServer, "url">> {
  while (!out().includes("\n")) {
    if (child.exitCode !== null) throw new Error(`It ended: ${err()}`);
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }
  const [, url] = /^listening on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(out()) ?? [];
  assert.ok(url !== undefined, out());
  return { url };
}

test("the demo answers, logs one line a request, and ends on SIGTERM", async () => {
  const server = run("--demo");
  const at = await listening(server);
  const reply = await send(at as ModelServer, requestOf("openai", { text: "hello" }));
  assert.match(read("openai", reply.text).text, /scripted demo/);
  server.child.kill("SIGTERM");
  assert.equal(await server.ended, 0);
  assert.match(server.err(), /^1 POST \/v1\/chat\/completions 200 complete \d+ ms\n$/);
  assert.equal(server.out().split("\n").length, 2);
});

test("a script file is played, and SIGINT ends it in the middle of an answer", async () => {
  const folder = await mkdtemp(join(tmpdir(), "model-server-"));
  try {
    const file = join(folder, "script.json");
    await writeFile(file, JSON.stringify([{ text: "from the file", misbehave: "crlf" }, { misbehave: { kind: "stall", at: "headers" } }]));
    const server = run("--script", file);
    const at = (await listening(server)) as ModelServer;
    const reply = await send(at, requestOf("anthropic"));
    assert.equal(read("anthropic", reply.text).text, "from the file");
    assert.match(reply.text, /\r\n/);
    const pending = send(at, requestOf("gemini"));
    setTimeout(() => server.child.kill("SIGINT"), 100);
    assert.equal((await pending).ended, "broken");
    assert.equal(await server.ended, 0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("with --with-parent it ends when its standard input is closed", async () => {
  const server = run("--with-parent");
  await listening(server);
  server.child.stdin.end();
  assert.equal(await server.ended, 0);
});

test("the given port is used", async () => {
  const first = run();
  const { url } = await listening(first);
  first.child.kill("SIGTERM");
  await first.ended;
  const port = new URL(url).port;
  const second = run("--port", port);
  assert.equal((await listening(second)).url, url);
  second.child.kill("SIGTERM");
  await second.ended;
});

for (const [args, words] of [
  [["--port", "abc"], /--port needs a number.*\nusage:/],
  [["--nonsense"], /usage:/],
  [["--demo", "--script", "x.json"], /not both/],
  [["--script", "does-not-exist.json"], /ENOENT/],
] as const) {
  test(`${args.join(" ")} is refused with a word of help`, async () => {
    const server = run(...args);
    assert.equal(await server.ended, 2);
    assert.match(server.err(), words);
    assert.equal(server.out(), "");
  });
}
