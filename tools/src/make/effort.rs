//! The effort of making a table, by the kind of its game: for the division of a list among shards.

use crate::input::{any_plan::AnyPlan, arguments::EngineName};
use dragnet_formats::board::Board;

/// Nanoseconds that any table takes beside its positions: to read its board, and to create, flush and rename
/// its file.
const TABLE: u64 = 2_000_000;
/// Thousandths of nanoseconds for a position of a board without walls, by the engine `bitboard`.
const OPEN: u64 = 3_000;
/// Thousandths of nanoseconds for a position of a board whose cells have four open neighbours each on
/// average. With two it takes four times as long: chases are longer, and each level decides less.
const WALLED: u64 = 7_000;
/// Thousandths of nanoseconds that a position takes at least if there are several officers, before
/// [`OFFICER`] is counted.
const TEAM: u64 = 6_000;
/// The factor by which a position takes longer with each officer beyond the first, as a fraction.
const OFFICER: [u64; 2] = [5, 2];
/// Thousandths of nanoseconds for a position by the engine `counters`, whatever the board.
const COUNTERS: u64 = 30_000;

/// Returns about how many nanoseconds it takes one thread of the machine of `tools/bench` to make the table
/// of the plan.
///
/// Depends on the plan alone, in whole numbers: each task of a farm computes it for each table, and all find
/// the same. The rates are rounded from measurements; most tables take between half and twice as long.
pub(crate) fn effort(plan: &AnyPlan) -> u64 {
    let more_officers = u32::from(plan.rules().officers.saturating_sub(1));
    let rate = match plan.engine() {
        EngineName::Counters => COUNTERS,
        _ if more_officers > 0 => board_rate(plan.board()).max(TEAM),
        _ => board_rate(plan.board()),
    };
    let [up, down] = OFFICER.map(|factor| u128::from(factor.saturating_pow(more_officers)));
    let work = u128::from(plan.positions()) * u128::from(rate) * up / (1000 * down);
    u64::try_from(work).unwrap_or(u64::MAX).saturating_add(TABLE)
}

/// Returns thousandths of nanoseconds for a position of the board.
fn board_rate(board: &Board) -> u64 {
    let cells = board.open_count() as u64;
    if board.graph().is_none() && cells == u64::from(board.height()) * u64::from(board.width()) {
        return OPEN;
    }
    let ends = ends(board).max(1);
    // Four neighbours of each cell would be as many ends of passages.
    let most = u128::from(4 * cells);
    let rate = u128::from(WALLED) * most * most / u128::from(ends).pow(2);
    u64::try_from(rate).unwrap_or(u64::MAX).clamp(OPEN, 8 * WALLED)
}

/// Returns the number of the ends of all passages between two open cells: of edges of a graph, or of pairs of
/// neighbours in a row or a column.
fn ends(board: &Board) -> u64 {
    if let Some(graph) = board.graph() {
        return graph.edges().into();
    }
    2 * board.neighbour_pairs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{board::make, rules::Rules};
    use dragnet_generator::{Engine, Plan, encode::Encoding};

    fn effort_of(board: Board, officers: u8, engine: Engine) -> u64 {
        let rules = Rules { officers, ..Rules::classic() };
        let plan = Plan::new(board, rules, Encoding::default()).unwrap().with_engine(engine);
        effort(&AnyPlan::Pursuit(Box::new(plan)))
    }

    #[test]
    fn the_effort_follows_the_kind_of_the_game() {
        let open = |side| make::open(side, side).unwrap();
        let [one, two] = [1, 2].map(|officers| effort_of(open(16), officers, Engine::Bitboard) - TABLE);
        assert_eq!(one, 2 * 256 * 256 * OPEN / 1000);
        assert!(two > 200 * one, "a hundred times the positions, and each takes longer");
        assert_eq!(effort_of(open(16), 1, Engine::Counters) - TABLE, 2 * 256 * 256 * COUNTERS / 1000);
        // A maze without cycles: hardly two neighbours a cell.
        let rate = board_rate(&make::maze(21, 21, 0, 1).unwrap());
        assert!((4 * WALLED..5 * WALLED).contains(&rate), "{rate}");
        assert_eq!(board_rate(&open(9)), OPEN);
    }
}
