// Whether this browser has a model of its own, and how its download begins.

import { useEffect, useState } from "preact/hooks";

/** What the browser says of its own model; "unavailable" until it has said something. */
export function useBuiltInModel(): LanguageModelAvailability {
  const [availability, setAvailability] = useState<LanguageModelAvailability>("unavailable");
  useEffect(() => {
    globalThis.LanguageModel?.availability().then(setAvailability, () => undefined);
  }, []);
  return availability;
}

/** Lets the browser fetch its model: it does so only for a page where a person has just clicked. */
export async function downloadBuiltInModel(): Promise<void> {
  const session = await globalThis.LanguageModel?.create();
  session?.destroy();
}
