// Copies a text, and says that it did.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { t } from "./i18n.ts";
import { CheckIcon, CopyIcon } from "./icons.tsx";

const SHOWN_FOR_MS = 1_500;

export function CopyButton({ text, label }: { text: () => string; label: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = () => {
    void navigator.clipboard.writeText(text()).then(() => setCopied(true));
  };
  const name = isCopied ? t("copied") : label;
  return (
    <button type="button" class="icon-button small" aria-label={name} title={name} onClick={copy}>
      {isCopied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
