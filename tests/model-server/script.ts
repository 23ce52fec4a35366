// The words of a script: what the model server answers, one step for each model request. The same script works
// for every wire shape.

import type { Gate } from "./gate.ts";
import type { Misbehaviour } from "./misbehave.ts";

export type ShapeName = "openai" | "openai-responses" | "anthropic" | "gemini" | "ollama";

/** Why the model stopped. */
export type Stop = "stop" | "calls" | "length" | "filter";

export interface Usage {
  input: number;
  output: number;
  cached?: number;
  reasoning?: number;
}

export interface ScriptedCall {
  name: string;
  /** An object, or the raw text, which may be broken on purpose. */
  arguments?: object | string;
  /** Made up by the server when absent. */
  id?: string;
  /** The argument text exactly as it is to be streamed, with gates in between. Replaces `arguments`. */
  pieces?: (string | Gate)[];
}

export interface Step {
  /** Cut into small pieces by the server. */
  text?: string;
  /** The text exactly as it is to be streamed, with gates in between. Replaces `text`. */
  pieces?: (string | Gate)[];
  thinking?: string;
  /** PNG images in Base64, as models that make images send them. Gemini and OpenAI chat only. */
  images?: string[];
  calls?: ScriptedCall[];
  /** Where to wait when everything but the end of the answer was sent. */
  until?: Gate;
  /** Between the head and the first piece. */
  delayMs?: number;
  /** Between one piece and the next. */
  chunkDelayMs?: number;
  /** Default: `calls` when there are calls, else `stop`. */
  stop?: Stop;
  /** Null sends none. Default: an estimate. */
  usage?: Usage | null;
  misbehave?: Misbehaviour | Misbehaviour[];
}

export type StepFunction = (request: ModelRequest) => Step | Promise<Step>;

/** Steps in the order of the requests, or one function that answers them all. */
export type Script = readonly (Step | StepFunction)[] | StepFunction;

/** What a request says, whatever its wire shape. */
export interface Conversation {
  model: string;
  stream: boolean;
  /** OpenAI only: whether the usage chunk was asked for. */
  includeUsage: boolean;
  /** Whether the answer may show what the model thinks: Responses has to be asked for it, Ollama can be told not to. */
  showsThinking: boolean;
  /** Responses only: whether the thinking is to be sent encrypted, so that it can come back. */
  sealsThinking: boolean;
  /** Ollama only: how many tokens it shall read at once. */
  contextLength: number | null;
  system: string;
  messages: ConversationMessage[];
  tools: OfferedTool[];
  toolChoice: ToolChoice;
  /** Whether a JSON schema was demanded for the answer. */
  jsonSchema: boolean;
  maxTokens: number | null;
}

export interface ConversationMessage {
  role: "user" | "assistant" | "tool";
  text: string;
  /** What the client sent back of an earlier answer's thinking. */
  thinking: string;
  calls: SentCall[];
  results: SentResult[];
  images: number;
}

export interface SentCall {
  id: string;
  name: string;
  /** The argument text, as the client sent it back. */
  arguments: string;
  /** Gemini only: the thought signature that came back with the call. */
  signature: string;
}

export interface SentResult {
  /** The id of the call. */
  id: string;
  name: string;
  text: string;
  isError: boolean;
}

export interface OfferedTool {
  name: string;
  description: string;
  parameters: unknown;
}

export type ToolChoice =
  | { mode: "auto" | "none" | "required" }
  | { mode: "tool"; name: string };

/** When something of a request or its answer was over. */
export interface Moments {
  /** The request's head had arrived. */
  readonly head: number;
  /** Its body had arrived. */
  readonly body: number;
  /** The last byte of the answer was about to be written; null until then, and for an answer that was broken off. */
  answered: number | null;
}

/** What the server remembers of a request. */
export interface ModelRequest {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** When it arrived, in Unix milliseconds. */
  readonly at: number;
  /** The same and more to the microsecond, in the milliseconds of `performance.now()`. */
  readonly moments: Moments;
  readonly shape: ShapeName;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came. */
  readonly text: string;
  /** The parsed body; undefined when it is no JSON. */
  readonly body: unknown;
  /** Empty when the request was refused before it could be read. */
  conversation: Conversation;
  /** The status of the answer; 0 until its head is written. */
  status: number;
  /** Why the request was refused as invalid or by a conditional misbehaviour; such a request uses up no step. */
  refused: string | null;
  /** The script had no step for it, and there were no rules. */
  unscripted: boolean;
  /** When the client went away before the answer was whole. */
  aborted: number | null;
  outcome: "pending" | "complete" | "aborted" | "dropped";
  /** Resolves when the request is answered, aborted by the client or dropped by the server. */
  readonly ended: Promise<void>;
}

export const emptyConversation = (): Conversation => ({
  model: "",
  stream: false,
  includeUsage: false,
  showsThinking: true,
  sealsThinking: false,
  contextLength: null,
  system: "",
  messages: [],
  tools: [],
  toolChoice: { mode: "auto" },
  jsonSchema: false,
  maxTokens: null,
});
