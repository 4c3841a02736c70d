// Writes the built form of the application to built/, which the program embeds. `--out DIR` writes it
// elsewhere.

import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { out: { type: "string", default: "built" } } });
const out = values.out;
const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

await mkdir(out, { recursive: true });
await build({ ...common, entryPoints: { app: "src/main.ts" }, outdir: out });
await build({ ...common, entryPoints: { worker: "src/engine/worker.ts" }, outdir: out });
await build({ ...common, entryPoints: { app: "styles/app.css" }, outdir: out });
await copyFile("src/index.html", `${out}/index.html`);
