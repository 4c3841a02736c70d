//! Programs in C and C++ get the same answers as Rust programs.

use crate::support::{GAME, GOLDEN, Linkage, finish, folder_of_tables, golden, program, run, text};
use dragnet_probe::{
    Cell, GameTable, Keep, Open, PartialTable, Pieces, Position, Side, Square, Table, Undecided, Value,
};
use std::{fmt::Write, io::Write as _, path::Path, process::Command};
use tempfile::TempDir;

const BOTH: [Linkage; 2] = [Linkage::Static, Linkage::Shared];

/// Opens a golden table in the same way as the programs do.
fn open(name: &str, how: &str) -> Table {
    let path = golden(name);
    match how {
        "open" => Open::path(path).pursuit().unwrap(),
        // SAFETY: nobody changes a golden table.
        "mapped" => unsafe { Open::mapped(path).pursuit().unwrap() },
        "source" => Open::path(path).pursuit().unwrap(),
        _ => Open::whole(path).pursuit().unwrap(),
    }
}

/// Opens the golden game table in the same way as the programs do.
fn open_game(how: &str) -> GameTable {
    let path = golden(GAME);
    match how {
        "open" => Open::path(path).game().unwrap(),
        // SAFETY: nobody changes a golden table.
        "mapped" => unsafe { Open::mapped(path).game().unwrap() },
        _ => Open::whole(path).game().unwrap(),
    }
}

fn positions(table: &Table) -> Vec<Position> {
    let cells: Vec<_> = table.board().open_cells().collect();
    let teams = teams(&cells, table.officers().into());
    let pairs = teams.iter().flat_map(|&police| cells.iter().map(move |&thief| (police, thief)));
    let positions: Vec<Position> =
        pairs.flat_map(|(police, thief)| Side::BOTH.map(|turn| Position::new(police, thief, turn))).collect();
    let worlds = 0..table.header().worlds;
    worlds.flat_map(|world| positions.iter().map(move |at| at.in_world(world))).collect()
}

/// Returns all teams in the order of `next_team` in `programs/check.h`.
fn teams(cells: &[Cell], officers: usize) -> Vec<Pieces> {
    let mut teams = vec![vec![]];
    for _ in 0..officers {
        let with = |first: Cell, team: &Vec<Cell>| [&[first], &**team].concat();
        let longer = teams.iter().flat_map(|team: &Vec<Cell>| {
            let firsts = cells.iter().filter(|&first| team.first().is_none_or(|second| first <= second));
            firsts.map(move |&first| with(first, team))
        });
        teams = longer.collect();
    }
    teams.iter().map(|team| Pieces::new(team).unwrap()).collect()
}

fn number(side: Option<Side>) -> u32 {
    side.map_or(0, |side| if side == Side::Police { 1 } else { 2 })
}

fn value(value: Value, turn: Side) -> String {
    format!("{} {}", number(value.outcome(turn).winner()), value.dtw().unwrap_or(u32::MAX))
}

/// Returns what `programs/ask.c` must print, according to the Rust interface.
fn answers(table: &Table) -> String {
    let (board, header) = (table.board(), table.header());
    let summary = header.summary;
    let (height, width) = (board.height(), board.width());
    let mut out = format!("{height} {width} {} {}\n", board.open_count(), header.positions());
    for counts in [summary.police_to_move, summary.thief_to_move] {
        writeln!(out, "{} {} {}", counts.police, counts.thief, counts.draw).unwrap();
    }
    let longest = summary.longest;
    let (file, memory) = (table.file_len(), table.memory());
    writeln!(out, "{} {} {:016x} {file} {memory}", longest.police, longest.thief, summary.digest).unwrap();
    let undecided = match table.undecided() {
        Undecided::Draw => None,
        Undecided::Police => Some(Side::Police),
        Undecided::Thief => Some(Side::Thief),
    };
    let [officer_layers, thief_layers] = Side::BOTH.map(|side| header.layers(side).count());
    write!(out, "{officer_layers} {thief_layers} {} {} ", table.officers(), header.team as u8).unwrap();
    let worlds = header.worlds;
    writeln!(out, "{} {} {worlds}\n{}", header.stuck as u8, number(undecided), table.source()).unwrap();
    for square in board.squares() {
        out.push(match square {
            Square::Wall => '0',
            Square::Open => '1',
            Square::Exit => '2',
        });
    }
    out.push('\n');
    for at in positions(table) {
        let (police, thief, turn) = (at.police, at.thief, number(Some(at.turn)));
        let worth = value(table.value(at).unwrap(), at.turn);
        let (world, winner) = (at.world, number(table.winner(at).unwrap()));
        write!(out, "{police} {thief} {turn} {world}: {worth} {winner} [").unwrap();
        for choice in table.best_moves(at).unwrap() {
            let (to, after) = (choice.to, choice.position);
            write!(out, " {turn} {to} {} {}", after.world, value(choice.value, after.turn)).unwrap();
        }
        out.push_str(" ] [");
        let line = table.line(at).unwrap();
        for ply in &line.moves {
            let (side, after) = (number(Some(ply.side)), ply.position);
            write!(out, " {side} {} {} {}", ply.to, after.world, value(ply.value, after.turn)).unwrap();
        }
        writeln!(out, " ] {}", number(line.end.winner())).unwrap();
    }
    out
}

