//! Random games that are given by places, moves and ends.

use dragnet_formats::{
    cell::{Cell, Side},
    digest::splitmix64,
    game::{MoveRows, MoveTable, OfficerKind, Places, PursuitGame, Stuck, Team, terminal::TerminalRule},
};
use std::{collections::BTreeSet, ops::Range};

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    /// Returns a number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = splitmix64(self.0);
        (self.0 >> 32) as usize % bound
    }

    /// Returns places, at most `most` of them, on a grid of up to 3 layers of a board of so many rows and
    /// columns.
    fn places(&mut self, most: usize, (rows, width): (usize, usize)) -> Places {
        let height = (1 + self.below(3)) * rows;
        let mut squares = vec![false; height * width];
        for _ in 0..most {
            let square = self.below(squares.len());
            squares[square] = true;
        }
        Places::new(height as u16, width as u16, squares)
    }

    /// Returns a row for each of `from` places, with up to `most` of `to` places.
    fn rows(&mut self, from: usize, to: usize, most: usize) -> MoveTable {
        let mut rows = MoveRows::new(from, u32::MAX);
        for _ in 0..from {
            let count = self.below(most + 1);
            let row: BTreeSet<u32> = (0..count).map(|_| self.below(to) as u32).collect();
            rows.push(row).unwrap();
        }
        rows.finish()
    }

    /// Returns a row for each place of each world, with up to `most` places of the same kind: in the world
    /// that `after` names, or in any without it.
    fn moves(&mut self, kinds: &[Range<u32>], worlds: u32, after: Option<&[u32]>, most: usize) -> MoveTable {
        let all = kinds.last().map_or(0, |kind| kind.end);
        let mut rows = MoveRows::new((worlds * all) as usize, u32::MAX);
        for (world, kind) in (0..worlds).flat_map(|world| kinds.iter().map(move |kind| (world, kind))) {
            for _ in kind.clone() {
                let target = |random: &mut Random| {
                    let to = match after {
                        Some(after) => after[world as usize],
                        None => random.below(worlds as usize) as u32,
                    };
                    to * all + kind.start + random.below(kind.len()) as u32
                };
                let count = self.below(most + 1);
                let row: BTreeSet<u32> = (0..count).map(|_| target(self)).collect();
                rows.push(row).unwrap();
            }
        }
        rows.finish()
    }

    /// Returns the moves of a king, who may also stay, from each world to the one that `after` names.
    fn king(places: &Places, kinds: &[Range<u32>], after: &[u32]) -> MoveTable {
        let cells: Vec<Cell> = places.cells().collect();
        let mut rows = MoveRows::new(after.len() * cells.len(), u32::MAX);
        for (to, kind) in after.iter().flat_map(|to| kinds.iter().map(move |kind| (to, kind))) {
            for from in kind.clone().map(|from| cells[from as usize]) {
                let near = |to: &u32| {
                    let to = cells[*to as usize];
                    from.row.abs_diff(to.row) <= 1 && from.col.abs_diff(to.col) <= 1
                };
                let first = to * cells.len() as u32;
                rows.push(kind.clone().filter(near).map(|place| first + place)).unwrap();
            }
        }
        rows.finish()
    }

    fn facts(&mut self, count: usize, often: usize) -> Vec<bool> {
        (0..count).map(|_| often > 0 && self.below(often) == 0).collect()
    }
}

/// Returns the numbers of the places of each kind of officers.
pub(crate) fn places_of_kinds(game: &PursuitGame) -> Vec<Range<u32>> {
    let (mut rows, mut first) = (0, 0);
    let places = |kind: &OfficerKind| {
        let of_kind = rows..rows + kind.rows;
        rows = of_kind.end;
        let places =
            first..first + game.places[0].cells().filter(|cell| of_kind.contains(&cell.row)).count() as u32;
        first = places.end;
        places
    };
    game.kinds.iter().map(places).collect()
}

/// Returns a game that follows from the seed, with so many officers of each kind, the places that an officer
/// on each place captures, and the rows of the board.
pub(crate) fn random_game(
    seed: u64,
    worlds: u32,
    officers: &[u8],
    team: Team,
    stuck: Stuck,
) -> (PursuitGame, Option<MoveTable>, u16) {
    let mut random = Random(seed);
    let count = officers.iter().sum::<u8>();
    let (most_officer, most_thief) = match worlds {
        1 => [(0, 200), (90, 90), (12, 60), (6, 30)],
        _ => [(0, 60), (30, 30), (8, 20), (4, 12)],
    }[usize::from(count)];
    let board = (1 + random.below(12), 1 + random.below(12));
    let grids: Vec<Places> = officers.iter().map(|_| random.places(most_officer, board)).collect();
    let police = Places::stacked(board.1 as u16, &grids);
    let is_same = grids.len() == 1 && random.below(3) == 0;
    let thief = if is_same { police.clone() } else { random.places(most_thief, board) };
    let kinds: Vec<OfficerKind> = (officers.iter().zip(&grids))
        .map(|(&pieces, grid)| OfficerKind { pieces, rows: grid.height() })
        .collect();
    let places = [police, thief];
    let [of_officer, of_thief] = places.each_ref().map(Places::count);
    let none = || MoveRows::new(0, 0).finish();
    let mut game = PursuitGame {
        worlds,
        kinds,
        team,
        stuck,
        places,
        moves: [none(), none()],
        ends: TerminalRule::new(Vec::new(), Vec::new()),
    };
    let kings = random.below(4);
    let most = 1 + random.below(5);
    let all = worlds as usize;
    game.moves = Side::BOTH.map(|side| {
        let kinds = match side {
            Side::Police => places_of_kinds(&game),
            Side::Thief => std::iter::once(0..of_thief as u32).collect(),
        };
        // A clock of the side's own, which may come back to another world than its first one.
        let after: Vec<u32> = (0..all).map(|_| random.below(all) as u32).collect();
        let has_clock = side == Side::Police && count > 1 && team == Team::All || random.below(3) > 0;
        match kings >> side as usize & 1 {
            0 => random.moves(&kinds, worlds, has_clock.then_some(&after), most),
            _ => Random::king(game.places(side), &kinds, &after),
        }
    });
    let often = random.below(8) * 4;
    let escapes = random.facts(all * of_thief, often);
    let arrivals = if random.below(2) == 0 { Vec::new() } else { random.facts(all * of_officer, 2 * often) };
    let captures = (!is_same || random.below(2) == 0).then(|| random.rows(all * of_officer, of_thief, 8));
    let ends = TerminalRule::new(escapes, arrivals).with_worlds(worlds);
    game.ends = match &captures {
        Some(captures) => ends.with_captures(captures.clone()),
        None => ends,
    };
    (game, captures, board.0 as u16)
}
