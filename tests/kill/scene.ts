// One run as it is played: a fresh conversation, its model, what stands still where, and what the
// views were shown.

import { randomUUID } from "node:crypto";
import type { Event, ItemId, ItemView, OpEnvelope, RunView } from "../../www/generated/protocol.ts";
import { SETTINGS } from "../e2e/panel_page.ts";
import type { Gate } from "../model-server/gate.ts";
import type { Misbehaviour } from "../model-server/misbehave.ts";
import { until } from "../rig/until.ts";
import type { Stage } from "./stage.ts";
import type { Evidence } from "./verdict.ts";
import type { HoldAt } from "./write_server.ts";
import { type Round, type StopAt, WriteScript, WRITES } from "./write_script.ts";

const TEXT = "Write twelve times, and list the tabs after each.";
const PATIENCE_MILLIS = 20_000;

/** One run. */
export class Scene {
  readonly conversation = randomUUID();
  private readonly script: WriteScript;
  private readonly firstRequest: number;
  /** What stands still, or will. */
  private gates: Gate[] = [];
  private readonly watchers = new Set<(event: Event) => void>();
  /** Results that views were shown, by their call's item. */
  private readonly shown = new Map<string, string>();
  private readonly message: OpEnvelope;
  private stopHearing: () => void = () => undefined;

  constructor(
    readonly stage: Stage,
    asksIn: number | null,
  ) {
    this.script = new WriteScript((k) => stage.writes.address(this.conversation, k), asksIn);
    this.firstRequest = stage.models.requests.length;
    this.message = { id: randomUUID(), op: { type: "send_message", conversation: this.conversation, text: TEXT, tab: null } };
    stage.models.play((request) => this.script.answer(request));
  }

  /** Listens to what the panel is shown. */
  async listen(): Promise<void> {
    const client = await this.stage.client();
    this.stopHearing = client.onEvent(({ event }) => {
      if (!("conversation" in event) || event.conversation !== this.conversation) return;
      if (event.type === "item") this.note(event.item);
      for (const watcher of [...this.watchers]) watcher(event);
    });
  }

  /** Listens no more: what is shown from here on was shown after the death. */
  deaf(): void {
    this.stopHearing();
  }

  /** The person's message: ends when the core has acknowledged it. Sent again, it is the same message. */
  async send(): Promise<void> {
    const client = await this.stage.client();
    await client.submit(this.message.op, PATIENCE_MILLIS, this.message.id);
  }

  /** The same, without waiting for anything. */
  async post(): Promise<void> {
    const client = await this.stage.client();
    await client.post(this.message);
  }

  /** The model's answer stops there once. Ends when it does. */
  stop(round: Round, at: StopAt): Promise<void> {
    const gate = this.gate();
    this.script.stop(round, at, gate);
    return gate.reached;
  }

  /** The page that write k opens stops there once. Ends when it does. */
  hold(k: number, at: HoldAt): Promise<void> {
    const gate = this.stage.writes.hold(this.conversation, k, at);
    this.gates.push(gate);
    return gate.reached;
  }

  /** The model's server refuses a round's first request. */
  refuse(round: Round, how: Misbehaviour): void {
    this.script.refuse(round, how);
  }

  /** Ends when views are shown that item. */
  shows(isWanted: (item: ItemView) => boolean): Promise<void> {
    return this.event((event) => event.type === "item" && isWanted(event.item));
  }

  /** Ends when views are told that the run does that. */
  does(isWanted: (run: RunView) => boolean): Promise<void> {
    return this.event((event) => event.type === "run" && isWanted(event.run));
  }

  private event(isWanted: (event: Event) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const watcher = (event: Event): void => {
        if (!isWanted(event)) return;
        this.watchers.delete(watcher);
        resolve();
      };
      this.watchers.add(watcher);
    });
  }

  /** Whether an item is an `open_tab` call of write k. */
  isWrite(item: ItemView, k: number): boolean {
    return item.body.kind === "tool_call" && item.body.arguments.includes(`"${this.stage.writes.address(this.conversation, k)}"`);
  }

  /** What lets everything go on that was to stand still until now. */
  standing(): () => void {
    const { gates } = this;
    this.gates = [];
    return () => {
      for (const gate of gates) gate.open();
    };
  }

  /** Waits for an item that a panel which is opened now shows. */
  async look(what: string, isWanted: (item: ItemView) => boolean): Promise<ItemView> {
    const client = await this.stage.client();
    return until(what, PATIENCE_MILLIS, async () => {
      const { items } = await client.attach(this.conversation);
      return items.find(isWanted) ?? null;
    });
  }

  /** The person allows a call, and wants not to be asked any more. */
  async allow(item: ItemId): Promise<void> {
    const client = await this.stage.client();
    await client.submit({ type: "save_settings", settings: SETTINGS });
    await client.submit({ type: "decide", conversation: this.conversation, item, approve: true, note: "" });
  }

  /** Ends when the turn has; nobody looks meanwhile. Does not say how it ended. */
  async ended(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MILLIS);
    });
    await Promise.race([this.script.finished, limit]);
    clearTimeout(timer);
  }

  /** All that can be known of the run. */
  async evidence(): Promise<Evidence> {
    const client = await this.stage.client();
    const read = await until("the run was idle", 3_000, async () => {
      const { items, run } = await client.attach(this.conversation);
      return run.state === "idle" ? { items, run } : null;
    }).catch(() => client.attach(this.conversation));
    const { models, writes } = this.stage;
    return {
      text: TEXT,
      items: read.items,
      run: read.run,
      shown: this.shown,
      writes: Array.from({ length: WRITES }, (_, index) => {
        const address = writes.address(this.conversation, index + 1);
        return { k: index + 1, address, hits: writes.hits(this.conversation, index + 1) };
      }),
      requests: models.requests.slice(this.firstRequest),
    };
  }

  private gate(): Gate {
    const gate = this.stage.models.gate();
    this.gates.push(gate);
    return gate;
  }

  private note({ id, body }: ItemView): void {
    if (body.kind === "tool_call" && body.state.state === "done") this.shown.set(id, body.state.result);
  }
}
