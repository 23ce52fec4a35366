// The peer in Node: `eventsource-parser`, `JSON.parse`, and the pieces put together.

import { createParser } from "eventsource-parser";

interface Said {
  text: string;
  thinking: string;
  arguments: string;
}

/** A chunk of any of the formats: what is read of it, and nothing else. */
interface Chunk {
  readonly type?: string;
  readonly choices?: readonly { readonly delta: ChatDelta }[];
  readonly delta?: string | MessageDelta;
  readonly candidates?: readonly { readonly content: { readonly parts: readonly Part[] } }[];
  readonly message?: OllamaMessage;
}

interface ChatDelta {
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
}

interface MessageDelta {
  readonly text?: string;
  readonly thinking?: string;
  readonly partial_json?: string;
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly args: object };
}

interface OllamaMessage {
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: object } }[];
}

const ADDERS: Readonly<Record<string, (chunk: Chunk, said: Said) => void>> = {
  openai_chat: addChat,
  openai_responses: addResponse,
  anthropic: addMessage,
  gemini: addContent,
  ollama: addOllama,
};

/** Reads a whole body in pieces; the bytes of text, thinking and arguments that came of it. */
export function readWithNode(format: string, body: Uint8Array, piece: number): number[] {
  const add = ADDERS[format];
  if (add === undefined) throw new Error(`There is no format ${format}.`);
  const said = { text: "", thinking: "", arguments: "" };
  const feed = format === "ollama" ? lines((line) => add(JSON.parse(line) as Chunk, said)) : events((data) => add(JSON.parse(data) as Chunk, said));
  const decoder = new TextDecoder();
  for (let at = 0; at < body.length; at += piece) {
    feed(decoder.decode(body.subarray(at, at + piece), { stream: true }));
  }
  return [said.text, said.thinking, said.arguments].map((text) => Buffer.byteLength(text));
}

function events(read: (data: string) => void): (text: string) => void {
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") read(data);
    },
  });
  return (text) => {
    parser.feed(text);
  };
}

function lines(read: (line: string) => void): (text: string) => void {
  let held = "";
  return (text) => {
    const whole = (held + text).split("\n");
    held = whole.pop() ?? "";
    for (const line of whole) read(line);
  };
}

function addChat({ choices = [] }: Chunk, said: Said): void {
  for (const { delta } of choices) {
    said.text += delta.content ?? "";
    said.thinking += delta.reasoning_content ?? "";
    for (const call of delta.tool_calls ?? []) said.arguments += call.function.arguments ?? "";
  }
}

function addResponse({ type, delta }: Chunk, said: Said): void {
  if (typeof delta !== "string") return;
  if (type === "response.output_text.delta") said.text += delta;
  else if (type === "response.reasoning_summary_text.delta") said.thinking += delta;
  else if (type === "response.function_call_arguments.delta") said.arguments += delta;
}

function addMessage({ delta }: Chunk, said: Said): void {
  if (typeof delta !== "object") return;
  said.text += delta.text ?? "";
  said.thinking += delta.thinking ?? "";
  said.arguments += delta.partial_json ?? "";
}

function addContent({ candidates = [] }: Chunk, said: Said): void {
  for (const { text = "", thought = false, functionCall } of candidates.flatMap(({ content }) => content.parts)) {
    if (thought) said.thinking += text;
    else said.text += text;
    if (functionCall !== undefined) said.arguments += JSON.stringify(functionCall.args);
  }
}

function addOllama({ message }: Chunk, said: Said): void {
  if (message === undefined) return;
  said.text += message.content;
  said.thinking += message.thinking ?? "";
  for (const call of message.tool_calls ?? []) said.arguments += JSON.stringify(call.function.arguments);
}
