//! Partial tables: they answer as the pursuit tables from which they were made, refuse what they do not keep,
//! and a forged one is an error.

use dragnet_formats::{
    codec::{Encoder, Favour, RawBlock},
    container::Writer,
    header::PartialHeader,
    stored::section_blocks,
};
use dragnet_probe::{
    AnyTable, Cell, Keep, Open, Outcome, PartialTable, Position, ProbeError, Section, Side, Table,
    TableError, TableKind, Undecided,
};
use std::{fs::File, io::Cursor, path::PathBuf};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../formats/tests/golden")).join(name)
}

/// Returns all positions of a table, with both sides to move.
fn positions(table: &Table) -> Vec<Position> {
    let cells: Vec<Cell> = table.board().open_cells().collect();
    let teams = table.header().team_numbers().teams(&cells);
    let pairs = teams.flat_map(|team| cells.iter().map(move |&thief| (team, thief)));
    pairs.flat_map(|(team, thief)| Side::BOTH.map(|turn| Position::new(team, thief, turn))).collect()
}

/// Checks every answer of a partial table, and returns how many positions it has answered.
fn assert_like(partial: &PartialTable, full: &Table) -> u32 {
    let mut answered = 0;
    for position in positions(full) {
        match partial.keep() {
            Keep::Outcomes => {
                assert_eq!(partial.outcome(position).unwrap(), full.outcome(position).unwrap(), "{position}");
                let refused = partial.best_move(position).unwrap_err();
                assert!(matches!(refused, ProbeError::NotKept { kept: Keep::Outcomes, .. }), "{refused}");
                answered += 1;
            }
            Keep::MovesOf(side) => {
                assert!(matches!(partial.outcome(position), Err(ProbeError::NotKept { .. })));
                let found = partial.best_move(position);
                if side != position.turn {
                    assert!(matches!(found, Err(ProbeError::NotKept { .. })));
                    continue;
                }
                let best = full.best_moves(position).unwrap();
                match found.unwrap() {
                    None => assert!(best.is_empty(), "{position}"),
                    Some(to) => {
                        let choice = best.iter().find(|choice| choice.position == to).unwrap();
                        assert_eq!(choice.value, best[0].value, "{position}");
                    }
                }
                answered += 1;
            }
        }
    }
    answered
}

#[test]
fn partial_tables_answer_like_their_pursuit_tables() {
    let pairs = [
        ("v2-outcomes.dtb", "v2-size.dtb", 2),
        ("v2-moves-police.dtb", "v2-team.dtb", 1),
        ("v2-moves-thief.dtb", "v2-cops.dtb", 1),
    ];
    for (partial, full, sides) in pairs {
        let (path, full) = (golden(partial), Open::path(golden(full)).pursuit().unwrap());
        let expected = sides * full.header().positions() as u32 / 2;
        let bytes = std::fs::read(&path).unwrap();
        let file = File::open(&path).unwrap();
        let section = Section::new(file, 0, bytes.len() as u64);
        for table in [
            Open::path(&path).partial().unwrap(),
            Open::bytes(bytes).partial().unwrap(),
            Open::source(section).partial().unwrap(),
            // SAFETY: nothing writes to the golden tables.
            unsafe { Open::mapped(&path).partial().unwrap() },
        ] {
            assert_eq!(assert_like(&table, &full), expected);
            assert_eq!(table.header().game.summary, full.header().summary);
            table.check_sums(|_| ()).unwrap();
            table.check_unchanged().unwrap();
        }
        let AnyTable::Partial(any) = Open::path(&path).any().unwrap() else {
            panic!("expected a partial table")
        };
        assert_eq!(assert_like(&any, &full), expected);
        let kind = |error: ProbeError| match error {
            ProbeError::Table(TableError::Kind { expected, found: TableKind::Partial }) => expected,
            error => panic!("expected another kind, found {error}"),
        };
        assert_eq!(kind(Open::path(&path).pursuit().unwrap_err()), TableKind::Pursuit);
        assert_eq!(kind(Open::path(&path).game().unwrap_err()), TableKind::Game);
    }
}

