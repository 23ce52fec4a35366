// Every word a person reads comes from here. The English messages are the list of the keys, so a
// key that does not exist is a type error; a test checks the number of substitutions, and that no
// message is unused.

import type messages from "../../_locales/en/messages.json";

export type MessageKey = keyof typeof messages;

export function t(key: MessageKey, ...substitutions: string[]): string {
  return chrome.i18n.getMessage(key, substitutions);
}

/** Says to the browser and to screen readers which language the messages are in. */
export function setDocumentLanguage(): void {
  document.documentElement.lang = t("language_code");
  document.documentElement.dir = t("text_direction");
}
