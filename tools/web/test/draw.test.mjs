import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { load } from "./support/modules.mjs";

const { beginStroke, pickedTool } = await load("views/draw/tools.ts");
const { line, rectangle, region } = await load("views/draw/shapes.ts");
const { mirrorColumns, mirrorRows, resize, rotate } = await load("views/draw/transform.ts");
const { History } = await load("views/draw/history.ts");
const { readSharedGame, shareGame } = await load("model/share.ts");
const { CLASSIC, PRESETS, presetOf, rulesFrom, rulesObject, writeRules } = await load("model/rules-text.ts");
const { parseToml } = await load("model/toml.ts");
const { looksLikeGraph, writeText } = await load("model/board-text.ts");
const { settled } = await load("model/scenario.ts");
const { keepTable, openedTable } = await load("model/opened.ts");

const YARD = `#########E##
#..........#
#.###.####.#
#.#......#.#
#.#.####.#.#
#.........T#
#.###.####.#
#P.........#
############
`;

/** Returns the scenario of a text whose squares are right. */
function scenarioOf(text) {
  const rows = text.trim().split("\n");
  const scenario = { height: rows.length, width: rows[0].length, squares: [], police: [], thief: undefined };
  rows.forEach((row, r) =>
    [...row].forEach((letter, c) => {
      scenario.squares.push(letter === "#" ? 0 : letter === "E" ? 2 : 1);
      if (letter === "P") scenario.police.push([r, c]);
      if (letter === "T") scenario.thief = [r, c];
    }),
  );
  return { ...scenario, squares: Uint8Array.from(scenario.squares) };
}

/** Returns numbers below a limit that look random, equal for equal seeds. */
function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % limit;
  };
}

function randomScenario(below, height = 1 + below(12), width = 2 + below(12)) {
  const squares = Uint8Array.from({ length: height * width }, () => [0, 1, 1, 2][below(4)]);
  squares[0] = squares[1] = 1;
  return { height, width, squares, police: [[0, 0]], thief: [0, 1] };
}

function stroke(scenario, start, ...cells) {
  const begun = beginStroke(scenario, start);
  for (const cell of cells) begun.moveTo(cell);
  return begun.finish();
}

const OPEN_3X5 = scenarioOf(".....\n.....\nP...T\n");

test("a board is written in the text form", () => {
  assert.equal(writeText(scenarioOf(YARD)), YARD);
});

test("the first cell decides whether the brush draws walls or takes them away", () => {
  const drawn = stroke(OPEN_3X5, { tool: "brush", cell: [0, 0] }, [0, 3], [1, 3]);
  assert.equal(writeText(drawn), "####.\n...#.\nP...T\n");
  assert.equal(writeText(stroke(drawn, { tool: "brush", cell: [0, 1] }, [0, 4])), "#....\n...#.\nP...T\n");
});

test("a stroke with shift goes straight from the end of the stroke before", () => {
  const begun = beginStroke(OPEN_3X5, { tool: "brush", cell: [0, 0] });
  const start = { tool: "brush", cell: [0, 4], shift: true, last: begun.end };
  assert.equal(writeText(stroke(begun.finish(), start)), "#####\n.....\nP...T\n");
});

test("walls are not drawn over pieces", () => {
  assert.equal(writeText(stroke(OPEN_3X5, { tool: "brush", cell: [2, 1] }, [2, 4])), ".....\n.....\nP###T\n");
  assert.equal(writeText(stroke(OPEN_3X5, { tool: "fill", cell: [0, 0] })), "#####\n#####\nP###T\n");
});

test("the rectangle follows its corner, and with shift is a frame", () => {
  const drawn = stroke(OPEN_3X5, { tool: "rectangle", cell: [0, 0] }, [2, 4], [1, 1]);
  assert.equal(writeText(drawn), "##...\n##...\nP...T\n");
  const frame = stroke(OPEN_3X5, { tool: "rectangle", cell: [0, 1], shift: true }, [2, 3]);
  assert.equal(writeText(frame), ".###.\n.#.#.\nP###T\n");
});

