//! Partial tables: the golden ones are read for ever, and keep what their dumps say, which `dump.py` makes by
//! `FORMAT.md` alone and checks against a solution of its own.

use crate::support::Forge;
use dragnet_formats::{
    cell::{Cell, Side},
    container::{Reader, TableError, TableKind},
    game::terminal,
    header::{GameHeader, Header, Keep, PartialHeader},
    pieces::Pieces,
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
            partial: include_bytes!("../golden/v1-outcomes.dtb"),
            full: include_bytes!("../golden/v1-size.dtb"),
            dump: include_str!("../golden/v1-outcomes.txt"),
            keep: Keep::Outcomes,
        },
        Golden {
            partial: include_bytes!("../golden/v1-moves-police.dtb"),
            full: include_bytes!("../golden/v1-team.dtb"),
            dump: include_str!("../golden/v1-moves-police.txt"),
            keep: Keep::MovesOf(Side::Police),
        },
        Golden {
            partial: include_bytes!("../golden/v1-moves-thief.dtb"),
            full: include_bytes!("../golden/v1-cops.dtb"),
            dump: include_str!("../golden/v1-moves-thief.txt"),
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
        let (team, words) = line.strip_prefix("police-").unwrap().split_once(": ").unwrap();
        let team = team.to_owned();
        let words = cells.iter().zip(words.split(' '));
        words.map(|(cell, word)| ((team.clone(), (*cell).to_owned()), word.to_owned())).collect::<Vec<_>>()
    };
    lines.flat_map(row).collect()
}

/// Returns the word of the dump for what a slot keeps, as far as it is not the end of the game.
fn word(header: &PartialHeader, officers: &Pieces, thief: Cell, code: u32) -> String {
    match header.keep {
        Keep::Outcomes => ["draw", "thief", "police"][code as usize].to_owned(),
        Keep::MovesOf(_) if code == 0 => "stuck".to_owned(),
        Keep::MovesOf(side) => {
            let from = if side == Side::Police { *officers } else { thief.into() };
            let cells = header.cells_of_move(&from, code).unwrap();
            assert_eq!(header.move_code(&from, &cells), Some(code));
            cells.iter().map(Cell::to_string).collect::<Vec<_>>().join("+")
        }
    }
}

/// The golden files are never made again: if this test fails, the reader is wrong.
#[test]
fn golden_files_keep_their_headers_and_what_they_keep() {
    for golden in golden() {
        let reader: Reader<_, PartialHeader> = Reader::open_as(golden.partial).unwrap();
        let (header, full) = (reader.header(), Reader::open(golden.full).unwrap());
        assert_eq!(header.keep, golden.keep);
        let tiles = Header {
            police_tile: header.game.police_tile,
            thief_tile: header.game.thief_tile,
            ..full.header().clone()
        };
        assert_eq!(header.game, tiles);
        assert_eq!(*header, PartialHeader::new(tiles, golden.keep).unwrap());
        assert_eq!(Forge::of_kind::<PartialHeader>(golden.partial).bytes(), golden.partial);
        reader.check_all(|_| {}).unwrap();
        let (board, numbering, kept) = (&header.game.board, reader.numbering(), kept(golden.dump));
        let cells: Vec<Cell> = board.open_cells().collect();
        let mut count = 0;
        for officers in dragnet_formats::pieces::teams(&cells, header.game.rules.officers) {
            for &thief in &cells {
                let place = numbering.police().place(&officers).unwrap();
                let at = numbering.location(place, numbering.thief().place(thief).unwrap());
                let code = reader.block(at.block).unwrap().code(at.slot).unwrap();
                let exit = |cell: &Cell| board.exits().any(|exit| exit == *cell);
                let arrived = header.game.rules.police_on_exit == dragnet_formats::rules::PoliceOnExit::Wins
                    && officers.iter().any(exit);
                let ends = terminal::winner(officers.contains(&thief), exit(&thief), arrived);
                let found = ends.map_or_else(|| word(header, &officers, thief, code), |_| "end".to_owned());
                assert_eq!(found, kept[&(officers.to_string(), thief.to_string())], "{officers} {thief}");
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
