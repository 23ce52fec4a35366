// What the person said, and the form in its place in which they say it anew.

import type { JSX, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { ItemId } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { PencilIcon } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";

export function UserLine(props: {
  item: ItemId;
  text: string;
  controller: Controller;
  canEdit: boolean;
}): JSX.Element {
  const { item, text, controller, canEdit } = props;
  const [mode, setMode] = useState<"shown" | "editing" | "left">("shown");
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    // The form that had the focus is gone.
    if (mode === "left") button.current?.focus();
  }, [mode]);
  // What is being written must not vanish because a turn has begun.
  if (mode === "editing") {
    const send = (next: string) => controller.editMessage(item, next);
    return <EditForm text={text} onSend={send} onClose={(isSent) => setMode(isSent ? "shown" : "left")} />;
  }
  return (
    <article class="line user">
      <h2 class="hidden">{t("you_said")}</h2>
      <p dir="auto">{text}</p>
      {canEdit && (
        <button
          type="button"
          ref={button}
          class="icon-button small user-edit"
          aria-label={t("edit_message")}
          title={t("edit_message")}
          onClick={() => setMode("editing")}
        >
          <PencilIcon />
        </button>
      )}
    </article>
  );
}

function EditForm(props: {
  text: string;
  onSend: (text: string) => Promise<string | null>;
  onClose: (isSent: boolean) => void;
}): JSX.Element {
  const { onSend, onClose } = props;
  const [text, setText] = useState(props.text);
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const textarea = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const field = textarea.current;
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  const send = async () => {
    if (isSending || text.trim() === "") return;
    setSending(true);
    setFault(null);
    const refusal = await onSend(text);
    setSending(false);
    if (refusal === null) onClose(true);
    else setFault(refusal);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    // While an input method composes, both keys are its own.
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      onClose(false);
    } else if (event.key === "Enter" && !event.shiftKey && event.target === textarea.current) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <article class="line user editing" aria-busy={isSending} onKeyDown={onKeyDown}>
      <h2 class="hidden">{t("edit_message")}</h2>
      <textarea
        ref={textarea}
        rows={1}
        dir="auto"
        value={text}
        aria-label={t("edit_text")}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <span class="quiet">{t("edit_help")}</span>
      <div class="request-row">
        <button type="button" class="button small primary" disabled={text.trim() === ""} onClick={() => void send()}>
          {t("edit_send")}
        </button>
        <button type="button" class="button small" onClick={() => onClose(false)}>
          {t("cancel")}
        </button>
      </div>
      {fault !== null && (
        <span class="field-fault" role="alert">
          {fault}
        </span>
      )}
    </article>
  );
}
