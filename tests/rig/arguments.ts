// The command line of the rig.

import { parseArgs } from "node:util";

/** What every command takes. */
interface Common {
  readonly dist: string;
  readonly chromium: string | undefined;
}

/** `run`, read. */
export interface RunCommand extends Common {
  readonly command: "run";
  readonly headless: boolean;
  readonly ask: string | undefined;
  readonly model: string | undefined;
  readonly modelId: string | undefined;
  readonly profile: string | undefined;
  readonly screenshot: string;
  readonly reload: boolean;
}

/** `call`, read. */
export interface CallCommand extends Common {
  readonly command: "call";
  readonly tool: string;
  readonly toolArguments: string;
  readonly url: string;
}

/** A command line that means nothing. */
export class UsageError extends Error {}

export const USAGE = `run [--headless] [--ask TEXT] [--model ADDRESS] [--model-id ID] [--keep-profile DIR]
    [--screenshot FILE] [--reload] [--dist DIR] [--chromium PATH]
        start Chromium with the extension; --ask sends one message and prints what happens
        the key for --model is taken from the environment: TABWRIGHT_MODEL_KEY
call TOOL JSON [--url ADDRESS] [--dist DIR] [--chromium PATH]
        call one tool and print exactly what a model would be given
`;

const COMMON = {
  dist: { type: "string", default: "dist" },
  chromium: { type: "string" },
} as const;

/** Reads the words after the program's name. Throws `UsageError`. */
export function parse(words: readonly string[]): RunCommand | CallCommand {
  const [command, ...rest] = words;
  try {
    if (command === "run") return parseRun(rest);
    if (command === "call") return parseCall(rest);
  } catch (thrown) {
    if (thrown instanceof UsageError || !(thrown instanceof TypeError)) throw thrown;
    throw new UsageError(thrown.message);
  }
  throw new UsageError(command === undefined ? "Name a command." : `There is no command ${command}.`);
}

function parseRun(words: string[]): RunCommand {
  const { values } = parseArgs({
    args: words,
    options: {
      ...COMMON,
      headless: { type: "boolean", default: false },
      ask: { type: "string" },
      model: { type: "string" },
      "model-id": { type: "string" },
      "keep-profile": { type: "string" },
      screenshot: { type: "string", default: "target/panel.png" },
      reload: { type: "boolean", default: false },
    },
  });
  const { headless, ask, model, reload, screenshot, dist, chromium } = values;
  if (headless && ask === undefined) throw new UsageError("--headless shows nothing by itself. Give it --ask TEXT.");
  if (headless && reload) throw new UsageError("--reload is for a browser that stays: leave --headless out.");
  if (ask?.trim() === "") throw new UsageError("--ask needs a question.");
  if (model !== undefined && !/^https?:\/\//.test(model)) {
    throw new UsageError(`--model needs an http or https address such as http://127.0.0.1:8080/v1, not ${model}.`);
  }
  const [modelId, profile] = [values["model-id"], values["keep-profile"]];
  return { command: "run", headless, ask, model, modelId, profile, screenshot, reload, dist, chromium };
}

function parseCall(words: string[]): CallCommand {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { ...COMMON, url: { type: "string", default: "about:blank" } },
  });
  const [tool, toolArguments, ...more] = positionals;
  if (tool === undefined || toolArguments === undefined || more.length > 0) {
    throw new UsageError("call needs a tool and its arguments, such as: call list_tabs '{}'");
  }
  return { command: "call", tool, toolArguments, url: values.url, dist: values.dist, chromium: values.chromium };
}