#[test]
fn c_programs_get_the_answers_of_rust_programs() {
    for linkage in BOTH {
        let ask = program("tests/programs/ask.c", linkage, &[]).unwrap();
        for name in GOLDEN {
            for how in ["open", "mapped", "read", "copy", "keep", "source"] {
                let expected = answers(&open(name, how));
                let found = run(Command::new(&ask).arg(golden(name)).arg(how), "");
                assert!(found == expected, "{name} {how}:\n{found}\nexpected\n{expected}");
            }
        }
    }
}

#[test]
fn cpp_programs_get_the_answers_of_rust_programs() {
    let folder = folder_of_tables();
    for linkage in BOTH {
        let Some(ask) = program("tests/programs/ask.cpp", linkage, &[]) else { return };
        for name in GOLDEN {
            let expected = answers(&Open::path(golden(name)).pursuit().unwrap());
            let found = run(Command::new(&ask).arg(golden(name)).arg(folder.path()), "");
            assert!(found == expected, "{name}:\n{found}\nexpected\n{expected}");
        }
    }
}

/// Returns what `programs/game.c` must print, according to the Rust interface.
fn game_answers(table: &GameTable) -> String {
    let (header, summary) = (table.header(), table.summary());
    let counts = format!("{} {} {}", summary.won, summary.lost, summary.drawn);
    let longest = format!("{} {}", summary.longest_win, summary.longest_loss);
    let mut out = format!("{} {} {counts} {longest}\n", header.name, header.positions());
    let (file, memory) = (table.file_len(), table.memory());
    writeln!(out, "{:016x} {:016x} {file} {memory}", header.key, summary.digest).unwrap();
    for position in (0..header.positions()).rev() {
        let value = table.value(position).unwrap();
        let result = match value {
            Value::Draw => 0,
            Value::Win(_) => 1,
            Value::Loss(_) => 2,
        };
        let best = table.best((0..=position).rev()).unwrap().unwrap().position;
        writeln!(out, "{position}: {result} {} {}", value.dtw().unwrap_or(u32::MAX), position - best)
            .unwrap();
    }
    out
}

#[test]
fn c_and_cpp_programs_get_the_answers_of_a_game_table() {
    for linkage in BOTH {
        let ask = program("tests/programs/game.c", linkage, &[]).unwrap();
        for how in ["open", "mapped", "read", "copy", "keep"] {
            let expected = game_answers(&open_game(how));
            let found = run(Command::new(&ask).arg(golden(GAME)).arg(golden(GOLDEN[0])).arg(how), "");
            assert!(found == expected, "{how}:\n{found}\nexpected\n{expected}");
        }
        let expected = game_answers(&open_game("open"));
        let Some(ask) = program("tests/programs/game.cpp", linkage, &[]) else { continue };
        let found = run(Command::new(&ask).arg(golden(GAME)).arg(golden(GOLDEN[0])), "");
        assert!(found == expected, "{found}\nexpected\n{expected}");
    }
}

/// Returns what `programs/partial.c` must print about these positions, according to the Rust interface.
fn partial_answers(table: &PartialTable, asked: &[Position]) -> String {
    let answer = |at: &Position| match table.keep() {
        Keep::Outcomes => match table.outcome(*at).unwrap().winner() {
            None => "outcome 0\n".to_owned(),
            Some(Side::Police) => "outcome 1\n".to_owned(),
            Some(Side::Thief) => "outcome 2\n".to_owned(),
        },
        Keep::MovesOf(side) if side != at.turn => "DRAGNET_ERROR_KIND\n".to_owned(),
        Keep::MovesOf(_) => {
            let Some(after) = table.best_move(*at).unwrap() else { return "none\n".to_owned() };
            format!("{} {} {} {}\n", after.police, after.thief, number(Some(after.turn)), after.world)
        }
    };
    asked.iter().map(answer).collect()
}

