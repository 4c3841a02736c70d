// The size that README.md of the reader promises to pages that bundle it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const README = readFileSync(new URL("../../../probe/js/README.md", import.meta.url), "utf8");

/** Returns the thousands of bytes of a bundle, minified and compressed. */
async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: FOLDER },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000;
}

test("a bundle of the reader is as small as its README.md says", async () => {
  const said = /a bundle that opens tables takes some (\d+) kB, and one with everything some\s+(\d+) kB/.exec(README);
  assert.ok(said, "the sentence of README.md");
  const sources = ['export { open } from "dragnet-probe";', 'export * from "dragnet-probe";'];
  for (const [k, source] of sources.entries()) {
    const size = await bundled(source);
    assert.ok(Math.abs(size - Number(said[k + 1])) < 1, `${source} ${size} kB, README.md says ${said[k + 1]} kB`);
  }
});
