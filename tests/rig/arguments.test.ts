import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, UsageError } from "./arguments.ts";

function check(line: string, expected: object): void {
  const parsed = parse(line.split(" "));
  assert.deepEqual({ ...parsed, ...expected }, parsed, line);
}

function checkError(words: string[], message: RegExp): void {
  assert.throws(
    () => parse(words),
    (error: unknown) => error instanceof UsageError && message.test(error.message),
    words.join(" "),
  );
}

test("what is not said has a default", () => {
  check("run", { command: "run", headless: false, ask: undefined, dist: "dist", screenshot: "target/panel.png" });
  check("call list_tabs {}", { command: "call", tool: "list_tabs", toolArguments: "{}", url: "about:blank" });
});

test("every option is read", () => {
  check("run --headless --ask hello --model http://127.0.0.1:1/v1 --model-id m --keep-profile p --screenshot s --chromium c", {
    headless: true,
    ask: "hello",
    model: "http://127.0.0.1:1/v1",
    modelId: "m",
    profile: "p",
    screenshot: "s",
    chromium: "c",
  });
  check("call t {} --url https://a.test/ --dist d", { url: "https://a.test/", dist: "d" });
});

test("a line that means nothing is told apart from one that fails", () => {
  checkError([], /Name a command/);
  checkError(["fly"], /no command fly/);
  checkError(["run", "--headless"], /--ask TEXT/);
  checkError(["run", "--headless", "--reload", "--ask", "x"], /leave --headless out/);
  checkError(["run", "--ask", "  "], /needs a question/);
  checkError(["run", "--model", "localhost:1"], /http or https address/);
  checkError(["run", "--unknown"], /--unknown/);
  checkError(["run", "--ask"], /--ask/);
  checkError(["run", "word"], /word/);
  checkError(["call", "list_tabs"], /a tool and its arguments/);
  checkError(["call", "list_tabs", "{}", "more"], /a tool and its arguments/);
});
