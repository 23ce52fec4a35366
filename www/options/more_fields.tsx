// What few people need of a model's form. The fields are there also while the fold is closed, so that
// saving loses none of them.

import type { JSX } from "preact";

import type { ModelView } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import { ChevronIcon } from "../ui/icons.tsx";
import { CheckField, Field, FieldGroup, SelectField } from "./field.tsx";
import { inDollars } from "./dollars.ts";
import { HeaderFields } from "./header_fields.tsx";
import { inFigures } from "./hundredths.ts";
import { CAN, CAPABILITY, EFFORTS, keysOf, NO_OPTIONS, PRICE_DECIMALS, PRICES } from "./model_draft.ts";

export function MoreFields(props: {
  /** The record as it is stored; null for a new one. */
  model: ModelView | null;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}): JSX.Element {
  const { model, isOpen, onToggle } = props;
  const options = model?.options ?? NO_OPTIONS;
  const known = model?.prices ?? null;
  return (
    <details class="more" open={isOpen} onToggle={({ currentTarget }) => onToggle(currentTarget.open)}>
      <summary>
        <ChevronIcon />
        {t("more")}
      </summary>
      <div class="more-fields">
        <Field
          name="context_window"
          kind={{ type: "text", inputMode: "numeric" }}
          label={t("context_window")}
          value={String(model?.context_window ?? "")}
          help={t("context_window_help")}
        />
        <Field
          name="output_limit"
          kind={{ type: "text", inputMode: "numeric" }}
          label={t("output_limit")}
          value={String(options.output_limit ?? "")}
          help={t("output_limit_help")}
        />
        <Field
          name="temperature"
          kind={{ type: "text", inputMode: "decimal" }}
          label={t("temperature")}
          value={options.temperature === null ? "" : inFigures(options.temperature)}
          help={t("temperature_help")}
        />
        <SelectField
          name="reasoning"
          label={t("effort")}
          value={options.reasoning ?? ""}
          choices={[{ value: "", label: t("effort_own") }, ...choicesOf(EFFORTS)]}
          help={t("effort_help")}
        />
        <FieldGroup label={t("can")} help={t("can_help")}>
          <div class="short-fields">
            {keysOf(CAN).map((name) => (
              <SelectField
                key={name}
                name={`can_${name}`}
                label={t(CAN[name])}
                value={options.can[name]}
                choices={choicesOf(CAPABILITY)}
              />
            ))}
          </div>
        </FieldGroup>
        <CheckField
          name="text_calls"
          label={t("text_calls")}
          isChecked={options.text_calls}
          help={t("text_calls_help")}
        />
        <FieldGroup label={t("prices")} help={t(known === null ? "prices_help" : "prices_known_help")}>
          <div class="short-fields">
            {keysOf(PRICES).map((name) => (
              <Field
                key={name}
                name={`price_${name}`}
                kind={{ type: "text", inputMode: "decimal" }}
                label={t(PRICES[name])}
                value={inFiguresOr(options.prices?.[name])}
                placeholder={inFiguresOr(known?.[name])}
              />
            ))}
          </div>
        </FieldGroup>
        <HeaderFields headers={options.headers} />
      </div>
    </details>
  );
}

function inFiguresOr(price: number | null | undefined): string {
  return typeof price === "number" ? inDollars(price, PRICE_DECIMALS) : "";
}

function choicesOf(table: Readonly<Record<string, MessageKey>>): { value: string; label: string }[] {
  return Object.entries(table).map(([value, key]) => ({ value, label: t(key) }));
}
