//! The maps. The board of each, as text, and its table are part of the program.

use anyhow::{Context, ensure};
use dragnet_probe::{Cell, Position, Side, Table};
use ratatui::style::Color;

/// A map as it is compiled in.
#[derive(Debug)]
pub(crate) struct Map {
    /// The name for `--map`.
    pub(crate) name: &'static str,
    /// The name on the screen.
    pub(crate) title: &'static str,
    /// A sentence that helps to choose.
    pub(crate) about: &'static str,
    /// The colour of its walls.
    pub(crate) walls: Color,
    text: &'static str,
    table: &'static [u8],
}

/// Every map of the game. The README says how the tables are made from the texts.
pub(crate) const MAPS: [Map; 3] = [
    Map {
        name: "town",
        title: "Old Town",
        about: "Two bridges cross the river, and only one road leads out.",
        walls: Color::Indexed(95),
        text: include_str!("../maps/town.txt"),
        table: include_bytes!("../tables/town.dtb"),
    },
    Map {
        name: "museum",
        title: "Museum",
        about: "Halls, pillars and one door to the street, far in the west.",
        walls: Color::Indexed(60),
        text: include_str!("../maps/museum.txt"),
        table: include_bytes!("../tables/museum.dtb"),
    },
    Map {
        name: "harbour",
        title: "Harbour",
        about: "Piers, sheds and narrow lanes; the boat waits in the south-east.",
        walls: Color::Indexed(24),
        text: include_str!("../maps/harbour.txt"),
        table: include_bytes!("../tables/harbour.dtb"),
    },
];

/// A map whose table is open: a place to play.
#[derive(Debug)]
pub(crate) struct Arena {
    /// The map itself.
    pub(crate) map: &'static Map,
    /// The values of all positions, with the board and the rules.
    pub(crate) table: Table,
    /// The position that the marks `P` and `T` on the map show.
    pub(crate) marked: Position,
}

impl Arena {
    /// Opens the table of `map` and checks all of it, which takes less than a frame. After that no probe can
    /// fail.
    ///
    /// # Errors
    /// Returns an error if the program was built with a damaged table or a map without start marks.
    pub(crate) fn open(map: &'static Map) -> anyhow::Result<Arena> {
        let table = Table::from_bytes(map.table).with_context(|| format!("the table of {}", map.name))?;
        table.verify_checksums(|_| {}).with_context(|| format!("the table of {}", map.name))?;
        let mark =
            |sign| find(map.text, sign).with_context(|| format!("the map {} lacks a {sign}", map.name));
        let marked = Position::new(mark('P')?, mark('T')?, Side::Police);
        table.value(marked).with_context(|| format!("the marks of {}", map.name))?;
        Ok(Arena { map, table, marked })
    }

    /// Opens all maps, in the order of [`MAPS`].
    ///
    /// # Errors
    /// Returns the first error of [`Arena::open`].
    pub(crate) fn all() -> anyhow::Result<Vec<Arena>> {
        let arenas = MAPS.iter().map(Arena::open).collect::<anyhow::Result<Vec<_>>>()?;
        ensure!(!arenas.is_empty(), "the program was built without a map");
        Ok(arenas)
    }
}

/// Returns the first cell with `sign` on the map. A table holds its board but no start marks, so the text is
/// kept.
fn find(text: &str, sign: char) -> Option<Cell> {
    text.lines().zip(0..).find_map(|(line, row)| {
        let col = line.chars().position(|c| c == sign)?;
        Some(Cell::new(row, u16::try_from(col).ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_probe::{Outcome, Rules, Square};

    #[test]
    fn each_table_is_of_the_text_beside_it() {
        for arena in Arena::all().unwrap() {
            let (map, board) = (arena.map, arena.table.board());
            assert_eq!(map.text.lines().count(), usize::from(board.height()), "{}", map.name);
            for (line, row) in map.text.lines().zip(0..) {
                assert_eq!(line.len(), usize::from(board.width()), "{} row {row}", map.name);
                for (sign, col) in line.chars().zip(0..) {
                    let expected = match sign {
                        '#' => Square::Wall,
                        '.' | 'P' | 'T' => Square::Open,
                        'E' => Square::Exit,
                        other => panic!("{} has a {other:?}", map.name),
                    };
                    assert_eq!(board.square(Cell::new(row, col)), Some(expected), "{} {row},{col}", map.name);
                }
            }
            assert_eq!(*arena.table.rules(), Rules::classic());
            arena.table.verify_checksums(|_| {}).unwrap();
        }
    }

    #[test]
    fn tables_are_small_and_both_sides_win_much_of_each() {
        for arena in Arena::all().unwrap() {
            assert!(arena.table.file_len() < 150 << 10);
            let counts = arena.table.header().summary.police_to_move;
            for wins in [counts.police, counts.thief] {
                assert!(wins * 4 > counts.total(), "{}: {counts:?}", arena.map.name);
            }
        }
    }

    #[test]
    fn the_marked_starts_have_all_three_outcomes() {
        let arenas = Arena::all().unwrap();
        let outcome = |arena: &Arena| arena.table.value(arena.marked).unwrap().outcome(arena.marked.turn);
        let outcomes: Vec<_> = arenas.iter().map(outcome).collect();
        assert_eq!(outcomes, [Outcome::Thief, Outcome::Police, Outcome::Draw]);
    }
}
