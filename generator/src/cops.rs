//! Cops and robbers: how many moves a team needs that may choose where it begins. All officers are placed, then the thief; the
//! police moves first.
//!
//! The sets of positions that the police wins grow level by level as in [`bitboard`](crate::engines::bitboard), but nothing is kept of the
//! distances, and the work ends with the first team from which every cell of the thief is won: small graphs are done in
//! microseconds, so that lists of many thousands of them can be gone through.

use crate::{
    engines::bitboard::{TeamTurn, ones},
    games::pursuit::PursuitError,
    games::team::TeamSpace,
    observer::Observer,
};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    header::{Header, HeaderError},
    moves::{MoveTable, Steps},
    numbering::{Numbering, TileSize},
    pieces::Pieces,
    rules::{Rules, Stuck},
};

/// How a team of officers catches the thief wherever he begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Turns of the police until he is caught, if it begins where it is best: the *capture time*. 0 if the officers stand on all
    /// cells.
    pub moves: u32,
    /// The first of the best placements, in the order of the numbers of teams.
    pub placement: Pieces,
    /// How many placements are as good, officers told apart.
    pub placements: u64,
}

/// Why a capture time was not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopsError {
    /// There is no such game.
    #[error(transparent)]
    Pursuit(#[from] PursuitError),
    /// With an exit the thief may be safe where no officer can come in time, and placements mean little.
    #[error("expected a board without exits, found {found}")]
    Exits {
        /// How many there are.
        found: usize,
    },
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<HeaderError> for CopsError {
    fn from(error: HeaderError) -> CopsError {
        CopsError::Pursuit(error.into())
    }
}

/// How the officers of `rules` catch the thief on `board`, which has no exits; `None` if he can get away from every placement. Takes
/// a bit for each position, 12 to 100 bytes for each team, and one thread. The observer is asked whether to stop, and told each level.
///
/// # Errors
/// When there is no such game, or the observer stops the work.
pub fn capture(board: &Board, rules: &Rules, observer: &dyn Observer) -> Result<Option<Capture>, CopsError> {
    rules.check_on(board).map_err(PursuitError::from)?;
    let exits = board.exits().count();
    if exits > 0 {
        return Err(CopsError::Exits { found: exits });
    }
    if board.open_count() == 0 {
        return Err(PursuitError::NoOpenCell.into());
    }
    Header::positions_of(board, rules)?;
    let mut chase = Chase::new(board, rules);
    let mut more = true;
    for level in 0.. {
        observer.level(2 * level, chase.won);
        if observer.stop() {
            return Err(CopsError::Stopped);
        }
        if let Some((placement, placements)) = chase.best(board) {
            return Ok(Some(Capture { moves: level, placement, placements }));
        }
        if !more {
            break;
        }
        more = chase.next_level();
    }
    Ok(None)
}

/// What the police wins, level by level. Cells of the thief are bits, by their numbers in reading order; each team has `words` words.
struct Chase {
    space: TeamSpace,
    turn: TeamTurn,
    words: usize,
    cells: usize,
    thief: MoveTable,
    thief_back: MoveTable,
    /// For each cell the bits of the cells to which the thief can move.
    reach: Vec<u64>,
    /// Won with the police to move, and of these the ones of the last level.
    police: Vec<u64>,
    police_new: Vec<u64>,
    /// The teams that have some of these.
    police_changed: Vec<u32>,
    /// Lost for the thief to move, likewise.
    caught: Vec<u64>,
    caught_new: Vec<u64>,
    caught_changed: Vec<u32>,
    /// How many positions with the police to move are won.
    won: u64,
    /// The teams that win against every cell of the thief.
    full: Vec<u32>,
}

impl Chase {
    /// Level 0: what is over, or stuck.
    fn new(board: &Board, rules: &Rules) -> Chase {
        // Tiles have no say here: a team has the number of its multiset.
        let tile = TileSize::ONE;
        let numbering = Numbering::new(board, tile, tile, rules.officers);
        let moves = |side| MoveTable::new(board, &Steps::new(rules, side));
        let space = TeamSpace::new(numbering.police(), rules.team, &moves(Side::Police));
        let thief = moves(Side::Thief);
        let (cells, teams) = (board.open_count(), space.list().len());
        let words = cells.div_ceil(64);
        let mut reach = vec![0; cells * words];
        for (cell, reach) in reach.chunks_exact_mut(words).enumerate() {
            thief.of(cell).iter().for_each(|&to| reach[to as usize / 64] |= 1 << (to % 64));
        }
        let mut chase = Chase {
            turn: TeamTurn::new(&space),
            thief_back: thief.transposed(),
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
            let row = team * words..(team + 1) * words;
            let (caught, police) = (&mut chase.caught_new[row.clone()], &mut chase.police[row.clone()]);
            for &cell in chase.space.list().cells(team) {
                caught[cell as usize / 64] |= 1 << (cell % 64);
            }
            police.copy_from_slice(caught);
            let stuck = |cell: usize| chase.thief.of(cell).is_empty();
            match rules.stuck {
                Stuck::Loses => (0..cells)
                    .filter(|&cell| stuck(cell))
                    .for_each(|cell| caught[cell / 64] |= 1 << (cell % 64)),
                Stuck::Wins if chase.space.stuck(team as u64) => {
                    (0..cells).for_each(|cell| police[cell / 64] |= 1 << (cell % 64));
                }
                Stuck::Wins => {}
            }
            chase.caught[row.clone()].copy_from_slice(caught);
            chase.police_new[row].copy_from_slice(police);
            chase.note(team);
        }
        chase.police_changed = (0..teams as u32).collect();
        chase.thief_moves();
        chase
    }

    /// Counts what the team wins.
    fn note(&mut self, team: usize) {
        let row = &self.police[team * self.words..(team + 1) * self.words];
        let count: u32 = row.iter().map(|word| word.count_ones()).sum();
        if count as usize == self.cells {
            self.full.push(team as u32);
        }
    }

    /// The first team that wins everywhere, and how many ways there are to place such a team.
    fn best(&self, board: &Board) -> Option<(Pieces, u64)> {
        let list = self.space.list();
        let best = *self.full.iter().min_by_key(|&&team| list.number(team as usize))?;
        let cells: Vec<Cell> = board.open_cells().collect();
        let team: Vec<Cell> = list.cells(best as usize).iter().map(|&cell| cells[cell as usize]).collect();
        let ways = |&team: &u32| {
            let cells = list.cells(team as usize);
            let (mut ways, mut same) = (1, 0);
            for (i, cell) in cells.iter().enumerate() {
                same = if i > 0 && cells[i - 1] == *cell { same + 1 } else { 1 };
                ways = ways * (i as u64 + 1) / same;
            }
            ways
        };
        Some((Pieces::new(&team).ok()?, self.full.iter().map(ways).sum()))
    }

    /// The next move of both sides. Whether something changed.
    fn next_level(&mut self) -> bool {
        self.police_moves();
        self.thief_moves();
        !self.caught_changed.is_empty()
    }

    /// What the police wins by a move into what the thief has just lost.
    fn police_moves(&mut self) {
        let words = self.words;
        let changed = std::mem::take(&mut self.caught_changed);
        let (police, new, touched) = (&self.police, &mut self.police_new, &mut self.police_changed);
        for lane in 0..words {
            for &team in &changed {
                let fresh = std::mem::take(&mut self.caught_new[team as usize * words + lane]);
                if fresh != 0 {
                    self.turn.back_from(&self.space, team.into(), fresh);
                }
            }
            self.turn.back(&self.space, |team, there| {
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
            let team = self.police_changed[i] as usize;
            for at in team * words..(team + 1) * words {
                self.police[at] |= self.police_new[at];
                self.won += u64::from(self.police_new[at].count_ones());
            }
            self.note(team);
        }
    }

    /// What the thief loses because all his moves lead into what the police wins.
    fn thief_moves(&mut self) {
        let words = self.words;
        for team in std::mem::take(&mut self.police_changed) {
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
