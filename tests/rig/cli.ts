// The rig's command line: `node --import tsx tests/rig/cli.ts run|call ...`
// Exit codes: 0 it went well, 1 it did not, 2 the command line means nothing.

import { parse, USAGE, UsageError } from "./arguments.ts";
import { call } from "./call.ts";
import { run } from "./run.ts";

const interrupted = new Promise<void>((resolve) => {
  process.once("SIGINT", () => {
    resolve();
  });
  process.once("SIGTERM", () => {
    resolve();
  });
});

async function main(): Promise<number> {
  const command = parse(process.argv.slice(2));
  switch (command.command) {
    case "run":
      return run(command, interrupted);
    case "call":
      return call(command, interrupted);
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (thrown: unknown) => {
    process.stderr.write(`error: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    if (thrown instanceof UsageError) process.stderr.write(USAGE);
    process.exitCode = thrown instanceof UsageError ? 2 : 1;
  },
);
