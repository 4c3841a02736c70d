//! Known answers from outside. The data are not part of the project: where the folder is not beside it, the
//! tests that need it say so and pass.

use crate::support::{run, run_with};
use dragnet_formats::{board::text, cell::Side, value::Value};
use dragnet_generator::{Game, Start, naive};
use serde_json::Value as Json;
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

/// The folder of data, if it is there.
fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    if folder.is_dir() {
        return Some(folder.canonicalize().unwrap());
    }
    let mut stderr = std::io::stderr();
    writeln!(stderr, "skipped: there is no folder {}", folder.display()).unwrap();
    None
}

/// Lines of a table after its comments and its line of names, cut at the tabs.
fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split('\t').collect())
}

/// The six counts of `generate --json`: police, thief and draw with the police to move, then with the thief
/// to move.
fn counts(row: &Json) -> Vec<u64> {
    let of = |turn: &str| ["police", "thief", "draw"].map(|outcome| row[turn][outcome].as_u64().unwrap());
    [of("police_to_move"), of("thief_to_move")].concat()
}

/// Returns the output of `generate --json` by the names of the tables.
fn by_name(output: &str) -> BTreeMap<String, Json> {
    let rows = output.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row)).collect()
}

#[test]
fn published_boards_have_the_published_answers() {
    let Some(data) = data() else { return };
    let table = fs::read_to_string(data.join("truth/police_thief_boards.tsv")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut line = String::from("generate --json");
    let mut boards = 0;
    for (number, row) in rows(&table).enumerate() {
        let text = format!("{} {}\n{}\n", row[0], row[1], row[2].replace('/', "\n"));
        fs::write(folder.path().join(format!("b{number}.txt")), &text).unwrap();
        write!(line, " b{number}.txt").unwrap();
        let expected = match row[3] {
            "police" => "Police catches the thief\n",
            "thief" => "The thief escapes\n",
            "draw" => "Draw\n",
            other => panic!("expected police, thief or draw, found {other}"),
        };
        let answer = run_with(folder.path(), "answer --threads 1", text.as_bytes()).done();
        assert_eq!(answer, expected, "board {number}:\n{text}");
        boards += 1;
    }
    let ran = run(folder.path(), &line);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let made = by_name(&String::from_utf8(ran.out).unwrap());
    for (number, row) in rows(&table).enumerate() {
        let expected: Vec<u64> = row[4..10].iter().map(|count| count.parse().unwrap()).collect();
        assert_eq!(counts(&made[&format!("b{number}")]), expected, "board {number}: {}", row[2]);
    }
    assert_eq!(boards, 150);
}

#[test]
fn the_chase_starts_have_the_published_distances() {
    let Some(data) = data() else { return };
    let table = fs::read_to_string(data.join("truth/chase_set1.tsv")).unwrap();
    let mut starts: BTreeMap<&str, (String, String)> = BTreeMap::new();
    let mut count = 0;
    for row in rows(&table) {
        let (asked, expected) = starts.entry(row[0]).or_default();
        writeln!(asked, "{} {} {} {} police", row[1], row[2], row[3], row[4]).unwrap();
        writeln!(expected, "police\t{}", row[5]).unwrap();
        count += 1;
    }
    assert_eq!((starts.len(), count), (15, 15_000));
    let folder = tempfile::tempdir().unwrap();
    let mut line = String::from("generate --rules chase --exit none --out .");
    for map in starts.keys() {
        write!(line, " {}", data.join("maps/chase").join(map).display()).unwrap();
    }
    run(folder.path(), &line).done();
    for (map, (asked, expected)) in starts {
        let name = Path::new(map).file_stem().unwrap().to_str().unwrap();
        let answers = run_with(folder.path(), &format!("probe {name}.dtb --stdin"), asked.as_bytes()).done();
        for (number, (answer, expected)) in answers.lines().zip(expected.lines()).enumerate() {
            let start = asked.lines().nth(number).unwrap();
            assert_eq!(answer, expected, "{map}, start {start}");
        }
        assert_eq!(answers.lines().count(), expected.lines().count(), "{map}");
    }
}

/// The answers of another program on the maps.
const KNOWN_MAPS: &str = include_str!("../known_maps.tsv");

/// The largest map of [`KNOWN_MAPS`] takes too long for every day.
const LARGE: &str = "dao/lak303d.map";

/// Makes the tables of the wanted maps and compares them with [`KNOWN_MAPS`].
fn compare_maps(data: &Path, wanted: impl Fn(&str) -> bool) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let mut made = BTreeMap::new();
    // A .map names no exit; the other boards have their own.
    for (kind, options) in [(".map", "--exit first"), (".txt", "")] {
        let mut line = format!("generate --json --favour speed --out . {options}");
        for row in rows(KNOWN_MAPS).filter(|row| wanted(row[0]) && row[0].ends_with(kind)) {
            write!(line, " {}", data.join("maps").join(row[0]).display()).unwrap();
        }
        if line.contains(kind) {
            let ran = run(folder.path(), &line);
            assert_eq!(ran.status, Some(0), "{}", ran.err);
            made.extend(by_name(&String::from_utf8(ran.out).unwrap()));
        }
    }
    for row in rows(KNOWN_MAPS).filter(|row| wanted(row[0])) {
        let name = Path::new(row[0]).file_stem().unwrap().to_str().unwrap();
        let found = &made[name];
        let mut numbers = vec![found["cells"].as_u64().unwrap()];
        numbers.extend(counts(found));
        numbers.extend(["police", "thief"].map(|side| found["longest"][side].as_u64().unwrap()));
        let expected: Vec<u64> = row[1..10].iter().map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers, expected, "{}", row[0]);
        assert_eq!(found["digest"], row[10], "{}", row[0]);
    }
    made.len()
}

