// One model record of the list: what it is, and what can be done with it.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ModelView, Op } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { CheckResult, useModelCheck } from "./model_check.tsx";
import { PROVIDER_NAMES } from "./providers.ts";

/** Where one goes on in a card when the button that was pressed has gone. */
type Next = "edit" | "delete" | null;

export function ModelCard(props: {
  model: ModelView;
  isUsed: boolean;
  /** The record was just in the form: the button that led there has the focus again. */
  wasEdited: boolean;
  view: View;
  onEdit: () => void;
  onDeleted: () => void;
}): JSX.Element {
  const { model, isUsed, wasEdited, view, onEdit, onDeleted } = props;
  const [isAsking, setAsking] = useState(false);
  const [next, setNext] = useState<Next>(wasEdited ? "edit" : null);
  const [fault, setFault] = useState<string | null>(null);
  const [check, beginCheck] = useModelCheck(view, model);
  const ask = async (op: Op, done: () => void) => {
    const answer = await view.send(op);
    setFault(answer.type === "refused" ? answer.refusal.message : null);
    if (answer.type !== "refused") done();
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
        <span>{t(PROVIDER_NAMES[model.provider])}</span>
        <bdi>{model.model}</bdi>
        {model.address !== "" && <bdi>{model.address}</bdi>}
      </p>
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
      <CheckResult check={check} />
      {isAsking ? (
        <DeleteQuestion
          name={model.name}
          onDelete={() => void ask({ type: "delete_model", model: model.id }, onDeleted)}
          onCancel={() => {
            setNext("delete");
            setAsking(false);
          }}
        />
      ) : (
        <Actions
          name={model.name}
          isUsed={isUsed}
          next={next}
          onTest={beginCheck}
          onUse={() => void ask({ type: "use_model", model: model.id, role: "current" }, () => setNext("edit"))}
          onEdit={onEdit}
          onDelete={() => {
            setNext(null);
            setAsking(true);
          }}
        />
      )}
    </>
  );
}

function Actions(props: {
  name: string;
  isUsed: boolean;
  next: Next;
  onTest: () => void;
  onUse: () => void;
  onEdit: () => void;
  onDelete: () => void;
}): JSX.Element {
  const { name, isUsed, next, onTest, onUse, onEdit, onDelete } = props;
  const nextButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => nextButton.current?.focus(), [next]);
  return (
    <div class="card-row">
      {!isUsed && (
        <button type="button" class="button small" aria-label={t("model_use_label", name)} onClick={onUse}>
          {t("model_use")}
        </button>
      )}
      <button type="button" class="button small" aria-label={t("model_test_label", name)} onClick={onTest}>
        {t("model_test")}
      </button>
      <button
        type="button"
        ref={next === "edit" ? nextButton : null}
        class="button small"
        aria-label={t("model_edit_label", name)}
        onClick={onEdit}
      >
        {t("edit")}
      </button>
      <button
        type="button"
        ref={next === "delete" ? nextButton : null}
        class="button small"
        aria-label={t("model_delete_label", name)}
        onClick={onDelete}
      >
        {t("delete")}
      </button>
    </div>
  );
}

function DeleteQuestion(props: {
  name: string;
  onDelete: () => void;
  onCancel: () => void;
}): JSX.Element {
  const { name, onDelete, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  return (
    <div class="card-row">
      <p dir="auto">{t("model_delete_question", name)}</p>
      <button type="button" class="button small danger" onClick={onDelete}>
        {t("delete")}
      </button>
      <button type="button" class="button small" ref={cancel} onClick={onCancel}>
        {t("cancel")}
      </button>
    </div>
  );
}
