// What can be done with the open conversation as a whole: a button with a short menu.

import type { JSX, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ConversationSummary } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { BroomIcon, MoreIcon, PencilIcon, SummaryIcon, TrashIcon } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";
import { Confirm, RenameForm, useOutcome } from "./conversation_forms.tsx";

/** What must be asked before it is done. */
type Asking = "rename" | "clear" | "delete";

export function ConversationMenu(props: {
  summary: ConversationSummary;
  controller: Controller;
}): JSX.Element {
  const { summary, controller } = props;
  const menu = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const act = (action: () => void) => () => {
    // First of all, so that the focus comes back to the button and not to an entry that is hidden.
    menu.current?.hidePopover();
    action();
  };
  return (
    <>
      <button
        type="button"
        class="icon-button"
        popovertarget="conversation-menu"
        aria-haspopup="menu"
        aria-label={t("conversation_menu")}
        title={t("conversation_menu")}
      >
        <MoreIcon />
      </button>
      <div
        ref={menu}
        id="conversation-menu"
        class="menu"
        popover="auto"
        role="menu"
        aria-label={t("conversation_menu")}
        onToggle={(event) => {
          if (event.newState === "open") entriesOf(menu.current)[0]?.focus();
        }}
        onKeyDown={moveInMenu}
      >
        <Entry icon={<PencilIcon />} label={t("rename")} onClick={act(() => setAsking("rename"))} />
        <Entry icon={<SummaryIcon />} label={t("compact")} onClick={act(() => void controller.compact())} />
        <Entry icon={<BroomIcon />} label={t("clear")} onClick={act(() => setAsking("clear"))} />
        <Entry icon={<TrashIcon />} label={t("delete")} onClick={act(() => setAsking("delete"))} />
      </div>
      {asking !== null && (
        <AskDialog asking={asking} summary={summary} controller={controller} onClose={() => setAsking(null)} />
      )}
    </>
  );
}

function Entry(props: { icon: JSX.Element; label: string; onClick: () => void }): JSX.Element {
  const { icon, label, onClick } = props;
  return (
    <button type="button" role="menuitem" tabIndex={-1} class="menu-entry" onClick={onClick}>
      {icon}
      {label}
    </button>
  );
}

function entriesOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

/** The arrows go around; Tab leaves the menu, which closes it. */
function moveInMenu(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const menu = event.currentTarget;
  if (event.key === "Tab") {
    menu.hidePopover();
    return;
  }
  const entries = entriesOf(menu);
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const next = nextEntry(event.key, at, entries.length);
  if (next === null) return;
  event.preventDefault();
  entries.at(next)?.focus();
}

function nextEntry(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return at <= 0 ? count - 1 : at - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

function AskDialog(props: {
  asking: Asking;
  summary: ConversationSummary;
  controller: Controller;
  onClose: () => void;
}): JSX.Element {
  const { asking, summary, controller, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  // What is in the dialog takes the focus when it is made, so it is made when the dialog is there.
  const [isShown, setShown] = useState(false);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    setShown(true);
  }, []);
  const { fault, settle } = useOutcome();
  // Closing gives the focus back, and what is gone on to then takes it.
  const close = () => dialog.current?.close();
  const done = () => {
    close();
    controller.goToComposer();
  };
  return (
    <dialog ref={dialog} class="ask-dialog" aria-label={t("conversation_menu")} onClose={onClose}>
      {isShown && asking === "rename" && (
        <RenameForm
          title={summary.title}
          onSave={(title) => settle(controller.rename(summary.id, title), close)}
          onCancel={close}
        />
      )}
      {isShown && asking === "clear" && (
        <Confirm
          question={t("clear_question", summary.title)}
          action={t("clear")}
          onConfirm={() => settle(controller.clear(summary.id), done)}
          onCancel={close}
        />
      )}
      {isShown && asking === "delete" && (
        <Confirm
          question={t("delete_question", summary.title)}
          action={t("delete")}
          onConfirm={() => settle(controller.remove(summary.id), close)}
          onCancel={close}
        />
      )}
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
    </dialog>
  );
}