test("the eraser takes walls and exits away, with the right button in a rectangle", () => {
  const board = scenarioOf("#####\n#E###\nP##.T\n");
  assert.equal(writeText(stroke(board, { tool: "eraser", cell: [1, 0] }, [1, 2])), "#####\n...##\nP##.T\n");
  const start = { tool: "eraser", cell: [0, 0], right: true };
  assert.equal(writeText(stroke(board, start, [1, 2])), "...##\n...##\nP##.T\n");
});

test("officers are added, dragged past walls and removed, but never the last one", () => {
  const board = scenarioOf("..#..\nP...T\n");
  const two = stroke(board, { tool: "officer", cell: [0, 2] });
  assert.equal(writeText(two), "..P..\nP...T\n");
  assert.deepEqual(stroke(two, { tool: "brush", cell: [1, 0] }, [0, 2], [0, 0]).police, [
    [0, 0],
    [0, 2],
  ]);
  const one = stroke(two, { tool: "officer", cell: [1, 0] });
  assert.deepEqual(one.police, [[0, 2]]);
  assert.deepEqual(stroke(one, { tool: "officer", cell: [0, 2] }).police, [[0, 2]]);
});

test("no seventh officer is placed", () => {
  let board = scenarioOf("........\n........\nP......T\n");
  for (let column = 0; column < 7; column++) {
    const begun = beginStroke(board, { tool: "officer", cell: [0, column] });
    board = begun?.finish() ?? board;
  }
  assert.equal(board.police.length, 6);
});

test("pick chooses the tool of what is on the cell", () => {
  const board = scenarioOf("#.E\nP.T\n");
  const cells = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 0],
    [1, 2],
  ];
  assert.deepEqual(
    cells.map((cell) => pickedTool(board, cell)),
    ["brush", "eraser", "exit", "officer", "thief"],
  );
});

test("a line has both ends and steps like a king", () => {
  const below = random(1);
  for (let k = 0; k < 200; k++) {
    const [from, to] = [
      [below(30), below(30)],
      [below(30), below(30)],
    ];
    const cells = line(from, to);
    assert.deepEqual([cells[0], cells.at(-1)], [from, to]);
    for (let at = 1; at < cells.length; at++) {
      const step = Math.max(...[0, 1].map((axis) => Math.abs(cells[at][axis] - cells[at - 1][axis])));
      assert.equal(step, 1);
    }
  }
});

test("a region is what repeated spreading from its cell reaches", () => {
  const below = random(2);
  for (let k = 0; k < 100; k++) {
    const board = randomScenario(below);
    const from = [below(board.height), below(board.width)];
    const kind = (row, column) => board.squares[row * board.width + column];
    const naive = new Set([from.join()]);
    for (let before = -1; before !== naive.size;) {
      before = naive.size;
      for (let row = 0; row < board.height; row++) {
        for (let column = 0; column < board.width; column++) {
          const beside = [
            [row - 1, column],
            [row + 1, column],
            [row, column - 1],
            [row, column + 1],
          ];
          if (kind(row, column) === kind(...from) && beside.some((cell) => naive.has(cell.join()))) {
            naive.add([row, column].join());
          }
        }
      }
    }
    assert.deepEqual(region(board, from).map(String).sort(), [...naive].sort());
  }
});

test("a rectangle has the cells between its corners, whichever these are", () => {
  assert.equal(rectangle([3, 1], [1, 4]).length, 12);
  assert.deepEqual(rectangle([0, 0], [2, 2], true).length, 8);
});

test("mirroring twice and four quarter turns change nothing", () => {
  const below = random(3);
  for (let k = 0; k < 50; k++) {
    const board = randomScenario(below);
    assert.deepEqual(mirrorColumns(mirrorColumns(board)), board);
    assert.deepEqual(mirrorRows(mirrorRows(board)), board);
    assert.deepEqual(rotate(rotate(rotate(rotate(board)))), board);
    assert.deepEqual(rotate(rotate(board)), mirrorRows(mirrorColumns(board)));
  }
});

