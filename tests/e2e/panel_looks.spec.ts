// Every state of the panel can be used by everybody.

import type { Page } from "@playwright/test";
import { CHANNEL } from "../../extension/messages.ts";
import type { ModelServer, Step } from "../model-server/server.ts";
import { expect, test } from "../rig/fixtures.ts";
import { expectAccessible, expectNoPageScroll } from "./looks.ts";
import { button, composer, sendAndTypeOn, turnEnds } from "./panel_page.ts";
import { log, panelWithModel, say } from "./turn_page.ts";

const RICH = `## Your tabs

You have **fourteen** tabs in *two* windows, three of them about \`list_tabs\`; see [the notes](https://example.com/notes).

1. **Work**: release notes, the team calendar
2. Reading
   - an article on tides
   - [x] a done one
   - [ ] one to do

| Title | Address | Window |
| :--- | :---: | ---: |
| Release notes 4.2 | https://example.com/releases/4.2 | 1 |
| Team calendar | https://example.com/calendar?view=month&from=2026-01-01 | 2 |

\`\`\`js
const tabs = await chrome.tabs.query({ active: true, lastFocusedWindow: true, discarded: false });
\`\`\`

> A quote that is long enough to be broken into more than one line in a panel of the usual width.

$$e^{i\\pi} + 1 = 0$$

---

![Visits in June](https://example.com/chart.png)`;

const LONG_WORD = `https://example.com/${"a".repeat(120)}`;
const LIST = { calls: [{ name: "list_tabs", arguments: { title_pattern: "notes|calendar|invoice|tides|a pattern that is far too long for its line" } }] };
const FAILING = { calls: [{ name: "list_tabs", arguments: { url_pattern: "(" } }] };

async function turn(panel: Page, models: ModelServer, text: string, steps: Step[]): Promise<void> {
  const before = await turnEnds(panel).count();
  models.play(steps);
  await say(panel, text);
  await expect(turnEnds(panel)).toHaveCount(before + 1);
}

test("without a model", async ({ rig }) => {
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  await expectAccessible(panel, "no model");
});

test("an empty conversation", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await expect(panel.getByText("What can I do for you?")).toBeVisible();
  await expectAccessible(panel, "empty");
});

test("an answer with every kind of text, while it arrives and when it is whole", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  const gate = models.gate();
  models.play([{ thinking: "The person wants a list of tabs.", pieces: [RICH, gate, `\n\nAnd ${LONG_WORD}.`] }]);
  await say(panel, `Which tabs do I have open? Group them by topic, and leave out ${LONG_WORD}`);
  await gate.reached;
  await expect(log(panel).getByRole("heading", { name: "Your tabs" })).toBeAttached();
  await composer(panel).fill("And a message\nof two lines meanwhile");
  await expectAccessible(panel, "streaming");
  gate.open();
  await expect(turnEnds(panel)).toHaveCount(1);
  await log(panel).getByText("Thought").click();
  await expectAccessible(panel, "answer");
});

test("tool calls that went well and that failed, folded and unfolded", async ({ rig, models }) => {
  await rig.openPage("data:text/html,<title>Release notes 4.2</title>");
  const panel = await panelWithModel(rig, models);
  await turn(panel, models, "list my tabs", [LIST, FAILING, { text: "I found one." }]);
  await expectAccessible(panel, "calls folded");
  for (const summary of await log(panel).locator("summary").all()) await summary.click();
  await expectAccessible(panel, "calls unfolded");
  await expectNoPageScroll(panel);
});

test("turns that did not end well", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  await turn(panel, models, "list my tabs", [{ text: "You have fourteen tabs open, among", chunkDelayMs: 20, misbehave: { kind: "drop", at: "text" } }]);
  await turn(panel, models, "try again", [{ misbehave: "unauthorized" }]);
  await expectAccessible(panel, "failed");
});

test("waiting for the next attempt", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  models.play([{ misbehave: { kind: "rate-limit", form: "seconds", seconds: 60 } }]);
  await say(panel, "list my tabs");
  await expect(log(panel)).toContainText("Attempt 2 in");
  await expectAccessible(panel, "retrying");
});

test("the list of conversations", async ({ rig, models }) => {
  const panel = await panelWithModel(rig, models);
  for (const text of ["Compare the three laptops that I have open, and tell me which one is the lightest", "apples"]) {
    await button(panel, "New conversation").click();
    models.play([{ text: "Done." }]);
    await say(panel, text);
    await expect(turnEnds(panel)).toHaveCount(1);
  }
  await button(panel, "Conversations").click();
  await expectAccessible(panel, "drawer");
  await button(panel, "Rename “apples”").focus();
  await panel.keyboard.press("Enter");
  await panel.getByRole("textbox", { name: "Title of the conversation" }).fill("");
  await panel.keyboard.press("Enter");
  await expect(panel.getByRole("alert")).toBeVisible();
  await button(panel, "Delete “Compare the three laptops that I have open, and tell me…”").focus();
  await panel.keyboard.press("Enter");
  await expectAccessible(panel, "drawer forms");
});

test("a refused message, and a core that is down", async ({ rig }) => {
  const panel = await rig.openPanel();
  await expect(panel.getByText("Connect a model to begin")).toBeVisible();
  await sendAndTypeOn(panel, "list my tabs, and tell me which of them make sound", "another");
  await expect(button(panel, "Send again")).toBeVisible();
  await say(panel, "list my tabs");
  await expect(panel.locator("footer").getByRole("alert")).toContainText("No model is set up yet.");
  // The core's document says it like this when its worker keeps breaking.
  const elsewhere = await rig.openPage(rig.extensionUrl("options.html"));
  await elsewhere.evaluate((channel) => {
    const message = "The core stopped five times within a minute. Last: its program could not be loaded.";
    new BroadcastChannel(channel).postMessage({ kind: "core_down", message });
  }, CHANNEL);
  await expect(button(panel, "Try again")).toBeVisible();
  await expectAccessible(panel, "refused and down");
  await button(panel, "Try again").click();
  await expect(button(panel, "Try again")).toHaveCount(0);
  await button(panel, "Dismiss").click();
  await expect(panel.locator("footer").getByRole("alert")).toHaveCount(0);
});
