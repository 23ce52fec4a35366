// The model records: which there are, which is used, and the form for one of them.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ModelId, ProviderKind } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { NewIcon } from "../ui/icons.tsx";
import type { View } from "../ui/view.ts";
import { useBuiltInModel } from "./built_in_model.ts";
import { FindModels } from "./find_models.tsx";
import { ModelCard } from "./model_card.tsx";
import { ModelForm } from "./model_form.tsx";
import { RoleFields } from "./role_fields.tsx";

export function ModelsPage({ view }: { view: View }): JSX.Element {
  const { models, roles } = view.state;
  /** The record in the form: one of the list, a new one, or none. */
  const [editing, setEditing] = useState<ModelId | null>(null);
  const [newProvider, setNewProvider] = useState<ProviderKind>("open_ai_chat");
  const builtIn = useBuiltInModel();
  const [lastEdited, setLastEdited] = useState<ModelId | null>(null);
  /** Grows whenever the button is where one goes on, because what was pressed has gone. */
  const [timesToAdd, setTimesToAdd] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (timesToAdd > 0) addButton.current?.focus();
  }, [timesToAdd]);

  const isNew = models.every(({ id }) => id !== editing);
  const goToAdd = () => setTimesToAdd((times) => times + 1);
  const edit = (model: ModelId) => {
    setLastEdited(null);
    setEditing(model);
  };
  const add = (provider: ProviderKind) => {
    setNewProvider(provider);
    edit(crypto.randomUUID());
  };
  const canAddBuiltIn =
    builtIn !== "unavailable" && models.every(({ provider }) => provider !== "chrome_built_in");
  const close = () => {
    setEditing(null);
    if (isNew) goToAdd();
    else setLastEdited(editing);
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
                <ModelForm
                  id={model.id}
                  provider={model.provider}
                  model={model}
                  view={view}
                  onClose={close}
                />
              ) : (
                <ModelCard
                  model={model}
                  isUsed={model.id === roles.current}
                  wasEdited={model.id === lastEdited}
                  view={view}
                  onEdit={() => edit(model.id)}
                  onDeleted={goToAdd}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div class="card-row">
        <button
          type="button"
          ref={addButton}
          class="button"
          disabled={editing !== null}
          onClick={() => add("open_ai_chat")}
        >
          <NewIcon />
          {t("model_add")}
        </button>
        {canAddBuiltIn && (
          <button
            type="button"
            class="button"
            disabled={editing !== null}
            onClick={() => add("chrome_built_in")}
          >
            <NewIcon />
            {t("built_in_model_add")}
          </button>
        )}
      </div>
      <FindModels view={view} />
      {models.length > 1 && <RoleFields view={view} />}
      {editing !== null && isNew && (
        <div class="card">
          <ModelForm
            key={editing}
            id={editing}
            provider={newProvider}
            model={null}
            view={view}
            onClose={close}
          />
        </div>
      )}
    </section>
  );
}
