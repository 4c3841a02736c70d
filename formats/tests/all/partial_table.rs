//! Partial tables: the golden ones are read for ever, and keep what their dumps say, which `dump.py` makes by
//! `FORMAT.md` alone and checks against a solution of its own.

use crate::support::Forge;
use dragnet_formats::{
    cell::{Cell, Side},
    container::{Reader, TableError, TableKind},
    game::{MoveCodes, PursuitGame, Team},
    header::{GameHeader, Keep, PartialHeader},
    stop::StopCheck,
    stored::StoredGame,
};
use std::collections::HashMap;

struct Golden {
    partial: &'static [u8],
    /// The pursuit table from which the partial table was made.
    full: &'static [u8],
    dump: &'static str,
    keep: Keep,
}

fn golden() -> [Golden; 3] {
    [
        Golden {
            partial: include_bytes!("../golden/v2-outcomes.dtb"),
            full: include_bytes!("../golden/v2-size.dtb"),
            dump: include_str!("../golden/v2-outcomes.txt"),
            keep: Keep::Outcomes,
        },
        Golden {
            partial: include_bytes!("../golden/v2-moves-police.dtb"),
            full: include_bytes!("../golden/v2-team.dtb"),
            dump: include_str!("../golden/v2-moves-police.txt"),
            keep: Keep::MovesOf(Side::Police),
        },
        Golden {
            partial: include_bytes!("../golden/v2-moves-thief.dtb"),
            full: include_bytes!("../golden/v2-cops.dtb"),
            dump: include_str!("../golden/v2-moves-thief.txt"),
            keep: Keep::MovesOf(Side::Thief),
        },
    ]
}

/// Returns the words of a dump for each team and each cell of the thief.
fn kept(dump: &str) -> HashMap<(String, String), String> {
    let (_, kept) = dump.split_once("\ncell ").unwrap();
    let mut lines = kept.lines();
    let cells: Vec<&str> = lines.next().unwrap().split(' ').collect();
    let row = |line: &str| {
        let (_side, line) = line.split_once('-').unwrap();
        let (team, words) = line.split_once(": ").unwrap();
        let team = team.to_owned();
        let words = cells.iter().zip(words.split(' '));
        words.map(|(cell, word)| ((team.clone(), (*cell).to_owned()), word.to_owned())).collect::<Vec<_>>()
    };
    let _side_to_move = lines.next().unwrap();
    lines.flat_map(row).collect()
}

/// Returns the word of the dump for what a slot keeps, as far as it is not the end of the game.
fn word(keep: Keep, game: &PursuitGame, officers: &[u32], thief: u32, code: u32) -> String {
    let side = match keep {
        Keep::Outcomes => return ["draw", "thief", "police"][code as usize].to_owned(),
        Keep::MovesOf(side) => side,
    };
    let from = if side == Side::Police { officers.to_vec() } else { vec![thief] };
    let team = if side == Side::Police { game.team } else { Team::All };
    let places = game.places(side);
    let squares: Vec<u32> = places.square_numbers().collect();
    let difference = |from: u32, to: u32| squares[to as usize] as i32 - squares[from as usize] as i32;
    let lists: Vec<Vec<i32>> = from
        .iter()
        .map(|&from| game.moves(side).of(from as usize).iter().map(|&to| difference(from, to)).collect())
        .collect();
    let codes = MoveCodes { team, lists: lists.iter().map(|list| &list[..]).collect() };
    if code == 0 {
        assert_eq!(codes.differences(1), None);
        return "stuck".to_owned();
    }
    let differences = codes.differences(code).unwrap();
    let width = i64::from(places.width());
    let to = from.iter().zip(differences).map(|(&from, difference)| {
        let square = i64::from(squares[from as usize]) + i64::from(difference.unwrap_or(0));
        Cell::new((square / width) as u16, (square % width) as u16)
    });
    let mut to: Vec<Cell> = to.collect();
    to.sort_unstable();
    to.iter().map(Cell::to_string).collect::<Vec<_>>().join("+")
}

/// The golden files are never made again: if this test fails, the reader is wrong.
#[test]
fn golden_files_keep_their_headers_and_what_they_keep() {
    for golden in golden() {
        let reader: Reader<_, PartialHeader> = Reader::open_as(golden.partial).unwrap();
        let (header, full) = (reader.header(), Reader::open(golden.full).unwrap());
        assert_eq!(header.keep, golden.keep);
        let mut same = full.header().clone();
        (same.kinds[0].tile, same.thief.tile) = (header.game.kinds[0].tile, header.game.thief.tile);
        assert_eq!(header.game, same);
        assert_eq!(Forge::of_kind::<PartialHeader>(golden.partial).bytes(), golden.partial);
        reader.check_all(|_| {}).unwrap();
        let codes = |block: u64| {
            let block_codes = reader.block(block).unwrap();
            (0..reader.numbering().slots(block))
                .map(|slot| block_codes.code(slot).unwrap())
                .collect::<Vec<_>>()
        };
        let section = |section| {
            let blocks = reader.numbering().section(section);
            let bytes = blocks.flat_map(|at| codes(at.block)).map(|code| code as u8).collect();
            Ok::<_, TableError>(bytes)
        };
        let game = StoredGame::unpack(&header.game, section, &mut StopCheck::never()).unwrap().game;
        let (numbering, kept) = (reader.numbering().positions(), kept(golden.dump));
        let cells: [Vec<Cell>; 2] = game.places.each_ref().map(|places| places.cells().collect());
        let mut count = 0;
        for team in game.team_numbers().teams(&cells[0]) {
            let number = |cell: &Cell| cells[0].iter().position(|place| place == cell).unwrap() as u32;
            let officers: Vec<u32> = team.iter().map(number).collect();
            for (thief, &cell) in (0..).zip(&cells[1]) {
                let at = numbering.locate(0, team, cell).unwrap();
                let code = reader.block(at.block).unwrap().code(at.slot).unwrap();
                let found = match game.ends.winner(0, &officers, thief) {
                    Some(_) => "end".to_owned(),
                    None => word(header.keep, &game, &officers, thief, code),
                };
                assert_eq!(found, kept[&(team.to_string(), cell.to_string())], "{team} {cell}");
                count += 1;
            }
        }
        assert_eq!(count, kept.len());
        assert_eq!(numbering.slot_count(), count as u64);
    }
}

#[test]
fn a_reader_of_another_kind_refuses_a_partial_table() {
    for Golden { partial, full, .. } in golden() {
        let kinds = (TableKind::Pursuit, TableKind::Partial);
        let refused = |error| match error {
            TableError::Kind { expected, found } => (expected, found),
            error => panic!("expected another kind, found {error}"),
        };
        assert_eq!(refused(Reader::open(partial).unwrap_err()), kinds);
        let error = Reader::<_, PartialHeader>::open_as(full).unwrap_err();
        assert_eq!(refused(error), (kinds.1, kinds.0));
        let error = Reader::<_, GameHeader>::open_as(partial).unwrap_err();
        assert_eq!(refused(error), (TableKind::Game, TableKind::Partial));
    }
}
