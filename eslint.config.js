// One thing only: mistakes that the compiler does not see. How code looks is not judged here.

import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const noMarkup =
  "Text becomes markup here, and the text may be a model's or a page's. Build elements, or set textContent.";

// Every way from a string to markup or to code.
const markupProperties = [
  "innerHTML",
  "outerHTML",
  "insertAdjacentHTML",
  "setHTMLUnsafe",
  "createContextualFragment",
  "dangerouslySetInnerHTML",
  "srcdoc",
];

export default defineConfig(
  {
    ignores: [
      "dist/",
      "target/",
      "node_modules/",
      "test-results/",
      "playwright-report/",
      "www/generated/",
      "tests/**/fixtures/",
    ],
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "max-lines": ["error", 500],
      eqeqeq: "error",
      "no-eval": "error",
      "no-new-func": "error",
      "no-script-url": "error",
      "@typescript-eslint/no-implied-eval": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          // Node's test runner waits for these by itself.
          allowForKnownSafeCalls: [
            {
              from: "package",
              package: "node:test",
              name: ["test", "it", "describe", "suite"],
            },
          ],
        },
      ],
      // A new variant has to be thought about wherever the old ones were.
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      // Numbers in text are what they look like.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // `() => setOpen(true)` is how handlers are written.
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true },
      ],
    },
  },
  {
    files: ["extension/**", "www/**"],
    ignores: ["**/*.test.ts", "**/*.test.tsx"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...markupProperties.map((property) => ({ property, message: noMarkup })),
        { object: "document", property: "write", message: noMarkup },
        { object: "document", property: "writeln", message: noMarkup },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "JSXAttribute[name.name=/^(dangerouslySetInnerHTML|innerHTML|outerHTML|srcdoc|srcDoc)$/]",
          message: noMarkup,
        },
        {
          selector: "Property[key.name='dangerouslySetInnerHTML']",
          message: noMarkup,
        },
      ],
    },
  },
);
