// The service worker's end of the line to the core. It is not state: when it is gone, calls go by
// way of the document.

import type { BrokerReply } from "../www/generated/protocol.ts";
import { type LineMessage, mayTakeLine } from "./line.ts";
import type { LineChannel } from "./line_channel.ts";

/** What surrounds the end. */
export interface Surroundings {
  channel(name: string, heard: (message: LineMessage) => void): LineChannel;
  /** Takes a lock until `release` ends or this context does; ends when it has it. */
  hold(name: string, release: Promise<void>): Promise<void>;
  /** Answers a call. Never rejects. */
  answer(call: unknown): Promise<BrokerReply>;
}

const NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Takes ends of lines. There is one core, so a new line takes the place of the one before. */
export class LineEnd {
  private close: () => void = () => undefined;

  constructor(private readonly around: Surroundings) {}

  /** Takes the end of the line with this name. False when it is no name of a line. */
  async take(name: unknown): Promise<boolean> {
    if (typeof name !== "string" || !NAME.test(name)) return false;
    this.close();
    const channel = this.around.channel(name, (message) => {
      if (!("call" in message) || !mayTakeLine(message.call)) return;
      const { id, call } = message;
      void this.around.answer(call).then((reply) => {
        channel.post({ id, reply });
      });
    });
    const released = new Promise<void>((resolve) => {
      this.close = () => {
        channel.close();
        resolve();
      };
    });
    await this.around.hold(name, released);
    return true;
  }
}
