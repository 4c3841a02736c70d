//! Any number of officers on any number of cells: sets of thief cells that grow level by level.
//!
//! Only what has changed in the last level is gone through, as in the
//! [engine](dragnet_generator::bitboard) for boards.

use super::{levels::Levels, team_turn::TeamTurn};
use dragnet_formats::{
    cell::Side,
    game::{MoveTable, PursuitGame, Stuck},
    numbering::{Numbering, TileSize},
    stop::{StopCheck, Stopped},
};
use dragnet_generator::{StopRequest, bitboard::ones, team::TeamSpace};

/// Words of memory that are read and written for a team, beside its rows, roughly.
const TEAM: usize = 32;

/// The positions that the police wins, level by level. A cell of the thief is the bit with its number in
/// reading order; each team has `words` words.
pub(super) struct WonPositions {
    space: TeamSpace,
    turn: TeamTurn,
    words: usize,
    cells: usize,
    thief: MoveTable,
    thief_back: MoveTable,
    /// The bits of the cells to which the thief can move from each cell.
    reach: Vec<u64>,
    /// Positions won with the police to move.
    police: Vec<u64>,
    /// Positions won with the police to move in the last level.
    police_new: Vec<u64>,
    /// Teams with a position in `police_new`.
    police_changed: Vec<u32>,
    /// Positions lost with the thief to move.
    caught: Vec<u64>,
    /// Positions lost with the thief to move in the last level.
    caught_new: Vec<u64>,
    /// Teams with a position in `caught_new`.
    caught_changed: Vec<u32>,
    /// The number of positions that are won with the police to move.
    won: u64,
    /// The teams that win against every cell of the thief.
    full: Vec<u32>,
}

impl WonPositions {
    /// Decides level 0: captures, and positions without a move.
    pub(super) fn new(game: &PursuitGame, stop: &StopRequest) -> Result<WonPositions, Stopped> {
        let ask = || stop.ask();
        let check = &mut StopCheck::new(&ask);
        // Tiles do not matter here: a team has the number of its multiset.
        let tile = TileSize::ONE;
        let kinds: Vec<_> = game.kinds.iter().map(|&kind| (kind, tile)).collect();
        let numbering = Numbering::new(1, game.places.each_ref(), &kinds, tile);
        let space = TeamSpace::new(1, numbering.police(), game.team, game.moves(Side::Police), check)?;
        let thief = game.moves(Side::Thief).clone();
        let (cells, teams) = (thief.places(), space.list().len());
        let words = cells.div_ceil(64);
        let mut reach = vec![0; cells * words];
        for (cell, reach) in reach.chunks_exact_mut(words).enumerate() {
            thief.of(cell).iter().for_each(|&to| reach[to as usize / 64] |= 1 << (to % 64));
        }
        let mut won = WonPositions {
            turn: TeamTurn::new(&space),
            thief_back: thief.transposed_unless(check)?,
            thief,
            reach,
            police: vec![0; teams * words],
            police_new: vec![0; teams * words],
            police_changed: Vec::new(),
            caught: vec![0; teams * words],
            caught_new: vec![0; teams * words],
            caught_changed: (0..teams as u32).collect(),
            won: 0,
            full: Vec::new(),
            space,
            words,
            cells,
        };
        for team in 0..teams {
            check.steps(TEAM + 4 * words)?;
            let row = team * words..(team + 1) * words;
            let (caught, police) = (&mut won.caught_new[row.clone()], &mut won.police[row.clone()]);
            for officer in won.space.list().cells(team) {
                for &cell in game.ends.captured_from(0, officer) {
                    caught[cell as usize / 64] |= 1 << (cell % 64);
                }
            }
            police.copy_from_slice(caught);
            let stuck = |cell: usize| won.thief.of(cell).is_empty();
            match game.stuck {
                Stuck::Loses => (0..cells)
                    .filter(|&cell| stuck(cell))
                    .for_each(|cell| caught[cell / 64] |= 1 << (cell % 64)),
                Stuck::Wins if won.space.stuck(team as u64) => {
                    (0..cells).for_each(|cell| police[cell / 64] |= 1 << (cell % 64));
                }
                Stuck::Wins => {}
            }
            won.caught[row.clone()].copy_from_slice(caught);
            won.police_new[row].copy_from_slice(police);
            won.note(team);
        }
        won.police_changed = (0..teams as u32).collect();
        won.thief_moves(stop);
        Ok(won)
    }

