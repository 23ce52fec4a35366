// The channel under a line, the same at both of its ends.

import type { LineMessage } from "./line.ts";

/** An open end. */
export interface LineChannel {
  post(message: LineMessage): void;
  close(): void;
}

/** Opens an end. */
export function openChannel(name: string, heard: (message: LineMessage) => void): LineChannel {
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }: MessageEvent<LineMessage>) => {
    heard(data);
  });
  return {
    post(message) {
      channel.postMessage(message);
    },
    close() {
      channel.close();
    },
  };
}
