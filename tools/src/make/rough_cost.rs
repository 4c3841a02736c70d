//! Roughly what it takes to make a table, by the kind of its game: for plans, and for the time left.

use crate::input::table_list::setting;
use dragnet_formats::{board::Board, codec::Favour};
use dragnet_generator::{Engine, Plan};

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
/// The rates are rounded from measurements; most tables take between half and twice as long.
pub(crate) fn effort(plan: &Plan) -> u64 {
    let board = &setting(plan).board;
    let more_officers = u32::from(setting(plan).rules.officers.saturating_sub(1));
    let rate = match plan.engine() {
        Engine::Counters => COUNTERS,
        _ if more_officers > 0 => board_rate(board).max(TEAM),
        _ => board_rate(board),
    };
    let [up, down] = OFFICER.map(|factor| u128::from(factor.saturating_pow(more_officers)));
    let work = u128::from(plan.positions()) * u128::from(rate) * up / (1000 * down);
    u64::try_from(work).unwrap_or(u64::MAX).saturating_add(TABLE)
}

/// Bits of a position of a table that favours size, on a board without walls and with [`CELLS`] open cells.
const OPEN_BITS: f64 = 0.09;
/// Bits of a position of a table that favours size, on such a board whose cells have four open neighbours
/// each on average, as [`WALLED`]. They grow as that does.
const WALLED_BITS: f64 = 0.36;
const CELLS: f64 = 1600.0;
/// Bits of a position of a table that favours speed, on a board without walls, and more of them with walls.
const SPEED_BITS: [f64; 2] = [1.0, 0.75];

/// Returns roughly how many bytes the table of the plan will have: of most between a third and three times as
/// many. Rules under which many positions are drawn make it smaller.
///
/// The figures are rounded from measurements at the default level of zstd. On larger boards a position takes
/// fewer bits, but in mazes, where each is as new as the one before.
pub(crate) fn rough_bytes(plan: &Plan) -> u64 {
    let positions = plan.positions() as f64;
    let rate = board_rate(&setting(plan).board);
    let walled = rate as f64 / WALLED as f64;
    // One officer has as many positions on so many cells.
    let cells = (positions / 2.0).sqrt() / CELLS;
    let bits = match (plan.encoding().favour, rate) {
        (Favour::Speed, _) => SPEED_BITS[0] + SPEED_BITS[1] * walled,
        (Favour::Size, OPEN) => OPEN_BITS * cells.powf(-0.75),
        (Favour::Size, _) => WALLED_BITS * walled * cells.powf((0.15 * walled - 0.6).min(0.0)),
    };
    // Beside the blocks there are the header and an index.
    1024 + (positions * bits.min(16.0) / 8.0) as u64
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
    2 * board.places().neighbour_pairs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragnet_formats::{board::make, rules::Rules};
    use dragnet_generator::encode::Encoding;

    fn effort_of(board: Board, officers: u8, engine: Engine) -> u64 {
        let rules = Rules { officers, ..Rules::classic() };
        let plan = Plan::new(board, rules, Encoding::default()).unwrap().with_engine(engine);
        effort(&plan)
    }

    #[test]
    fn rough_bytes_are_right_within_a_factor_of_three() {
        let generator = dragnet_generator::Generator::new(2).unwrap();
        let random = make::random(40, 40, 0.2, 1).unwrap();
        for (board, officers, favour) in [
            (make::open(20, 20).unwrap(), 1, Favour::Size),
            (make::open(40, 40).unwrap(), 1, Favour::Size),
            (make::open(40, 40).unwrap(), 1, Favour::Speed),
            (make::open(9, 9).unwrap(), 2, Favour::Size),
            (make::maze(41, 41, 0, 1).unwrap(), 1, Favour::Size),
            (make::maze(41, 41, 0, 1).unwrap(), 1, Favour::Speed),
            (make::rooms(48, 48, 1).unwrap(), 1, Favour::Size),
            (random.clone(), 1, Favour::Size),
            (random, 1, Favour::Speed),
        ] {
            let board = crate::input::boards::with_first_exit(&board).unwrap();
            let rules = Rules { officers, ..Rules::classic() };
            let plan = Plan::new(board, rules, Encoding { favour, ..Encoding::default() }).unwrap();
            let solution = generator.solve(&plan, &()).unwrap();
            let (header, blocks) = generator.encode(&*solution, &plan, &()).unwrap();
            let (_, written) = blocks.write(&header, std::io::Cursor::new(Vec::new())).unwrap();
            let positions = plan.positions();
            let rough = rough_bytes(&plan);
            let factor = rough as f64 / written.bytes as f64;
            assert!((1.0 / 3.0..3.0).contains(&factor), "{positions}: {rough} for {}", written.bytes);
        }
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
