// Which address asks for what.

import type { StreamForm } from "./answer.ts";
import type { Dialect } from "./check.ts";
import { anthropic, dialect as anthropicDialect } from "./shapes/anthropic.ts";
import { dialect as geminiDialect, gemini } from "./shapes/gemini.ts";
import { ollama } from "./shapes/ollama.ts";
import { dialect as ollamaDialect } from "./shapes/ollama_request.ts";
import { dialect as openaiDialect, openai } from "./shapes/openai.ts";
import { responses } from "./shapes/responses.ts";
import type { Shape } from "./shapes/shape.ts";

export type Route =
  | { kind: "answer"; shape: Shape; dialect: Dialect; /** From the path; empty when the body says it. */ model: string; stream: boolean; form: StreamForm }
  | { kind: "models" }
  | { kind: "tags" }
  | { kind: "show" }
  | { kind: "version" }
  | { kind: "preflight" }
  | { kind: "unknown"; method: string; path: string };

export function routeOf(method: string, address: string): Route {
  const { pathname: path, searchParams } = new URL(address, "http://localhost");
  if (method === "OPTIONS") return { kind: "preflight" };
  if (method === "GET" && path === "/v1/models") return { kind: "models" };
  if (method === "GET" && path === "/api/tags") return { kind: "tags" };
  if (method === "GET" && path === "/api/version") return { kind: "version" };
  if (method !== "POST") return { kind: "unknown", method, path };
  if (path === "/v1/chat/completions") {
    return { kind: "answer", shape: openai, dialect: openaiDialect, model: "", stream: false, form: "events" };
  }
  if (path === "/v1/responses") {
    return { kind: "answer", shape: responses, dialect: openaiDialect, model: "", stream: false, form: "events" };
  }
  if (path === "/api/chat") {
    return { kind: "answer", shape: ollama, dialect: ollamaDialect, model: "", stream: false, form: "lines" };
  }
  if (path === "/api/show") return { kind: "show" };
  if (path === "/v1/messages") {
    return { kind: "answer", shape: anthropic, dialect: anthropicDialect, model: "", stream: false, form: "events" };
  }
  const generate = /^\/v1beta\/models\/([^/:]+):(streamGenerateContent|generateContent)$/.exec(path);
  if (generate === null) return { kind: "unknown", method, path };
  return {
    kind: "answer", shape: gemini, dialect: geminiDialect,
    model: decodeURIComponent(generate[1] ?? ""),
    stream: generate[2] === "streamGenerateContent",
    form: searchParams.get("alt") === "sse" ? "events" : "array",
  };
}