test("a quarter turn goes to the right", () => {
  assert.equal(writeText(rotate(scenarioOf("P#\n.E\n.T\n"))), "..P\nTE#\n");
});

test("a board grows and shrinks at the sides that the anchor leaves free", () => {
  const board = scenarioOf("P#T\n");
  const anchor = (rows, columns) => ({ rows, columns });
  assert.equal(writeText(resize(board, 2, 4, anchor("top", "left"))), "P#T.\n....\n");
  assert.equal(writeText(resize(board, 2, 4, anchor("bottom", "right"))), "....\n.P#T\n");
  assert.equal(writeText(resize(board, 3, 5, anchor("middle", "middle"))), ".....\n.P#T.\n.....\n");
  assert.equal(writeText(resize(scenarioOf("P..T\n...."), 2, 2, anchor("top", "left"))), "PT\n..\n");
});

test("pieces on walls move to the nearest open square, and missing ones are placed", () => {
  const board = {
    ...scenarioOf("##..\n....\n"),
    police: [
      [0, 0],
      [0, 0],
    ],
    thief: undefined,
  };
  assert.equal(writeText(settled(board)), "##..\nPP.T\n");
  assert.deepEqual(settled(scenarioOf("###\n")).police, []);
});

test("undo takes back every kind of change exactly, and redo does it again", () => {
  const below = random(4);
  const history = new History();
  const games = [{ scenario: randomScenario(below, 9, 9), rules: CLASSIC }];
  const changes = [
    ({ scenario, rules }) => ({ scenario: stroke(scenario, { tool: "brush", cell: [1, 1] }, [2, 1]), rules }),
    ({ scenario, rules }) => ({ scenario: stroke(scenario, { tool: "fill", cell: [0, 0] }), rules }),
    ({ scenario, rules }) => ({ scenario: rotate(scenario), rules }),
    ({ scenario, rules }) => ({
      scenario: resize(scenario, 3 + below(9), 3 + below(9), { rows: "middle", columns: "left" }),
      rules,
    }),
    ({ rules }) => ({ scenario: randomScenario(below), rules }),
    ({ scenario }) => ({ scenario, rules: below(2) === 0 ? CLASSIC : PRESETS.chase }),
    ({ scenario, rules }) => ({ scenario: settled({ ...scenario, thief: [0, 0] }), rules }),
  ];
  for (let k = 0; k < 200; k++) {
    const before = games.at(-1);
    const after = (changes[below(changes.length)] ?? changes[0])(
      before.scenario.height < 3 ? games[0] : before,
    );
    history.add(before, after);
    games.push(after);
  }
  let game = games.at(-1);
  for (let k = games.length - 2; k >= 0; k--) assert.deepEqual((game = history.undo(game)), games[k]);
  assert.equal(history.undo(game), undefined);
  for (let k = 1; k < games.length; k++) assert.deepEqual((game = history.redo(game)), games[k]);
  assert.equal(history.redo(game), undefined);
});

test("a change after undo ends what could be done again", () => {
  const history = new History();
  const [one, two] = [scenarioOf("PT#\n"), scenarioOf("PT.\n")].map((scenario) => ({
    scenario,
    rules: CLASSIC,
  }));
  history.add(one, two);
  history.add(history.undo(two), two);
  assert.deepEqual([history.canUndo, history.canRedo], [true, false]);
});

test("the oldest changes are forgotten when the history is full, the newest never", () => {
  const history = new History(5000);
  const [one, two] = [scenarioOf("PT#\n"), scenarioOf("PT.\n")].map((scenario) => ({
    scenario,
    rules: CLASSIC,
  }));
  for (let k = 0; k < 100; k++) history.add(one, two);
  let undone = 0;
  while (history.undo(two) !== undefined) undone++;
  assert.ok(undone > 0 && undone < 10, `${undone}`);
});

