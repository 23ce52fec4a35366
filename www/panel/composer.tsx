// Where the person writes.

import type { JSX, RefObject, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect } from "preact/hooks";

import type { ItemView, ModelView } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { SendIcon, StopIcon } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";

export function Composer(props: {
  textarea: RefObject<HTMLTextAreaElement | null>;
  controller: Controller;
  items: readonly ItemView[];
  isRunning: boolean;
  /** Whether something waits for the person's answer: what is written here is none. */
  isAsked: boolean;
  model: ModelView | null;
}): JSX.Element {
  const { textarea, controller, items, isRunning, isAsked, model } = props;
  const text = controller.draft;
  const { timesToComposer } = controller;
  useLayoutEffect(() => textarea.current?.focus(), [textarea, timesToComposer]);

  const send = () => void controller.sendMessage(text);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter chooses a candidate and the arrows move among them.
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && text === "") {
      const last = lastMessage(items);
      if (last === null) return;
      event.preventDefault();
      controller.setDraft(last);
    }
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={textarea}
        rows={1}
        dir="auto"
        value={text}
        placeholder={isAsked ? t("composer_asked") : t("composer_placeholder")}
        aria-label={t("composer_label")}
        onInput={(event) => controller.setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-row">
        {model !== null && <ModelName model={model} />}
        <span class="spring" />
        {isRunning && (
          <RoundButton label={t("stop")} icon={<StopIcon />} onClick={() => void controller.stop()} />
        )}
        {(!isRunning || text !== "") && (
          <button
            type="submit"
            class="round-button primary"
            aria-label={t("send")}
            title={t("send")}
            disabled={text.trim() === ""}
          >
            <SendIcon />
          </button>
        )}
      </div>
    </form>
  );
}

function RoundButton(props: { label: string; icon: JSX.Element; onClick: () => void }): JSX.Element {
  const { label, icon, onClick } = props;
  return (
    <button type="button" class="round-button" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </button>
  );
}

function ModelName({ model }: { model: ModelView }): JSX.Element {
  return (
    <span class="model-name">
      <span class="hidden">{t("model_in_use")}</span>
      <bdi title={model.model}>{model.name}</bdi>
      {model.scripted && <span class="badge warning">{t("scripted_demo")}</span>}
    </span>
  );
}

function lastMessage(items: readonly ItemView[]): string | null {
  const item = items.findLast(({ body }) => body.kind === "user_message");
  return item?.body.kind === "user_message" ? item.body.text : null;
}
