// A call that waits for permission: what it is about to do, why the person is asked, and the two answers.

import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";

import type { ConversationId, ItemId } from "../generated/protocol.ts";
import { t } from "../ui/i18n.ts";
import { ShieldIcon } from "../ui/icons.tsx";
import type { Controller } from "./controller.ts";
import { RequestCard, useReply } from "./request_card.tsx";
import { argumentRows } from "./tool_text.ts";

export function ApprovalCard(props: {
  conversation: ConversationId;
  item: ItemId;
  title: string;
  tool: string;
  arguments: string;
  reason: string;
  controller: Controller;
}): JSX.Element {
  const { conversation, item, title, tool, reason, controller } = props;
  const [note, setNote] = useState("");
  const id = useId();
  const reply = useReply(item, controller);
  const decide = (approve: boolean) =>
    reply.send(() => controller.decide(conversation, item, approve, note.trim()));

  return (
    <RequestCard
      item={item}
      id={id}
      icon={<ShieldIcon />}
      title={t("approval_title", title)}
      text={reason}
      reply={reply}
      controller={controller}
    >
      <Arguments tool={tool} text={props.arguments} />
      <label class="request-field">
        <span>{t("approval_note")}</span>
        <input
          type="text"
          dir="auto"
          value={note}
          autocomplete="off"
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      <div class="request-row">
        <button type="button" class="button primary" onClick={() => decide(true)}>
          {t("approval_allow")}
        </button>
        <button type="button" class="button" onClick={() => decide(false)}>
          {t("approval_deny")}
        </button>
      </div>
    </RequestCard>
  );
}

/** Every argument whole, for what is allowed must have been seen: what is long scrolls. */
function Arguments({ tool, text }: { tool: string; text: string }): JSX.Element {
  const rows = argumentRows(text);
  return (
    <div class="arguments" tabIndex={0} role="group" aria-label={t("tool_arguments")}>
      <code>{tool}</code>
      {rows === null ? (
        <pre dir="ltr">{text}</pre>
      ) : (
        <dl>
          {rows.map(({ name, value }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
