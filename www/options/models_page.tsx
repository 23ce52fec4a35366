// The model records: which there are, which is used, and the form for one of them.

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

import type { ModelId, ModelView, Op } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { NewIcon } from "../ui/icons.tsx";
import type { View } from "../ui/view.ts";
import { ModelForm } from "./model_form.tsx";

export function ModelsPage({ view }: { view: View }): JSX.Element {
  const { models, currentModel } = view.state;
  /** The record in the form: one of the list, a new one, or none. */
  const [editing, setEditing] = useState<ModelId | null>(null);
  const isNew = models.every(({ id }) => id !== editing);
  const addButton = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEditing(null);
    addButton.current?.focus();
  };

  return (
    <section>
      <h2>{t("models")}</h2>
      <p class="quiet">{t("models_help")}</p>
      {models.length > 0 && (
        <ul class="cards">
          {models.map((model) => (
            <li key={model.id} class="card">
              {model.id === editing ? (
                <ModelForm id={model.id} model={model} view={view} onClose={close} />
              ) : (
                <ModelCard
                  model={model}
                  isUsed={model.id === currentModel}
                  view={view}
                  onEdit={() => setEditing(model.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        ref={addButton}
        class="button"
        disabled={editing !== null}
        onClick={() => setEditing(crypto.randomUUID())}
      >
        <NewIcon />
        {t("model_add")}
      </button>
      {editing !== null && isNew && (
        <div class="card">
          <ModelForm key={editing} id={editing} model={null} view={view} onClose={close} />
        </div>
      )}
    </section>
  );
}

function ModelCard(props: {
  model: ModelView;
  isUsed: boolean;
  view: View;
  onEdit: () => void;
}): JSX.Element {
  const { model, isUsed, view, onEdit } = props;
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const ask = async (op: Op) => {
    const answer = await view.send(op);
    setFault(answer.type === "refused" ? answer.refusal.message : null);
  };

  return (
    <>
      <div class="card-head">
        <h3 dir="auto">{model.name}</h3>
        {isUsed && <span class="badge accent">{t("model_used")}</span>}
        {model.scripted && <span class="badge warning">{t("scripted_demo")}</span>}
        {model.has_key && <span class="badge">{t("model_has_key")}</span>}
      </div>
      <p class="quiet">
        <bdi>{model.model}</bdi>
        {model.address !== "" && <bdi>{model.address}</bdi>}
      </p>
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {isAsking ? (
        <div class="card-row">
          <p dir="auto">{t("model_delete_question", model.name)}</p>
          <button
            type="button"
            class="button small danger"
            onClick={() => void ask({ type: "delete_model", model: model.id })}
          >
            {t("delete")}
          </button>
          <button type="button" class="button small" onClick={() => setAsking(false)}>
            {t("cancel")}
          </button>
        </div>
      ) : (
        <div class="card-row">
          {!isUsed && (
            <button
              type="button"
              class="button small"
              aria-label={t("model_use_label", model.name)}
              onClick={() => void ask({ type: "use_model", model: model.id })}
            >
              {t("model_use")}
            </button>
          )}
          <button
            type="button"
            class="button small"
            aria-label={t("model_edit_label", model.name)}
            onClick={onEdit}
          >
            {t("edit")}
          </button>
          <button
            type="button"
            class="button small"
            aria-label={t("model_delete_label", model.name)}
            onClick={() => setAsking(true)}
          >
            {t("delete")}
          </button>
        </div>
      )}
    </>
  );
}
