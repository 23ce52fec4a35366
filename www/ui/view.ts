// One view's state: the events of the core, reduced, and how well the core answers.
//
// Invariant: the state changes by the core's events and by which conversation is open, and by
// nothing else. A person's wish goes out as an op; what comes of it is seen when the core says so.

import type { ConversationId, Event, Op } from "../generated/protocol.ts";
import { type Answer, CoreClient, type Door, type Link } from "./core_client.ts";
import { hasRunningTurn, initialState, openConversation, reduce, type State, workingChildren } from "./store.ts";

export class View {
  #state: State = initialState;
  #link: Link = { state: "ok" };
  readonly #client: CoreClient;
  readonly #listeners = new Set<(event: Event | null) => void>();

  constructor(door: Door) {
    this.#client = new CoreClient(door, {
      onEvent: (envelope) => {
        const state = reduce(this.#state, envelope);
        this.#state = state;
        for (const child of workingChildren(state, envelope.event)) this.#client.follow(child);
        this.#tell(envelope.event);
      },
      onLink: (link) => {
        this.#link = link;
        this.#tell(null);
      },
      hasRunningTurn: () => hasRunningTurn(this.#state),
    });
  }

  get state(): State {
    return this.#state;
  }

  get link(): Link {
    return this.#link;
  }

  /** Called after every change, with the event that made it where it was one. */
  subscribe(listener: (event: Event | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(op: Op): Promise<Answer> {
    return this.#client.send(op);
  }

  /** Asks for all that may have been missed. */
  sync(): void {
    this.#client.sync();
  }

  readonly retry = (): void => this.#client.retry();

  open(conversation: ConversationId): void {
    this.#state = openConversation(this.#state, conversation);
    this.#client.attach(conversation);
    this.#tell(null);
  }

  /** Follows a sub-agent of the open conversation. One that is at work is followed without being asked for. */
  follow(child: ConversationId): void {
    this.#client.follow(child);
  }

  #tell(event: Event | null): void {
    for (const listener of this.#listeners) listener(event);
  }
}
