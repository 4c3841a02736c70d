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
const { isMeant, meaningOf, meaningText, withMeaning } = await load("model/letters.ts");
const { looksLikeGraph, unmarked, writeText } = await load("model/board-text.ts");
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
  const scenario = { height: rows.length, width: rows[0].length, squares: [], police: [], thief: undefined, guards: [] };
  rows.forEach((row, r) =>
    [...row].forEach((letter, c) => {
      const kinds = { "#": 0, ".": 1, P: 1, T: 1, E: 2 };
      scenario.squares.push(kinds[letter] ?? letter.charCodeAt(0));
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
  const squares = Uint8Array.from({ length: height * width }, () => [0, 1, 1, 2, 62, 109][below(6)]);
  squares[0] = squares[1] = 1;
  const guards = [{ round: [[0, 0], [0, 1]], looks: ["north", "southeast"] }];
  return { height, width, squares, police: [[0, 0]], thief: [0, 1], guards };
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
    ["brush", "eraser", "exit", "officer", "thief"].map((tool) => ({ tool })),
  );
  assert.deepEqual(pickedTool(scenarioOf("PTm\n"), [0, 2]), { tool: "letter", letter: "m" });
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

/** Rules with keys that have no field of their own. */
const ODD = rulesFrom({
  officers: 2,
  ground: { m: 3 },
  ways: ["A"],
  capture: { sight: 4, angle: 90 },
  police: { look: 8, may_pass: false },
  thief: { moves: { offsets: [[0, 1], [-1, -2]] } },
});

/** Links that were written once, with what they show; they were made from the table in share.ts. */
const GOLDEN_LINKS = [
  [
    "AqtWSspPLEpRslJShgFXZeWYPGU9OADzlJXBWBnKg8rAeBAZPYL6UOSQQEyeko5SQX5OZnKqklV0tLmOYWysjlJJRmZqmpJVtKmOoUGsjlJRaU5qsZJVdW0tAA",
    YARD,
    CLASSIC,
  ],
  [
    "AkWPQW7DIBRE7zLrH8skWbR_l0VPQVBEbexYBWMBbmQh7l7hNul2NO-NJuPT69CD0TQf17lxl-sMwuLt1BmwlC21iqQgoRQh3SczgKWoIcJqTQRn-GGYOhMi-PiPZji93RYdI3jQNhqC9f4L_FZeogznv1-OaFL8nRSK5EHQ4ahUKYQx-HXu9zr4VAgPvdUmLlCETi9pDftinMZ7Ap8Jeh6tAb-3O7_q0Fcg48_0HKnvFD25U1EE552ZU7U9fLA9WBCs3vZ7sqUzCVXKDw",
    "P.E\nTmA\n",
    ODD,
    { guards: [{ round: [[0, 1], [0, 0]], sight: 3 }], moment: { world: 1, layers: [0, 4, 1] } },
  ],
  ["AqtWSspPLEpRslLS03ONyVPSUSrIz8lMTlWyio420DGIjdVRKirNSS1WsqqurQUA", "P.E\n", CLASSIC],
];

for (const [data, text, rules, { guards = [], moment } = {}] of GOLDEN_LINKS) {
  test(`the link ${data.slice(-12)} opens for ever`, async () => {
    const game = await readSharedGame(data);
    assert.equal(writeText(game.scenario), text);
    assert.deepEqual(game.rules, rules);
    assert.deepEqual(game.scenario.guards, guards);
    assert.deepEqual(game.moment, moment);
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

/** Returns the data of a link with this text, whatever it means. */
function linkOf(text, version = 2) {
  return Buffer.concat([Buffer.from([version]), deflateRawSync(Buffer.from(text))]).toString("base64url");
}

/** Returns the data of a link to a small game in which some keys are others. */
function changed(keys) {
  return linkOf(JSON.stringify({ board: "..#E\n", police: [[0, 0]], thief: [0, 1], rules: {}, ...keys }));
}

const HOSTILE = [
  ["nothing", "", /expected data/],
  ["a part", "AqtWS", /expected data|cut short/],
  ["a cut link", GOLDEN_LINKS[0][0].slice(0, 40), /cut short/],
  ["letters that do not belong there", "AqtWS+GZ", /letters, digits, - and _/],
  ["another version", linkOf("{}", 1), /expected data of version 2, found version 1/],
  ["bytes that are not deflated", Buffer.from([2, 255, 255, 255]).toString("base64url"), /damaged/],
  ["a bomb", linkOf(new Uint8Array(60_000_000)), /expected data of at most \d+ bytes, found more/],
  ["a very long link", "A".repeat(10_000_000), /expected at most \d+ characters/],
  ["no JSON", linkOf("{"), /^Error: link: .*JSON/],
  ["a list", linkOf("[]"), /board: expected a text/],
  ["nothing in it", linkOf("null"), /^Error: link: /],
  ["a huge board", changed({ board: `${".".repeat(513)}\n` }), /board: expected 1 to 512 rows/],
  ["no row", changed({ board: "" }), /found 0 rows/],
  ["rows of two lengths", changed({ board: "...\n..\n" }), /rows of equal length/],
  ["a square that is none", changed({ board: "..?\n" }), /expected walls, open squares, exits and letters, found \?/],
  ["a mark of a piece", changed({ board: "..P\n" }), /found P/],
  ["an officer off the board", changed({ police: [[0, 9]] }), /a piece on an open square/],
  ["an officer on a wall", changed({ police: [[0, 2]] }), /a piece on an open square/],
  ["the thief on an exit", changed({ thief: [0, 3] }), /a piece on an open square/],
  ["two pieces on a cell", changed({ thief: [0, 0] }), /without another piece/],
  ["a cell that is none", changed({ police: [[0]] }), /police: expected a list/],
  ["seven officers", changed({ board: "........\n", police: Array.from({ length: 7 }, (_, at) => [0, at]), thief: [0, 7] }), /at most 6/],
  ["unknown moves", changed({ rules: { police: { moves: "queen" } } }), /rules: expected those of a board of squares/],
  ["kinds of officers", changed({ rules: { police: [{}, {}] } }), /expected rules that can be shown here, found police/],
  ["a guard without a round", changed({ guards: [{ pace: 1 }] }), /guards: expected a list/],
  ["half a moment", changed({ moment: { world: 1 } }), /layers: expected a list/],
];

for (const [what, data, message] of HOSTILE) {
  test(`a link with ${what} is refused`, async () => {
    await assert.rejects(readSharedGame(data), message);
  });
}

test("rules are written as a file that names what differs, and read back", () => {
  assert.equal(writeRules(PRESETS.chase), 'corner_cutting = false\n\n[thief]\nmoves = "king"\n');
  for (const rules of [CLASSIC, PRESETS.chase, ODD]) {
    assert.deepEqual(rulesFrom(parseToml(writeRules(rules))), rules);
    assert.deepEqual(rulesFrom(rulesObject(rules)), rules);
  }
  assert.deepEqual([CLASSIC, PRESETS.chase, rulesFrom({ stuck: "wins" })].map(presetOf), ["classic", "chase", undefined]);
});

test("rules that cannot be shown are refused", () => {
  for (const text of ["[police]\nreach = \"far\"\n", "[[police]]\ncount = 1\n[[police]]\n"])
    assert.throws(() => rulesFrom(parseToml(text)), /expected rules that can be shown here, found (reach|police) = /);
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

test("letters are drawn, and starting on one takes it away", () => {
  const drawn = stroke(OPEN_3X5, { tool: "letter", letter: "m", cell: [0, 0] }, [0, 2]);
  assert.equal(writeText(drawn), "mmm..\n.....\nP...T\n");
  assert.equal(writeText(stroke(drawn, { tool: "letter", letter: ">", cell: [0, 2] }, [0, 3])), "mm>>.\n.....\nP...T\n");
  assert.equal(writeText(stroke(drawn, { tool: "letter", letter: "m", cell: [0, 0] }, [0, 1])), "..m..\n.....\nP...T\n");
});

test("a piece that stands on a letter leaves it there, and is no mark of the text", () => {
  const board = scenarioOf("m....\nP...T\n");
  const moved = stroke(board, { tool: "officer", cell: [1, 0] }, [0, 0]);
  assert.deepEqual(moved.police, [[0, 0]]);
  assert.deepEqual([writeText(moved), unmarked(moved)], ["m....\n....T\n", 1]);
  assert.deepEqual(settled(moved).police, [[0, 0]]);
});

test("one-way squares and looks of guards turn with the board", () => {
  const round = [[0, 0], [0, 3]];
  const board = { ...scenarioOf("><^v\n.P.T\n"), guards: [{ round, looks: ["north", "southeast"] }] };
  assert.equal(writeText(rotate(board)), ".v\nP^\n.>\nT<\n");
  assert.deepEqual(rotate(board).guards, [{ round: [[0, 1], [3, 1]], looks: ["east", "southwest"] }]);
  assert.equal(writeText(mirrorColumns(board)), "v^><\nT.P.\n");
  assert.equal(writeText(mirrorRows(board)), ".P.T\n><v^\n");
  assert.deepEqual(mirrorRows(board).guards, [{ round: [[1, 0], [1, 3]], looks: ["south", "northeast"] }]);
  const cut = resize(board, 2, 3, { rows: "top", columns: "left" });
  assert.deepEqual(cut.guards[0].round, [[0, 0], [0, 2]]);
});

test("a letter has the meanings of the rules, and another one takes their place", () => {
  const rules = rulesFrom({ ground: { m: 3, x: "barred" }, ways: ["A", "B>C"], cover: { b: "full" }, opaque: "bt", limit: { plies: 9 } });
  const text = (letter) => meaningText(meaningOf(rules, letter), letter);
  assert.deepEqual(["m", "x", "A", "B", "C", "b", "t", "q"].map(text), [
    "3 turns", "barred", "portal", "way to C", "", "hides the thief, bars sight", "bars sight", "",
  ]);
  assert.deepEqual(["C", "q"].map((letter) => isMeant(rules, letter)), [true, false]);
  const other = ["m", "x", "A", "B", "b"].reduce((rules, letter) => withMeaning(rules, letter, {}), rules);
  assert.deepEqual(other.more, { limit: { plies: 9 }, opaque: "t" });
  const again = withMeaning(withMeaning(other, "t", { ways: "A", cover: "beside" }), "A", { ground: 2 });
  assert.deepEqual(again.more, { limit: { plies: 9 }, ground: { A: 2 }, ways: ["t>A"], cover: { t: "beside" } });
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
