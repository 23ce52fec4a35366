// What Ollama says of its models.

import { isRecord } from "../json.ts";

const details = { parent_model: "", format: "gguf", family: "qwen3", families: ["qwen3"], parameter_size: "8.2B", quantization_level: "Q4_K_M" };

/** Some of the server's models are named without their tag. */
const tagged = (model: string): string => (model.includes(":") ? model : `${model}:latest`);

/** The answer to `GET /api/tags`. */
export const tags = (models: readonly string[]): unknown => ({
  models: models.map((model) => ({
    name: tagged(model), model: tagged(model), modified_at: "2026-01-01T00:00:00Z", size: 5_225_388_164, digest: "0".repeat(64), details,
  })),
});

/** The answer to `POST /api/show`. */
export function show(models: readonly string[], body: unknown): { status: number; body: unknown } {
  const asked = isRecord(body) ? (body["model"] ?? body["name"]) : undefined;
  if (typeof asked !== "string" || asked === "") return { status: 400, body: { error: "model is required" } };
  if (!models.some((model) => tagged(model) === tagged(asked))) return { status: 404, body: { error: `model '${asked}' not found` } };
  return {
    status: 200,
    body: {
      modelfile: "", parameters: "", template: "{{ .Prompt }}", details,
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
      capabilities: ["completion", "tools", "thinking", "vision"],
      modified_at: "2026-01-01T00:00:00Z",
    },
  };
}
