// Writes the built form of the application to built/, which the program embeds. `--out DIR` writes it
// elsewhere; `--package` writes the element for other pages to dist/ instead.

import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { out: { type: "string", default: "built" }, package: { type: "boolean", default: false } },
});
const common = {
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** Style sheets that a module imports become texts, with all that they import in turn. */
const sheetsAsTexts = {
  name: "sheets as texts",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({ ...common, entryPoints: [path], write: false });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

if (values.package) {
  await rm("dist", { recursive: true, force: true });
  await build({
    ...common,
    minify: false,
    entryPoints: { "dragnet-board": "src/element/board-element.ts" },
    external: ["dragnet-probe"],
    plugins: [sheetsAsTexts],
    outdir: "dist",
  });
} else {
  const out = values.out;
  await mkdir(out, { recursive: true });
  await build({ ...common, entryPoints: { app: "src/main.ts" }, outdir: out });
  await build({ ...common, entryPoints: { worker: "src/engine/worker.ts" }, outdir: out });
  await build({ ...common, entryPoints: { app: "styles/app.css" }, outdir: out });
  await copyFile("src/index.html", `${out}/index.html`);
}
