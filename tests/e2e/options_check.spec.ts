// Trying a model out, and finding the servers on this computer.

import { expect, test } from "../rig/fixtures.ts";
import { ModelServer } from "../model-server/server.ts";
import { addModel, card, openOptions } from "./options_page.ts";
import { button } from "./panel_page.ts";

/** Where LM Studio is. */
const LM_STUDIO_PORT = 1234;

const LIST_TABS = { name: "list_tabs", arguments: {} };

test("a model is tried out with the keyboard, and what it can do is said and kept", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await addModel(options, { name: "Mine", address: models.url, id: "tabwright-test", key: "sk-test" });
  models.play([
    { calls: [LIST_TABS] },
    { calls: [LIST_TABS, { name: "list_tasks", arguments: {} }] },
    { text: "Red." },
    // It is on this computer, so it is asked whether it reads all of a long text.
    { text: "ok" },
  ]);
  const mine = card(options, "Mine");
  await button(mine, "Test Mine").focus();
  await options.keyboard.press("Enter");
  const result = mine.getByRole("status");
  await expect(result).toContainText("It works: it calls tools, makes several calls at once and sees images.");
  // The address was given without its end.
  await expect(result).toContainText(`The address now ends with /v1: ${models.url}/v1.`);
  await expect(mine).toContainText(`${models.url}/v1`);
  await expect(button(mine, "Test Mine")).toBeFocused();
});

test("a wrong key is said to be one, with what to do", async ({ rig, models }) => {
  const options = await openOptions(rig);
  await addModel(options, { name: "Mine", address: `${models.url}/v1`, id: "tabwright-test", key: "sk-wrong" });
  models.play([{ misbehave: "unauthorized" }]);
  await button(card(options, "Mine"), "Test Mine").click();
  const result = card(options, "Mine").getByRole("status");
  await expect(result).toContainText("Does not work");
  await expect(result).toContainText("Check the key in the model's settings.");
});

test("a server on this computer is found, and its model is added with a click", async ({ rig }) => {
  const server = await ModelServer.start({ port: LM_STUDIO_PORT }).catch(() => null);
  test.skip(server === null, `Something else listens at port ${LM_STUDIO_PORT}.`);
  const options = await openOptions(rig);
  await button(options, "Find models on this computer").click();
  const found = options.getByRole("region", { name: "Models of LM Studio" });
  await expect(found).toBeVisible();
  await button(found, "Add tabwright-demo").click();
  await expect(card(options, "tabwright-demo")).toContainText("In use");
  await expect(found).toContainText("Saved");
  await server?.close();

  await button(options, "Find models on this computer").click();
  await expect(found).toHaveCount(0);
});
