// Boards from texts. The refusals are those that the tests of the crate `dragnet-formats` expect.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { open, parseBoard } from "dragnet-probe";
import { GOLDEN, goldenBytes, openCells } from "./support/golden.mjs";

const FORMATS = new URL("../../../formats/tests/", import.meta.url);

/** Returns the text that a literal of Rust without its quotes stands for. */
function literal(text) {
  const escapes = { n: "\n", r: "\r", t: "\t", 0: "\0", "\\": "\\", '"': '"', "'": "'" };
  return text.replace(/\\(x..|.)/g, (_, code) =>
    code.startsWith("x") ? String.fromCharCode(parseInt(code.slice(1), 16)) : escapes[code]);
}

/** Returns the inputs and messages of the crate's tests of refusals. */
function refusals() {
  const source = readFileSync(new URL("all/boards.rs", FORMATS), "utf8");
  const squares = /const SQUARES: &str =\s+"(.*?)";/s.exec(source)[1].replace(/\\\n\s*/, "");
  const text = '"((?:[^"\\\\]|\\\\.)*)"';
  const cases = source.matchAll(new RegExp(`\\(\\s*b${text},\\s*(?:&format!\\()?${text}\\)?,?\\s*\\)`, "gs"));
  return Array.from(cases, ([, input, message]) => [literal(input), literal(message.replace("{SQUARES}", squares))]);
}

test("texts that are no board are refused as the crate refuses them", () => {
  let tried = 0;
  for (const [text, message] of refusals()) {
    // The crate's tests name the form, which is seen here from the first line.
    const map = /^type[ \t]/.test(text);
    const contest = /^.*\d/.test(text);
    if (!map && /'type octile'/.test(message)) continue;
    if (!map && !contest && /number of rows|numbers of rows|after 'type'/.test(message)) continue;
    if (/UTF-8|'\\0'/.test(message)) continue;
    assert.throws(() => parseBoard(Buffer.from(text, "latin1")), (error) => {
      assert.deepEqual([error.kind, error.message], ["board", message], JSON.stringify(text));
      return true;
    });
    tried++;
  }
  assert.ok(tried > 40, `${tried}`);
});

test("one-way squares are refused, and not read as open ones", () => {
  const message = "line 2, column 3: expected a board without one-way squares, found 'v'";
  assert.throws(() => parseBoard("...\n..v\n"), { kind: "board", message });
});

test("bytes that are not UTF-8, and what is no text, are refused", () => {
  const bytes = Uint8Array.of(0x2e, 0x0a, 0xff);
  assert.throws(() => parseBoard(bytes), { kind: "board", message: /^line 2, column 1: / });
  assert.throws(() => parseBoard("##\n"), { kind: "board", message: /expected a board with an open square/ });
  for (const text of [undefined, null, 7, ["."]]) {
    assert.throws(() => parseBoard(text), { kind: "argument", message: /^text: expected a string or a Uint8Array/ });
  }
});

test("the three forms give one board", () => {
  const cells = [[0, 0], [0, 1], [0, 3], [1, 1], [1, 2]];
  const expected = { police: [[0, 0], [1, 1]], thief: [1, 2], exits: [[0, 3]], cells };
  const bytes = new TextEncoder().encode("P.#E\n#PT#\n");
  const [little, big] = ["\uFEFFP.#E\n#PT#\n", "\uFFFE\u5000\u2E00\u2300\u4500\u0A00\u2300\u5000\u5400\u2300"]
    .map((text) => Uint8Array.from(Buffer.from(text, "utf16le")));
  const forms = ["P.#E\n*PT#\n", "\uFEFFP #E\r\n#PT#\r\n\r\n", "P.#E\r#PT#\r", "2 4\nP.#E\n#PT#", bytes, little, big];
  for (const text of forms) {
    const { board, police, thief } = parseBoard(text);
    assert.deepEqual({ police, thief, exits: board.exits(), cells: board.cells() }, expected);
  }
  const { board, police, thief } = parseBoard("type octile\nwidth 3\nheight 2\nmap\n.G@\nTS.\n");
  assert.deepEqual([board.height, board.width, board.cells()], [2, 3, [[0, 0], [0, 1], [1, 1], [1, 2]]]);
  assert.deepEqual([police, thief, board.exits()], [[], undefined, []]);
});

test("the boards of the makers are read square by square", () => {
  const folder = new URL("golden/", FORMATS);
  const names = readdirSync(folder).filter((name) => /^(maze|open|random|rooms)-.*\.txt$/.test(name));
  assert.ok(names.length > 8);
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), "utf8");
    const { board } = parseBoard(text);
    const kinds = { wall: "#", open: ".", exit: "E" };
    const rows = Array.from({ length: board.height }, (_, row) =>
      Array.from({ length: board.width }, (_, column) => kinds[board.square(row, column)]).join(""));
    assert.equal(`${rows.join("\n")}\n`, text, name);
    assert.ok(board.equals(parseBoard(`${board.height} ${board.width}\n${text}`).board));
    const changed = text.replace(/[.#]/, (kind) => (kind === "." ? "E" : "."));
    assert.ok(changed === text || !board.equals(parseBoard(changed).board));
  }
});

test("a board lists its open cells and its exits", () => {
  for (const name of GOLDEN) {
    const { board } = open(goldenBytes(name)).pursuit();
    assert.deepEqual(board.cells(), openCells(board));
    assert.deepEqual(board.exits(), openCells(board).filter((cell) => board.square(...cell) === "exit"));
  }
});

test("the largest boards are read, and larger ones refused", () => {
  const rows = (height, width) => `${".".repeat(width)}\n`.repeat(height);
  for (const [height, width] of [[1, 65535], [65535, 1], [1024, 1024]]) {
    assert.equal(parseBoard(rows(height, width)).board.openCells, height * width);
    const { board } = parseBoard(`${height} ${width}\n${rows(height, width)}`);
    assert.deepEqual(board.cellOf(height * width - 1), [height - 1, width - 1]);
  }
  for (const [height, width, line, column] of [[1, 65536, 1, 65536], [65536, 1, 65536, 1], [1026, 1024, 1025, 1]]) {
    const message = new RegExp(`^line ${line}, column ${column}: expected a board of at most 1048576 squares`);
    assert.throws(() => parseBoard(rows(height, width)), { kind: "board", message });
  }
});
