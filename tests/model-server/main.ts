// The model server as a program: node --import tsx tests/model-server/main.ts [--port N] [--demo | --script FILE.json] [--with-parent]

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

import { demoRules } from "./demo.ts";
import { isRecord, parseJson } from "./json.ts";
import { Faults, listOf } from "./misbehave.ts";
import type { Misbehaviour } from "./misbehave.ts";
import type { Step } from "./script.ts";
import { ModelServer } from "./server.ts";
import type { ModelRequest } from "./server.ts";

const usage = "usage: main.ts [--port N] [--demo | --script FILE.json] [--with-parent]";

class UsageError extends Error {}

interface Arguments {
  port: number;
  script: string | undefined;
  withParent: boolean;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      demo: { type: "boolean", default: false },
      script: { type: "string" },
      "with-parent": { type: "boolean", default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port needs a number from 0 to 65535, not "${values.port}".`);
  if (values.demo && values.script !== undefined) throw new UsageError("Give --demo or --script, not both.");
  return { port, script: values.script, withParent: values["with-parent"] };
}

async function readScript(file: string): Promise<Step[]> {
  const steps = parseJson(await readFile(file, "utf8"));
  if (!Array.isArray(steps) || !steps.every(isRecord)) throw new UsageError(`${file} has to hold a JSON array of steps.`);
  // A misbehaviour that does not exist is told now, and not at the request it was meant for.
  for (const step of steps) new Faults(listOf(step["misbehave"] as Misbehaviour | Misbehaviour[] | undefined));
  return steps;
}

function logWhenEnded(request: ModelRequest): void {
  void request.ended.then(() => {
    const ms = Date.now() - request.at;
    const refused = request.refused === null ? "" : ` (refused: ${request.refused})`;
    process.stderr.write(`${request.number} POST ${request.path} ${request.status} ${request.outcome} ${ms} ms${refused}\n`);
  });
}

async function main(): Promise<void> {
  const { port, script, withParent } = readArguments();
  const server = await ModelServer.start({ port, onRequest: logWhenEnded, ...(script === undefined ? { rules: demoRules } : {}) });
  if (script !== undefined) server.play(await readScript(script));

  const stop = () => void server.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  if (withParent) process.stdin.once("end", stop).once("error", stop).resume();
  process.stdout.write(`listening on ${server.url}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError || (isRecord(error) && String(error["code"]).startsWith("ERR_PARSE_ARGS"))) process.stderr.write(`${usage}\n`);
  process.exit(2);
});