#[test]
fn c_and_cpp_programs_get_the_answers_of_partial_tables() {
    let tables = [
        ("v2-outcomes.dtb", "v2-size.dtb"),
        ("v2-moves-police.dtb", "v2-team.dtb"),
        ("v2-moves-thief.dtb", "v2-cops.dtb"),
    ];
    for (linkage, source) in BOTH.into_iter().flat_map(|linkage| {
        ["tests/programs/partial.c", "tests/programs/partial.cpp"].map(|source| (linkage, source))
    }) {
        let Some(ask) = program(source, linkage, &[]) else { continue };
        for (partial, full) in tables {
            let asked = positions(&Open::path(golden(full)).pursuit().unwrap());
            let mut lines = String::new();
            for at in &asked {
                write!(lines, "{}", at.police.len()).unwrap();
                at.police.iter().for_each(|cell| write!(lines, " {} {}", cell.row, cell.col).unwrap());
                writeln!(lines, " {} {} {}", at.thief.row, at.thief.col, at.turn as u8 + 1).unwrap();
            }
            let expected = partial_answers(&Open::path(golden(partial)).partial().unwrap(), &asked);
            let found = run(Command::new(&ask).arg(golden(partial)).arg(golden(full)), &lines);
            assert!(found == expected, "{source} {partial}:\n{found}\nexpected\n{expected}");
        }
    }
}

#[test]
fn the_examples_answer_a_stream_of_positions() {
    for source in ["examples/probe.c", "examples/probe.cpp"] {
        let Some(probe) = program(source, Linkage::Shared, &[]) else { continue };
        for name in GOLDEN {
            let table = Open::path(golden(name)).pursuit().unwrap();
            let (mut asked, mut expected) = (String::new(), String::new());
            for at in positions(&table) {
                let (thief, turn) = (at.thief, at.turn);
                at.police.iter().for_each(|cell| write!(asked, "{} {} ", cell.row, cell.col).unwrap());
                let world = if at.world == 0 { String::new() } else { format!(" {}", at.world) };
                writeln!(asked, "{} {} {turn}{world}", thief.row, thief.col).unwrap();
                let value = table.value(at).unwrap();
                let dtw = value.dtw().map_or("-".to_owned(), |dtw| dtw.to_string());
                writeln!(expected, "{}\t{dtw}", value.outcome(turn)).unwrap();
            }
            assert_eq!(
                run(Command::new(&probe).arg("answer").arg(golden(name)), &asked),
                expected,
                "{source}"
            );
        }
        let game = Open::path(golden(GAME)).game().unwrap();
        let (mut asked, mut expected) = (String::new(), String::new());
        for position in 0..game.positions() {
            writeln!(asked, "{position}").unwrap();
            let (word, dtw) = match game.value(position).unwrap() {
                Value::Draw => ("drawn", "-".to_owned()),
                Value::Win(dtw) => ("won", dtw.to_string()),
                Value::Loss(dtw) => ("lost", dtw.to_string()),
            };
            writeln!(expected, "{word}\t{dtw}").unwrap();
        }
        let found = run(Command::new(&probe).arg("answer").arg(golden(GAME)), &asked);
        assert_eq!(found, expected, "{source}");
        let told = run(Command::new(&probe).arg(golden(GOLDEN[0])), "");
        assert!(told.starts_with("2x18 squares") && told.contains("police to move: "), "{told}");
    }
}

#[test]
fn the_examples_report_errors() {
    let wall = "the thief's cell 0,2 is a wall; expected an open cell";
    let cases = [
        ("no/such.dtb", "", 3, "DRAGNET_ERROR_FILE: cannot read no/such.dtb"),
        ("v2-size.dtb", "0 0 0 2 police\n", 3, wall),
        ("v2-size.dtb", "0 0 0 1 nobody\n", 2, "and police or thief, found 0 0 0 1 nobody"),
        ("v2-size.dtb", "0 0 0 1 thief x\n", 2, "and police or thief, found 0 0 0 1 thief x"),
        ("v2-size.dtb", "0 0 0 1 thief 0 0\n", 2, "and police or thief, found 0 0 0 1 thief 0 0"),
        ("v2-doors.dtb", "0 0 2 0 thief 6\n", 3, "expected a world below 6, found 6"),
        (
            "v2-team.dtb",
            "0 0 0 1 police\n",
            2,
            "expected police_row police_col police_row police_col thief_row",
        ),
        ("v2-graph.dtb", "0 0\n", 2, "expected the number of a position, found 0 0"),
        ("v2-graph.dtb", "-1\n", 2, "expected the number of a position, found -1"),
        ("v2-graph.dtb", "131\n", 3, "DRAGNET_ERROR_POSITION: "),
        ("open-1x1.txt", "", 3, "DRAGNET_ERROR_NOT_A_TABLE"),
    ];
    for source in ["examples/probe.c", "examples/probe.cpp"] {
        let Some(probe) = program(source, Linkage::Static, &[]) else { continue };
        for (table, input, status, message) in cases {
            let table = if table.contains('/') { table.into() } else { golden(table) };
            let output = finish(Command::new(&probe).arg("answer").arg(table), input);
            let said = text(&output.stderr);
            assert!(output.status.code() == Some(status) && said.contains(message), "{source}: {said}");
        }
        assert_eq!(finish(&mut Command::new(&probe), "").status.code(), Some(2));
    }
}

