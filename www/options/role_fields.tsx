// Which model does what beside answering: summing up, and standing in.

import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ModelRole } from "../generated/protocol.ts";
import { type MessageKey, t } from "../ui/i18n.ts";
import type { View } from "../ui/view.ts";
import { SelectField } from "./field.tsx";

const ROLES = [
  { role: "summary", label: "summary_model", help: "summary_model_help", none: "summary_model_own" },
  { role: "fallback", label: "fallback_model", help: "fallback_model_help", none: "fallback_model_none" },
] as const satisfies {
  role: Exclude<ModelRole, "current">;
  label: MessageKey;
  help: MessageKey;
  none: MessageKey;
}[];

export function RoleFields({ view }: { view: View }): JSX.Element {
  const { models, roles } = view.state;
  const [fault, setFault] = useState<string | null>(null);
  const choose = async (role: ModelRole, model: string) => {
    const answer = await view.send({ type: "use_model", role, model: model === "" ? null : model });
    setFault(answer.type === "refused" ? answer.refusal.message : null);
  };
  return (
    <div class="card form">
      {ROLES.map(({ role, label, help, none }) => (
        <SelectField
          key={role}
          name={`${role}_model`}
          label={t(label)}
          value={roles[role] ?? ""}
          choices={[{ value: "", label: t(none) }, ...models.map(({ id, name }) => ({ value: id, label: name }))]}
          help={t(help)}
          onChoose={(model) => void choose(role, model)}
        />
      ))}
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
