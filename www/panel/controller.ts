// What the panel does when the person does something, and the little it knows beside the core:
// which conversation is open, what is being typed, and what is on its way.

import type {
  ConversationId,
  ConversationSummary,
  Event,
  ItemId,
  Op,
  TurnId,
  WorkingTab,
} from "../generated/protocol.ts";
import type { Answer } from "../ui/core_client.ts";
import { t } from "../ui/i18n.ts";
import { lastListed } from "../ui/store.ts";
import type { View } from "../ui/view.ts";
import { announcement } from "./announcement.ts";

/** A message that is no part of its conversation yet. */
export type Outgoing = {
  readonly key: string;
  readonly conversation: ConversationId;
  readonly text: string;
  /** Why the core did not take it; null while it is on its way. */
  readonly refusal: string | null;
};

/** What the controller needs from the browser. */
export interface Surroundings {
  newId(): string;
  /** The tab the person is looking at, null when it is this page or not known. */
  activeTab(): Promise<WorkingTab | null>;
  openOptions(): void;
  lastConversation: { read(): ConversationId | null; write(id: ConversationId): void };
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls back once, before the page is drawn again. */
  nextFrame(work: () => void): void;
}

/** How long a conversation is one that the person comes back to. */
const COME_BACK_MILLIS = 60 * 60 * 1_000;

export class Controller {
  readonly view: View;
  readonly #surroundings: Surroundings;
  readonly #listeners = new Set<() => void>();

  conversation: ConversationId;
  draft = "";
  outgoing: readonly Outgoing[] = [];
  /** Why the last thing the person asked for was not done. */
  fault: string | null = null;
  /** What a screen reader should say now. */
  announcement = "";
  /** Grows with everything that goes on in the composer: the button that was pressed for it may be gone. */
  timesToComposer = 0;
  /** The last thing the person did was to answer or to decide. */
  #hasJustReplied = false;
  /** Until the tab is known that goes with the last message. */
  #tabLookedUp: Promise<unknown> = Promise.resolve();
  /** Whether the next frame shows what has come from the core. */
  #isFrameDue = false;
  /** Nothing says yet which conversation the person wants: a browser that was killed forgets. */
  #isUndecided: boolean;

  constructor(view: View, surroundings: Surroundings) {
    this.view = view;
    this.#surroundings = surroundings;
    const last = surroundings.lastConversation.read();
    this.conversation = last ?? surroundings.newId();
    this.#isUndecided = last === null;
    view.subscribe((event) => this.#onChange(event));
    view.open(this.conversation);
    view.sync();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly setDraft = (text: string): void => {
    this.#hasJustReplied = false;
    this.draft = text;
    this.#tell();
  };

  readonly dismissFault = (): void => {
    this.fault = null;
    this.#tell();
  };

  readonly openOptions = (): void => this.#surroundings.openOptions();

  readonly openConversation = (id: ConversationId): void => {
    this.timesToComposer += 1;
    this.#isUndecided = false;
    this.#hasJustReplied = false;
    this.conversation = id;
    this.fault = null;
    this.announcement = "";
    this.#surroundings.lastConversation.write(id);
    this.view.open(id);
  };

  readonly newConversation = (): void => {
    this.openConversation(this.#surroundings.newId());
  };

  readonly sendMessage = async (text: string): Promise<void> => {
    if (text.trim() === "") return;
    const { conversation } = this;
    this.timesToComposer += 1;
    this.#isUndecided = false;
    this.#hasJustReplied = false;
    this.draft = "";
    this.fault = null;
    this.#surroundings.lastConversation.write(conversation);
    await this.#deliver({ key: this.#surroundings.newId(), conversation, text, refusal: null });
  };

  readonly sendAgain = async (message: Outgoing): Promise<void> => {
    // A second click may come before the first one has taken the button away.
    if (!this.outgoing.includes(message)) return;
    this.timesToComposer += 1;
    await this.#deliver({ ...message, refusal: null });
  };

  /** What is being typed there stays: the message stands before it. */
  readonly putBack = (message: Outgoing): void => {
    if (!this.outgoing.includes(message)) return;
    this.timesToComposer += 1;
    this.draft = [message.text, this.draft].filter((text) => text.trim() !== "").join("\n\n");
    this.#takeOut(message);
    this.#tell();
  };

  /** Asks for the conversations that come after those in the list. */
  readonly listOlder = async (): Promise<Answer | null> => {
    const after = lastListed(this.view.state);
    return after === null ? null : this.#ask({ type: "list_conversations", after });
  };

  /** What was sent before is stopped too, although it may still wait for its tab. */
  readonly stop = (): Promise<Answer> =>
    this.#do({ type: "stop", conversation: this.conversation }, this.#tabLookedUp);

  readonly stopSubAgent = (child: ConversationId): Promise<Answer> =>
    this.#do({ type: "stop", conversation: child });

  readonly retryTurn = (): Promise<Answer> =>
    this.#do({ type: "retry", conversation: this.conversation });

  readonly regenerate = (turn: TurnId): Promise<Answer> =>
    this.#do({ type: "regenerate", conversation: this.conversation, turn });

  readonly compact = (): Promise<Answer> =>
    this.#do({ type: "compact", conversation: this.conversation, instruction: "" });

  /** Answers an open question. Ends with why that was refused, for the card that asked: there the person looks. */
  readonly answerQuestion = (
    conversation: ConversationId,
    item: ItemId,
    answers: string[],
  ): Promise<string | null> => this.#replyToRequest({ type: "answer_question", conversation, item, answers });

  /** Allows or forbids a call. Ends with why that was refused, for the card that asked. */
  readonly decide = (
    conversation: ConversationId,
    item: ItemId,
    approve: boolean,
    note: string,
  ): Promise<string | null> => this.#replyToRequest({ type: "decide", conversation, item, approve, note });

  /** Whether a new card is what the person goes on with: they have just answered the one before. True for one card only. */
  readonly takesNextRequest = (): boolean => {
    const takes = this.#hasJustReplied;
    this.#hasJustReplied = false;
    return takes;
  };

  /** Puts the text in the message's place. Ends with why that was refused, for the message's own form. */
  readonly editMessage = async (item: ItemId, text: string): Promise<string | null> => {
    const { conversation } = this;
    const tab = await this.#lookUpTab();
    const refusal = await this.#reply({ type: "edit_message", conversation, item, text, tab });
    if (refusal === null) this.goToComposer();
    return refusal;
  };

  /** Where one goes on when what was pressed has gone. */
  readonly goToComposer = (): void => {
    this.timesToComposer += 1;
    this.#tell();
  };

  /** The answer's refusal, if any, is for the list to show; the list is where the person looks. */
  readonly rename = (conversation: ConversationId, title: string): Promise<Answer> =>
    this.#ask({ type: "rename_conversation", conversation, title });

  readonly remove = (conversation: ConversationId): Promise<Answer> =>
    this.#ask({ type: "delete_conversation", conversation });

  readonly clear = (conversation: ConversationId): Promise<Answer> =>
    this.#ask({ type: "clear", conversation });

  async #deliver(message: Outgoing): Promise<void> {
    const { conversation, text } = message;
    this.#put(message);
    this.#tell();

    const tab = await this.#lookUpTab();
    const answer = await this.#ask({ type: "send_message", conversation, text, tab });
    if (answer.type !== "refused") {
      this.#takeOut(message);
    } else if (this.draft === "" && this.conversation === conversation) {
      this.#takeOut(message);
      this.draft = text;
      this.fault = reasonOf(answer);
    } else {
      // The composer is in use for something else: the message waits where it was sent from.
      this.#put({ ...message, refusal: reasonOf(answer) });
    }
    this.#tell();
  }

  #lookUpTab(): Promise<WorkingTab | null> {
    const tab = this.#surroundings.activeTab();
    this.#tabLookedUp = tab.catch(() => null);
    return tab;
  }

  /** The person waits for the answer, so what came before it is shown before anybody goes on. */
  async #ask(op: Op): Promise<Answer> {
    const answer = await this.view.send(op);
    this.#tell();
    return answer;
  }

