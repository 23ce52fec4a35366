// Which conversations a view follows, and up to where it knows each of them.

import type { ConversationId, Seq } from "../generated/protocol.ts";

type Known = {
  /** Everything of the conversation up to here is known; null before its first snapshot. */
  since: Seq | null;
  /** Something after that was missed, and is not made up for yet. */
  hasGap: boolean;
};

export class Following {
  readonly #known = new Map<ConversationId, Known>();

  /** Follows this conversation alone, from its beginning. */
  only(conversation: ConversationId): void {
    this.#known.clear();
    this.add(conversation);
  }

  /** Follows this one too. False when it is followed already. */
  add(conversation: ConversationId): boolean {
    if (this.#known.has(conversation)) return false;
    this.#known.set(conversation, { since: null, hasGap: false });
    return true;
  }

  conversations(): ConversationId[] {
    return [...this.#known.keys()];
  }

  /** From where on the core must tell it. */
  since(conversation: ConversationId): Seq | null {
    return this.#known.get(conversation)?.since ?? null;
  }

  /** Whether nothing of it was missed: only then does what builds on the event before mean anything. */
  isWhole(conversation: ConversationId): boolean {
    const known = this.#known.get(conversation);
    return known !== undefined && known.since !== null && !known.hasGap;
  }

  missedSome(): void {
    for (const known of this.#known.values()) known.hasGap = true;
  }

  /** The core has told all of it, up to this event. */
  wasTold(conversation: ConversationId, seq: Seq): void {
    if (this.#known.has(conversation)) this.#known.set(conversation, { since: seq, hasGap: false });
  }

  /** An event was heard: of what is whole, everything is known up to here. */
  heard(seq: Seq): void {
    for (const known of this.#known.values()) {
      if (known.since !== null && !known.hasGap) known.since = seq;
    }
  }
}
