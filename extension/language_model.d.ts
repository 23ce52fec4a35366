// The part of Chrome's Prompt API that is used here. It exists in documents, not in workers.

interface LanguageModelPrompt {
  role: "system" | "user" | "assistant";
  content: string;
}

interface LanguageModelSession {
  /** Gives pieces: only builds from before there was a global `LanguageModel` gave the growing whole. */
  promptStreaming(
    input: string,
    options: {
      signal: AbortSignal;
      responseConstraint?: object;
      /** The constraint's text is not put into the prompt, whose length is limited. */
      omitResponseConstraintInput?: boolean;
    },
  ): ReadableStream<string>;
  destroy(): void;
}

type LanguageModelAvailability = "unavailable" | "downloadable" | "downloading" | "available";

interface LanguageModelFactory {
  availability(): Promise<LanguageModelAvailability>;
  /** Where the model is downloadable it begins the download, if a person has just clicked. */
  create(options?: { initialPrompts?: LanguageModelPrompt[]; signal?: AbortSignal }): Promise<LanguageModelSession>;
}

// eslint-disable-next-line no-var -- Only a var is a property of globalThis.
declare var LanguageModel: LanguageModelFactory | undefined;
