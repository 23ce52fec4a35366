// One sight of one misbehaviour on the wire.

import type { Misbehaviour } from "../misbehave.ts";
import type { ShapeName, Step } from "../script.ts";
import type { ModelServer } from "../server.ts";
import { read } from "../support.ts";
import type { Ask, Reply, Seen, SendOptions } from "../support.ts";

export interface Sight {
  shape: ShapeName;
  reply: Reply;
  /** What a plain client reads; throws where such a client would. */
  seen: () => Seen;
  server: ModelServer;
}

export interface Case {
  /** Which variant; empty when there is one. */
  what?: string;
  /** Default: all. */
  shapes?: readonly ShapeName[];
  misbehave: Misbehaviour;
  step?: Step;
  ask?: Ask;
  options?: SendOptions;
  see: (sight: Sight) => void | Promise<void>;
}

export const sight = (shape: ShapeName, reply: Reply, server: ModelServer): Sight => ({ shape, reply, server, seen: () => read(shape, reply.text) });

/** The message of an error body, whatever the shape. */
export function errorOf(reply: Reply): string {
  const { error } = JSON.parse(reply.text) as { error: string | { message: string } };
  return typeof error === "string" ? error : error.message;
}

/** The shapes whose streams are events: all but Ollama's, which are lines. */
export const ofEvents: readonly ShapeName[] = ["openai", "openai-responses", "anthropic", "gemini"];

export const twoCalls: Step = {
  text: "Looking.",
  calls: [
    { name: "list_tabs", arguments: { title_pattern: "first" }, id: "id_1" },
    { name: "list_tabs", arguments: { title_pattern: "second" }, id: "id_2" },
  ],
};

export const oneCall: Step = { text: "Looking.", calls: [{ name: "list_tabs", arguments: { title_pattern: "first" }, id: "id_1" }] };
