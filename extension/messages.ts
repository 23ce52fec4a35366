// Every message between the extension's own contexts, and the names they meet under.
// Invariant: a receiver decides by `to` and `kind`, and checks the sender before it looks at the rest.

import type { BrokerCall, BrokerReply, EventEnvelope, OpEnvelope } from "../www/generated/protocol.ts";

/** The BroadcastChannel between the core and its views. */
export const CHANNEL = "tabwright";

/** The Web Lock that makes it one core per profile. */
export const CORE_LOCK = "tabwright.core";

/** The Web Lock that a core holds for life, so that its document is granted it at the core's death. */
export const ALIVE_LOCK = "tabwright.core.alive";

/** On the BroadcastChannel. */
export type ChannelMessage =
  | { kind: "op"; envelope: OpEnvelope }
  /** A person pressed the button for it: a core that failed, or was given up, gets another attempt. */
  | { kind: "try_again" }
  /** What the core said in one go, in its order. */
  | { kind: "events"; envelopes: EventEnvelope[] }
  | { kind: "core_down"; message: string }
  /** From the service worker: a request of the core met this redirect. */
  | { kind: "redirect"; url: string; status: number; location: string };

/** To the service worker, through `chrome.runtime.sendMessage`. */
export type ToServiceWorker =
  | { to: "worker"; kind: "ensure_core" }
  /** Take the end of the line with this name; answered by `true` when it is taken. */
  | { to: "worker"; kind: "line"; name: string }
  | { to: "worker"; kind: "broker"; call: BrokerCall };

/** The service worker's answer to `ensure_core`. */
export type EnsureAnswer = { ok: true } | { ok: false; message: string };

/** To the offscreen document, through `chrome.runtime.sendMessage`: answered by `{ ok: true }` unless it is closing. */
export type ToDocument = { to: "offscreen"; kind: "ensure" };

/** From the core worker to its document. */
export type FromCore =
  /** It holds both locks: its life can be watched now. */
  | { kind: "holding" }
  /** Another core holds the profile. */
  | { kind: "left" }
  /** Nothing to do, everything on disk: the document may close. */
  | { kind: "rest" }
  /** It broke and must be replaced. */
  | { kind: "fatal"; message: string }
  /** A request to Chrome's built-in model; the answer comes on the port, and a message on it gives the request up. */
  | { kind: "prompt"; body: Uint8Array; port: MessagePort }
  | { kind: "broker"; id: number; call: BrokerCall }
  /** It wants a line of this name to the service worker. */
  | { kind: "line"; name: string };

/** From the document to the core worker. */
export type ToCore =
  | { kind: "broker_reply"; id: number; reply: BrokerReply }
  /** Whether the service worker has taken the end of the line. */
  | { kind: "line"; name: string; open: boolean };
