// The panel's head: where one is, and the ways to elsewhere.

import type { JSX } from "preact";

import { t } from "../ui/i18n.ts";
import { GearIcon, ListIcon, NewIcon } from "../ui/icons.tsx";

export function Header(props: {
  title: string;
  onList: () => void;
  onNew: () => void;
  onOptions: () => void;
  /** Whether another conversation waits for the person. */
  isAskedElsewhere: boolean;
  /** What can be done with the conversation; null when there is none yet. */
  menu: JSX.Element | null;
}): JSX.Element {
  const { title, onList, onNew, onOptions, isAskedElsewhere, menu } = props;
  return (
    <header>
      <HeaderButton
        label={isAskedElsewhere ? t("conversations_asking") : t("conversations")}
        onClick={onList}
        icon={<ListIcon />}
        isMarked={isAskedElsewhere}
      />
      <h1 dir="auto" title={title}>
        {title}
      </h1>
      {menu}
      <HeaderButton label={t("new_conversation")} onClick={onNew} icon={<NewIcon />} />
      <HeaderButton label={t("options")} onClick={onOptions} icon={<GearIcon />} />
    </header>
  );
}

function HeaderButton(props: {
  label: string;
  onClick: () => void;
  icon: JSX.Element;
  isMarked?: boolean;
}): JSX.Element {
  const { label, onClick, icon, isMarked = false } = props;
  return (
    <button
      type="button"
      class={isMarked ? "icon-button marked" : "icon-button"}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
