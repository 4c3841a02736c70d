import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";

const PACKAGE = new URL("../../", import.meta.url);
const GOLDEN = new URL("../../../../formats/tests/golden/", import.meta.url);
const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript" };

/**
 * Serves the folder of the package, the golden tables under /golden/, and `pages`, which maps paths to texts.
 */
export async function serve(pages) {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = pathname.startsWith("/golden/")
      ? new URL(pathname.slice("/golden/".length), GOLDEN)
      : new URL(pathname.slice(1), PACKAGE);
    response.setHeader("content-type", TYPES[extname(pathname)] ?? "application/octet-stream");
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
