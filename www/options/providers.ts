// The providers that a model can be at: their names, usual addresses, and what the form says of them.

import type { ProviderKind } from "../generated/protocol.ts";
import type { MessageKey } from "../ui/i18n.ts";

/** Every provider that is asked at an address. */
export type ServerKind = Exclude<ProviderKind, "chrome_built_in">;

/** Whether a key is needed: from whom one comes, or that none is, or that only the server's owner knows. */
export type KeyNeed = { type: "needed"; host: string } | { type: "not_needed" } | { type: "perhaps" };

/** One place where a provider's models are asked. */
export interface Service {
  readonly name: MessageKey;
  readonly address: string;
  /** A model's id as it is written there. */
  readonly exampleModel: string;
  readonly key: KeyNeed;
}

export const PROVIDER_NAMES: Readonly<Record<ProviderKind, MessageKey>> = {
  open_ai_chat: "provider_open_ai_chat",
  open_ai_responses: "provider_open_ai_responses",
  anthropic: "provider_anthropic",
  gemini: "provider_gemini",
  ollama: "provider_ollama",
  chrome_built_in: "built_in_model",
};

const OPEN_AI: Service = {
  name: "service_open_ai",
  address: "https://api.openai.com/v1",
  exampleModel: "gpt-5",
  key: { type: "needed", host: "platform.openai.com" },
};

/** Where each provider's models are asked; the first is its usual place. */
const SERVICES: Readonly<Record<ServerKind, readonly [Service, ...Service[]]>> = {
  open_ai_chat: [
    OPEN_AI,
    {
      name: "service_openrouter",
      address: "https://openrouter.ai/api/v1",
      exampleModel: "openai/gpt-5",
      key: { type: "needed", host: "openrouter.ai" },
    },
    {
      name: "service_groq",
      address: "https://api.groq.com/openai/v1",
      exampleModel: "openai/gpt-oss-120b",
      key: { type: "needed", host: "console.groq.com" },
    },
    {
      name: "service_mistral",
      address: "https://api.mistral.ai/v1",
      exampleModel: "mistral-large-latest",
      key: { type: "needed", host: "console.mistral.ai" },
    },
    {
      name: "service_deepseek",
      address: "https://api.deepseek.com/v1",
      exampleModel: "deepseek-chat",
      key: { type: "needed", host: "platform.deepseek.com" },
    },
    {
      name: "service_lm_studio",
      address: "http://localhost:1234/v1",
      exampleModel: "openai/gpt-oss-20b",
      key: { type: "not_needed" },
    },
    {
      name: "service_llama_cpp",
      address: "http://localhost:8080/v1",
      exampleModel: "gpt-oss-20b",
      key: { type: "not_needed" },
    },
  ],
  open_ai_responses: [OPEN_AI],
  anthropic: [
    {
      name: "provider_anthropic",
      address: "https://api.anthropic.com",
      exampleModel: "claude-sonnet-4-6",
      key: { type: "needed", host: "console.anthropic.com" },
    },
  ],
  gemini: [
    {
      name: "provider_gemini",
      address: "https://generativelanguage.googleapis.com",
      exampleModel: "gemini-2.5-flash",
      key: { type: "needed", host: "aistudio.google.com" },
    },
  ],
  ollama: [
    {
      name: "provider_ollama",
      address: "http://localhost:11434",
      exampleModel: "qwen3:8b",
      key: { type: "not_needed" },
    },
  ],
};

/** In the order of the form. */
export const SERVER_KINDS = Object.keys(SERVICES) as readonly ServerKind[];

/** The known places of a provider. */
export function servicesOf(kind: ServerKind): readonly Service[] {
  return SERVICES[kind];
}

/** The known place at an address; null for any other address. */
export function serviceAt(kind: ServerKind, address: string): Service | null {
  const wanted = plain(address);
  return SERVICES[kind].find((service) => service.address === wanted) ?? null;
}

/** The address that a provider usually has. */
export function usualAddress(kind: ServerKind): string {
  return SERVICES[kind][0].address;
}

/** The address after another provider was chosen: what a person wrote stays. */
export function addressAfterChoice(kind: ServerKind, address: string): string {
  const isOwn = serviceAt(kind, address) !== null;
  return isOwn || isTyped(address) ? address : usualAddress(kind);
}

/** Whether only a person can have written this address. */
export function isTyped(address: string): boolean {
  return plain(address) !== "" && SERVER_KINDS.every((kind) => serviceAt(kind, address) === null);
}

/** A model's id as an example. Without an address, the usual one is meant. */
export function exampleModel(kind: ServerKind, address: string): string {
  return (serviceAt(kind, address) ?? SERVICES[kind][0]).exampleModel;
}

/** Whether a key is needed at this address: of a server that is not known, only its owner can say. */
export function keyNeed(kind: ServerKind, address: string): KeyNeed {
  const [usual, ...others] = SERVICES[kind];
  if (plain(address) === "" && others.length === 0) return usual.key;
  return serviceAt(kind, address)?.key ?? { type: "perhaps" };
}

/** Addresses are compared without what the core does not look at either. */
function plain(address: string): string {
  return address.trim().replace(/\/+$/, "");
}