#[test]
fn game_maps_have_the_values_that_another_program_finds() {
    let Some(data) = data() else { return };
    assert_eq!(compare_maps(&data, |map| map != LARGE), rows(KNOWN_MAPS).count() - 1);
}

// cargo test -p dragnet truth -- --ignored
#[test]
#[ignore = "takes a quarter of a minute on two cores and a gigabyte of memory"]
fn a_large_game_map_has_the_values_that_another_program_finds() {
    let Some(data) = data() else { return };
    assert_eq!(compare_maps(&data, |map| map == LARGE), 1);
}

/// The classic game written once more, as the oracle wants it: positions numbered (turn, police, thief) in
/// reading order, every move looked for afresh. It shares nothing with the engines but the trait.
struct Plain {
    open: Vec<(i32, i32)>,
    exit: Vec<bool>,
}

impl Plain {
    fn new(board: &str) -> Plain {
        let squares = (0..)
            .zip(board.lines())
            .flat_map(|(row, line)| (0..).zip(line.chars()).map(move |(col, square)| ((row, col), square)));
        let (open, exit) =
            squares.filter(|&(_, square)| square != '#').map(|(at, square)| (at, square == 'E')).unzip();
        Plain { open, exit }
    }

    fn parts(&self, position: u64) -> [usize; 3] {
        let (position, cells) = (position as usize, self.open.len());
        [position / cells / cells, position / cells % cells, position % cells]
    }

    fn moves(&self, [turn, police, thief]: [usize; 3]) -> Vec<u64> {
        let from = self.open[if turn == 0 { police } else { thief }];
        let near = |to: (i32, i32)| {
            let (down, right) = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
            if turn == 0 { down.max(right) <= 1 } else { down + right <= 1 }
        };
        let cells = self.open.len();
        (0..cells)
            .filter(|&to| near(self.open[to]))
            .map(|to| {
                let (police, thief) = if turn == 0 { (to, thief) } else { (police, to) };
                (((1 - turn) * cells + police) * cells + thief) as u64
            })
            .collect()
    }
}

