//! Cops and robbers: how many moves a team needs that may choose where it begins. All officers are placed,
//! then the thief; the police moves first.
//!
//! The sets of positions that the police wins grow level by level as in
//! [`bitboard`](dragnet_generator::bitboard), but no distances are kept, and the work ends with the first
//! team from which every cell of the thief is won. Small graphs take microseconds, so that a program can go
//! through lists of many millions of them.

pub mod family;

mod canonical;

mod variant;

mod levels;

mod small;

mod team_turn;

mod won_positions;

use dragnet_formats::{
    board::Board,
    cell::Cell,
    game::PursuitGame,
    pieces::{Pieces, multisets},
    rules::Rules,
    stop::{self, StopCheck},
    team_numbers::TeamNumbers,
};
use dragnet_generator::{
    GameSize, Observer, PursuitError, Stage, StopRequest, graph_memory_needed, team::TeamSpace,
};
use levels::Levels;
use small::SmallSearch;
use std::sync::atomic::AtomicBool;
use team_turn::TeamTurn;
use won_positions::WonPositions;

pub use canonical::canonical_form;
pub use variant::Variant;

/// The most officers for whom a capture time can be asked.
pub const MOST_OFFICERS: u8 = u8::MAX;

/// The capture time of a team that chooses its cells, and its best placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The *capture time*: turns of the police until the thief is caught, from a best placement. 0 if the
    /// officers stand on all cells.
    pub moves: u32,
    /// The officers' cells in the first of the best placements: in reading order, and first in the order of
    /// the numbers of [`TeamNumbers`].
    pub placement: Vec<Cell>,
    /// The number of best placements, where officers are distinguishable. `None` if it is above `u64::MAX`,
    /// as it can be from 21 officers on.
    pub placements: Option<u64>,
}

/// Why a capture time could not be determined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopsError {
    /// The game cannot be played.
    #[error(transparent)]
    Pursuit(PursuitError),
    /// The board has exits, with which the thief may be safe from every placement that starts far away.
    #[error("expected a board without exits, found {found}")]
    Exits {
        /// Number of exits.
        found: usize,
    },
    /// The officers can stand in more ways than the search can number.
    #[error(
        "expected at most {} ways to place the officers, found more with {officers} on {cells} cells",
        u32::MAX
    )]
    TooManyTeams {
        /// Number of officers.
        officers: u8,
        /// Number of open cells.
        cells: u64,
    },
    /// The observer asked to stop.
    #[error("stopped")]
    Stopped,
}

impl From<PursuitError> for CopsError {
    fn from(error: PursuitError) -> CopsError {
        match error {
            PursuitError::Stopped(_) => CopsError::Stopped,
            error => CopsError::Pursuit(error),
        }
    }
}

impl From<stop::Stopped> for CopsError {
    fn from(_: stop::Stopped) -> CopsError {
        CopsError::Stopped
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
    let numbers = TeamNumbers::new([(cells as u32, rules.officers)]);
    let states = TeamSpace::partial_turn_states(rules.team, &numbers);
    // What any process takes which solves nothing.
    graph_memory_needed(0, 0, 0)
        .saturating_add(GameSize::of(board, rules).memory_needed())
        .saturating_add(sets)
        .saturating_add(states.saturating_mul(TeamTurn::STATE))
}

/// The sets of [`WonPositions`].
const SETS: u64 = 4;
/// Bytes that a team takes in the lists of teams of [`WonPositions`], which may grow to twice their length.
const LISTS: u64 = 24;

/// Returns how the officers of `rules` catch the thief on `board`, which must have no exits, or `None` if he
/// escapes from every placement.
///
/// Tables have at most [`Pieces::MAX`] officers; here `rules` may have up to [`MOST_OFFICERS`], as far as
/// [`memory_needed`] allows. Takes one thread. Calls the observer with the stage, and for each level.
///
/// ```
/// use dragnet_formats::{board::Board, graph::GraphBuilder, rules::Rules};
/// use dragnet_policy::cops::capture;
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
    let of_a_table = Rules { officers: rules.officers.min(Pieces::MAX as u8), ..rules.clone() };
    of_a_table.check_on(board).map_err(PursuitError::from)?;
    of_a_table.check_places_are_cells().map_err(PursuitError::from)?;
    let exits = board.exits().count();
    if exits > 0 {
        return Err(CopsError::Exits { found: exits });
    }
    if board.open_count() == 0 {
        return Err(PursuitError::NoOpenCell.into());
    }
    let cells = board.open_count() as u64;
    let teams = multisets(cells, rules.officers.into());
    if teams > u32::MAX.into() {
        return Err(CopsError::TooManyTeams { officers: rules.officers, cells });
    }
    let stop = || observer.stop();
    let check = &mut StopCheck::new(&stop);
    let game = PursuitGame::compile(board, rules, check).map_err(PursuitError::from)?;
    observer.stage(Stage::Solving { positions: teams * cells });
    let received = AtomicBool::new(false);
    let request = StopRequest::new(observer, &received);
    if board.open_count() <= SmallSearch::MOST_CELLS && rules.officers <= SmallSearch::MOST_OFFICERS {
        return first_full_team(SmallSearch::new(&game), board, &request, observer);
    }
    let search = WonPositions::new(&game, &request)?;
    first_full_team(search, board, &request, observer)
}

