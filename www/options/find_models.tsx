// Model servers on this computer: what is there is added with a click.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ModelServer, ModelView } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";

type Search =
  | { state: "none" }
  | { state: "running" }
  | { state: "done"; servers: readonly ModelServer[] };

export function FindModels({ view }: { view: View }): JSX.Element {
  const [search, setSearch] = useState<Search>({ state: "none" });
  const [fault, setFault] = useState<string | null>(null);
  const find = async () => {
    setFault(null);
    setSearch({ state: "running" });
    const answer = await view.send({ type: "find_models" });
    setSearch(answer.type === "models_found" ? { state: "done", servers: answer.servers } : { state: "none" });
  };
  const add = async (server: ModelServer, model: string) => {
    const { provider, address } = server;
    const draft = { id: crypto.randomUUID(), name: model, provider, address, model };
    const answer = await view.send({
      type: "save_model",
      model: { ...draft, key: null, scripted: false, context_window: null },
    });
    setFault(answer.type === "refused" ? answer.refusal.message : null);
  };
  return (
    <>
      <div class="card-row">
        <button type="button" class="button" onClick={() => void (search.state === "running" || find())}>
          {t("find_models")}
        </button>
        <span role="status" class="quiet">
          {search.state === "running" && t("finding_models")}
          {search.state === "done" && search.servers.length === 0 && t("found_no_models")}
        </span>
      </div>
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      {search.state === "done" &&
        search.servers.map((server) => (
          <FoundServer
            key={server.address}
            server={server}
            known={view.state.models}
            onAdd={(model) => void add(server, model)}
          />
        ))}
    </>
  );
}

function FoundServer(props: {
  server: ModelServer;
  known: readonly ModelView[];
  onAdd: (model: string) => void;
}): JSX.Element {
  const { server, known, onAdd } = props;
  if (server.models.length === 0) return <p>{t("found_no_model_in", server.name)}</p>;
  const isKnown = (model: string) =>
    known.some((record) => record.model === model && record.address === server.address);
  return (
    <section class="card" aria-label={t("found_models_of", server.name)}>
      <h3>{t("found_models_of", server.name)}</h3>
      <ul class="found">
        {server.models.map((model) => (
          <li key={model}>
            <bdi>{model}</bdi>
            {isKnown(model) ? (
              <span class="badge">{t("saved")}</span>
            ) : (
              <button
                type="button"
                class="button small"
                aria-label={t("found_model_add", model)}
                onClick={() => onAdd(model)}
              >
                {t("add")}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
