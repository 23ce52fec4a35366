// The scripted demo: a small set of rules that answers when no model is there, and says so. It knows a few requests;
// to anything else it answers honestly that it is no model.

import type { Conversation, ModelRequest, Step } from "./script.ts";
import { readTabResult } from "./tab_list.ts";
import type { ListedTab } from "./tab_list.ts";

type Language = "en" | "zh" | "fa";

interface Words {
  label: string;
  looking: string;
  count: (tabs: number, windows: number) => string;
  columns: readonly [string, string, string];
  active: string;
  audible: string;
  none: string;
  cut: string;
  failed: (message: string) => string;
  unreadable: string;
  noTool: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    label: "*Scripted demo: a few fixed rules wrote this, not a model.*",
    looking: "I'll look at your open tabs.",
    count: (tabs, windows) => `You have **${tabs}** open ${tabs === 1 ? "tab" : "tabs"}${windows > 1 ? ` in ${windows} windows` : ""}:`,
    columns: ["#", "Title", "Address"],
    active: "active",
    audible: "playing sound",
    none: "No open tab matches.",
    cut: "The list was cut, so there may be more tabs.",
    failed: (message) => `The tool \`list_tabs\` reported an error: ${message}`,
    unreadable: "The result of `list_tabs` holds no list that these rules can read.",
    noTool: "I would call the tool `list_tabs` for that, but it was not offered to me in this conversation.",
  },
  zh: {
    label: "*脚本演示：这段文字由几条固定规则写成，不是模型。*",
    looking: "我来看看您打开的标签页。",
    count: (tabs, windows) => `您打开了 **${tabs}** 个标签页${windows > 1 ? `，分布在 ${windows} 个窗口中` : ""}：`,
    columns: ["#", "标题", "地址"],
    active: "当前",
    audible: "正在播放声音",
    none: "没有符合条件的标签页。",
    cut: "列表被截断，可能还有更多标签页。",
    failed: (message) => `工具 \`list_tabs\` 报告了错误：${message}`,
    unreadable: "`list_tabs` 的结果里没有这些规则能读懂的列表。",
    noTool: "这需要调用工具 `list_tabs`，但本次对话没有提供它。",
  },
  fa: {
    label: "*نمایش از پیش نوشته‌شده: این متن را چند قاعدهٔ ثابت نوشته‌اند، نه یک مدل.*",
    looking: "زبانه‌های باز شما را نگاه می‌کنم.",
    count: (tabs, windows) => `شما **${tabs}** زبانهٔ باز دارید${windows > 1 ? ` در ${windows} پنجره` : ""}:`,
    columns: ["#", "عنوان", "نشانی"],
    active: "فعال",
    audible: "در حال پخش صدا",
    none: "هیچ زبانه‌ای پیدا نشد.",
    cut: "فهرست بریده شده است و شاید زبانه‌های دیگری هم باشد.",
    failed: (message) => `ابزار \`list_tabs\` خطا داد: ${message}`,
    unreadable: "نتیجهٔ `list_tabs` فهرستی ندارد که این قاعده‌ها بتوانند بخوانند.",
    noTool: "برای این کار باید ابزار `list_tabs` را صدا بزنم، اما در این گفتگو در اختیارم نیست.",
  },
};

const asksForTabs = /\btabs?\b|标签|分頁|分页|(?<!\p{L})تب(?!\p{L})|(?<!\p{L})تب\u200c?ها|زبانه|برگه/iu;
const asksForSound = /\b(sound|audio|audible|playing|music|noisy)\b|声音|音乐|صدا/iu;
const greets = /^\s*(hi|hello|hey|good (morning|evening|afternoon)|help|who are you|what are you|what can you do)\b|^\s*(你好|您好|你是谁|帮助|سلام|درود|کمک)/iu;
const asksForFormat = /\b(markdown|format(ting)?)\b|格式|قالب/iu;
const asksForCount = /\b(count|slow(ly)?)\b/iu;

/** Answers one request. Every answer says that it comes from a script. */
export function demoRules(request: Pick<ModelRequest, "conversation">): Step {
  const { conversation } = request;
  const { text: asked, results } = lastTurn(conversation);
  const pace = { delayMs: 150, chunkDelayMs: 25 };
  if (asksForTabs.test(asked)) return { ...pace, ...aboutTabs(asked, results, conversation) };
  const answer = greets.test(asked) ? introduction : asksForFormat.test(asked) ? formatted : asksForCount.test(asked) ? counting : unknown;
  return answer === counting ? { ...paced(answer), delayMs: 150, chunkDelayMs: 250 } : { ...pace, ...paced(answer) };
}