/// Returns the capture of the first level with a team that wins against every cell of the thief.
fn first_full_team(
    mut search: impl Levels,
    board: &Board,
    stop: &StopRequest,
    observer: &dyn Observer,
) -> Result<Option<Capture>, CopsError> {
    let mut more = true;
    for level in 0.. {
        observer.level(2 * level, search.won());
        if stop.ask() {
            return Err(CopsError::Stopped);
        }
        let mut best: Option<(u64, Vec<u32>)> = None;
        let mut placements = Some(0u64);
        search.for_each_full_team(&mut |team| {
            let number = TeamNumbers::new([(board.open_count() as u32, team.len() as u8)]).number(team);
            if best.as_ref().is_none_or(|&(least, _)| number < least) {
                best = Some((number, team.to_vec()));
            }
            placements = placements.zip(orders(team)).and_then(|(sum, orders)| sum.checked_add(orders));
        });
        if let Some((_, team)) = best {
            let cells: Vec<Cell> = board.open_cells().collect();
            let placement = team.into_iter().map(|cell| cells[cell as usize]).collect();
            return Ok(Some(Capture { moves: level, placement, placements }));
        }
        if !more {
            break;
        }
        more = search.next_level(stop);
        if stop.is_received() {
            return Err(CopsError::Stopped);
        }
    }
    Ok(None)
}

/// Returns in how many ways distinguishable officers can stand on these cells, equal ones side by side, or
/// `None` if in more than `u64::MAX`.
fn orders(team: &[u32]) -> Option<u64> {
    let (mut ways, mut same) = (1u64, 0);
    for (i, cell) in team.iter().enumerate() {
        same = if i > 0 && team[i - 1] == *cell { same + 1 } else { 1 };
        // Exact: the ways are multinomial coefficients.
        ways = u64::try_from(u128::from(ways) * (i as u128 + 1) / same).ok()?;
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{
        graph::GraphBuilder,
        rules::{Movement, Stuck, Team},
    };
    use proptest::prelude::*;

    proptest! {
        /// A capture is the same whether its search keeps lists or goes through all teams.
        #[test]
        fn both_searches_find_the_same_capture(
            cells in 1u32..20, edges in prop::collection::vec((0u64..20, 0u64..20), 0..60),
            directed in any::<bool>(), officers in 1u8..3, lazy in any::<bool>(), wins in any::<bool>(),
            may_pass in any::<[bool; 2]>(), steps in 1u8..3,
        ) {
            let mut graph = GraphBuilder::new();
            for (from, to) in edges {
                let (from, to) = (from % u64::from(cells), to % u64::from(cells));
                graph.add(from, to).unwrap();
                if !directed {
                    graph.add(to, from).unwrap();
                }
            }
            let board = Board::of_graph(&graph.build_with(cells)).unwrap();
            let [police, thief] = may_pass.map(|may_pass| Movement { may_pass, ..Rules::cops().police });
            let rules = Rules {
                officers,
                team: if lazy { Team::One } else { Team::All },
                stuck: if wins { Stuck::Wins } else { Stuck::Loses },
                police,
                thief: Movement { steps, ..thief },
                ..Rules::cops()
            };
            let received = AtomicBool::new(false);
            let request = StopRequest::new(&(), &received);
            let game = PursuitGame::compile(&board, &rules, &mut StopCheck::never()).unwrap();
            let small = first_full_team(SmallSearch::new(&game), &board, &request, &());
            let search = WonPositions::new(&game, &request).unwrap();
            prop_assert_eq!(first_full_team(search, &board, &request, &()), small);
        }
    }
}
