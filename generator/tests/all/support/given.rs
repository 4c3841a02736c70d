//! Random games that are given by places, moves and ends.

use dragnet_formats::{
    cell::Cell,
    digest::splitmix64,
    game::{MoveRows, MoveTable, Places, PursuitGame, Stuck, Team, terminal::TerminalRule},
};
use std::collections::BTreeSet;

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

    /// Returns rows for the places of each world, each of which leads to places of the world that `after`
    /// names.
    fn rows_to(&mut self, after: &[usize], places: usize, most: usize) -> MoveTable {
        let mut rows = MoveRows::new(after.len() * places, u32::MAX);
        for world in after {
            for _ in 0..places {
                let count = self.below(most + 1);
                let row: BTreeSet<u32> =
                    (0..count).map(|_| (world * places + self.below(places)) as u32).collect();
                rows.push(row).unwrap();
            }
        }
        rows.finish()
    }

    /// Returns the moves of a king, who may also stay, from each world to the one that `after` names.
    fn king(places: &Places, after: &[usize]) -> MoveTable {
        let cells: Vec<Cell> = places.cells().collect();
        let mut rows = MoveRows::new(after.len() * cells.len(), u32::MAX);
        for world in after {
            for from in &cells {
                let near = |to: &Cell| from.row.abs_diff(to.row) <= 1 && from.col.abs_diff(to.col) <= 1;
                let first = (world * cells.len()) as u32;
                rows.push((first..).zip(&cells).filter(|(_, to)| near(to)).map(|(number, _)| number))
                    .unwrap();
            }
        }
        rows.finish()
    }

    fn facts(&mut self, count: usize, often: usize) -> Vec<bool> {
        (0..count).map(|_| often > 0 && self.below(often) == 0).collect()
    }
}

/// Returns a game that follows from the seed, with the places that an officer on each place captures, and the
/// rows of the board.
pub(crate) fn random_game(
    seed: u64,
    worlds: u32,
    officers: u8,
    team: Team,
    stuck: Stuck,
) -> (PursuitGame, Option<MoveTable>, u16) {
    let mut random = Random(seed);
    let (most_officer, most_thief) = match worlds {
        1 => [(90, 90), (12, 60), (6, 30)],
        _ => [(30, 30), (8, 20), (4, 12)],
    }[usize::from(officers) - 1];
    let board = (1 + random.below(12), 1 + random.below(12));
    let police = random.places(most_officer, board);
    let is_same = random.below(3) == 0;
    let thief = if is_same { police.clone() } else { random.places(most_thief, board) };
    let counts = [police.count(), thief.count()];
    let kings = random.below(4);
    let most = 1 + random.below(5);
    let all = worlds as usize;
    // A clock that may come back to another world than its first one.
    let after: Vec<usize> = (0..all).map(|_| random.below(all)).collect();
    let moves = [0, 1].map(|side| match kings >> side & 1 {
        _ if side == 0 && officers > 1 && team == Team::All => random.rows_to(&after, counts[0], most),
        0 => random.rows(all * counts[side], all * counts[side], most),
        _ => Random::king([&police, &thief][side], &after),
    });
    let often = random.below(8) * 4;
    let escapes = random.facts(all * counts[1], often);
    let arrivals = if random.below(2) == 0 { Vec::new() } else { random.facts(all * counts[0], 2 * often) };
    let captures = (!is_same || random.below(2) == 0).then(|| random.rows(all * counts[0], counts[1], 8));
    let ends = TerminalRule::new(escapes, arrivals).with_worlds(worlds);
    let ends = match &captures {
        Some(captures) => ends.with_captures(captures.clone()),
        None => ends,
    };
    let places = [police, thief];
    (PursuitGame { worlds, officers, team, stuck, places, moves, ends }, captures, board.0 as u16)
}
