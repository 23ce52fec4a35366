// The panel's head: where one is, and the ways to elsewhere.

import type { JSX } from "preact";

import { t } from "../ui/i18n.ts";
import { GearIcon, ListIcon, NewIcon } from "../ui/icons.tsx";

export function Header(props: {
  title: string;
  onList: () => void;
  onNew: () => void;
  onOptions: () => void;
}): JSX.Element {
  const { title, onList, onNew, onOptions } = props;
  return (
    <header>
      <HeaderButton label={t("conversations")} onClick={onList} icon={<ListIcon />} />
      <h1 dir="auto" title={title}>
        {title}
      </h1>
      <HeaderButton label={t("new_conversation")} onClick={onNew} icon={<NewIcon />} />
      <HeaderButton label={t("options")} onClick={onOptions} icon={<GearIcon />} />
    </header>
  );
}

function HeaderButton(props: { label: string; onClick: () => void; icon: JSX.Element }): JSX.Element {
  const { label, onClick, icon } = props;
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  );
}
