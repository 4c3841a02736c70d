//! Structures have the same layout, and constants the same numbers, in the header and in the library.

#![allow(clippy::unwrap_used)]

#[path = "all/support.rs"]
mod support;

#[allow(dead_code, unreachable_pub)]
#[path = "../src/types.rs"]
mod types;

#[allow(dead_code, unreachable_pub)]
#[path = "../src/opponent_types.rs"]
mod opponent_types;

use opponent_types::{Calibration, Review, ReviewedMove, Strength, Style, Target, style};
use std::{fmt::Write, fs, mem::offset_of};
use support::{c_type, check, compile, header};
use types::{
    CacheStatistics, Cell, Counts, GameInfo, GameValue, Info, Move, Position, Status, TablebaseInfo, Value,
    keep, kind, result, side, square, stuck, team,
};

/// Writes C assertions that a structure of the header has exactly these fields, without padding.
macro_rules! structure {
    ($out:ident, $name:ident { $($field:ident: $kind:ty),* }) => {{
        let c = c_type(stringify!($name));
        let total = size_of::<$name>();
        writeln!($out, "_Static_assert(sizeof({c}) == {total}, \"{c}\");").unwrap();
        let mut end = 0;
        $(
            let (at, size) = (offset_of!($name, $field), size_of::<$kind>());
            assert_eq!(at, end, "padding before {}", stringify!($field));
            end = at + size;
            writeln!($out, "_Static_assert(offsetof({c}, {0}) == {at}, \"{c}.{0}\");", stringify!($field)).unwrap();
            writeln!($out, "_Static_assert(sizeof((({c} *)0)->{0}) == {size}, \"{c}.{0}\");", stringify!($field)).unwrap();
        )*
        assert_eq!(end, total, "{} has more fields, or padding", stringify!($name));
    }};
}

#[test]
fn structures_have_the_same_layout_in_c_and_rust() {
    let mut out = "#include <dragnet.h>\n".to_owned();
    structure!(out, Cell { row: u16, col: u16 });
    structure!(
        out,
        Position { police: [Cell; types::MAX_OFFICERS], thief: Cell, turn: i32, officers: i32, world: u32 }
    );
    structure!(out, Value { outcome: i32, dtw: u32 });
    structure!(
        out,
        Move { side: i32, count: i32, to: [Cell; types::MAX_OFFICERS], world: u32, value: Value }
    );
    structure!(out, Counts { police: u64, thief: u64, draw: u64 });
    structure!(
        out,
        Info {
            height: u32,
            width: u32,
            officer_layers: u32,
            thief_layers: u32,
            officers: i32,
            team: i32,
            stuck: i32,
            undecided: i32,
            worlds: u64,
            open_cells: u64,
            positions: u64,
            police_to_move: Counts,
            thief_to_move: Counts,
            longest_police: u32,
            longest_thief: u32,
            digest: u64,
            file_length: u64,
            memory: u64
        }
    );
    structure!(
        out,
        CacheStatistics { limit: u64, reserved: u64, bytes: u64, tables: u64, hits: u64, misses: u64 }
    );
    structure!(
        out,
        Strength { errors: u32, blunders: u32, plies: u32, drop: u32, horizon: u32, reaction: u32 }
    );
    structure!(out, Style { kind: i32, replier: Strength });
    structure!(out, Target { seed: u64, side: i32, share: u32, games: u32, style: Style });
    structure!(
        out,
        Calibration {
            level: u32,
            strength: Strength,
            games: u32,
            wins: u32,
            lowest: u32,
            highest: u32,
            reached: i32,
            from: f64,
            to: f64
        }
    );
    structure!(out, Review { moves: u64, errors: u64, blunders: u64, drops: u64, plies_lost: u64 });
    structure!(out, ReviewedMove { ply: u64, played: Move, best: Move, drop: u32, plies: u32 });
    structure!(out, TablebaseInfo { tables: u64, unreadable: u64 });
    structure!(out, GameValue { result: i32, dtw: u32 });
    structure!(
        out,
        GameInfo {
            positions: u64,
            won: u64,
            lost: u64,
            drawn: u64,
            longest_win: u32,
            longest_loss: u32,
            key: u64,
            digest: u64,
            file_length: u64,
            memory: u64
        }
    );
    let structures = header().matches("typedef struct").count();
    // Three structures are opaque, and two have pointers, whose size depends on the machine.
    assert_eq!(out.matches("_Static_assert(sizeof(dragnet_").count(), structures - 5);
    compiles(&out);
}

