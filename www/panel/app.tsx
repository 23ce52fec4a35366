// The panel from top to bottom.

import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";

import { useChanges } from "../ui/hooks.ts";
import { t } from "../ui/i18n.ts";
import { CloseIcon, ErrorIcon } from "../ui/icons.tsx";
import { LinkBanner } from "../ui/link_banner.tsx";
import { memo } from "../ui/memo.tsx";
import { requestsIn } from "../ui/requests.ts";
import { currentModel } from "../ui/store.ts";
import { Composer } from "./composer.tsx";
import type { Controller } from "./controller.ts";
import { ConversationDrawer } from "./conversation_drawer.tsx";
import { ConversationMenu } from "./conversation_menu.tsx";
import { Header } from "./header.tsx";
import { TaskList } from "./task_list.tsx";
import { Transcript } from "./transcript.tsx";
import { Welcome } from "./welcome.tsx";

export function App({ controller }: { controller: Controller }): JSX.Element {
  useChanges(controller);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { view, conversation } = controller;
  const { state } = view;
  const { open } = state;
  const outgoing = controller.outgoing.filter((message) => message.conversation === conversation);
  const refusedElsewhere = controller.outgoing.find(
    (message) => message.conversation !== conversation && message.refusal !== null,
  );
  const isEmpty = open?.isLoaded === true && open.items.length === 0 && outgoing.length === 0;
  const summary = state.conversations.find(({ id }) => id === conversation);

  return (
    <>
      <Header
        title={summary?.title ?? t("new_conversation")}
        onList={() => setDrawerOpen(true)}
        onNew={controller.newConversation}
        onOptions={controller.openOptions}
        isAskedElsewhere={state.conversations.some(({ id, waiting }) => waiting && id !== conversation)}
        menu={summary === undefined ? null : <ConversationMenu key={summary.id} summary={summary} controller={controller} />}
      />
      <main>
        {isEmpty ? (
          <Welcome state={state} controller={controller} />
        ) : (
          <Transcript key={conversation} open={open} outgoing={outgoing} controller={controller} />
        )}
      </main>
      <footer>
        {open?.run.state === "working" && open.tasks.length > 0 && <TaskList tasks={open.tasks} />}
        <LinkBanner link={view.link} onRetry={view.retry} />
        {refusedElsewhere !== undefined && (
          <RefusedElsewhere onShow={() => controller.openConversation(refusedElsewhere.conversation)} />
        )}
        {controller.fault !== null && (
          <Fault text={controller.fault} onDismiss={controller.dismissFault} />
        )}
        <Composer
          textarea={composer}
          controller={controller}
          items={open?.items ?? []}
          isRunning={open?.run.state === "working"}
          isAsked={open !== null && requestsIn(open).length > 0}
          model={currentModel(state)}
        />
      </footer>
      <Announcer text={controller.announcement} />
      {isDrawerOpen && (
        <ConversationDrawer
          conversations={state.conversations}
          hasOlder={state.listedBackTo !== null}
          controller={controller}
          onClose={() => {
            setDrawerOpen(false);
            composer.current?.focus();
          }}
        />
      )}
    </>
  );
}

/** Touched only when there is something new to say: a screen reader speaks at every change. */
const Announcer = memo(function Announcer({ text }: { text: string }): JSX.Element {
  return (
    <div class="hidden" role="status">
      {text}
    </div>
  );
});

/** A conversation that has no message yet is in no list: this leads back to the one that was refused. */
function RefusedElsewhere({ onShow }: { onShow: () => void }): JSX.Element {
  return (
    <div class="banner danger" role="alert">
      <ErrorIcon />
      <span>{t("refused_elsewhere")}</span>
      <button type="button" class="button small" onClick={onShow}>
        {t("show")}
      </button>
    </div>
  );
}

function Fault({ text, onDismiss }: { text: string; onDismiss: () => void }): JSX.Element {
  return (
    <div class="banner danger" role="alert">
      <ErrorIcon />
      <span>{text}</span>
      <button type="button" class="icon-button small" aria-label={t("dismiss")} onClick={onDismiss}>
        <CloseIcon />
      </button>
    </div>
  );
}
