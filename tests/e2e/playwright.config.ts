import { defineConfig } from "@playwright/test";

// Each test starts a Chromium of its own through tests/rig, so no browser of Playwright's is used.
export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  // A browser and a model server a test are enough work for a small machine, and times stay comparable.
  workers: 1,
  // A test that passes only sometimes has found something.
  retries: 0,
  timeout: 60_000,
  reporter: process.env["CI"] === undefined ? "list" : "line",
  forbidOnly: process.env["CI"] !== undefined,
});