/** What the person said last, and what tools have said since. */
function lastTurn({ messages }: Conversation): { text: string; results: string[] } {
  const at = messages.findLastIndex((message) => message.role === "user");
  const since = messages.slice(at + 1);
  return { text: messages[at]?.text ?? "", results: since.flatMap((message) => message.results.map((result) => result.text)) };
}

function aboutTabs(asked: string, results: readonly string[], conversation: Conversation): Step {
  const language = languageOf(asked);
  const { looking, noTool, label } = words[language];
  const result = results.at(-1);
  if (result !== undefined) return paced(`${tabAnswer(result, words[language])}\n\n${label}`);
  const offered = conversation.tools.some((tool) => tool.name === "list_tabs") && conversation.toolChoice.mode !== "none";
  if (!offered) return paced(`${noTool}\n\n${label}`);
  return { ...paced(looking), calls: [{ name: "list_tabs", arguments: asksForSound.test(asked) ? { audible: true } : {} }] };
}

const languageOf = (text: string): Language =>
  /\p{Script=Han}/u.test(text) ? "zh" : /\p{Script=Arabic}/u.test(text) ? "fa" : "en";

function tabAnswer(result: string, say: Words): string {
  const read = readTabResult(result);
  switch (read.kind) {
    case "error":
      return say.failed(read.message);
    case "unreadable":
      return say.unreadable;
    case "tabs": {
      if (read.tabs.length === 0) return say.none;
      const windows = new Set(read.tabs.map((tab) => tab.windowId)).size;
      const [number, title, address] = say.columns;
      const rows = read.tabs.map((tab, index) => `| ${index + 1} | ${titleCell(tab, say)} | ${cell(tab.url)} |`);
      const table = [`| ${number} | ${title} | ${address} |`, "| --: | --- | --- |", ...rows].join("\n");
      return `${say.count(read.tabs.length, windows)}\n\n${table}${read.cut ? `\n\n${say.cut}` : ""}`;
    }
  }
}

function titleCell(tab: ListedTab, say: Words): string {
  const notes = [...(tab.active ? [say.active] : []), ...(tab.audible ? [say.audible] : [])];
  return `${cell(tab.title)}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

/** Text of a page, which must stay text inside a table. */
const cell = (text: string): string => text.replace(/\s+/gu, " ").trim().replace(/[\\`*_[\]<>|&~]/gu, "\\$&");

/** Cut into small pieces of uneven length, as a model's tokens are. */
function paced(text: string): Step {
  return { pieces: text.match(/\s*\S{1,7}/gu)?.concat(/\s+$/u.exec(text)?.[0] ?? []) ?? [text] };
}

const known = `- **"list my tabs"**: I call the tool \`list_tabs\` and show what it finds (also in 中文 and فارسی)
- **"which tabs are playing sound"**: the same, filtered
- **"markdown"**: an answer with every kind of formatting, to look at the panel
- **"count slowly"**: a long answer, to try the Stop button
- **"hello"**: what this is`;

const introduction = `Hello! I am the **scripted demo** of Tabwright: a few fixed rules, not a model. I am here so that you can see the panel work before you connect a model.

What I know:

${known}

To connect a real model, open **Options → Models** and add one: a hosted one with your key (OpenAI, Anthropic, Google, or any server that speaks OpenAI's chat completions), or one on this computer (Ollama, LM Studio, llama.cpp; no key needed). Then choose it in the panel.`;

const unknown = `I can't answer that: I am a **scripted demo**, not a model, and I know only a few requests:

${known}

For everything else, connect a real model under **Options → Models**.`;

const formatted = `# Formatting

A paragraph with **bold**, *italic*, ~~struck~~ and \`inline code\`, and a [link](https://example.com/).

## Lists

1. First
2. Second
   - nested
   - nested again
3. Third

- [x] done
- [ ] to do

## A table

| Tool | Reads | Writes |
| :--- | :---: | ---: |
| \`list_tabs\` | yes | no |
| \`open_tab\` | no | yes |

### Code

\`\`\`js
const tabs = await chrome.tabs.query({ active: true });
console.log(tabs.map((tab) => tab.title));
\`\`\`

> A quote, which runs on for long enough to be broken over two lines in a narrow panel.
>
> > And a quote inside it.

---

中文 · فارسی · Tiếng Việt · 👩‍💻

${words.en.label}`;

const counting = `${words.en.label}\n\n${Array.from({ length: 100 }, (_unused, index) => `${index + 1}`).join(" ")}`;