#[test]
fn a_draw_counts_for_the_side_that_the_rules_name() {
    let full = Open::path(golden("v2-cops.dtb")).pursuit().unwrap();
    for undecided in [Undecided::Draw, Undecided::Police, Undecided::Thief] {
        let mut header = PartialHeader { game: full.header().clone(), keep: Keep::Outcomes };
        header.game.undecided = undecided;
        let table = forge(&header, &full, 0);
        let open = |position: &Position| !full.best_moves(*position).unwrap().is_empty();
        let police_to_move = positions(&full).into_iter().filter(|position| position.turn == Side::Police);
        for position in police_to_move.filter(open) {
            assert_eq!(table.outcome(position).unwrap(), Outcome::Draw.counted(undecided));
        }
    }
}

/// Returns a table of the game of `full` all of whose slots have this code.
fn forge(header: &PartialHeader, full: &Table, code: u32) -> PartialTable {
    Open::bytes(written(header, full, |_| code)).partial().unwrap()
}

/// Returns the bytes of a table of the game of `full` whose slots have these codes.
fn written(header: &PartialHeader, full: &Table, code: impl Fn(u32) -> u32) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), header).unwrap();
    let (numbering, mut encoder) = (header.game.numbering(), Encoder::new(Favour::Speed, 1));
    for block in 0..numbering.positions().block_count() {
        let codes: Vec<u32> = (0..numbering.slots(block)).map(&code).collect();
        writer.push(&encoder.encode(&RawBlock::new(&codes))).unwrap();
    }
    for section in full.header().sections() {
        for block in section_blocks(&full.section(section).unwrap()) {
            writer.push(&encoder.encode(&block)).unwrap();
        }
    }
    writer.finish().unwrap().0.into_inner()
}

#[test]
fn moves_against_the_rules_and_unknown_outcomes_are_errors() {
    let full = Open::path(golden("v2-team.dtb")).pursuit().unwrap();
    let keeps = [Keep::Outcomes, Keep::MovesOf(Side::Police), Keep::MovesOf(Side::Thief)];
    let mut illegal = [0; 3];
    for (kind, keep) in keeps.into_iter().enumerate() {
        let header = PartialHeader { game: full.header().clone(), keep };
        for code in [0, 1, 2, 3, 5, 9, 10, 11, 1 << 30, u32::MAX >> 1] {
            let table = forge(&header, &full, code);
            for position in positions(&full) {
                let terminal = full.best_moves(position).unwrap().is_empty();
                match keep {
                    Keep::Outcomes => match table.outcome(position) {
                        Ok(_) => assert!(code <= 2 || terminal || position.turn == Side::Thief),
                        Err(ProbeError::Table(TableError::Block { .. })) => {
                            illegal[kind] += u32::from(code > 2);
                        }
                        Err(error) => panic!("{error}"),
                    },
                    Keep::MovesOf(side) if side == position.turn => match table.best_move(position) {
                        Ok(None) => assert!(terminal),
                        Ok(Some(to)) => {
                            let legal = full.best_moves(position).unwrap();
                            assert!(legal.iter().any(|choice| choice.position == to), "{position} {to}");
                        }
                        Err(ProbeError::IllegalMove { position: named }) => {
                            assert_eq!(named, position);
                            illegal[kind] += 1;
                        }
                        Err(error) => panic!("{error}"),
                    },
                    Keep::MovesOf(_) => {}
                }
            }
        }
    }
    assert!(illegal.iter().all(|&count| count > 100), "{illegal:?}");
}

#[test]
fn damage_is_an_error() {
    let full = Open::path(golden("v2-size.dtb")).pursuit().unwrap();
    let header = PartialHeader { game: full.header().clone(), keep: Keep::Outcomes };
    let bytes = written(&header, &full, |slot| slot % 3);
    Open::bytes(bytes.clone()).partial().unwrap().check_sums(|_| ()).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let found = Open::bytes(damaged).partial().and_then(|table| table.check_sums(|_| ()).map(drop));
        assert!(found.is_err(), "byte {at}");
    }
}
