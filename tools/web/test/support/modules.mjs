import { build } from "esbuild";

const SOURCE = new URL("../../src/", import.meta.url);

/** Returns the exports of a module of the application, such as `model/link.ts`. */
export async function load(module) {
  const { outputFiles } = await build({
    entryPoints: [new URL(module, SOURCE).pathname],
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
