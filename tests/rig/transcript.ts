// One conversation as a view knows it: its items, kept up to date by the core's events.

import type { Block, ConversationId, Event, Inline, ItemId, ItemView } from "../../www/generated/protocol.ts";

/** One conversation's items. */
export class Transcript {
  private readonly byId = new Map<ItemId, ItemView>();

  constructor(readonly conversation: ConversationId) {}

  /** In their order. */
  get items(): ItemView[] {
    return [...this.byId.values()].sort((a, b) => a.position - b.position);
  }

  /** Takes an event in, and says which items it changed. */
  apply(event: Event): ItemView[] {
    if (!("conversation" in event) || event.conversation !== this.conversation) return [];
    if (event.type === "item") return this.put([event.item]);
    if (event.type === "cleared") this.byId.clear();
    if (event.type === "blocks") return this.grow(event.item, event.keep, event.blocks);
    if (event.type === "snapshot") {
      if (event.complete) this.byId.clear();
      return this.put(event.items);
    }
    return [];
  }

  private put(items: readonly ItemView[]): ItemView[] {
    for (const item of items) {
      if (item.body.kind === "gone") this.byId.delete(item.id);
      else this.byId.set(item.id, item);
    }
    return items.filter(({ body }) => body.kind !== "gone");
  }

  private grow(id: ItemId, keep: number, blocks: readonly Block[]): ItemView[] {
    const item = this.byId.get(id);
    if (item?.body.kind !== "assistant_message") return [];
    const grown = [...item.body.blocks.slice(0, keep), ...blocks];
    return this.put([{ ...item, body: { ...item.body, blocks: grown } }]);
  }
}

/** Blocks as plain text, as a terminal shows them. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(textOfBlock).join("\n\n");
}

/**
 * As much of growing blocks as will not change any more: the last one only if it is a paragraph, and
 * only up to the first sign that may turn out to be Markdown.
 */
export function stableTextOf(blocks: readonly Block[]): string {
  const last = blocks.at(-1);
  // The row or item that is arriving can stand behind its table or list before it joins it.
  const before = blocks.at(-2)?.block;
  const isGrowing = before === "table" || before === "list";
  const whole = textOf(blocks.slice(0, isGrowing ? -2 : -1));
  if (isGrowing) return whole;
  if (last?.block !== "paragraph") return whole;
  const start = whole === "" ? "" : `${whole}\n\n`;
  return start + textOf([last]).replace(/[|*_`[~$!<\\].*$/s, "");
}

function textOfBlock(block: Block): string {
  switch (block.block) {
    case "paragraph":
    case "heading":
      return textOfInlines(block.content);
    case "code":
      return block.text.trimEnd();
    case "quote":
      return textOf(block.blocks).replace(/^/gm, "> ");
    case "list":
      return block.items
        .map(({ checked, blocks }, index) => {
          const mark = block.start === null ? "-" : `${block.start + index}.`;
          const box = checked === null ? "" : checked ? "[x] " : "[ ] ";
          return `${mark} ${box}${blocks.map(textOfBlock).join("\n").replace(/\n/g, "\n  ")}`;
        })
        .join("\n");
    case "table":
      return [block.head, ...block.rows].map((row) => row.map(textOfInlines).join(" | ")).join("\n");
    case "math":
      return block.tex;
    case "rule":
      return "---";
  }
}

function textOfInlines(content: readonly Inline[]): string {
  return content.map(textOfInline).join("");
}

function textOfInline(inline: Inline): string {
  switch (inline.inline) {
    case "text":
    case "code":
      return inline.text;
    case "emphasis":
    case "strong":
    case "strike":
      return textOfInlines(inline.content);
    case "link":
      return `${textOfInlines(inline.content)} (${inline.url})`;
    case "image":
      return `${inline.alt} (${inline.url})`;
    case "math":
      return inline.tex;
    case "break":
      return "\n";
  }
}
