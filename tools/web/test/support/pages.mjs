// Serves the built application with a catalogue and files, and opens it in Chromium.

import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { chromium } from "playwright-core";

const BUILT = new URL("../../built/", import.meta.url);
const GOLDEN = new URL("../../../../formats/tests/golden/", import.meta.url);
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** The reason why tests of pages are skipped, `false` if they are not. */
export const skip = existsSync(CHROMIUM)
  ? false
  : `${CHROMIUM} does not exist; set CHROMIUM to the path of a Chromium`;

/** Returns the bytes of a file beside the golden tables. */
export function golden(name) {
  return readFile(new URL(name, GOLDEN));
}

/**
 * Serves the built application, and `files`, which maps paths like `/tables/yard.dtb` to bytes or texts, with
 * Range. Counts the bytes of each path in `traffic`.
 */
export async function serve(files) {
  const traffic = new Map();
  const server = createServer(async ({ url, headers, method }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const path = decodeURIComponent(pathname);
    const end = (status, body, fields = {}) => {
      traffic.set(path, (traffic.get(path) ?? 0) + body.length);
      response.writeHead(status, { "content-length": body.length, ...fields });
      response.end(method === "HEAD" ? undefined : body);
    };
    let body = files[path];
    if (body === undefined) {
      try {
        body = await readFile(new URL(path === "/" ? "index.html" : path.slice(1), BUILT));
      } catch {
        return end(404, Buffer.from("not found"));
      }
    }
    body = Buffer.from(body);
    const type = TYPES[extname(path === "/" ? "index.html" : path)] ?? "application/octet-stream";
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
    if (range === null) return end(200, body, { "content-type": type, "accept-ranges": "bytes" });
    const first = Number(range[1]);
    const last = Math.min(range[2] === "" ? Infinity : Number(range[2]), body.length - 1);
    if (first > last) return end(416, Buffer.alloc(0), { "content-range": `bytes */${body.length}` });
    return end(206, body.subarray(first, last + 1), {
      "content-type": type,
      "content-range": `bytes ${first}-${last}/${body.length}`,
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, traffic, address: `http://127.0.0.1:${server.address().port}/` };
}

/** Starts Chromium, and once more if it crashes at its start, as it does now and then. */
export function launch() {
  const start = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  return start().catch(start);
}

/** Opens a page and collects what it logs as errors and warnings, and its uncaught errors. */
export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    const missing = message.text().includes("404") && message.location().url.endsWith("catalogue.json");
    if (["error", "warning"].includes(message.type()) && !missing) errors.push(message.text());
  });
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  return { page, errors };
}
