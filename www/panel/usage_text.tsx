// How many tokens something took and what they cost, quietly, with the details for whoever points at it.

import type { JSX } from "preact";

import type { Usage } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { usageDetail, usageShort } from "../ui/usage.ts";

/** Nothing when nothing was counted: a provider that counts nothing is not a turn that cost nothing. */
export function UsageText({ usage }: { usage: Usage }): JSX.Element | null {
  if (usage.input === 0 && usage.output === 0) return null;
  return (
    <span class="time" title={usageDetail(usage, t)}>
      {usageShort(usage, t)}
    </span>
  );
}
