import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

type Message = { message: string; description?: string; placeholders?: Record<string, { content: string }> };

const www = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = join(www, "..");
const messages = JSON.parse(
  readFileSync(join(root, "_locales/en/messages.json"), "utf8"),
) as Record<string, Message>;
const sources = readdirSync(www, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^generated/.test(name))
  .map((name) => ts.createSourceFile(name, readFileSync(join(www, name), "utf8"), ts.ScriptTarget.Latest, true));

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** Every call of `t` whose key is written in the call, with the number of its substitutions. */
function calls(): { key: string; substitutions: number; where: string }[] {
  const found: { key: string; substitutions: number; where: string }[] = [];
  for (const source of sources) {
    visit(source, (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== "t") return;
      const [key] = node.arguments;
      if (key === undefined || !ts.isStringLiteral(key)) return;
      found.push({ key: key.text, substitutions: node.arguments.length - 1, where: source.fileName });
    });
  }
  return found;
}

function manifestNames(): string[] {
  const manifest = readFileSync(join(root, "manifest.json"), "utf8");
  return [...manifest.matchAll(/__MSG_(\w+)__/g)].map(([, name]) => name ?? "");
}

/** Every string literal of the views, and every name in the manifest. */
function words(): Set<string> {
  const found = new Set<string>();
  for (const source of sources) {
    visit(source, (node) => {
      if (ts.isStringLiteral(node)) found.add(node.text);
    });
  }
  for (const name of manifestNames()) found.add(name);
  return found;
}

test("the views ask for messages at all", () => {
  assert.ok(calls().length > 50, `only ${calls().length} calls were found`);
});

test("every key that is asked for exists and gets its substitutions", () => {
  const wrong = calls().filter(({ key, substitutions }) => {
    const message = messages[key];
    return message === undefined || Object.keys(message.placeholders ?? {}).length !== substitutions;
  });
  assert.deepEqual(wrong, []);
});

test("every name in the manifest exists", () => {
  const names = manifestNames();
  assert.ok(names.length > 0);
  assert.deepEqual(names.filter((name) => !(name in messages)), []);
});

test("no message is unused", () => {
  const used = words();
  assert.deepEqual(Object.keys(messages).filter((key) => !used.has(key)), []);
});

test("every message uses exactly its placeholders", () => {
  for (const [key, { message, placeholders = {} }] of Object.entries(messages)) {
    const named = [...message.matchAll(/\$(\w+)\$/g)].map(([, name]) => name?.toLowerCase());
    assert.deepEqual(named.sort(), Object.keys(placeholders).sort(), key);
  }
});