#[test]
fn constants_have_the_same_numbers_in_c_and_rust() {
    let numbers: [(&str, &[i64]); 10] = [
        ("", &[types::NO_DTW.into(), types::MAX_OFFICERS as i64]),
        ("", &[opponent_types::UNLIMITED.into(), opponent_types::MAX_LEVEL.into()]),
        ("STYLE_", &[style::LONGEST, style::TRICKIEST, style::TRICKIEST_AGAINST].map(i64::from)),
        ("", &[side::NOBODY, side::NOBODY, side::POLICE, side::THIEF].map(i64::from)),
        ("SQUARE_", &[square::WALL, square::OPEN, square::EXIT].map(i64::from)),
        ("TABLE_", &[kind::ANY, kind::PURSUIT, kind::GAME, kind::PARTIAL].map(i64::from)),
        ("STUCK_", &[stuck::LOSES, stuck::WINS].map(i64::from)),
        ("TEAM_", &[team::ALL, team::ONE].map(i64::from)),
        ("", &[result::DRAWN, result::WON, result::LOST].map(i64::from)),
        ("KEEPS_", &[keep::OUTCOMES, keep::MOVES_OF_POLICE, keep::MOVES_OF_THIEF].map(i64::from)),
    ];
    let names = "NO_DTW MAX_OFFICERS UNLIMITED MAX_LEVEL LONGEST TRICKIEST TRICKIEST_AGAINST NOBODY DRAW POLICE \
                 THIEF WALL OPEN EXIT ANY PURSUIT GAME PARTIAL LOSES WINS ALL ONE DRAWN WON LOST \
                 OUTCOMES MOVES_OF_POLICE MOVES_OF_THIEF";
    let numbers =
        numbers.iter().flat_map(|(prefix, values)| values.iter().map(move |value| (*prefix, *value)));
    let mut all: Vec<(String, i64)> = names
        .split(' ')
        .zip(numbers)
        .map(|(name, (prefix, value))| (format!("DRAGNET_{prefix}{name}"), value))
        .collect();
    let statuses = [
        (Status::Ok, "OK"),
        (Status::Argument, "ERROR_ARGUMENT"),
        (Status::File, "ERROR_FILE"),
        (Status::NotATable, "ERROR_NOT_A_TABLE"),
        (Status::Version, "ERROR_VERSION"),
        (Status::Damaged, "ERROR_DAMAGED"),
        (Status::Position, "ERROR_POSITION"),
        (Status::Missing, "ERROR_MISSING"),
        (Status::Memory, "ERROR_MEMORY"),
        (Status::Panic, "ERROR_PANIC"),
        (Status::Kind, "ERROR_KIND"),
        (Status::TooMuchWork, "ERROR_TOO_MUCH_WORK"),
        (Status::Stopped, "ERROR_STOPPED"),
    ];
    all.extend(statuses.map(|(status, name)| (format!("DRAGNET_{name}"), status as i64)));
    let mut out = "#include <dragnet.h>\n".to_owned();
    for (name, value) in &all {
        writeln!(out, "_Static_assert({name} == {value}, \"{name}\");").unwrap();
    }
    // None is forgotten: four are macros, the rest in enumerations.
    let header = header();
    assert_eq!(header.matches(" = ").count(), all.len() - 4, "{header}");
    compiles(&out);
}

fn compiles(source: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("same.c");
    fs::write(&file, source).unwrap();
    check(compile(&file, "c11").unwrap().arg("-fsyntax-only"));
}
