// Servers of other makers, each in a Python environment of its own under `target/`.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HOME = `${ROOT}target/real-server`;
const START_MILLIS = 180_000;
const POLL_MILLIS = 500;

/** The key that the servers want. */
export const KEY = "sk-real-server";
/** A window that the agent's own tools do not fit into, and one that they do. */
export const SMALL_WINDOW = 2_048;
export const WINDOW = 32_768;

/** A server that runs. */
export interface RealServer {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly process: ChildProcess;
}

/** llama.cpp by way of llama-cpp-python's server, with a tiny model of random weights. */
export async function llama(): Promise<RealServer> {
  // Built from source, which takes a while the first time; for any machine, not for this one alone.
  const python = environment("venv", ["gguf", "llama-cpp-python[server]"], { CMAKE_ARGS: "-DGGML_NATIVE=OFF" });
  const model = `${HOME}/tiny.gguf`;
  const script = fileURLToPath(new URL("tiny_model.py", import.meta.url));
  execFileSync(python, [script, model, `${ROOT}ARCHITECTURE.md`, `${ROOT}CONTRIBUTING.md`], { stdio: "inherit" });
  const port = await freePort();
  const of = (alias: string, chatFormat: string, window: number): object => ({ model, model_alias: alias, chat_format: chatFormat, n_ctx: window, n_threads: 2, verbose: false });
  const models = [of("noise", "chatml", WINDOW), of("calls", "chatml-function-calling", WINDOW), of("small", "chatml", SMALL_WINDOW)];
  const config = `${HOME}/llama.json`;
  writeFileSync(config, JSON.stringify({ host: "127.0.0.1", port, api_key: KEY, models }));
  const process = started("llama", python, ["-m", "llama_cpp.server", "--config_file", config]);
  return up({ name: "llama.cpp (llama-cpp-python)", version: versionOf(python, "llama-cpp-python"), url: `http://127.0.0.1:${port}`, process });
}

/** LiteLLM's proxy, whose models answer by rote: its own code for each wire format. */
export async function litellm(): Promise<RealServer> {
  const python = environment("litellm", ["litellm[proxy]"], {});
  const port = await freePort();
  // A maker whose models LiteLLM asks by chat completions alone, so that the other formats are its own
  // translation; what it does not answer by rote reaches nobody.
  const own = { model: "groq/rote", api_key: "none", api_base: "http://127.0.0.1:9" };
  const of = (name: string, parameters: object): object => ({ model_name: name, litellm_params: { ...own, ...parameters } });
  const call = { id: "call_1", type: "function", function: { name: "list_tabs", arguments: "{}" } };
  const models = [
    of("words", { mock_response: "Grüße – 日本語 😀, said by rote." }),
    of("calls", { mock_response: "", mock_tool_calls: [call] }),
    of("small", { mock_response: "litellm.ContextWindowExceededError" }),
    of("busy", { mock_response: "litellm.RateLimitError" }),
  ];
  const config = `${HOME}/litellm.json`;
  // YAML has JSON in it.
  writeFileSync(config, JSON.stringify({ model_list: models, general_settings: { master_key: KEY }, litellm_settings: { num_retries: 0 } }));
  const process = started("litellm", python.replace(/python$/, "litellm"), ["--config", config, "--host", "127.0.0.1", "--port", String(port)]);
  return up({ name: "LiteLLM", version: versionOf(python, "litellm"), url: `http://127.0.0.1:${port}`, process });
}

/** The Python of an environment that has these packages. */
function environment(name: string, packages: readonly string[], variables: Readonly<Record<string, string>>): string {
  const folder = `${HOME}/${name}`;
  const python = `${folder}/bin/python`;
  mkdirSync(HOME, { recursive: true });
  if (!existsSync(python)) execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
  // With everything there, pip looks and does nothing.
  execFileSync(python, ["-m", "pip", "install", "--quiet", ...packages], { stdio: "inherit", env: { ...process.env, ...variables } });
  return python;
}

function versionOf(python: string, name: string): string {
  return execFileSync(python, ["-c", `import importlib.metadata as m; print(m.version(${JSON.stringify(name)}))`], { encoding: "utf8" }).trim();
}

function started(name: string, program: string, words: readonly string[]): ChildProcess {
  const log = openSync(`${HOME}/${name}.log`, "w");
  return spawn(program, words, { stdio: ["ignore", log, log], cwd: HOME });
}

async function up(server: RealServer): Promise<RealServer> {
  const limit = Date.now() + START_MILLIS;
  while (Date.now() < limit && server.process.exitCode === null) {
    const answer = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } }).catch(() => null);
    if (answer?.ok === true) return server;
    await sleep(POLL_MILLIS);
  }
  server.process.kill();
  throw new Error(`${server.name} did not start; its log is in ${HOME}.`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