impl Game for Plain {
    fn positions(&self) -> u64 {
        2 * (self.open.len() as u64).pow(2)
    }

    fn start(&self, position: u64) -> Start {
        let [turn, police, thief] = self.parts(position);
        let winner = if police == thief {
            0
        } else if self.exit[thief] {
            1
        } else {
            return Start::Open;
        };
        Start::Known(if winner == turn { Value::Win(0) } else { Value::Loss(0) })
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.moves(self.parts(position)).into_iter().for_each(each);
    }
}

/// The codes that `dump --binary` writes for this board.
fn dumped(board: &str, favour: &str) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("board.txt"), board).unwrap();
    let exit = if board.contains('E') { "" } else { "--exit none" };
    run(folder.path(), &format!("generate board.txt --out . --favour {favour} {exit}")).done();
    let dump = run(folder.path(), "dump board.dtb --binary");
    assert_eq!((dump.status, dump.err.as_str()), (Some(0), ""));
    dump.out.chunks(4).map(|code| u32::from_le_bytes(code.try_into().unwrap())).collect()
}

#[test]
fn dumps_are_what_the_oracle_finds() {
    let boards = [
        "E..\n.#.\n",
        "....E\n.##..\n.#...\n.....\nE.#..\n",
        "..#..\n..#..\n..#.E\n",
        "....\n.##.\n....\n",
        "E#.........\n.#.#####.#.\n...#...#.#.\n.###.#.#.#.\n.....#...#.\n",
        // More than one tile each way.
        "..........#.......E\n.........##........\n...#...............\n...#.....#.........\n",
    ];
    for board in boards {
        let expected: Vec<u32> = naive::solve(&Plain::new(board)).iter().map(|value| value.code()).collect();
        for favour in ["speed", "size"] {
            assert_eq!(dumped(board, favour), expected, "--favour {favour}, board\n{board}");
        }
    }
}

/// The codes of this board as the C++ program that made `known_maps.tsv` dumps them.
#[test]
fn a_dump_is_what_another_program_dumps() {
    const BOARD: &str = "E..\n.#.\n";
    const CODES: [u32; 50] = [
        2, 4, 8, 4, 8, 1, 2, 4, 4, 4, 1, 4, 2, 5, 4, 1, 4, 8, 2, 8, 1, 4, 4, 5, 2, 1, 9, 9, 5, 9, 2, 1, 5, 4,
        5, 2, 4, 1, 4, 5, 2, 4, 9, 1, 9, 2, 4, 5, 4, 1,
    ];
    assert_eq!(dumped(BOARD, "size"), CODES);
}

#[test]
fn dumps_as_text_and_as_codes_agree() {
    let board = "E...\n.#..\n....\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("board.txt"), board).unwrap();
    run(folder.path(), "generate board.txt --out .").done();
    let csv = run(folder.path(), "dump board.dtb").done();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("turn,police_row,police_col,thief_row,thief_col,outcome,dtw"));
    let codes = dumped(board, "speed");
    assert_eq!(lines.clone().count(), codes.len());
    let open: Vec<_> = text::parse(board.as_bytes()).unwrap().board.open_cells().collect();
    let mut codes = codes.into_iter();
    for turn in Side::BOTH {
        for police in &open {
            for thief in &open {
                let code = codes.next().unwrap();
                let mover_wins = code != 0 && code.is_multiple_of(2);
                let outcome = match (code, mover_wins) {
                    (0, _) => "draw".to_owned(),
                    (_, true) => turn.to_string(),
                    (_, false) => turn.other().to_string(),
                };
                let dtw = if code == 0 { String::new() } else { ((code - 1) / 2).to_string() };
                assert_eq!(lines.next(), Some(&*format!("{turn},{police},{thief},{outcome},{dtw}")));
            }
        }
    }
}