/** Links that were written once, with what they show; they were made from the table in share.ts. */
const GOLDEN_LINKS = [
  ["AeNk4GFgYOAICRVlYRFwCRV0YRCEsIEkUIKRnYGRgZGVgQvIhAIGEAAA", YARD, CLASSIC],
  [
    "ARXI0Q0AIAyEULiaOKn7b2CtfL0QirPCJEEHReov6b6tm9LkAQ",
    "P.E\nT#P\n",
    {
      officers: 2,
      police: { moves: "knight", mayPass: false, steps: 2, reach: 3 },
      thief: {
        moves: {
          offsets: [
            [0, 1],
            [-1, -2],
          ],
        },
        mayPass: true,
        steps: 1,
        reach: 7,
      },
      cornerCutting: false,
      wrap: "both",
      stuck: "wins",
      team: "one",
      policeOnExit: "wins",
      undecided: "thief",
    },
  ],
  ["AWNkYGZQZWQAA0YoAHMA", "P.E\n", CLASSIC],
];

for (const [data, text, rules] of GOLDEN_LINKS) {
  test(`the link ${data.slice(0, 12)}… opens for ever`, async () => {
    const game = await readSharedGame(data);
    assert.equal(writeText(game.scenario), text);
    assert.deepEqual(game.rules, rules);
  });
}

test("a link leads back to its game, up to the largest board and six officers", async () => {
  const below = random(5);
  const largest = randomScenario(below, 512, 512);
  const games = [largest, ...Array.from({ length: 30 }, () => randomScenario(below))].map((scenario) => ({
    scenario: settled({ ...scenario, police: Array(1 + below(6)).fill([0, 0]) }),
    rules: { ...CLASSIC, wrap: ["none", "horizontal", "vertical", "both"][below(4)], stuck: "wins" },
  }));
  for (const { scenario, rules } of games) {
    const game = { scenario, rules: { ...rules, officers: scenario.police.length } };
    assert.deepEqual(await readSharedGame(await shareGame(game)), game);
  }
});

/** Returns the data of a link with these bytes, whatever they mean. */
function linkOf(bytes, version = 1) {
  return Buffer.concat([Buffer.from([version]), deflateRawSync(Buffer.from(bytes))]).toString("base64url");
}

const SIDE = [0, 1, 1, 1];
const REST = [...SIDE, ...SIDE, 1, 0, 0, 0, 0, 0];
const HOSTILE = [
  ["nothing", "", /expected data/],
  ["a part", "AWNkY", /expected data|cut short/],
  ["a cut link", GOLDEN_LINKS[0][0].slice(0, 40), /cut short/],
  ["letters that do not belong there", "AWNk+GZQ", /letters, digits, - and _/],
  ["another version", linkOf([1, 0, 1, 0], 2), /expected data of version 1, found version 2/],
  ["bytes that are not deflated", Buffer.from([1, 255, 255, 255]).toString("base64url"), /damaged/],
  ["a bomb", linkOf(new Uint8Array(60_000_000)), /expected data of at most \d+ bytes, found more/],
  ["a very long link", "A".repeat(1_000_000), /expected at most \d+ characters/],
  ["a huge board", linkOf([255, 255, 255, 255]), /rows: expected 1 to 512, found 65535/],
  ["no row", linkOf([0, 0, 1, 0]), /rows: expected 1 to 512, found 0/],
  ["a board without its squares", linkOf([255, 1, 255, 1, 0]), /squares: expected \d+ more bytes, found 1/],
  ["a fourth kind of square", linkOf([1, 0, 1, 0, 3, 1, 0, 0, 0, 0, 0, ...REST]), /the squares/],
  ["a square behind the last", linkOf([1, 0, 1, 0, 5, 1, 0, 0, 0, 0, 0, ...REST]), /the squares/],
  ["no officer", linkOf([1, 0, 1, 0, 1, 0, 0, ...REST]), /officers: expected 1 to 6, found 0/],
  [
    "an officer off the board",
    linkOf([1, 0, 1, 0, 1, 1, 9, 0, 0, 0, 0, ...REST]),
    /an officer on an open square/,
  ],
  [
    "an officer on a wall",
    linkOf([1, 0, 2, 0, 4, 1, 0, 0, 0, 0, 0, ...REST]),
    /an officer on an open square/,
  ],
  [
    "two pieces on a cell",
    linkOf([1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, ...REST]),
    /without another piece/,
  ],
  ["unknown moves", linkOf([1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 9, 1, 1, 1]), /moves of the police/],
  [
    "no step",
    linkOf([1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]),
    /steps of the police: expected 1 to 255/,
  ],
  ["one byte more", linkOf([1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, ...REST, 0]), /found 1 more bytes/],
  ["one byte less", linkOf([1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, ...REST.slice(0, -1)]), /expected 1 more bytes/],
];

