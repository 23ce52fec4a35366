// One model record. A key goes in here and is never shown again.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ModelDraft, ModelId, ModelView, ProviderKind } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { downloadBuiltInModel, useBuiltInModel } from "./built_in_model.ts";
import { Field } from "./field.tsx";
import { wholeNumber } from "./whole_number.ts";

/** Addresses that many people need; the field takes any other. */
const KNOWN_ADDRESSES = [
  "https://api.openai.com/v1",
  "https://openrouter.ai/api/v1",
  "https://api.deepseek.com/v1",
  "https://api.mistral.ai/v1",
  "http://localhost:11434/v1",
  "http://localhost:1234/v1",
];

export function ModelForm(props: {
  id: ModelId;
  provider: ProviderKind;
  /** The record as it is stored; null for a new one. */
  model: ModelView | null;
  view: View;
  onClose: () => void;
}): JSX.Element {
  const { id, provider, model, view, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  const [forgetsKey, setForgetsKey] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const hasKey = model?.has_key ?? false;
  const isBuiltIn = provider === "chrome_built_in";
  const mustDownload = useBuiltInModel() === "downloadable" && isBuiltIn;
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);

  const save = async (fields: FormData) => {
    const contextWindow = contextWindowOf(fields, model);
    if (contextWindow === "unreadable") {
      setFault(t("context_window_fault"));
      return;
    }
    setSaving(true);
    // First of all, while the click still counts. Whoever asks the model is told how the download stands.
    if (mustDownload) downloadBuiltInModel().catch(() => undefined);
    const draft = draftOf(id, provider, model, fields, forgetsKey, contextWindow);
    const answer = await view.send({ type: "save_model", model: draft });
    setSaving(false);
    if (answer.type === "refused") setFault(answer.refusal.message);
    else onClose();
  };

  return (
    <form
      ref={form}
      class="form"
      aria-labelledby="model-form-title"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void save(new FormData(event.currentTarget));
      }}
    >
      <h3 id="model-form-title">{model === null ? t("model_new") : t("model_edit")}</h3>
      {isBuiltIn && (
        <p class="quiet">
          {t("built_in_model_help")}
          {mustDownload && ` ${t("built_in_model_download")}`}
        </p>
      )}
      <Field
        name="name"
        label={t("model_name")}
        value={model?.name ?? (isBuiltIn ? t("built_in_model") : "")}
        help={t("model_name_help")}
      />
      {!isBuiltIn && (
        <>
          <Field
            name="address"
            label={t("model_address")}
            value={model?.address ?? ""}
            help={t("model_address_help")}
            isCode
            kind={{ type: "text", list: "known-addresses" }}
          />
          <datalist id="known-addresses">
            {KNOWN_ADDRESSES.map((address) => (
              <option key={address} value={address} />
            ))}
          </datalist>
          <Field
            name="model"
            label={t("model_id")}
            value={model?.model ?? ""}
            help={t("model_id_help")}
            isCode
          />
          <Field
            name="context_window"
            kind={{ type: "text", inputMode: "numeric" }}
            label={t("context_window")}
            value={String(model?.context_window ?? "")}
            help={t("context_window_help")}
          />
          <Field
            name="key"
            kind={{ type: "password" }}
            label={t("model_key")}
            value=""
            help={hasKey ? t("model_key_stored_help") : t("model_key_help")}
            isDisabled={forgetsKey}
          />
        </>
      )}
      {hasKey && (
        <label class="check">
          <input
            type="checkbox"
            checked={forgetsKey}
            onChange={(event) => setForgetsKey(event.currentTarget.checked)}
          />
          {t("model_key_forget")}
        </label>
      )}
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      <div class="card-row">
        <button type="submit" class="button primary" disabled={isSaving}>
          {t("save")}
        </button>
        <button type="button" class="button" onClick={onClose}>
          {t("cancel")}
        </button>
      </div>
    </form>
  );
}

function draftOf(
  id: ModelId,
  provider: ProviderKind,
  model: ModelView | null,
  fields: FormData,
  forgetsKey: boolean,
  contextWindow: number | null,
): ModelDraft {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const key = text("key");
  return {
    id,
    name: text("name"),
    provider,
    address: text("address"),
    // The browser does not say which model it carries, but each answer is to say whose it is.
    model: provider === "chrome_built_in" ? "chrome" : text("model"),
    key: forgetsKey ? "" : key === "" ? null : key,
    scripted: model?.scripted ?? false,
    context_window: contextWindow,
  };
}

/** Where the form does not ask for it, it stays as it is. */
function contextWindowOf(fields: FormData, model: ModelView | null): number | null | "unreadable" {
  const value = fields.get("context_window");
  if (value === null) return model?.context_window ?? null;
  if (typeof value === "string" && value.trim() === "") return null;
  return wholeNumber(value) ?? "unreadable";
}
