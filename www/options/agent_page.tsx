// How the agent works, whatever the model.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { Settings } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { amount, inDollars } from "./dollars.ts";
import { CheckField, Field } from "./field.tsx";
import { wholeNumber } from "./whole_number.ts";

/** The settings that are numbers, in the order of the form. */
type NumberName = Exclude<keyof Settings, "ask_before_acting" | LimitName>;
/** The settings that may be left empty: then there is no such limit. */
type LimitName = "max_cents" | "max_cents_a_day" | "max_tokens_a_day";

const NUMBERS = [
  { name: "max_rounds", label: "max_rounds", help: "max_rounds_help" },
  { name: "max_tokens", label: "max_tokens", help: "max_tokens_help" },
  { name: "max_minutes", label: "max_minutes", help: "max_minutes_help" },
  { name: "max_sub_agents", label: "max_sub_agents", help: "max_sub_agents_help" },
  { name: "idle_minutes", label: "idle_minutes", help: "idle_minutes_help" },
] as const satisfies { name: NumberName; label: MessageKey; help: MessageKey }[];

/** What may be limited beside. */
const LIMITS = [
  { name: "max_cents", label: "max_cost", help: "max_cost_help", isMoney: true },
  { name: "max_cents_a_day", label: "max_cost_a_day", help: "max_cost_a_day_help", isMoney: true },
  { name: "max_tokens_a_day", label: "max_tokens_a_day", help: "max_tokens_a_day_help", isMoney: false },
] as const satisfies { name: LimitName; label: MessageKey; help: MessageKey; isMoney: boolean }[];

const CENT_DECIMALS = 2;

export function AgentPage({ view, settings }: { view: View; settings: Settings }): JSX.Element {
  const [outcome, setOutcome] = useState<{ fault: string } | "saved" | null>(null);

  const save = async (fields: FormData) => {
    setOutcome(null);
    const changed = settingsOf(settings, fields);
    if (typeof changed === "string") {
      setOutcome({ fault: t(changed) });
      return;
    }
    const answer = await view.send({ type: "save_settings", settings: changed });
    setOutcome(answer.type === "refused" ? { fault: answer.refusal.message } : "saved");
  };

  return (
    <section>
      <h2>{t("agent")}</h2>
      <form
        class="card form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(new FormData(event.currentTarget));
        }}
      >
        <CheckField
          name="ask_before_acting"
          label={t("ask_before_acting")}
          isChecked={settings.ask_before_acting}
          help={t("ask_before_acting_help")}
        />
        {NUMBERS.map(({ name, label, help }) => (
          <Field
            key={name}
            name={name}
            kind={{ type: "number" }}
            label={t(label)}
            value={String(settings[name])}
            help={t(help)}
          />
        ))}
        {LIMITS.map(({ name, label, help, isMoney }) => (
          <Field
            key={name}
            name={name}
            kind={{ type: "text", inputMode: isMoney ? "decimal" : "numeric" }}
            label={t(label)}
            value={shownLimit(settings[name], isMoney)}
            placeholder={t("no_limit")}
            help={t(help)}
          />
        ))}
        {outcome !== null && outcome !== "saved" && (
          <p class="field-fault" role="alert">
            {outcome.fault}
          </p>
        )}
        <div class="card-row">
          <button type="submit" class="button primary">
            {t("save")}
          </button>
          <span role="status" class="quiet">
            {outcome === "saved" ? t("saved") : ""}
          </span>
        </div>
      </form>
    </section>
  );
}

function shownLimit(limit: number | null, isMoney: boolean): string {
  if (limit === null) return "";
  return isMoney ? inDollars(limit, CENT_DECIMALS) : String(limit);
}

/** The settings as they are in the form, or what is wrong with it. */
function settingsOf(settings: Settings, fields: FormData): Settings | MessageKey {
  const changed = { ...settings, ask_before_acting: fields.has("ask_before_acting") };
  for (const { name } of NUMBERS) {
    const number = wholeNumber(fields.get(name));
    if (number === null) return "whole_number_needed";
    changed[name] = number;
  }
  for (const { name, isMoney } of LIMITS) {
    const value = fields.get(name);
    const written = typeof value === "string" ? value.trim() : "";
    const limit = isMoney ? amount(written, CENT_DECIMALS) : wholeNumber(written);
    if (written !== "" && limit === null) return isMoney ? "amount_needed" : "whole_number_needed";
    changed[name] = written === "" ? null : limit;
  }
  return changed;
}
