//! The maps. The board of each, as text, and its table are part of the program.

use crate::values::{FullPosition, Values};
use anyhow::{Context, ensure};
use dragnet_probe::{Cell, Pieces, Position, Side, opponent::ValuedGame};
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
    /// The levels of the dial with which the easy, the normal and the hard opponent play the police, then the
    /// thief: those that the calibration finds for their targets on this map.
    pub(crate) dials: [[u16; 3]; 2],
    text: &'static str,
    table: &'static [u8],
}

/// Every map of the game. The README says how the tables are made from the texts.
pub(crate) const MAPS: [Map; 5] = [
    Map {
        name: "town",
        title: "Old Town",
        about: "Two bridges cross the river; a road leads out on either bank.",
        walls: Color::Indexed(95),
        dials: [[706, 772, 829], [325, 418, 529]],
        text: include_str!("../maps/town.txt"),
        table: include_bytes!("../tables/town.dtb"),
    },
    Map {
        name: "museum",
        title: "Museum",
        about: "Halls, pillars and three doors to the street, far apart.",
        walls: Color::Indexed(60),
        dials: [[520, 598, 676], [294, 375, 490]],
        text: include_str!("../maps/museum.txt"),
        table: include_bytes!("../tables/museum.dtb"),
    },
    Map {
        name: "harbour",
        title: "Harbour",
        about: "Piers, sheds and narrow lanes; boats wait west and south-east.",
        walls: Color::Indexed(24),
        dials: [[712, 772, 836], [317, 400, 511]],
        text: include_str!("../maps/harbour.txt"),
        table: include_bytes!("../tables/harbour.dtb"),
    },
    Map {
        name: "vault",
        title: "Vault",
        about: "Two guards, of whom one moves in a turn, and four ways out.",
        walls: Color::Indexed(65),
        dials: [[417, 514, 616], [209, 298, 429]],
        text: include_str!("../maps/vault.txt"),
        table: include_bytes!("../tables/vault.dtb"),
    },
    Map {
        name: "bank",
        title: "Bank",
        about: "A gate turns with its switch; a grille opens by the clock.",
        walls: Color::Indexed(101),
        dials: [[563, 644, 736], [259, 357, 503]],
        text: include_str!("../maps/bank.txt"),
        table: include_bytes!("../tables/bank.dtb"),
    },
];

/// A map whose table is open: a place to play.
#[derive(Debug)]
pub(crate) struct Arena {
    /// The map itself.
    pub(crate) map: &'static Map,
    /// The values of all positions, with the board and the rules.
    pub(crate) table: Values,
    /// The position that the marks `P` and `T` on the map show.
    pub(crate) marked: FullPosition,
}

