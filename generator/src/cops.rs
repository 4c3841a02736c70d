//! Cops and robbers: how many moves a team needs that may choose where it begins. All officers are placed,
//! then the thief; the police moves first.
//!
//! The sets of positions that the police wins grow level by level as in [`bitboard`](crate::bitboard), but no
//! distances are kept, and the work ends with the first team from which every cell of the thief is won. Small
//! graphs take microseconds, so that a program can go through lists of many thousands of them.

mod team_turn;

use crate::{
    engines::bitboard::ones,
    games::{
        pursuit::{Pursuit, PursuitError},
        team::TeamSpace,
    },
    observer::Observer,
    plan::PROCESS,
    stop::StopRequest,
};
use dragnet_formats::{
    board::Board,
    cell::{Cell, Side},
    header::{Header, HeaderError},
    moves::{MoveTable, Steps, TooManyMoves},
    numbering::{Numbering, TileSize},
    pieces::{Pieces, multisets},
    rules::{Rules, Stuck},
};
use std::sync::atomic::AtomicBool;
use team_turn::TeamTurn;

/// The capture time of a team that chooses its cells, and its best placements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The *capture time*: turns of the police until the thief is caught, from a best placement. 0 if the
    /// officers stand on all cells.
    pub moves: u32,
    /// The first of the best placements, in the order of the numbers of teams.
    pub placement: Pieces,
    /// The number of best placements, where officers are distinguishable.
    pub placements: u64,
}

/// Why a capture time could not be determined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopsError {
    /// The game cannot be played.
    #[error(transparent)]
    Pursuit(#[from] PursuitError),
    /// The board has exits, with which the thief may be safe from every placement that starts far away.
    #[error("expected a board without exits, found {found}")]
    Exits {
        /// Number of exits.
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

/// Returns the most bytes of memory that a process takes for [`capture`] with one thread: an estimate from
/// above.
#[must_use]
pub fn memory_needed(board: &Board, rules: &Rules) -> u64 {
    let cells = board.open_count() as u64;
    let teams = multisets(cells, rules.officers.into());
    let words = cells.div_ceil(64).saturating_mul(size_of::<u64>() as u64);
    // Four sets, lists of the teams in which they have grown, and what the thief reaches from each cell.
    let sets = teams.saturating_mul(SETS * words + LISTS).saturating_add(cells * words);
    let states = TeamSpace::partial_turn_states(rules, cells).saturating_mul(TeamTurn::STATE);
    PROCESS.saturating_add(Pursuit::memory_needed(board, rules)).saturating_add(sets).saturating_add(states)
}

/// The sets of [`WonPositions`].
const SETS: u64 = 4;
/// Bytes that a team takes in the lists of teams of [`WonPositions`], which may grow to twice their length.
const LISTS: u64 = 24;

/// Returns how the officers of `rules` catch the thief on `board`, which must have no exits, or `None` if he
/// escapes from every placement.
///
/// Takes a bit for each position, 12 to 100 bytes for each team, and one thread. Calls the observer for each
/// level.
///
/// ```
/// use dragnet_formats::{board::Board, graph::GraphBuilder, rules::Rules};
/// use dragnet_generator::cops::capture;
///
/// // On a cycle of four vertices one cop never catches the robber, and two cops need one move.
/// let mut cycle = GraphBuilder::new();
/// for vertex in 0..4 {
///     cycle.add(vertex, (vertex + 1) % 4)?;
///     cycle.add((vertex + 1) % 4, vertex)?;
/// }
/// let board = Board::of_graph(&cycle.build())?;
/// let cops = |officers| Rules { officers, ..Rules::cops() };
/// assert_eq!(capture(&board, &cops(1), &())?, None);
/// assert_eq!(capture(&board, &cops(2), &())?.map(|capture| capture.moves), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the game cannot be played, or the observer stops the work.
pub fn capture(board: &Board, rules: &Rules, observer: &dyn Observer) -> Result<Option<Capture>, CopsError> {
    rules.check_on(board).map_err(PursuitError::from)?;
    let exits = board.exits().count();
    if exits > 0 {
        return Err(CopsError::Exits { found: exits });
    }
    if board.open_count() == 0 {
        return Err(PursuitError::NoOpenCell.into());
    }
    let positions = Header::positions_of(board, rules)?;
    let cells = board.open_count() as u64;
    if positions / cells > u32::MAX.into() {
        return Err(HeaderError::TooManyPositions { teams: positions / cells, cells }.into());
    }
    let received = AtomicBool::new(false);
    let request = StopRequest::new(observer, &received);
    let mut won = WonPositions::new(board, rules, &request).map_err(PursuitError::from)?;
    let mut more = true;
    for level in 0.. {
        observer.level(2 * level, won.won);
        if request.ask() {
            return Err(CopsError::Stopped);
        }
        if let Some((placement, placements)) = won.best(board) {
            return Ok(Some(Capture { moves: level, placement, placements }));
        }
        if !more {
            break;
        }
        more = won.next_level(&request);
        if request.is_received() {
            return Err(CopsError::Stopped);
        }
    }
    Ok(None)
}

/// The positions that the police wins, level by level. A cell of the thief is the bit with its number in
/// reading order; each team has `words` words.
struct WonPositions {
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
    fn new(board: &Board, rules: &Rules, stop: &StopRequest) -> Result<WonPositions, TooManyMoves> {
        // Tiles do not matter here: a team has the number of its multiset.
        let tile = TileSize::ONE;
        let numbering = Numbering::new(board, tile, tile, rules.officers);
        let moves = |side| MoveTable::checked(board, &Steps::new(rules, side));
        let space = TeamSpace::new(numbering.police(), rules.team, &moves(Side::Police)?);
        let thief = moves(Side::Thief)?;
        let (cells, teams) = (board.open_count(), space.list().len());
        let words = cells.div_ceil(64);
        let mut reach = vec![0; cells * words];
        for (cell, reach) in reach.chunks_exact_mut(words).enumerate() {
            thief.of(cell).iter().for_each(|&to| reach[to as usize / 64] |= 1 << (to % 64));
        }
        let mut won = WonPositions {
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
            let (caught, police) = (&mut won.caught_new[row.clone()], &mut won.police[row.clone()]);
            for &cell in won.space.list().cells(team) {
                caught[cell as usize / 64] |= 1 << (cell % 64);
            }
            police.copy_from_slice(caught);
            let stuck = |cell: usize| won.thief.of(cell).is_empty();
            match rules.stuck {
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

    /// Returns the first team that wins against every cell, and the number of ways to place such a team.
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
        let placement = Pieces::new(&team).expect("a team of the game is a legal number of pieces");
        Some((placement, self.full.iter().map(ways).sum()))
    }

    /// Decides the level of the next move of both sides. Returns whether it has a position.
    fn next_level(&mut self, stop: &StopRequest) -> bool {
        self.police_moves(stop);
        self.thief_moves(stop);
        !self.caught_changed.is_empty()
    }

    /// Adds the positions that the police wins by a move into positions that the thief lost in the last
    /// level.
    fn police_moves(&mut self, stop: &StopRequest) {
        let words = self.words;
        let changed = std::mem::take(&mut self.caught_changed);
        let (police, new, touched) = (&self.police, &mut self.police_new, &mut self.police_changed);
        for lane in 0..words {
            if stop.is_received() {
                return;
            }
            for &team in &changed {
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
