// Chrome's built-in model, asked in the document on the core's behalf: the Prompt API is in no worker.
// Invariant: whoever asks gets one head with a status; a refusal's body is one sentence for a person.

/** The body of a request, in the words of the core. */
export interface PromptRequest {
  system: string;
  /** The last one is the person's. */
  prompts: { role: "user" | "assistant"; content: string }[];
  /** A JSON schema for the answer. */
  constraint: object | null;
}

/** What comes back on the port of a request: a status as HTTP has them, and the text in UTF-8. */
export interface PromptAnswer {
  status: number;
  body: ReadableStream<Uint8Array<ArrayBuffer>> | string;
}

/**
 * Answers on the port. Any message on it gives the request up, and so does the death of who asked:
 * no browser tells a port that its other end is gone.
 */
export async function answerOn(
  port: MessagePort,
  body: Uint8Array,
  model: LanguageModelFactory | undefined,
  died: AbortSignal,
): Promise<void> {
  const givenUp = new AbortController();
  port.onmessage = () => {
    givenUp.abort();
    port.close();
  };
  const request = JSON.parse(new TextDecoder().decode(body)) as PromptRequest;
  const answer = await ask(request, model, AbortSignal.any([givenUp.signal, died]));
  port.postMessage(answer, typeof answer.body === "string" ? [] : [answer.body]);
}

async function ask(request: PromptRequest, model: LanguageModelFactory | undefined, signal: AbortSignal): Promise<PromptAnswer> {
  if (model === undefined) return unavailable("this version of Chrome has no Prompt API.");
  try {
    const availability = await model.availability();
    switch (availability) {
      case "unavailable":
        return unavailable("this computer does not meet its requirements, or a policy forbids it.");
      case "downloadable":
        return unavailable("it is not downloaded yet. Save it once more in the options to start the download.");
      case "downloading":
        return { status: 503, body: "Chrome's built-in model is being downloaded. Ask again when that is done." };
      case "available":
        return { status: 200, body: await stream(request, model, signal) };
    }
  } catch (thrown) {
    return refusal(thrown);
  }
}

/** Ends when the first piece is there: by then the model has taken the request or refused it. */
async function stream(request: PromptRequest, model: LanguageModelFactory, signal: AbortSignal) {
  const { system, prompts, constraint } = request;
  const initialPrompts: LanguageModelPrompt[] = system === "" ? [] : [{ role: "system", content: system }];
  initialPrompts.push(...prompts.slice(0, -1));
  const session = await model.create({ initialPrompts, signal });
  signal.addEventListener("abort", () => {
    session.destroy();
  });
  const input = prompts.at(-1)?.content ?? "";
  try {
    const options = constraint === null ? {} : { responseConstraint: constraint, omitResponseConstraintInput: true };
    return await begun(session.promptStreaming(input, { signal, ...options }));
  } catch (thrown) {
    // The model cannot be held to a schema: it has been told of the form in words too.
    if (constraint === null || nameOf(thrown) !== "NotSupportedError") throw thrown;
    return await begun(session.promptStreaming(input, { signal }));
  }
}

/** The stream in UTF-8, once something of it has come. */
async function begun(stream: ReadableStream<string>): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const [ahead, whole] = stream.tee();
  const reader = ahead.getReader();
  await reader.read();
  // It fails where the stream has already broken, which the other half tells.
  reader.cancel().catch(() => undefined);
  return whole.pipeThrough(new TextEncoderStream());
}

function refusal(thrown: unknown): PromptAnswer {
  const words = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, "");
  switch (nameOf(thrown)) {
    case "QuotaExceededError":
      return { status: 413, body: "The conversation is longer than Chrome's built-in model can read." };
    case "NotAllowedError":
      return unavailable(`Chrome does not allow it here (${words}).`);
    case "NotSupportedError":
      return unavailable(`it cannot do what was asked (${words}).`);
    default:
      return { status: 500, body: `Chrome's built-in model failed: ${words}.` };
  }
}

function unavailable(reason: string): PromptAnswer {
  return { status: 501, body: `Chrome's built-in model is not available in this browser: ${reason}` };
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : "";
}
