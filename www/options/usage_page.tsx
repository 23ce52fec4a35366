// What models were used for, day by day.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { Usage, UsageOfDay } from "../generated/protocol.ts";
import { formatCost, formatDate, formatWhole } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";
import { costOf } from "../ui/usage.ts";
import type { View } from "../ui/view.ts";

/** So many days are shown, today included. */
const DAYS = 31;

type Answered = { today: string; days: readonly UsageOfDay[] };

export function UsagePage({ view }: { view: View }): JSX.Element {
  const [answer, setAnswer] = useState<Answered | null>(null);
  useEffect(() => {
    void view.send({ type: "list_usage", days: DAYS }).then((said) => {
      if (said.type === "usage_by_day") setAnswer(said);
    });
  }, [view]);

  return (
    <section>
      <h2>{t("usage")}</h2>
      <p class="quiet">{t("usage_help")}</p>
      {answer !== null && (
        <>
          <p role="status">
            {t(
              "usage_today",
              formatWhole(tokensOf(answer.days, answer.today)),
              formatCost(costOfDay(answer.days, answer.today)),
            )}
          </p>
          {answer.days.length > 0 && <UsageTable days={answer.days} />}
        </>
      )}
    </section>
  );
}

function UsageTable({ days }: { days: readonly UsageOfDay[] }): JSX.Element {
  return (
    // It may be wider than a narrow window: then it is moved, by keys as well.
    <div class="table" tabIndex={0} role="group" aria-label={t("usage")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("usage_day")}</th>
            <th scope="col">{t("usage_model")}</th>
            <th scope="col" class="number">
              {t("usage_input")}
            </th>
            <th scope="col" class="number">
              {t("usage_cached")}
            </th>
            <th scope="col" class="number">
              {t("usage_output")}
            </th>
            <th scope="col" class="number">
              {t("usage_cost")}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, model, usage }) => (
            <tr key={`${day} ${model}`}>
              <td>{formatDate(day)}</td>
              <td>
                <bdi>{model}</bdi>
              </td>
              <td class="number">{formatWhole(usage.input)}</td>
              <td class="number">{formatWhole(usage.cached)}</td>
              <td class="number">{formatWhole(usage.output)}</td>
              <td class="number">{shownCost(usage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function shownCost(usage: Usage): string {
  return usage.cost === 0 && usage.unpriced > 0 ? t("not_known") : costOf(usage, t);
}

function tokensOf(days: readonly UsageOfDay[], today: string): number {
  return sum(days, today, ({ input, output }) => input + output);
}

function costOfDay(days: readonly UsageOfDay[], today: string): number {
  return sum(days, today, ({ cost }) => cost);
}

function sum(days: readonly UsageOfDay[], today: string, part: (usage: Usage) => number): number {
  return days.filter(({ day }) => day === today).reduce((all, { usage }) => all + part(usage), 0);
}