for (const [what, data, message] of HOSTILE) {
  test(`a link with ${what} is refused`, async () => {
    await assert.rejects(readSharedGame(data), message);
  });
}

test("rules are written as a file that names what differs, and read back", () => {
  assert.equal(writeRules(PRESETS.chase), 'corner_cutting = false\n\n[thief]\nmoves = "king"\n');
  const odd = GOLDEN_LINKS[1][2];
  for (const rules of [CLASSIC, PRESETS.chase, odd]) {
    assert.deepEqual(rulesFrom(parseToml(writeRules(rules))), rules);
    assert.deepEqual(rulesFrom(rulesObject(rules)), rules);
  }
  assert.deepEqual([CLASSIC, PRESETS.chase, odd].map(presetOf), ["classic", "chase", undefined]);
});

test("rules that cannot be shown are refused", () => {
  for (const text of ["[police]\nreach = \"far\"\n", "[thief.sight]\ndistance = 1\n", "[sight]\ndistance = 1\n"])
    assert.throws(() => rulesFrom(parseToml(text)), /expected rules that can be shown here, found (reach|sight) = /);
});

test("the rules file of the documentation is read", () => {
  const text = `# rules.toml
officers = 1                            # 1 to 6
wrap = "horizontal"
[police]
moves = "knight"
may_pass = false

[thief]
moves = { offsets = [[0, 1], [0, -1]] }
`;
  assert.deepEqual(parseToml(text), {
    officers: 1,
    wrap: "horizontal",
    police: { moves: "knight", may_pass: false },
    thief: {
      moves: {
        offsets: [
          [0, 1],
          [0, -1],
        ],
      },
    },
  });
});

test("a rules file that is none is refused with its place", () => {
  const place = (text) => {
    try {
      return parseToml(text) && "";
    } catch ({ message }) {
      return message;
    }
  };
  assert.match(place("wrap = \nstuck = 1"), /^line 1, column 8: expected a value/);
  assert.match(place("officers 2"), /^line 1, column 10: expected =, found "2"/);
  assert.match(place("a = 1\na = 2"), /^line 2, column 6: the key a is there twice/);
  assert.match(place("[police\n"), /expected \]/);
  assert.match(place(`a = ${"[".repeat(10_000)}`), /at most 4 lists/);
  assert.equal(Object.getPrototypeOf(parseToml("__proto__ = { officers = 3 }")), Object.prototype);
});

test("edge lists are distinguished from boards", () => {
  assert.equal(looksLikeGraph("0 1\n1 2\n"), true);
  assert.equal(looksLikeGraph("5\n0 1\n"), true);
  assert.equal(looksLikeGraph(YARD), false);
  assert.equal(looksLikeGraph(`9 12\n${YARD}`), false);
  assert.equal(looksLikeGraph("type octile\nheight 1\nwidth 1\nmap\n."), false);
});

test("a table is kept under its name, and another one of that name under another", () => {
  const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
  assert.deepEqual(
    [keepTable("yard", one), keepTable("yard", one), keepTable("yard", other)],
    ["yard", "yard", "yard 2"],
  );
  assert.deepEqual(openedTable("yard 2").bytes, other);
  assert.equal(openedTable("castle"), undefined);
});
