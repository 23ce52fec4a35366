// All conversations, in a drawer over the panel.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ConversationId, ConversationSummary } from "../generated/protocol.ts";
import { formatWhen } from "../ui/format.ts";
import { t } from "../ui/i18n.ts";
import { CloseIcon, NewIcon, PencilIcon, QuestionIcon, Spinner, TrashIcon } from "../ui/icons.tsx";
import { usageDetail, usageShort } from "../ui/usage.ts";
import type { Controller } from "./controller.ts";
import { Confirm, RenameForm, useOutcome } from "./conversation_forms.tsx";

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
  const { fault, forget, settle } = useOutcome();
  const show = () => {
    forget();
    setLastMode(mode);
    setMode("shown");
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
          onSave={(title) => settle(controller.rename(summary.id, title), show)}
          onCancel={show}
        />
      )}
      {mode === "deleting" && (
        <Confirm
          question={t("delete_question", summary.title)}
          action={t("delete")}
          onConfirm={() => settle(controller.remove(summary.id), onDeleted)}
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
  const { title } = summary;
  const lastButton = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => lastButton.current?.focus(), []);
  return (
    <div class="drawer-row">
      <button type="button" class="drawer-open" aria-current={isOpen ? "true" : undefined} onClick={onOpen}>
        <span class="drawer-words">
          <span class="drawer-title" dir="auto">
            {title}
          </span>
          {summary.usage.input > 0 && (
            <span class="drawer-usage" title={usageDetail(summary.usage, t)}>
              {usageShort(summary.usage, t)}
            </span>
          )}
        </span>
        <span class="drawer-end">
          <RowState summary={summary} />
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

/** What goes on in a conversation, or when something last did. */
function RowState({ summary }: { summary: ConversationSummary }): JSX.Element {
  const { waiting, running, updated_at } = summary;
  if (waiting) {
    return (
      <span class="drawer-waits" title={t("waits_for_you")}>
        <QuestionIcon />
        <span class="hidden">{t("waits_for_you")}</span>
      </span>
    );
  }
  if (!running) return <span class="time">{formatWhen(updated_at, Date.now())}</span>;
  return (
    <>
      <Spinner />
      <span class="hidden">{t("running")}</span>
    </>
  );
}
