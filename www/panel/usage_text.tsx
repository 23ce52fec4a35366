// How many tokens something took, quietly, with the details for whoever points at it.

import type { JSX } from "preact";

import type { Usage } from "../generated/protocol.ts";
import { formatCount, formatWhole } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";

/** Nothing when nothing was counted: a provider that counts nothing is not a turn that cost nothing. */
export function UsageText({ usage }: { usage: Usage }): JSX.Element | null {
  const { input, cached, output, reasoning } = usage;
  if (input === 0 && output === 0) return null;
  const detail = t(
    "turn_tokens_detail",
    formatWhole(input),
    formatWhole(cached),
    formatWhole(output),
    formatWhole(reasoning),
  );
  return (
    <span class="time" title={detail}>
      {t("turn_tokens", formatCount(input + output))}
    </span>
  );
}
