// Which address asks for what.

import type { StreamForm } from "./answer.ts";
import type { Dialect } from "./check.ts";
import { anthropic, dialect as anthropicDialect } from "./shapes/anthropic.ts";
import { dialect as geminiDialect, gemini } from "./shapes/gemini.ts";
import { dialect as openaiDialect, openai } from "./shapes/openai.ts";
import type { Shape } from "./shapes/shape.ts";

export type Route =
  | { kind: "answer"; shape: Shape; dialect: Dialect; /** From the path; empty when the body says it. */ model: string; stream: boolean; form: StreamForm }
  | { kind: "models" }
  | { kind: "preflight" }
  | { kind: "unknown"; method: string; path: string };

export function routeOf(method: string, address: string): Route {
  const { pathname: path, searchParams } = new URL(address, "http://localhost");
  if (method === "OPTIONS") return { kind: "preflight" };
  if (method === "GET" && path === "/v1/models") return { kind: "models" };
  if (method !== "POST") return { kind: "unknown", method, path };
  if (path === "/v1/chat/completions") {
    return { kind: "answer", shape: openai, dialect: openaiDialect, model: "", stream: false, form: "events" };
  }
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
