// Labelled inputs with their help beneath.

import type { ComponentChildren, JSX, TargetedEvent } from "preact";
import { useId } from "preact/hooks";

export type FieldKind =
  { type: "text"; inputMode?: "numeric" | "decimal" } | { type: "password" } | { type: "number" };

export function Field(props: {
  name: string;
  label: string;
  value: string;
  help?: string;
  kind?: FieldKind;
  /** Addresses and ids: letter for letter, left to right. */
  isCode?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
  /** The help changes while the form is open: screen readers say it anew. */
  isHelpLive?: boolean;
  /** Makes the field one that always shows `value`. */
  onInput?: (value: string) => void;
}): JSX.Element {
  const { name, label, value, help, isCode = false, isDisabled = false } = props;
  const { kind = { type: "text" }, placeholder, isHelpLive = false, onInput } = props;
  const id = useId();
  const shown =
    onInput === undefined
      ? { defaultValue: value }
      : { value, onInput: (event: TargetedEvent<HTMLInputElement>) => onInput(event.currentTarget.value) };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...kind}
        dir={isCode ? "ltr" : "auto"}
        class={isCode ? "code" : undefined}
        {...shown}
        placeholder={placeholder}
        disabled={isDisabled}
        spellcheck={false}
        autocomplete={kind.type === "password" ? "new-password" : "off"}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
      />
      {help !== undefined && (
        <p id={`${id}-help`} class="quiet" role={isHelpLive ? "status" : undefined}>
          {help}
        </p>
      )}
    </div>
  );
}

/** A choice of one. With `onChoose` it always shows `value`, else it begins with it. */
export function SelectField(props: {
  name: string;
  label: string;
  value: string;
  choices: readonly { value: string; label: string }[];
  help?: string;
  onChoose?: (value: string) => void;
}): JSX.Element {
  const { name, label, value, choices, help, onChoose } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={({ currentTarget }) => {
          onChoose?.(currentTarget.value);
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} selected={choice.value === value}>
            {choice.label}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p id={`${id}-help`} class="quiet">
          {help}
        </p>
      )}
    </div>
  );
}

/** Fields that belong together, with what is said of all of them. */
export function FieldGroup(props: { label: string; help: string; children: ComponentChildren }): JSX.Element {
  const { label, help, children } = props;
  const id = useId();
  return (
    <fieldset class="field-group" aria-describedby={id}>
      <legend>{label}</legend>
      <p id={id} class="quiet">
        {help}
      </p>
      {children}
    </fieldset>
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
