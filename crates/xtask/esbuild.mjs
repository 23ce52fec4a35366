// Bundles the extension's scripts: node esbuild.mjs OUTPUT_FOLDER NAME=SOURCE...
//
// Writes NAME.js (and NAME.css when a script imports styles) and meta.json into the folder, and
// prints the name of each script and style on a line of its own.

import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { build } from "esbuild";

const [folder, ...pairs] = process.argv.slice(2);
const entryPoints = pairs.map((pair) => {
  const [out, source] = pair.split("=");
  return { in: source, out };
});

let result;
try {
  result = await build({
    entryPoints,
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    // The oldest Chrome that has all the extension interfaces we use.
    target: "chrome120",
    minify: true,
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    alias: { "tabwright-core": "./target/core/core.js", "tabwright-reader": "./target/reader/reader.js" },
    logLevel: "warning",
    color: false,
  });
} catch {
  // esbuild has already printed what is wrong, with file and line.
  process.exit(1);
}

await mkdir(folder, { recursive: true });
await Promise.all([
  writeFile(join(folder, "meta.json"), JSON.stringify(result.metafile)),
  ...result.outputFiles.map((file) => writeFile(file.path, file.contents)),
]);
for (const file of result.outputFiles) {
  console.log(basename(file.path));
}