  #put(message: Outgoing): void {
    const at = this.outgoing.findIndex(({ key }) => key === message.key);
    this.outgoing = at < 0 ? [...this.outgoing, message] : this.outgoing.with(at, message);
  }

  #takeOut({ key }: Outgoing): void {
    this.outgoing = this.outgoing.filter((other) => other.key !== key);
  }

  async #replyToRequest(op: Op): Promise<string | null> {
    this.#hasJustReplied = true;
    return this.#reply(op);
  }

  async #reply(op: Op): Promise<string | null> {
    const answer = await this.#ask(op);
    return answer.type === "refused" ? reasonOf(answer) : null;
  }

  async #do(op: Op, after: Promise<unknown> = Promise.resolve()): Promise<Answer> {
    this.timesToComposer += 1;
    this.#hasJustReplied = false;
    this.fault = null;
    await after;
    const answer = await this.#ask(op);
    this.#hear(answer);
    return answer;
  }

  #hear(answer: Answer): void {
    if (answer.type === "refused") this.fault = reasonOf(answer);
    this.#tell();
  }

  #onChange(event: Event | null): void {
    if (event?.type === "welcome") this.#comeBack(event.welcome.conversations);
    if (event?.type === "conversation_deleted" && event.conversation === this.conversation) {
      this.newConversation();
      return;
    }
    if (event?.type === "item" && event.item.body.kind === "user_message") {
      this.#arrived(event.conversation, event.item.body.text);
    }
    if (event !== null) {
      this.announcement = announcement(event, this.conversation) ?? this.announcement;
    }
    this.#tellInFrame();
  }

  /** Opens what was going on, if anything was and the person has not begun something else. */
  #comeBack(conversations: readonly ConversationSummary[]): void {
    const since = this.#surroundings.now() - COME_BACK_MILLIS;
    const recent = conversations.find(({ running, updated_at }) => running || updated_at >= since);
    if (this.#isUndecided && this.draft === "" && recent !== undefined) this.openConversation(recent.id);
  }

  /** The message is a line of the conversation now; shown as outgoing too it would stand there twice. */
  #arrived(conversation: ConversationId, text: string): void {
    const at = this.outgoing.findIndex(
      (message) => message.refusal === null && message.conversation === conversation && message.text === text,
    );
    if (at >= 0) this.outgoing = this.outgoing.toSpliced(at, 1);
  }

  /**
   * What the core says is shown at most once a frame: nobody sees more, and what is drawn in vain
   * takes the processors from the work that is shown. What the person does shows at once.
   */
  #tellInFrame(): void {
    if (this.#isFrameDue) return;
    this.#isFrameDue = true;
    this.#surroundings.nextFrame(() => {
      this.#isFrameDue = false;
      this.#tell();
    });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function reasonOf({ refusal }: Extract<Answer, { type: "refused" }>): string {
  return refusal.message || t("refused_silently");
}
