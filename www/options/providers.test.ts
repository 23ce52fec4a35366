import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addressAfterChoice,
  exampleModel,
  isTyped,
  keyNeed,
  type KeyNeed,
  PROVIDER_NAMES,
  SERVER_KINDS,
  type ServerKind,
  serviceAt,
  servicesOf,
  usualAddress,
} from "./providers.ts";

test("every provider but the browser's own can be chosen, and has a usual address", () => {
  const kinds = [...SERVER_KINDS, "chrome_built_in"].sort();
  assert.deepEqual(kinds, Object.keys(PROVIDER_NAMES).sort());
  for (const kind of SERVER_KINDS) {
    assert.equal(serviceAt(kind, usualAddress(kind)), servicesOf(kind)[0]);
    for (const service of servicesOf(kind)) assert.equal(serviceAt(kind, ` ${service.address}/ `), service);
  }
});

test("a chosen provider's address takes the place of none and of another's, never of what was typed", () => {
  const check = (kind: ServerKind, address: string, expected: string) =>
    assert.equal(addressAfterChoice(kind, address), expected, `${kind} after ${address}`);
  check("anthropic", "", "https://api.anthropic.com");
  check("anthropic", "  ", "https://api.anthropic.com");
  check("anthropic", "https://api.openai.com/v1", "https://api.anthropic.com");
  check("anthropic", " https://api.openai.com/v1/ ", "https://api.anthropic.com");
  check("gemini", "https://openrouter.ai/api/v1", "https://generativelanguage.googleapis.com");
  check("ollama", "https://api.anthropic.com", "http://localhost:11434");
  check("open_ai_responses", "https://api.openai.com/v1", "https://api.openai.com/v1");
  check("open_ai_chat", "http://localhost:1234/v1", "http://localhost:1234/v1");
  check("anthropic", "https://broker.example.com", "https://broker.example.com");
  check("ollama", "http://192.168.1.5:11434", "http://192.168.1.5:11434");
  check("gemini", "https://", "https://");
});

test("an address is typed when it is no provider's", () => {
  const check = (address: string, expected: boolean) => assert.equal(isTyped(address), expected, address);
  check("", false);
  check("https://api.groq.com/openai/v1/", false);
  check("https://api.groq.com/openai/v2", true);
});

test("whether a key is needed and what a model is called follow the address", () => {
  const check = (kind: ServerKind, address: string, key: KeyNeed, model: string) =>
    assert.deepEqual([keyNeed(kind, address), exampleModel(kind, address)], [key, model], `${kind} at ${address}`);
  check("anthropic", "", { type: "needed", host: "console.anthropic.com" }, "claude-sonnet-4-6");
  check("anthropic", "https://broker.example.com", { type: "perhaps" }, "claude-sonnet-4-6");
  check("ollama", "http://localhost:11434", { type: "not_needed" }, "qwen3:8b");
  check("open_ai_chat", "https://api.groq.com/openai/v1", { type: "needed", host: "console.groq.com" }, "openai/gpt-oss-120b");
  check("open_ai_chat", "https://api.anthropic.com", { type: "perhaps" }, "gpt-5");
  // It can be any of many.
  check("open_ai_chat", "", { type: "perhaps" }, "gpt-5");
});
