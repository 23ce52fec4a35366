// Who sent a runtime message, and what each kind of sender may ask for.
// Invariant: decided only from what the browser says of the sender, never from what the message says.

/** The contexts of the extension that may ask for something. Everything else has no class. */
export type SenderClass = "offscreen" | "service_worker" | "view";

/** The part of `chrome.runtime.MessageSender` that the browser vouches for. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly tab?: object | undefined;
}

const VIEW_PATHS: readonly string[] = ["/panel.html", "/options.html"];

/**
 * The class of a sender, or null for content scripts, web pages, other extensions and native hosts.
 * `extensionId` is `chrome.runtime.id` of the receiver.
 */
export function classOf(sender: Sender, extensionId: string): SenderClass | null {
  const origin = `chrome-extension://${extensionId}`;
  if (sender.id !== extensionId || sender.url === undefined || !URL.canParse(sender.url)) return null;
  const url = new URL(sender.url);
  if (`${url.protocol}//${url.host}` !== origin) return null;
  const hasOurOrigin = sender.origin === origin;
  if (hasOurOrigin && VIEW_PATHS.includes(url.pathname)) return "view";
  if (sender.tab !== undefined) return null;
  if (hasOurOrigin && url.pathname === "/offscreen.html") return "offscreen";
  // Chrome names no document origin for a service worker in every version: the id and the script's address decide.
  if ((hasOurOrigin || sender.origin === undefined) && url.pathname === "/sw.js") return "service_worker";
  return null;
}

/** Who may send each kind of message to the service worker. A kind that is not here is answered by nobody. */
const ALLOWED = {
  ensure_core: ["view"],
  broker: ["offscreen"],
  line: ["offscreen"],
} as const satisfies Record<string, readonly SenderClass[]>;

/** What the service worker may be asked for. */
export type Kind = keyof typeof ALLOWED;

/** The kind of a message to the service worker, if this sender may send it; else null. */
export function admittedKind(message: unknown, sender: Sender, extensionId: string): Kind | null {
  if (typeof message !== "object" || message === null) return null;
  const { to, kind } = message as { to?: unknown; kind?: unknown };
  if (to !== "worker" || (kind !== "ensure_core" && kind !== "broker" && kind !== "line")) return null;
  const senderClass = classOf(sender, extensionId);
  const allowed: readonly SenderClass[] = ALLOWED[kind];
  return senderClass !== null && allowed.includes(senderClass) ? kind : null;
}
