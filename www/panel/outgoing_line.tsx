// A message that is no part of its conversation yet: on its way, or refused and not given up.

import type { JSX } from "preact";

import { t } from "../ui/i18n.ts";
import { ErrorIcon, PencilIcon, RetryIcon } from "../ui/icons.tsx";
import type { Controller, Outgoing } from "./controller.ts";

export function OutgoingLine(props: { message: Outgoing; controller: Controller }): JSX.Element {
  const { message, controller } = props;
  const { text, refusal } = message;
  return (
    <article class={refusal === null ? "line user outgoing" : "line user refused"}>
      <h2 class="hidden">{t("you_said")}</h2>
      <p dir="auto">{text}</p>
      {refusal !== null && (
        <div class="refusal">
          <ErrorIcon />
          <span role="alert" dir="auto">
            {refusal}
          </span>
          <button type="button" class="button small" onClick={() => void controller.sendAgain(message)}>
            <RetryIcon />
            {t("send_again")}
          </button>
          <button type="button" class="button small" onClick={() => controller.putBack(message)}>
            <PencilIcon />
            {t("put_back")}
          </button>
        </div>
      )}
    </article>
  );
}
