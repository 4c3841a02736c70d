import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { rightAnswer } from "./range-server.mjs";

const PACKAGE = new URL("../../", import.meta.url);
const GOLDEN = new URL("../../../../formats/tests/golden/", import.meta.url);
const TYPES = { ".html": "text/html", ".js": "text/javascript" };

/**
 * Serves the folder of the package, the golden tables under /golden/, and `pages`, which maps paths to texts
 * or to bytes. Bytes are sent in parts to clients that ask for parts.
 */
export async function serve(pages) {
  const server = createServer(async ({ url, headers }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = pathname.startsWith("/golden/")
      ? new URL(pathname.slice("/golden/".length), GOLDEN)
      : new URL(pathname.slice(1), PACKAGE);
    response.setHeader("content-type", TYPES[extname(pathname)] ?? "application/octet-stream");
    if (pages[pathname] instanceof Uint8Array) {
      const answer = rightAnswer(pages[pathname], headers);
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    try {
      response.end(pages[pathname] ?? (await readFile(file)));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}
