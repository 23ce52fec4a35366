// Labelled inputs with their help beneath.

import type { JSX } from "preact";
import { useId } from "preact/hooks";

export type FieldKind =
  /** `list` is the id of a datalist. */
  { type: "text"; list?: string; inputMode?: "numeric" } | { type: "password" } | { type: "number" };

export function Field(props: {
  name: string;
  label: string;
  value: string;
  help: string;
  kind?: FieldKind;
  /** Addresses and ids: letter for letter, left to right. */
  isCode?: boolean;
  isDisabled?: boolean;
}): JSX.Element {
  const { name, label, value, help, isCode = false, isDisabled = false } = props;
  const { kind = { type: "text" } } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...kind}
        dir={isCode ? "ltr" : "auto"}
        class={isCode ? "code" : undefined}
        defaultValue={value}
        disabled={isDisabled}
        spellcheck={false}
        autocomplete={kind.type === "password" ? "new-password" : "off"}
        aria-describedby={`${id}-help`}
      />
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
    </div>
  );
}

export function CheckField(props: {
  name: string;
  label: string;
  isChecked: boolean;
  help: string;
}): JSX.Element {
  const { name, label, isChecked, help } = props;
  const id = useId();
  return (
    <div class="field">
      <label class="check">
        <input type="checkbox" name={name} defaultChecked={isChecked} aria-describedby={`${id}-help`} />
        {label}
      </label>
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
    </div>
  );
}
