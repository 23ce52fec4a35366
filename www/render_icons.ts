// Draws icons/logo.svg as the PNG files that Chrome wants: node --import tsx www/render_icons.ts CHROMIUM

import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";

import { chromium } from "playwright-core";

const SIZES = [16, 32, 48, 128];
const icons = new URL("icons/", import.meta.url);
const [executablePath] = process.argv.slice(2);
if (executablePath === undefined) throw new Error("Give the path of a Chromium as the argument.");

const svg = await readFile(new URL("logo.svg", icons));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>body{margin:0}img{display:block}</style>
     <img width="${size}" height="${size}" src="data:image/svg+xml;base64,${svg.toString("base64")}">`,
  );
  const png = await page.screenshot({ omitBackground: true });
  await writeFile(new URL(`${size}.png`, icons), png);
}
await browser.close();
