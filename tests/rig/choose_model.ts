// Which model `run` uses: the one that was named, else the best that is there without asking.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { ModelDraft } from "../../www/generated/protocol.ts";

/** What a person may say about the model. */
export interface ModelWish {
  /** The base address of a server that speaks OpenAI's chat completions. */
  readonly address: string | undefined;
  readonly modelId: string | undefined;
  readonly key: string | undefined;
}

/** A model to use, and why. */
export interface Choice {
  readonly draft: ModelDraft;
  readonly reason: string;
  /** The model's server, when it was started for this. */
  readonly server: ChildProcess | null;
}

/** Records of ours, so that a kept profile does not collect a new one at every start. */
export const RIG_MODEL_PREFIX = "rig-";

const OLLAMA = "http://127.0.0.1:11434";
const PROBE_MILLIS = 2_000;
/** How much of the demo server's log is kept, in characters. */
const LOG_KEPT = 2_000;

/** Chooses a model. `page` is one of the extension's own pages. */
export async function chooseModel(wish: ModelWish, page: Page): Promise<Choice> {
  if (wish.address !== undefined) return named(wish.address, wish);
  return (await builtIn(page)) ?? (await ollama(wish.modelId)) ?? (await demo());
}

async function named(address: string, { modelId, key }: ModelWish): Promise<Choice> {
  const model = modelId ?? (await firstModelOf(address, key));
  return {
    draft: draft("named", { name: model, provider: "open_ai_chat", address, model, key: key ?? null }),
    reason: `${model} at ${address}, as asked`,
    server: null,
  };
}

async function firstModelOf(address: string, key: string | undefined): Promise<string> {
  const url = `${address.replace(/\/$/, "")}/models`;
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const nameIt = "name a model with --model-id";
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(PROBE_MILLIS) });
  } catch {
    throw new Error(`Nothing answers at ${address}. Check that the model server runs and that the address has its port.`);
  }
  if (!response.ok) {
    const hint = /\/v\d+\/?$/.test(address) ? "" : ` Most servers' addresses end in /v1, such as ${address.replace(/\/$/, "")}/v1.`;
    throw new Error(`${url} answers with status ${response.status}, so its models are not known.${hint} Or ${nameIt}.`);
  }
  const list = (await response.json().catch(() => null)) as { data?: { id: string }[] } | null;
  const first = list?.data?.[0]?.id;
  if (first === undefined) throw new Error(`${url} lists no models. Please ${nameIt}.`);
  return first;
}

async function builtIn(page: Page): Promise<Choice | null> {
  const availability = await page.evaluate(async () => {
    const { LanguageModel } = globalThis as { LanguageModel?: { availability(): Promise<string> } };
    return LanguageModel === undefined ? "absent" : LanguageModel.availability().catch(() => "absent");
  });
  if (availability !== "available") return null;
  const name = "Chrome's built-in model";
  return {
    draft: draft("chrome", { name, provider: "chrome_built_in", address: "", model: "chrome", key: null }),
    reason: `${name}, which is on this computer`,
    server: null,
  };
}

async function ollama(modelId: string | undefined): Promise<Choice | null> {
  const tags = await getJson<{ models?: { name: string }[] }>(`${OLLAMA}/api/tags`);
  const names = (tags?.models ?? []).map(({ name }) => name);
  const model = modelId ?? (await firstWithTools(names)) ?? names[0];
  if (model === undefined || names.length === 0) return null;
  return {
    draft: draft("ollama", { name: `Ollama ${model}`, provider: "open_ai_chat", address: `${OLLAMA}/v1`, model, key: null }),
    reason: `${model} of the Ollama that runs on this computer`,
    server: null,
  };
}

async function firstWithTools(names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const shown = await getJson<{ capabilities?: string[] }>(`${OLLAMA}/api/show`, {
      method: "POST",
      body: JSON.stringify({ model: name }),
    });
    if (shown?.capabilities?.includes("tools") === true) return name;
  }
  return null;
}

async function demo(): Promise<Choice> {
  const main = fileURLToPath(new URL("../model-server/main.ts", import.meta.url));
  const server = spawn(process.execPath, ["--import", "tsx", main, "--demo", "--with-parent"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const address = `${await listeningAddress(server)}/v1`;
  const model = "tabwright-demo";
  return {
    draft: { ...draft("demo", { name: "Demo (scripted)", provider: "open_ai_chat", address, model, key: null }), scripted: true },
    reason: "the scripted demo, because no model was found: its answers are not a model's. Name one with --model",
    server,
  };
}

async function listeningAddress(server: ChildProcess): Promise<string> {
  if (server.stdout === null || server.stderr === null) throw new Error("The demo server has no output.");
  // Its log would stand in the middle of the transcript; what it says is wanted only if it does not start.
  let log = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = `${log}${text}`.slice(-LOG_KEPT);
  });
  for await (const line of createInterface(server.stdout)) {
    const match = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line);
    if (match?.[1] !== undefined) return match[1];
  }
  throw new Error(`The demo server ended before it listened. ${log.trim()}`);
}

function draft(id: string, fields: Omit<ModelDraft, "id" | "scripted" | "context_window">): ModelDraft {
  return { id: `${RIG_MODEL_PREFIX}${id}`, scripted: false, context_window: null, ...fields };
}

/** The JSON at an address, or null when there is none to be had soon. */
async function getJson<T>(url: string, init: RequestInit = {}): Promise<T | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PROBE_MILLIS) });
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}
