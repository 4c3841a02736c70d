//! The maps. The board of each, as text, and its table are part of the program.

use anyhow::{Context, ensure};
use dragnet_probe::{Doors, Open, Pieces, Position, Rules, Setting, Side, Table};
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
        table: include_bytes!("../tables/town.dtb"),
    },
    Map {
        name: "museum",
        title: "Museum",
        about: "Halls, pillars and three doors to the street, far apart.",
        walls: Color::Indexed(60),
        dials: [[520, 598, 676], [294, 375, 490]],
        table: include_bytes!("../tables/museum.dtb"),
    },
    Map {
        name: "harbour",
        title: "Harbour",
        about: "Piers, sheds and narrow lanes; boats wait west and south-east.",
        walls: Color::Indexed(24),
        dials: [[712, 772, 836], [317, 400, 511]],
        table: include_bytes!("../tables/harbour.dtb"),
    },
    Map {
        name: "vault",
        title: "Vault",
        about: "Two guards, of whom one moves in a turn, and four ways out.",
        walls: Color::Indexed(65),
        dials: [[417, 514, 616], [209, 298, 429]],
        table: include_bytes!("../tables/vault.dtb"),
    },
    Map {
        name: "bank",
        title: "Bank",
        about: "A gate turns with its switch; a grille opens by the clock.",
        walls: Color::Indexed(101),
        dials: [[563, 644, 736], [259, 357, 503]],
        table: include_bytes!("../tables/bank.dtb"),
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
        let of_map = || format!("the table of {}", map.name);
        let table = Open::bytes(map.table).pursuit().with_context(of_map)?;
        table.check_sums(|_| {}).with_context(of_map)?;
        let setting = table.setting().context("expected a table of a board").with_context(of_map)?;
        let police = Pieces::new(&setting.police).context("expected marks P").with_context(of_map)?;
        let thief = setting.thief.context("expected a mark T").with_context(of_map)?;
        let marked = Position::new(police, thief, Side::Police);
        table.value(marked).with_context(of_map)?;
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

    /// Returns the board with its doors and rules.
    fn setting(&self) -> &Setting {
        self.table.setting().expect("checked when the table was opened")
    }

    /// Returns the rules.
    #[must_use]
    pub(crate) fn rules(&self) -> &Rules {
        &self.setting().rules
    }

    /// Returns the doors; none on most maps.
    #[must_use]
    pub(crate) fn doors(&self) -> &Doors {
        &self.setting().doors
    }

    /// Returns how many per cent of all positions with the police to move each side wins: the police, the
    /// thief.
    #[must_use]
    pub(crate) fn shares(&self) -> [u64; 2] {
        let counts = self.table.header().summary.police_to_move;
        let percent = |part: u64| (part * 100 + counts.total() / 2) / counts.total().max(1);
        [counts.police, counts.thief].map(percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_probe::{Board, Cell, Opening, Outcome, Square, Team, Value};
    use std::collections::{HashMap, VecDeque};

    #[test]
    fn each_table_is_of_the_text_beside_it() {
        for arena in Arena::all().unwrap() {
            let (map, board) = (arena.map, arena.table.board());
            let path = format!("{}/maps/{}.txt", env!("CARGO_MANIFEST_DIR"), map.name);
            let text = std::fs::read_to_string(path).unwrap();
            assert_eq!(text.lines().count(), usize::from(board.height()), "{}", map.name);
            for (line, row) in text.lines().zip(0..) {
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
            assert_eq!(*arena.rules(), expected);
        }
    }

    #[test]
    fn doors_are_those_of_the_file_beside_the_map() {
        let file = include_str!("../maps/bank-doors.toml");
        for arena in Arena::all().unwrap() {
            let doors = arena.doors().list();
            assert_eq!(doors.len(), if arena.map.name == "bank" { 2 } else { 0 });
            for door in doors {
                let opening = match &door.opening {
                    Opening::Key { cell, open: false, once: false } => {
                        format!("key = [{}, {}]", cell.row, cell.col)
                    }
                    Opening::Key { .. } => panic!("a gate of another kind"),
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
            let shares = arena.shares();
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
            let teams: Vec<Pieces> = match arena.marked.police.len() {
                1 => board.open_cells().map(Pieces::one).collect(),
                _ => {
                    let pairs =
                        board.open_cells().flat_map(|one| board.open_cells().map(move |two| [one, two]));
                    pairs.step_by(7).map(|pair| Pieces::new(&pair).unwrap()).collect()
                }
            };
            for police in teams {
                for thief in board.open_cells() {
                    let position = Position::new(police, thief, Side::Thief);
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
        let outcome = |arena: &Arena| arena.table.value(arena.marked).unwrap().outcome(arena.marked.turn);
        let outcomes: Vec<_> = arenas.iter().map(outcome).collect();
        assert_eq!(
            outcomes,
            [Outcome::Thief, Outcome::Police, Outcome::Draw, Outcome::Police, Outcome::Police]
        );
    }
}
