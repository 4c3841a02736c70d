#!/usr/bin/env python3
"""Sends a running `dragnet serve` what no honest client sends, and checks that it goes on.

    tools/tests/hostile.py PORT PID SECRET [REQUESTS] [SEED]

PORT is the server's on 127.0.0.1, PID its process, SECRET a text that stands in files beside the folder that
is served and in nothing that is served. The requests are made from the seed: paths that lead upwards, in many
spellings, broken heads, wrong methods, hosts, ranges and bodies, requests that are cut short, clients that
stop reading or never finish. Beside them an honest client asks for /healthz.

Fails if the secret is in an answer, if any answer has a status of 500 to 502 or is no HTTP, if /healthz stays
without an answer for five seconds, if the process ends, or if it holds many more file handles at the end than
at the beginning.
"""

import asyncio
import logging
import os
import random
import re
import sys
import time

PORT, PID, SECRET = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()
REQUESTS = int(sys.argv[4]) if len(sys.argv) > 4 else 200_000
LOTS = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
CLIENTS = 48
# Connections that are left half-open on purpose, at a time.
HALF_OPEN = 200

UP = ["..", "%2e%2e", "%2E.", "..%2f", "%2e%2e%2f", "..%5c", "%252e%252e", "....//", "%c0%ae%c0%ae", ".%00.", "%00"]
HOMES = ["/", "/tables/", "/boards/", "/graphs/", "/v1/tables/", "/v1/tables/x/", "//", "/v1/", "/tables/../"]
ENDS = ["", "secret.txt", "secret.dtb", "etc/passwd", "secret", "secret/raw", "secret.stats.json", "raw", "position"]
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW", "get", "\x7f"]
ROUTES = [
    "/", "/healthz", "/metrics", "/openapi.json", "/catalogue.json", "/v1/tables", "/v1/solve",
    "/v1/tables/TABLE", "/v1/tables/TABLE/raw", "/v1/tables/TABLE/positions", "/v1/tables/TABLE/line",
    "/v1/tables/TABLE/position?police=0,0&thief=1,1", "/tables/TABLE.dtb", "/v1/tables/TABLE/picture.svg",
]
RANGES = [
    "bytes=0-", "bytes=-5", "bytes=5-2", "bytes=99999999999999999999-", "bytes=-0", "bytes=0-0,2-3", "bytes=a-b",
    "bytes=" + ",".join("0-1" for _ in range(1000)), "lines=1-2", "bytes=--1", "bytes=18446744073709551615-", "\xff",
]
HOSTS = ["127.0.0.1", "localhost", "evil.example", "", "a" * 3000, "[::1", "127.0.0.1:99999999", "x@127.0.0.1", "\xe9"]
KINDS = ["application/json", "application/octet-stream", "text/plain", "multipart/form-data", "x", "", "a/" + "b" * 900]

# Writing to connections that the server has cut is what this program is for.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)

counts, faults = {}, []


def word(most=40):
    """Returns random bytes, most of them printable."""
    size = LOTS.randrange(most)
    if LOTS.random() < 0.2:
        return LOTS.randbytes(size)
    return bytes(LOTS.choice(b"abcXYZ019%./\\?&=;,+-_~{}[]\"'<> \t") for _ in range(size))


def target(table):
    """Returns the target of a request."""
    lot = LOTS.random()
    if lot < 0.45:
        path = LOTS.choice(HOMES)
        path += "/".join(LOTS.choice(UP) for _ in range(LOTS.randrange(1, 9)))
        return (path + "/" + LOTS.choice(ENDS)).encode()
    if lot < 0.65:
        return b"/" + word(200).replace(b" ", b"%20")
    if lot < 0.75:
        names = ["police", "thief", "turn", "vertex", "digest", "x"]
        values = ["0,0", "-1,0", "99999,1", "1", "", "0,0;1,1;2,2", "police", "%ff", "18446744073709551616", "a" * 500]
        query = "&".join(f"{LOTS.choice(names)}={LOTS.choice(values)}" for _ in range(LOTS.randrange(6)))
        ends = ["position", "line", "picture.svg"]
        return f"/v1/tables/{table}/{LOTS.choice(ends)}?{query}".encode()
    if lot < 0.76:
        return b"/" + b"a" * LOTS.choice([1000, 7000, 70000])
    if lot < 0.77:
        return LOTS.choice([b"*", b"http://evil.example/", b"evil.example:80", b"", b"http://[::1]:x/"])
    return LOTS.choice(ROUTES).replace("TABLE", table).encode()


