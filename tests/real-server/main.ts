// The product in real Chromium against model servers of other makers.
//
//     cargo xtask real-server [llama|litellm]
//     node --import tsx tests/real-server/main.ts      (with the extension built)
//
// Prints what each showed, a line a question. What was said is kept in target/real-server/recorded,
// byte for byte, so that a defect becomes a test that replays it. It judges one thing: a request that
// a server refused as too long is never sent again unchanged.

import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { ItemBody, ModelDraft, ProviderKind } from "../../www/generated/protocol.ts";
import { SETTINGS } from "../e2e/panel_page.ts";
import { Browser } from "../rig/browser.ts";
import { CoreClient } from "../rig/core_client.ts";
import { type Exchange, Recorder } from "./recorder.ts";
import { KEY, litellm, llama, type RealServer } from "./servers.ts";

const DIST = process.env["TABWRIGHT_DIST"] ?? new URL("../../dist", import.meta.url).pathname;
const RECORDED = new URL("../../target/real-server/recorded/", import.meta.url).pathname;
const TURN_MILLIS = 300_000;
const CHECK_MILLIS = 600_000;
/** Enough to see that it streams: a model of noise seldom ends by itself. */
const OUTPUT_LIMIT = 120;
const SHOWN = 160;
const TEXT = "Which tabs are open? List them.";
/** Longer than the small window, whatever a token is. */
const LONG = "The tabs are open and the model is asked for them. ".repeat(600);
const CAN = { tools: "unknown", parallel_tools: "unknown", vision: "unknown", thinking: "unknown", image_output: "unknown" } as const;

/** A question: a model of the server, how it is spoken to, and what is done. */
interface Question {
  readonly name: string;
  readonly provider: ProviderKind;
  readonly model: string;
  readonly key?: string;
  readonly isCheck?: boolean;
  /** What the person writes. */
  readonly text?: string;
}

interface Shown {
  readonly name: string;
  readonly said: string;
  readonly broken: boolean;
}

const SERVERS: Readonly<Record<string, { readonly start: () => Promise<RealServer>; readonly questions: readonly Question[] }>> = {
  llama: { start: llama, questions: questions("open_ai_chat", ["noise", "calls", "small", "no-such-model"], "noise") },
  litellm: {
    start: litellm,
    questions: (["open_ai_chat", "open_ai_responses", "anthropic"] as const).flatMap((provider) => questions(provider, ["words", "calls", "small", "busy", "no-such-model"], "words")),
  },
};

function questions(provider: ProviderKind, models: readonly string[], usual: string): Question[] {
  const of = (model: string, rest: Partial<Question> = {}): Question => ({ name: `${provider}, a turn with ${model}`, provider, model, ...rest });
  return [
    ...models.map((model) => (model === "small" ? of(model, { name: `${provider}, a turn too long for small`, text: LONG }) : of(model))),
    of(usual, { name: `${provider}, a turn with a wrong key`, key: "sk-wrong" }),
    ...[usual, "calls"].map((model) => of(model, { name: `${provider}, ${model} is tried out`, isCheck: true })),
  ];
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in SERVERS));
  if (unknown !== undefined) throw new Error(`There is no server “${unknown}”. There are: ${Object.keys(SERVERS).join(", ")}.`);
  mkdirSync(RECORDED, { recursive: true });
  for (const [name, { start, questions }] of Object.entries(SERVERS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const server = await start();
    try {
      console.log(`${server.name} ${server.version}`);
      for (const question of questions) {
        const { name: asked, said, broken } = await put(question, server);
        console.log(`  ${asked}: ${said}`);
        if (broken) process.exitCode = 1;
      }
    } finally {
      server.process.kill();
    }
  }
}

