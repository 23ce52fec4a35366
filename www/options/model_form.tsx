// One model record. A key goes in here and is never shown again.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ModelId, ModelView, ProviderKind } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { downloadBuiltInModel, useBuiltInModel } from "./built_in_model.ts";
import { Field } from "./field.tsx";
import { hasMore, readDraft } from "./model_draft.ts";
import { MoreFields } from "./more_fields.tsx";
import { ProviderFields } from "./provider_fields.tsx";

export function ModelForm(props: {
  id: ModelId;
  /** The provider to begin with. */
  provider: ProviderKind;
  /** The record as it is stored; null for a new one. */
  model: ModelView | null;
  view: View;
  onClose: () => void;
}): JSX.Element {
  const { id, model, view, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  const [provider, setProvider] = useState(props.provider);
  const [isMoreOpen, setMoreOpen] = useState(model !== null && hasMore(model));
  const [forgetsKey, setForgetsKey] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isBuiltIn = provider === "chrome_built_in";
  const mustDownload = useBuiltInModel() === "downloadable" && isBuiltIn;
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), []);

  const save = async (fields: FormData) => {
    const read = readDraft(fields, { id, provider, model, forgetsKey });
    if (read.fault) {
      // All of what is found here stands in the fold.
      setMoreOpen(true);
      setFault(t(...read.fault));
      return;
    }
    setSaving(true);
    // First of all, while the click still counts. Whoever asks the model is told how the download stands.
    if (mustDownload) downloadBuiltInModel().catch(() => undefined);
    const answer = await view.send({ type: "save_model", model: read.value });
    setSaving(false);
    if (answer.type !== "refused") {
      onClose();
      return;
    }
    // What was refused may stand there, and is to be seen.
    if (hasMore(read.value)) setMoreOpen(true);
    setFault(answer.refusal.message);
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
        <ProviderFields kind={provider} model={model} forgetsKey={forgetsKey} onKind={setProvider} />
      )}
      {model?.has_key === true && (
        <label class="check">
          <input
            type="checkbox"
            checked={forgetsKey}
            onChange={(event) => setForgetsKey(event.currentTarget.checked)}
          />
          {t("model_key_forget")}
        </label>
      )}
      {!isBuiltIn && <MoreFields model={model} isOpen={isMoreOpen} onToggle={setMoreOpen} />}
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
