// All conversations, in a drawer over the panel.

import type { JSX, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ConversationId, ConversationSummary } from "../generated/protocol.ts";
import type { Answer } from "../ui/core_client.ts";
import { formatWhen } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";
import { CloseIcon, NewIcon, PencilIcon, Spinner, TrashIcon } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";

export function ConversationDrawer(props: {
  conversations: readonly ConversationSummary[];
  /** Whether the core has older ones than these. */
  hasOlder: boolean;
  controller: Controller;
  onClose: () => void;
}): JSX.Element {
  const { conversations, hasOlder, controller, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  const newButton = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<ConversationId | null>(null);
  useLayoutEffect(() => {
    const at = conversations.findIndex(({ id }) => id === focused);
    if (at >= 0) list.current?.children.item(at)?.querySelector("button")?.focus();
  }, [focused]);
  /** Where reading goes on, once older ones were added. */
  const focusOnRow = (first: ConversationId | null) => {
    if (first === null) newButton.current?.focus();
    else setFocused(first);
  };

  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby="drawer-title"
      onClose={onClose}
      onClick={(event) => {
        // Only the backdrop is the dialog itself; its content fills it.
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="drawer-content">
        <div class="drawer-head">
          <h2 id="drawer-title">{t("conversations")}</h2>
          <button type="button" class="icon-button" aria-label={t("close")} title={t("close")} onClick={close}>
            <CloseIcon />
          </button>
        </div>
        <button
          type="button"
          ref={newButton}
          class="button"
          onClick={() => {
            controller.newConversation();
            close();
          }}
        >
          <NewIcon />
          {t("new_conversation")}
        </button>
        {conversations.length === 0 && <p class="quiet">{t("no_conversations")}</p>}
        <ul ref={list}>
          {conversations.map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              isOpen={summary.id === controller.conversation}
              controller={controller}
              onOpen={() => {
                controller.openConversation(summary.id);
                close();
              }}
              onDeleted={() => newButton.current?.focus()}
            />
          ))}
        </ul>
        {hasOlder && <OlderButton controller={controller} onListed={focusOnRow} />}
      </div>
    </dialog>
  );
}

/** At the end of the list. `onListed` is told which one came first, null when there were none. */
function OlderButton(props: {
  controller: Controller;
  onListed: (first: ConversationId | null) => void;
}): JSX.Element {
  const { controller, onListed } = props;
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const ask = async () => {
    // A disabled button would lose the focus; this one only does not ask twice.
    if (isAsking) return;
    setAsking(true);
    setFault(null);
    const answer = await controller.listOlder();
    setAsking(false);
    if (answer?.type === "refused") setFault(answer.refusal.message);
    if (answer?.type !== "conversations") return;
    // Whoever has gone on to something else meanwhile is left there. At the list's end the button is gone by now.
    const { activeElement } = document;
    if (activeElement === button.current || activeElement === document.body) {
      onListed(answer.conversations[0]?.id ?? null);
    }
  };
  return (
    <>
      <button type="button" ref={button} class="button" aria-busy={isAsking} onClick={() => void ask()}>
        {isAsking && <Spinner />}
        {t("older_conversations")}
      </button>
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

type RowMode = "shown" | "renaming" | "deleting";

function ConversationRow(props: {
  summary: ConversationSummary;
  isOpen: boolean;
  controller: Controller;
  onOpen: () => void;
  onDeleted: () => void;
}): JSX.Element {
  const { summary, isOpen, controller, onOpen, onDeleted } = props;
  const [mode, setMode] = useState<RowMode>("shown");
  const [lastMode, setLastMode] = useState<RowMode>("shown");
  const [fault, setFault] = useState<string | null>(null);
  const show = () => {
    setFault(null);
    setLastMode(mode);
    setMode("shown");
  };
  const settle = async (answer: Promise<Answer>, done: () => void) => {
    const event = await answer;
    if (event.type === "refused") setFault(event.refusal.message);
    else done();
  };

  return (
    <li>
      {mode === "shown" && (
        <ShownRow
          summary={summary}
          isOpen={isOpen}
          lastMode={lastMode}
          onOpen={onOpen}
          onMode={setMode}
        />
      )}
      {mode === "renaming" && (
        <RenameForm
          title={summary.title}
          onSave={(title) => void settle(controller.rename(summary.id, title), show)}
          onCancel={show}
        />
      )}
      {mode === "deleting" && (
        <DeleteQuestion
          title={summary.title}
          onDelete={() => void settle(controller.remove(summary.id), onDeleted)}
          onCancel={show}
        />
      )}
      {fault !== null && (
        <p class="field-fault" role="alert">
          {fault}
        </p>
      )}
    </li>
  );
}

function ShownRow(props: {
  summary: ConversationSummary;
  isOpen: boolean;
  /** What the row comes back from: the button that led there has the focus again. */
  lastMode: RowMode;
  onOpen: () => void;
  onMode: (mode: RowMode) => void;
}): JSX.Element {
  const { summary, isOpen, lastMode, onOpen, onMode } = props;
  const { title, running, updated_at } = summary;
  const lastButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => lastButton.current?.focus(), []);
  return (
    <div class="drawer-row">
      <button type="button" class="drawer-open" aria-current={isOpen ? "true" : undefined} onClick={onOpen}>
        <span class="drawer-title" dir="auto">
          {title}
        </span>
        <span class="drawer-end">
          {running ? (
            <>
              <Spinner />
              <span class="hidden">{t("running")}</span>
            </>
          ) : (
            <span class="time">{formatWhen(updated_at, Date.now())}</span>
          )}
        </span>
      </button>
      <span class="drawer-actions">
        <button
          type="button"
          ref={lastMode === "renaming" ? lastButton : null}
          class="icon-button small"
          aria-label={t("rename_conversation", title)}
          title={t("rename")}
          onClick={() => onMode("renaming")}
        >
          <PencilIcon />
        </button>
        <button
          type="button"
          ref={lastMode === "deleting" ? lastButton : null}
          class="icon-button small"
          aria-label={t("delete_conversation", title)}
          title={t("delete")}
          onClick={() => onMode("deleting")}
        >
          <TrashIcon />
        </button>
      </span>
    </div>
  );
}

function RenameForm(props: {
  title: string;
  onSave: (title: string) => void;
  onCancel: () => void;
}): JSX.Element {
  const { title, onSave, onCancel } = props;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  return (
    <form
      class="drawer-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(input.current?.value ?? "");
      }}
      onKeyDown={onEscape(onCancel)}
    >
      <input ref={input} dir="auto" defaultValue={title} aria-label={t("conversation_title")} />
      <button type="submit" class="button small primary">
        {t("save")}
      </button>
      <button type="button" class="button small" onClick={onCancel}>
        {t("cancel")}
      </button>
    </form>
  );
}

function DeleteQuestion(props: {
  title: string;
  onDelete: () => void;
  onCancel: () => void;
}): JSX.Element {
  const { title, onDelete, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  return (
    <div class="drawer-form" onKeyDown={onEscape(onCancel)}>
      <p dir="auto">{t("delete_question", title)}</p>
      <button type="button" class="button small danger" onClick={onDelete}>
        {t("delete")}
      </button>
      <button type="button" class="button small" ref={cancel} onClick={onCancel}>
        {t("cancel")}
      </button>
    </div>
  );
}

/** Escape means what was begun in the row, not the whole drawer; and in an input method, only its candidates. */
function onEscape(cancel: () => void): (event: TargetedKeyboardEvent<HTMLElement>) => void {
  return (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    cancel();
  };
}
