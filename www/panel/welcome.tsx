// An empty conversation: what can be asked for, or what is missing before anything can be.

import type { JSX } from "preact";

import { type MessageKey, t } from "../ui/i18n.ts";
import { Logo } from "../ui/logo.tsx";
import { currentModel, type State } from "../ui/store.ts";
import type { Controller } from "./controller.ts";

const EXAMPLES = ["example_group", "example_sound", "example_twice"] as const satisfies MessageKey[];

export function Welcome({ state, controller }: { state: State; controller: Controller }): JSX.Element {
  return (
    <div class="welcome">
      {state.isWelcome && (
        <>
          <Logo />
          {currentModel(state) === null ? (
            <NoModel onOptions={controller.openOptions} />
          ) : (
            <Examples onSend={(text) => void controller.sendMessage(text)} />
          )}
        </>
      )}
    </div>
  );
}

function NoModel({ onOptions }: { onOptions: () => void }): JSX.Element {
  return (
    <>
      <h2>{t("no_model_title")}</h2>
      <p>{t("no_model_text")}</p>
      <button type="button" class="button primary" onClick={onOptions}>
        {t("no_model_button")}
      </button>
    </>
  );
}

function Examples({ onSend }: { onSend: (text: string) => void }): JSX.Element {
  return (
    <>
      <h2>{t("welcome_title")}</h2>
      <p>{t("welcome_text")}</p>
      <ul>
        {EXAMPLES.map((key) => (
          <li key={key}>
            <button type="button" class="example" onClick={() => onSend(t(key))}>
              {t(key)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