/** Each question has a browser and a recorder of its own, so that none hears of another. */
async function put(question: Question, server: RealServer): Promise<Shown> {
  const recorder = await Recorder.start(server.url);
  const browser = await Browser.launch({ dist: DIST, headless: true });
  try {
    const client = await CoreClient.connect(await browser.openPage(browser.extensionUrl("options.html")));
    const { provider, model, key = KEY } = question;
    const address = provider === "anthropic" ? recorder.url : `${recorder.url}/v1`;
    const options = { temperature: null, reasoning: null, output_limit: OUTPUT_LIMIT, headers: [], can: CAN, text_calls: false, prices: null };
    const draft: ModelDraft = { id: "real", name: "Real", provider, address, model, key, scripted: false, context_window: null, options };
    await client.submit({ type: "save_model", model: draft });
    await client.submit({ type: "use_model", model: "real", role: "current" });
    await client.submit({ type: "save_settings", settings: { ...SETTINGS, max_rounds: 2 } });
    const said = question.isCheck === true ? await tryOut(client) : await turn(client, question.text ?? TEXT);
    keep(question, recorder.exchanges);
    const repeated = sentAgain(recorder.exchanges);
    const end = repeated > 0 ? ` DEFECT: ${repeated} requests that were too long were sent again unchanged.` : "";
    return { name: question.name, said: `${said} ${network(recorder.exchanges)}${end}`, broken: repeated > 0 };
  } catch (error) {
    keep(question, recorder.exchanges);
    return { name: question.name, said: `${String(error)} ${network(recorder.exchanges)}`, broken: true };
  } finally {
    await browser.close();
    recorder.close();
  }
}

async function tryOut(client: CoreClient): Promise<string> {
  const answer = await client.submit({ type: "check_model", model: "real" }, CHECK_MILLIS);
  if (answer.type !== "model_checked") return answer.type;
  const { verdict, message, mended, can } = answer.report;
  return [`${verdict}: ${short(message)}`, ...mended, `tools ${can.tools}, parallel ${can.parallel_tools}, vision ${can.vision}`].join(" | ");
}

async function turn(client: CoreClient, text: string): Promise<string> {
  let changes = 0;
  const stop = client.onEvent(({ event }) => {
    if (event.type !== "snapshot" && "item" in event) changes += 1;
    else if (event.type.startsWith("item_") || event.type.startsWith("message_")) changes += 1;
  });
  const { items, end } = await client.ask(randomUUID(), text, null, TURN_MILLIS);
  stop();
  const { input, output } = end.usage;
  const parts = items.map(({ body }) => partOf(body)).filter((part) => part !== "");
  return [`${end.reason}, ${input} tokens in, ${output} out, ${changes} changes shown`, ...parts].join(" | ");
}

function partOf(body: ItemBody): string {
  switch (body.kind) {
    case "assistant_message":
      return `text of ${body.text.length} characters “${short(body.text)}”${body.thinking === "" ? "" : `, ${body.thinking.length} of thinking`}`;
    case "tool_call":
      return `call ${body.tool} ${short(body.arguments)} (${JSON.stringify(body.state).slice(0, 60)})`;
    case "notice":
      return `notice ${body.code}: ${short(body.text)}`;
    case "user_message":
    case "question":
    case "summary":
    case "turn_end":
    case "gone":
      return "";
  }
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** What went over the wire, in a few words. */
function network(exchanges: readonly Exchange[]): string {
  const shown = exchanges.map(({ status, pieces }) => `${status} in ${pieces.length}`);
  return `[${shown.join(", ")} pieces]`;
}

/** How many requests were sent again, byte for byte, after the server had found them too long. */
function sentAgain(exchanges: readonly Exchange[]): number {
  const tooLong = new Set<string>();
  let again = 0;
  for (const { asked, status, pieces } of exchanges) {
    if (tooLong.has(asked)) again += 1;
    const said = Buffer.concat(pieces).toString();
    if ([400, 413, 422].includes(status) && /context.?(window|length)|too long/i.test(said)) tooLong.add(asked);
  }
  return again;
}

function keep({ name }: Question, exchanges: readonly Exchange[]): void {
  exchanges.forEach(({ method, path, asked, status, pieces }, index) => {
    const file = `${RECORDED}${name.replace(/[^\w-]+/g, "-")}-${index + 1}`;
    writeFileSync(`${file}.request`, `${method} ${path}\n\n${asked}`);
    writeFileSync(`${file}.${status}`, Buffer.concat(pieces));
  });
}

await main();
