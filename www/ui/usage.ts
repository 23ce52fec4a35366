// What was used of models, in words.

import type { Usage } from "../generated/protocol.ts";
import { formatCost, formatCount, formatWhole } from "./format.ts";
import type { t as translate } from "./i18n.ts";

/** "12K tokens", and what they cost where that is known: "12K tokens · $0.03", "· $0.03 and more". */
export function usageShort(usage: Usage, t: typeof translate): string {
  const tokens = t("turn_tokens", formatCount(usage.input + usage.output));
  return usage.cost === 0 ? tokens : `${tokens} · ${costOf(usage, t)}`;
}

/** What it cost; of models without prices it is not known. */
export function costOf({ cost, unpriced }: Usage, t: typeof translate): string {
  const known = formatCost(cost);
  return unpriced === 0 ? known : t("cost_and_more", known);
}

/** Everything that was counted. */
export function usageDetail(usage: Usage, t: typeof translate): string {
  const { input, cached, output, reasoning, unpriced } = usage;
  const tokens = t(
    "turn_tokens_detail",
    formatWhole(input),
    formatWhole(cached),
    formatWhole(output),
    formatWhole(reasoning),
  );
  return unpriced === 0 ? tokens : `${tokens}. ${t("tokens_unpriced", formatWhole(unpriced))}`;
}
