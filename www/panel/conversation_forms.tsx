// What is asked before a conversation is renamed, emptied or deleted, wherever that is begun.

import type { JSX, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Answer } from "../ui/core_client.ts";
import { t } from "../ui/i18n.ts";

/** What became of the last thing that was asked for here. */
export function useOutcome(): {
  fault: string | null;
  forget: () => void;
  settle: (answer: Promise<Answer>, done: () => void) => void;
} {
  const [fault, setFault] = useState<string | null>(null);
  const settle = async (answer: Promise<Answer>, done: () => void) => {
    const event = await answer;
    if (event.type === "refused") setFault(event.refusal.message);
    else done();
  };
  return { fault, forget: () => setFault(null), settle: (answer, done) => void settle(answer, done) };
}

export function RenameForm(props: {
  title: string;
  onSave: (title: string) => void;
  onCancel: () => void;
}): JSX.Element {
  const { title, onSave, onCancel } = props;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  return (
    <form
      class="small-form"
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

export function Confirm(props: {
  question: string;
  action: string;
  onConfirm: () => void;
  onCancel: () => void;
}): JSX.Element {
  const { question, action, onConfirm, onCancel } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  return (
    <div class="small-form" onKeyDown={onEscape(onCancel)}>
      <p dir="auto">{question}</p>
      <button type="button" class="button small danger" onClick={onConfirm}>
        {action}
      </button>
      <button type="button" class="button small" ref={cancel} onClick={onCancel}>
        {t("cancel")}
      </button>
    </div>
  );
}

/** Escape means what was begun here, not what is around it; and in an input method, only its candidates. */
function onEscape(cancel: () => void): (event: TargetedKeyboardEvent<HTMLElement>) => void {
  return (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    cancel();
  };
}