impl Arena {
    /// Opens the table of `map` and checks all of it, which takes less than a frame. After that no probe can
    /// fail.
    ///
    /// # Errors
    /// Returns an error if the program was built with a damaged table or a map without start marks.
    pub(crate) fn open(map: &'static Map) -> anyhow::Result<Arena> {
        let table = Values::open(map.table).with_context(|| format!("the table of {}", map.name))?;
        let lacks = |sign| format!("the map {} lacks a {sign}", map.name);
        let police = Pieces::new(&find(map.text, 'P')).with_context(|| lacks('P'))?;
        let thief = find(map.text, 'T').first().copied().with_context(|| lacks('T'))?;
        let marked = FullPosition::new(Position::new(police, thief, Side::Police));
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

/// Returns the cells with `sign` on the map. A table holds its board but no start marks, so the text is kept.
fn find(text: &str, sign: char) -> Vec<Cell> {
    let rows = text.lines().zip(0..);
    let cells =
        rows.flat_map(|(line, row)| line.chars().zip(0..).map(move |(c, col)| (c, Cell::new(row, col))));
    cells.filter(|&(c, _)| c == sign).map(|(_, cell)| cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_probe::{Board, DoorBoard, Opening, Outcome, Rules, Square, Team, Value};
    use std::collections::{HashMap, VecDeque};

    #[test]
    fn each_table_is_of_the_text_beside_it() {
        for arena in Arena::all().unwrap() {
            let (map, board) = (arena.map, arena.table.board());
            assert_eq!(map.text.lines().count(), usize::from(board.height()), "{}", map.name);
            for (line, row) in map.text.lines().zip(0..) {
                assert_eq!(line.len(), usize::from(board.width()), "{} row {row}", map.name);
                for (sign, col) in line.chars().zip(0..) {
                    let expected = match sign {
                        'P' | 'T' => Some(Square::Open),
                        letter => Square::from_letter(letter),
                    };
                    assert!(expected.is_some(), "{} has a {sign:?}", map.name);
                    assert_eq!(board.square(Cell::new(row, col)), expected, "{} {row},{col}", map.name);
                }
            }
            let two = Rules { officers: 2, team: Team::One, ..Rules::classic() };
            let expected = if map.name == "vault" { two } else { Rules::classic() };
            assert_eq!(*arena.table.rules(), expected);
        }
    }

    #[test]
    fn doors_are_those_of_the_file_beside_the_map() {
        let file = include_str!("../maps/bank-doors.toml");
        for arena in Arena::all().unwrap() {
            let doors = arena.table.doors().map(DoorBoard::doors).unwrap_or_default();
            assert_eq!(doors.len(), if arena.map.name == "bank" { 2 } else { 0 });
            for door in doors {
                let opening = match &door.opening {
                    Opening::Key { cell, open: false } => format!("key = [{}, {}]", cell.row, cell.col),
                    Opening::Key { .. } => panic!("a gate that is open at first"),
                    Opening::Schedule(schedule) => format!("schedule = \"{schedule}\""),
                };
                let text = format!("cell = [{}, {}]\n{opening}\n", door.cell.row, door.cell.col);
                assert!(file.contains(&text), "{text}");
            }
        }
    }

    #[test]
    fn tables_are_small_and_both_sides_win_some_of_each() {
        for arena in Arena::all().unwrap() {
            assert!(arena.table.file_len() < 150 << 10);
            let shares = arena.table.shares();
            assert!(shares.iter().all(|&share| share > 8), "{}: {shares:?}", arena.map.name);
        }
    }

    /// Returns how many steps of the thief each cell is away from the nearest exit.
    fn walks(board: &Board) -> HashMap<Cell, u32> {
        let mut walks: HashMap<Cell, u32> = board.exits().map(|exit| (exit, 0)).collect();
        let mut queue: VecDeque<Cell> = board.exits().collect();
        while let Some(from) = queue.pop_front() {
            for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let row = from.row.checked_add_signed(down);
                let Some((row, col)) = row.zip(from.col.checked_add_signed(right)) else { continue };
                let to = Cell::new(row, col);
                if board.is_open(to) && !walks.contains_key(&to) {
                    walks.insert(to, walks[&from] + 1);
                    queue.push_back(to);
                }
            }
        }
        walks
    }

    #[test]
    fn a_share_of_the_thiefs_wins_needs_a_detour_on_every_map() {
        for arena in Arena::all().unwrap() {
            let board = arena.table.board();
            assert!(board.exits().count() >= 2, "{}", arena.map.name);
            let walks = walks(board);
            let (mut won, mut detours) = (0_u32, 0_u32);
            let teams: Vec<Pieces> = match arena.marked.pieces.police.len() {
                1 => board.open_cells().map(Pieces::one).collect(),
                _ => {
                    let pairs =
                        board.open_cells().flat_map(|one| board.open_cells().map(move |two| [one, two]));
                    pairs.step_by(7).map(|pair| Pieces::new(&pair).unwrap()).collect()
                }
            };
            for police in teams {
                for thief in board.open_cells() {
                    let position = FullPosition::new(Position::new(police, thief, Side::Thief));
                    let Value::Win(dtw) = arena.table.value(position).unwrap() else { continue };
                    if dtw > 0 {
                        won += 1;
                        // He makes every other ply, the first and the last among them.
                        detours += u32::from(dtw > 2 * walks[&thief] - 1);
                    }
                }
            }
            println!("{}: {:.1} % of {won}", arena.map.name, 100.0 * f64::from(detours) / f64::from(won));
            assert!(detours * 100 >= won * 10, "{}: {detours} of {won}", arena.map.name);
        }
    }

    #[test]
    fn the_marked_starts_have_all_three_outcomes() {
        let arenas = Arena::all().unwrap();
        let outcome =
            |arena: &Arena| arena.table.value(arena.marked).unwrap().outcome(arena.marked.pieces.turn);
        let outcomes: Vec<_> = arenas.iter().map(outcome).collect();
        assert_eq!(
            outcomes,
            [Outcome::Thief, Outcome::Police, Outcome::Draw, Outcome::Police, Outcome::Police]
        );
    }
}