def request(table):
    """Returns the bytes of a request."""
    method = LOTS.choice(METHODS) if LOTS.random() < 0.4 else LOTS.choice(["GET", "POST"])
    path = target(table)
    head = [method.encode() + b" " + path + b" " + LOTS.choice([b"HTTP/1.1"] * 9 + [b"HTTP/1.0", b"HTTP/3", b""])]
    if LOTS.random() < 0.9:
        host = LOTS.choice(HOSTS) if LOTS.random() < 0.3 else "127.0.0.1"
        head.append(b"Host: " + host.encode("latin-1"))
    if LOTS.random() < 0.2:
        head.append(b"Range: " + LOTS.choice(RANGES).encode("latin-1"))
    if LOTS.random() < 0.1:
        head.append(b"If-None-Match: " + LOTS.choice([b"*", b'"x"', b"W/", b'"' * 500, b"\xff"]))
    if LOTS.random() < 0.1:
        head.append(word() + b": " + word())
    if LOTS.random() < 0.01:
        head.extend(b"X-%d: y" % n for n in range(LOTS.choice([50, 150, 3000])))
    if LOTS.random() < 0.1:
        head.append(b"Accept-Encoding: " + LOTS.choice([b"gzip", b"gzip;q=0", b"*", b"br, x;q=9", b";;"]))
    body = b""
    if method == "POST" or LOTS.random() < 0.1:
        head.append(b"Content-Type: " + LOTS.choice(KINDS).encode())
        if path.endswith(b"positions") and LOTS.random() < 0.5:
            body = LOTS.choice([
                b'[{"police":[0,0],"thief":[1,1],"turn":"police"}]', b"[" * 9000, b'[{"police":[[0,0],[1,1]]}]',
                b"\0" * 10, b"\xff" * 10, b"[]", b"null", b'{"a":1}', b"\0" * 100_000, b'[{"police":[0,0]' + b" " * 99,
            ])
        else:
            body = word(300)
        lengths = [len(body)] * 12 + [len(body) + 1, 0, 10**12, -1]
        length = LOTS.choice(lengths)
        if LOTS.random() < 0.05:
            head.append(b"Transfer-Encoding: chunked")
        head.append(b"Content-Length: %d" % length)
    head.append(b"Connection: close")
    text = b"\r\n".join(head) + b"\r\n\r\n" + body
    return text[: LOTS.randrange(len(text))] if LOTS.random() < 0.03 else text


async def exchange(data, patience):
    """Sends bytes and returns what comes back until the end, or until the patience is at its end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    try:
        try:
            writer.write(data)
            if LOTS.random() < 0.03:
                return None
            return await asyncio.wait_for(reader.read(-1), patience)
        except (asyncio.TimeoutError, ConnectionError):
            return None
    finally:
        writer.close()


def judge(sent, answer):
    if answer is None:
        kind = "cut"
    elif answer == b"":
        kind = "closed"
    else:
        status = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
        kind = int(status[1]) if status else "no HTTP"
        if SECRET in answer or kind in (500, 501, 502, "no HTTP"):
            faults.append((kind, sent[:300], answer[:300]))
    counts[kind] = counts.get(kind, 0) + 1


async def attacker(left, table):
    while left[0] > 0:
        left[0] -= 1
        data = request(table)
        try:
            judge(data, await exchange(data, 1.0))
        except OSError as error:
            counts[type(error).__name__] = counts.get(type(error).__name__, 0) + 1
            await asyncio.sleep(0.05)


async def half_open(stop, table):
    """Opens connections, sends less than a request or reads less than the answer, and waits."""
    while not stop.is_set():
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
            begin = LOTS.choice([b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"])
            large = f"GET /v1/tables/{table}/raw HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 8
            slow = b"POST /v1/tables/x/positions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n"
            writer.write(LOTS.choice([begin, begin, large, slow]))
            for _ in range(40):
                if stop.is_set() or reader.at_eof() or writer.is_closing():
                    break
                await asyncio.sleep(0.5)
                if LOTS.random() < 0.2:
                    writer.write(b"a")
            writer.close()
        except OSError:
            await asyncio.sleep(0.2)


async def honest(stop):
    """Asks for /healthz twice a second; returns the longest wait in seconds."""
    longest = 0.0
    while not stop.is_set():
        begin = time.monotonic()
        answer = await exchange(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 5.0)
        if answer is not None and b" 200 " not in answer.split(b"\r\n")[0] and answer != b"":
            faults.append(("health", b"", answer[:200]))
        longest = max(longest, time.monotonic() - begin)
        await asyncio.sleep(0.5)
    return longest


def handles():
    return len(os.listdir(f"/proc/{PID}/fd"))


def resident():
    return next(int(line.split()[1]) for line in open(f"/proc/{PID}/status") if line.startswith("VmRSS")) // 1024


async def main():
    catalogue = await exchange(b"GET /v1/tables HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 5)
    table = re.search(rb'"name":"([^"/%]+)"', catalogue)[1].decode()
    before = (resident(), handles())
    stop, left = asyncio.Event(), [REQUESTS]
    beside = [asyncio.create_task(half_open(stop, table)) for _ in range(HALF_OPEN)]
    health = asyncio.create_task(honest(stop))
    begin = time.monotonic()
    await asyncio.gather(*(attacker(left, table) for _ in range(CLIENTS)))
    seconds = time.monotonic() - begin
    stop.set()
    await asyncio.gather(*beside)
    longest = await health
    await asyncio.sleep(1)
    after = (resident(), handles())
    print(f"{REQUESTS} requests in {seconds:.0f} s:", dict(sorted(counts.items(), key=str)))
    print(f"longest wait for /healthz {longest:.2f} s; MiB resident, file handles: {before} before, {after} after")
    for fault in faults[:10]:
        print("FAULT", *fault)
    if faults or longest > 5 or after[1] > before[1] + 80:
        sys.exit(1)


asyncio.run(main())
