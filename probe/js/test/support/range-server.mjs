import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Serves `bytes` at every path as a file server does that sends parts, and counts the traffic. `change`, a
 * function of the answer that would be sent, returns another answer or changes this one; answers have
 * `status`, `headers` and `body`. A body that is a function is given the response and writes it by itself.
 */
export async function serveRanges(bytes, change = (answer) => answer) {
  const traffic = { requests: 0, bytes: 0, most: 0, aborted: 0, headers: [] };
  let active = 0;
  const server = createServer(async (request, response) => {
    traffic.requests++;
    traffic.headers.push(request.headers);
    traffic.most = Math.max(traffic.most, ++active);
    response.on("close", () => {
      active--;
      if (!response.writableFinished) traffic.aborted++;
    });
    const answer = await change(rightAnswer(bytes, request.headers), request, traffic.requests);
    if (typeof answer.body === "function") {
      answer.body(response);
      return;
    }
    traffic.bytes += answer.body.length;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/table.dtb`, traffic, close };
}

/** Returns the answer of a server that does everything right. */
export function rightAnswer(bytes, { range, "if-range": condition }) {
  const etag = '"one"';
  const common = { etag, "accept-ranges": "bytes", "content-type": "application/octet-stream" };
  const parts = /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
  if (parts === null || (condition !== undefined && condition !== etag)) {
    return { status: 200, headers: common, body: bytes };
  }
  const [first, last] = [Number(parts[1]), Math.min(Number(parts[2]), bytes.length - 1)];
  if (first >= bytes.length) {
    return { status: 416, headers: { ...common, "content-range": `bytes */${bytes.length}` }, body: "" };
  }
  const headers = { ...common, "content-range": `bytes ${first}-${last}/${bytes.length}` };
  return { status: 206, headers, body: bytes.subarray(first, last + 1) };
}