#[test]
fn opponents_of_c_programs_choose_the_moves_of_the_page() {
    for linkage in BOTH {
        let opponent = program("tests/programs/opponent.c", linkage, &[]).unwrap();
        run(&mut vectors(&opponent), "");
    }
}

/// Returns the command that runs `programs/opponent.c`, or its like in C++, on the games of `OPPONENT.md`.
fn vectors(opponent: &Path) -> Command {
    let mut command = Command::new(opponent);
    let folder = Path::new(crate::support::CRATE);
    command.arg(folder.join("../tests/opponent/vectors.txt")).arg(golden(""));
    command
}

#[test]
fn every_failing_call_returns_its_status_and_message() {
    for linkage in BOTH {
        let errors = program("tests/programs/errors.c", linkage, &[]).unwrap();
        run(&mut failing_calls(&errors, &folder_of_tables(), &TempDir::new().unwrap()), "");
    }
}

/// Returns the command that runs `programs/errors.c`.
fn failing_calls(errors: &Path, folder: &TempDir, scratch: &TempDir) -> Command {
    let mut command = Command::new(errors);
    command.arg(golden(GOLDEN[0])).arg(folder.path()).arg(scratch.path());
    command
}

#[test]
fn many_threads_ask_one_table_at_once() {
    let folder = folder_of_tables();
    let threads = program("tests/programs/threads.c", Linkage::Shared, &[]).unwrap();
    for name in &GOLDEN[..2] {
        run(Command::new(&threads).arg(golden(name)).arg(folder.path()), "");
    }
}

#[test]
fn valgrind_finds_no_leaks_and_no_invalid_memory() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: no valgrind").unwrap();
        return;
    }
    let (folder, scratch) = (folder_of_tables(), TempDir::new().unwrap());
    let (table, tables) = (golden(GOLDEN[0]), folder.path().to_owned());
    let runs = [
        ("tests/programs/errors.c", vec![table.clone(), tables.clone(), scratch.path().to_owned()]),
        ("tests/programs/threads.c", vec![golden(GOLDEN[1]), tables.clone()]),
        ("tests/programs/ask.c", vec![table.clone(), "copy".into()]),
        ("tests/programs/ask.cpp", vec![golden(GOLDEN[3]), tables]),
        ("tests/programs/game.c", vec![golden(GAME), table.clone(), "copy".into()]),
        ("tests/programs/game.cpp", vec![golden(GAME), table.clone()]),
        ("examples/probe.c", vec![table]),
    ];
    for (source, arguments) in runs {
        let Some(program) = program(source, Linkage::Shared, &[]) else { continue };
        let mut valgrind = Command::new("valgrind");
        valgrind.args([
            "-q",
            "--error-exitcode=9",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite,possible",
        ]);
        run(valgrind.arg(program).args(arguments), "");
    }
}

#[test]
fn the_address_sanitizer_finds_nothing() {
    let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    // Some compilers come without the sanitizer.
    let scratch = TempDir::new().unwrap();
    let empty = scratch.path().join("empty.c");
    std::fs::write(&empty, "int main(void) { return 0; }\n").unwrap();
    let mut compile = crate::support::compile(&empty, "c11").unwrap();
    let built = compile.args(flags).arg("-o").arg(scratch.path().join("empty")).output().unwrap();
    if !built.status.success() || !Command::new(scratch.path().join("empty")).status().unwrap().success() {
        let mut stderr = std::io::stderr();
        writeln!(stderr, "skipped: the C compiler has no address sanitizer").unwrap();
        return;
    }
    let errors = program("tests/programs/errors.c", Linkage::Static, &flags).unwrap();
    run(&mut failing_calls(&errors, &folder_of_tables(), &TempDir::new().unwrap()), "");
    let ask = program("tests/programs/ask.c", Linkage::Static, &flags).unwrap();
    run(Command::new(ask).arg(golden(GOLDEN[1])).arg("copy"), "");
    let opponent = program("tests/programs/opponent.c", Linkage::Static, &flags).unwrap();
    run(&mut vectors(&opponent), "");
    let game = program("tests/programs/game.c", Linkage::Static, &flags).unwrap();
    run(Command::new(game).arg(golden(GAME)).arg(golden(GOLDEN[0])).arg("keep"), "");
    let flags = [&flags[..], &["-fno-exceptions", "-fno-rtti"]].concat();
    if let Some(plain) = program("tests/programs/plain.cpp", Linkage::Static, &flags) {
        let folder = folder_of_tables();
        run(Command::new(plain).arg(golden(GOLDEN[2])).arg(folder.path()).arg(golden(GAME)), "");
    }
}
