// The client of the solver and its worker in Chromium, under the content security policy of the application.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { launch, skip } from "./support/pages.mjs";

const SOURCE = new URL("../src/engine/", import.meta.url);
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

async function bundle(stdin) {
  const common = { bundle: true, format: "esm", write: false, logLevel: "warning" };
  return (await build({ ...common, ...stdin })).outputFiles[0].contents;
}

let server;
let browser;
let page;

before(async () => {
  if (skip) return;
  const contents = 'import { Engine } from "./client.ts"; globalThis.Engine = Engine;';
  const files = {
    "/": ["text/html", '<!doctype html><title>solver</title><script type="module" src="app.js"></script>'],
    "/app.js": ["text/javascript", await bundle({ stdin: { contents, resolveDir: fileURLToPath(SOURCE) } })],
    "/worker.js": ["text/javascript", await bundle({ entryPoints: [fileURLToPath(new URL("worker.ts", SOURCE))] })],
    "/engine.wasm": ["application/wasm", await readFile(new URL("../built/engine.wasm", import.meta.url))],
  };
  server = createServer(({ url }, response) => {
    const [type, body] = files[url] ?? [];
    if (type === undefined) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": type, "content-security-policy": POLICY }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  browser = await launch();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => "Engine" in globalThis);
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("a solve in a worker reports its levels in order before its table comes", { skip }, async () => {
  const found = await page.evaluate(async () => {
    const engine = new Engine({ worker: "worker.js", wasm: "engine.wasm" });
    const { text: board } = await engine.make({ kind: "rooms", height: 24, width: 24, exit: true });
    const levels = [];
    const table = await engine.solve({ ground: { board } }, { onLevel: ({ level }) => levels.push(level) });
    engine.close();
    return { levels, begin: [...table.subarray(0, 8)] };
  });
  assert.ok(found.levels.length > 20);
  assert.deepEqual(found.levels, found.levels.map((_, i) => i));
  assert.deepEqual(found.begin, [0x89, 0x44, 0x54, 0x42, 0x0d, 0x0a, 0x1a, 0x0a]);
});

test("a cancelled solve ends, and what waits behind it is answered", { skip }, async () => {
  const found = await page.evaluate(async () => {
    const engine = new Engine({ worker: "worker.js", wasm: "engine.wasm" });
    const open = { board: (await engine.make({ kind: "open", height: 90, width: 90 })).text };
    const name = (promise) => promise.then(() => "answered", (error) => error.name);
    const [running, waiting] = [new AbortController(), new AbortController()];
    let begun;
    const level = new Promise((resolve) => (begun = resolve));
    const cancelled = name(engine.solve({ ground: open }, { onLevel: begun, signal: running.signal }));
    const dropped = name(engine.estimate({ ground: open }, { signal: waiting.signal }));
    const kept = engine.estimate({ ground: open });
    await level;
    waiting.abort();
    running.abort();
    const early = name(engine.estimate({ ground: open }, { signal: AbortSignal.abort() }));
    const found = [await cancelled, await dropped, await early, (await kept).positions];
    engine.close();
    return found;
  });
  assert.deepEqual(found, ["AbortError", "AbortError", "AbortError", 2 * 8100 * 8100]);
});

test("failures have the place in the text, and missing files are named", { skip }, async () => {
  const found = await page.evaluate(async () => {
    const failure = (promise) => promise.then(() => "answered", ({ facts }) => facts);
    const engine = new Engine({ worker: "worker.js", wasm: "engine.wasm" });
    const read = await failure(engine.read({ ground: { board: "..\n.@\n" } }));
    const closed = failure(engine.solve({ ground: { board: "..\n" } }));
    engine.close();
    const after = await engine.estimate({ ground: { board: "..\n" } });
    engine.close();
    const make = (files) => failure(new Engine(files).make({ kind: "open", height: 2, width: 2 }));
    const noWorker = await make({ worker: "none.js", wasm: "engine.wasm" });
    const noWasm = await make({ worker: "worker.js", wasm: "none.wasm" });
    return { read, closed: await closed, cells: after.cells, noWorker, noWasm };
  });
  assert.deepEqual([found.read.kind, found.read.line, found.read.column], ["input", 2, 2]);
  assert.equal(found.closed.message, "the solver was closed");
  assert.equal(found.cells, 2);
  assert.match(found.noWorker.message, /its worker cannot be loaded/);
  assert.match(found.noWasm.message, /none\.wasm: 404/);
});