    /// Notes the team if it wins against every cell of the thief.
    fn note(&mut self, team: usize) {
        let row = &self.police[team * self.words..(team + 1) * self.words];
        let count: u32 = row.iter().map(|word| word.count_ones()).sum();
        if count as usize == self.cells {
            self.full.push(team as u32);
        }
    }

    /// Adds the positions that the police wins by a move into positions that the thief lost in the last
    /// level.
    fn police_moves(&mut self, stop: &StopRequest) {
        let (words, mut pieces) = (self.words, 0);
        let changed = std::mem::take(&mut self.caught_changed);
        let (police, new, touched) = (&self.police, &mut self.police_new, &mut self.police_changed);
        for lane in 0..words {
            if stop.is_received() {
                return;
            }
            for &team in &changed {
                if stop.ask_at_times(&mut pieces) {
                    return;
                }
                let fresh = std::mem::take(&mut self.caught_new[team as usize * words + lane]);
                if fresh != 0 {
                    self.turn.back_from(&self.space, team.into(), fresh);
                }
            }
            self.turn.back(&self.space, stop, |team, there| {
                let at = team as usize * words + lane;
                let found = there & !police[at];
                if found != 0 {
                    let row = team as usize * words..(team as usize + 1) * words;
                    if new[row].iter().all(|&word| word == 0) {
                        touched.push(team as u32);
                    }
                    new[at] |= found;
                }
            });
        }
        for i in 0..self.police_changed.len() {
            if stop.ask_at_times(&mut pieces) {
                return;
            }
            let team = self.police_changed[i] as usize;
            for at in team * words..(team + 1) * words {
                self.police[at] |= self.police_new[at];
                self.won += u64::from(self.police_new[at].count_ones());
            }
            self.note(team);
        }
    }

    /// Adds the positions that the thief loses because all his moves lead into positions that the police
    /// wins.
    fn thief_moves(&mut self, stop: &StopRequest) {
        let words = self.words;
        let mut pieces = 0;
        for team in std::mem::take(&mut self.police_changed) {
            if stop.ask_at_times(&mut pieces) {
                return;
            }
            let row = team as usize * words..(team as usize + 1) * words;
            let (police, caught) = (&self.police[row.clone()], &mut self.caught[row.clone()]);
            let (new, fresh) = (&mut self.police_new[row.clone()], &mut self.caught_new[row]);
            let mut some = false;
            for (lane, new) in new.iter_mut().enumerate() {
                for bit in ones(std::mem::take(new)) {
                    for &from in self.thief_back.of(lane * 64 + bit) {
                        let (word, mark) = (from as usize / 64, 1 << (from % 64));
                        let reach = &self.reach[from as usize * words..(from as usize + 1) * words];
                        let moves = self.thief.of(from as usize);
                        let lost = caught[word] & mark == 0
                            && if moves.len() < words {
                                moves.iter().all(|&to| police[to as usize / 64] >> (to % 64) & 1 == 1)
                            } else {
                                reach.iter().zip(police).all(|(reach, police)| reach & !police == 0)
                            };
                        if lost {
                            caught[word] |= mark;
                            fresh[word] |= mark;
                            some = true;
                        }
                    }
                }
            }
            if some {
                self.caught_changed.push(team);
            }
        }
    }
}

impl Levels for WonPositions {
    fn won(&self) -> u64 {
        self.won
    }

    fn next_level(&mut self, stop: &StopRequest) -> bool {
        self.police_moves(stop);
        self.thief_moves(stop);
        !self.caught_changed.is_empty()
    }

    fn for_each_full_team(&self, each: &mut dyn FnMut(&[u32])) {
        self.full.iter().for_each(|&team| each(self.space.list().cells(team as usize)));
    }
}
