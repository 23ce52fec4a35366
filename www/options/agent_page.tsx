// How the agent works, whatever the model.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { Settings } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { Field } from "./field.tsx";

export function AgentPage({ view, settings }: { view: View; settings: Settings }): JSX.Element {
  const [outcome, setOutcome] = useState<{ fault: string } | "saved" | null>(null);

  const save = async (fields: FormData) => {
    setOutcome(null);
    const max_rounds = wholeNumber(fields.get("max_rounds"));
    const idle_minutes = wholeNumber(fields.get("idle_minutes"));
    if (max_rounds === null || idle_minutes === null) {
      setOutcome({ fault: t("whole_number_needed") });
      return;
    }
    const answer = await view.send({
      type: "save_settings",
      settings: { ...settings, max_rounds, idle_minutes },
    });
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
        <Field
          name="max_rounds"
          kind={{ type: "number" }}
          label={t("max_rounds")}
          value={String(settings.max_rounds)}
          help={t("max_rounds_help")}
        />
        <Field
          name="idle_minutes"
          kind={{ type: "number" }}
          label={t("idle_minutes")}
          value={String(settings.idle_minutes)}
          help={t("idle_minutes_help")}
        />
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

/** Null for what the core could not even read; whether a number is in range is the core's to say. */
function wholeNumber(value: FormDataEntryValue | null): number | null {
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 && number <= 0xffff_ffff ? number : null;
}
