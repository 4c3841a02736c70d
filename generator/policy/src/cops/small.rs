//! One or two officers on at most 64 cells, where the thief's cells are the bits of one word.
//!
//! The cells on which the thief is safe for n turns follow, team by team, from those on which he is safe for
//! n - 1 turns (Berarducci and Intrigila, "On the cop number of a graph", 1993). Each level goes through all
//! teams: on so few cells that is quicker than keeping lists of those in which something has changed.

use super::levels::Levels;
use dragnet_formats::{
    cell::Side,
    game::{MoveTable, PursuitGame, Stuck, Team},
};
use dragnet_generator::{StopRequest, bitboard::ones};

/// The positions of one or two officers. A team on the cells a and b, a ≤ b, has the index a · `width` + b, a
/// single officer on a the index a.
pub(super) struct SmallSearch {
    police: MoveTable,
    team: Team,
    cells: usize,
    /// Whether there are two officers.
    is_pair: bool,
    /// The number of cells of the second officer, or 1 if there is none.
    width: usize,
    /// For each cell the cells on which an officer there captures the thief.
    captures: Vec<u64>,
    /// For each cell the cells from which the thief can move to it.
    thief_from: Vec<u64>,
    /// The cells on which a thief who is to move is safe because he has no move.
    stuck_thief: u64,
    /// For each team the cells on which the thief is safe with the police to move, in the levels so far.
    safe: Vec<u64>,
    /// For each team, in any order of its officers, the cells on which the thief is safe and to move.
    safe_to_move: Vec<u64>,
    /// The cells on which the thief is safe if only the second officer has yet to move.
    half_moved: Vec<u64>,
}

impl SmallSearch {
    /// The most cells.
    pub(super) const MOST_CELLS: usize = u64::BITS as usize;
    /// The most officers.
    pub(super) const MOST_OFFICERS: u8 = 2;

    /// Decides level 0: captures, and positions in which a side has no move.
    pub(super) fn new(game: &PursuitGame) -> SmallSearch {
        let (police, thief) = (game.moves(Side::Police).clone(), game.moves(Side::Thief));
        let cells = police.places();
        let is_pair = game.officers() == 2;
        let width = if is_pair { cells } else { 1 };
        let mut thief_from = vec![0; cells];
        let mut stuck_thief = 0;
        for from in 0..cells {
            let moves = thief.of(from);
            moves.iter().for_each(|&to| thief_from[to as usize] |= 1 << from);
            stuck_thief |= u64::from(moves.is_empty() && game.stuck == Stuck::Wins) << from;
        }
        let search = SmallSearch {
            police,
            team: game.team,
            cells,
            is_pair,
            width,
            captures: (0..cells as u32)
                .map(|officer| {
                    game.ends.captured_from(0, &officer).iter().fold(0, |all, cell| all | 1 << cell)
                })
                .collect(),
            thief_from,
            stuck_thief,
            safe: Vec::new(),
            safe_to_move: vec![0; cells * width],
            half_moved: vec![0; if is_pair && game.team == Team::All { cells * width } else { 0 }],
        };
        let all = u64::MAX >> (SmallSearch::MOST_CELLS - cells);
        let is_stuck = |cell: usize| search.police.of(cell).is_empty();
        let safe = |team: usize| {
            let (a, b) = search.officers(team);
            let stuck = match game.team {
                Team::All => is_stuck(a) || is_stuck(b),
                Team::One => is_stuck(a) && is_stuck(b),
            };
            let won_at_once = stuck && game.stuck == Stuck::Wins;
            if won_at_once { 0 } else { all & !(search.captures[a] | search.captures[b]) }
        };
        let safe = (0..cells * width).map(safe).collect();
        SmallSearch { safe, ..search }
    }

    /// Returns the cells of both officers, which are equal if there is one.
    fn officers(&self, team: usize) -> (usize, usize) {
        if self.is_pair { (team / self.width, team % self.width) } else { (team, team) }
    }

    /// Returns the indices of all teams.
    fn teams(&self) -> impl Iterator<Item = usize> + use<> {
        let (is_pair, width) = (self.is_pair, self.width);
        (0..self.cells).flat_map(move |a| {
            let first = a * width;
            (if is_pair { first + a } else { first })..first + width
        })
    }

    /// Finds where the thief is safe when it is his turn: where he can move to a safe cell.
    fn thief_moves(&mut self) {
        for team in self.teams() {
            let (a, b) = self.officers(team);
            let reached = ones(self.safe[team]).fold(self.stuck_thief, |from, to| from | self.thief_from[to]);
            let safe = reached & !(self.captures[a] | self.captures[b]);
            self.safe_to_move[team] = safe;
            if self.is_pair {
                self.safe_to_move[b * self.width + a] = safe;
            }
        }
    }

    /// Returns the cells that are safe after each of an officer's moves from `cell`.
    fn after_all(&self, cell: usize, safe: impl Fn(usize) -> u64) -> u64 {
        self.police.of(cell).iter().fold(u64::MAX, |all, &to| all & safe(to as usize))
    }

    /// Finds where the thief is safe whatever the police does in its turn. Returns whether that is less than
    /// before.
    fn police_moves(&mut self) -> bool {
        let width = self.width;
        for i in 0..self.half_moved.len() {
            self.half_moved[i] = self.after_all(i / width, |to| self.safe_to_move[to * width + i % width]);
        }
        let mut changed = false;
        for team in self.teams() {
            let (a, b) = self.officers(team);
            let first = || self.after_all(a, |to| self.safe_to_move[to * width + team % width]);
            let safe = match self.team {
                _ if !self.is_pair => first(),
                Team::All => self.after_all(b, |to| self.half_moved[a * width + to]),
                Team::One => first() & self.after_all(b, |to| self.safe_to_move[a * width + to]),
            };
            let before = self.safe[team];
            self.safe[team] = before & safe;
            changed |= self.safe[team] != before;
        }
        changed
    }
}

impl Levels for SmallSearch {
    fn won(&self) -> u64 {
        let safe = |team: usize| u64::from(self.safe[team].count_ones());
        self.teams().map(|team| self.cells as u64 - safe(team)).sum()
    }

    fn next_level(&mut self, _: &StopRequest) -> bool {
        self.thief_moves();
        self.police_moves()
    }

    fn for_each_full_team(&self, each: &mut dyn FnMut(&[u32])) {
        for team in self.teams().filter(|&team| self.safe[team] == 0) {
            let (a, b) = self.officers(team);
            each(&[a as u32, b as u32][..if self.is_pair { 2 } else { 1 }]);
        }
    }
}
