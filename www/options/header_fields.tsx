// The rows of extra headers. Their values may be secrets, so a stored one is never shown.

import type { JSX } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ExtraHeader } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { CloseIcon, NewIcon } from "../ui/icons.tsx";
import { FieldGroup } from "./field.tsx";

interface Row {
  /** Stays when rows before it go, so that each keeps what was typed into it. */
  readonly key: number;
  readonly name: string;
  readonly isStored: boolean;
}

/** Where one goes on when a row has come or gone. */
type Next = "new row" | "add" | null;

export function HeaderFields({ headers }: { headers: readonly ExtraHeader[] }): JSX.Element {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    headers.map(({ name }, key) => ({ key, name, isStored: true })),
  );
  const [next, setNext] = useState<Next>(null);
  const made = useRef(headers.length);
  const list = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (next === "new row") list.current?.lastElementChild?.querySelector("input")?.focus();
    if (next === "add") addButton.current?.focus();
    setNext(null);
  }, [next]);

  const add = () => {
    setRows([...rows, { key: made.current, name: "", isStored: false }]);
    made.current += 1;
    setNext("new row");
  };
  const remove = (gone: Row) => {
    setRows(rows.filter(({ key }) => key !== gone.key));
    setNext("add");
  };

  return (
    <FieldGroup label={t("headers")} help={t("headers_help")}>
      <div ref={list} class="headers">
        {rows.map((row, index) => (
          <HeaderRow key={row.key} row={row} place={String(index + 1)} onRemove={() => remove(row)} />
        ))}
      </div>
      <div class="card-row">
        <button type="button" ref={addButton} class="button small" onClick={add}>
          <NewIcon />
          {t("header_add")}
        </button>
      </div>
    </FieldGroup>
  );
}

function HeaderRow(props: { row: Row; place: string; onRemove: () => void }): JSX.Element {
  const { row, place, onRemove } = props;
  const id = useId();
  return (
    <div class="header-row" role="group" aria-label={t("header_row", place)}>
      <div class="field">
        <label for={`${id}-name`}>{t("header_name")}</label>
        <input
          id={`${id}-name`}
          name="header_name"
          class="code"
          dir="ltr"
          defaultValue={row.name}
          spellcheck={false}
          autocomplete="off"
        />
      </div>
      <div class="field">
        <label for={`${id}-value`}>{t("header_value")}</label>
        <input
          id={`${id}-value`}
          name="header_value"
          type="password"
          dir="ltr"
          placeholder={row.isStored ? t("header_value_stored") : undefined}
          autocomplete="new-password"
        />
      </div>
      <button
        type="button"
        class="icon-button"
        aria-label={t("header_remove", place)}
        title={t("header_remove", place)}
        onClick={onRemove}
      >
        <CloseIcon />
      </button>
    </div>
  );
}
