//! Random pursuit games; the tests of the probe crate take them from here.

#![allow(clippy::unwrap_used)]
#![allow(dead_code, reason = "each test program uses its part")]

use dragnet_formats::{
    board::{Board, Scenario, Square, text},
    cell::{Cell, Side},
    doors::{Door, Opening, Schedule},
    game::terminal,
    graph::GraphBuilder,
    moves::Steps,
    pieces::Pieces,
    rules::{Capture, MoveSet, Movement, PoliceOnExit, Rules, Stuck, Team, Undecided, Wrap},
    setting::Setting,
};
use proptest::prelude::*;

/// Returns the side that has won without a move, as the rules state it; `None` if the position is not
/// terminal.
pub(crate) fn winner(board: &Board, rules: &Rules, officers: &Pieces, thief: Cell) -> Option<Side> {
    let arrived =
        rules.police_on_exit == PoliceOnExit::Wins && officers.iter().any(|&cell| board.is_exit(cell));
    terminal::winner(captured(board, rules, officers, thief), board.is_exit(thief), arrived)
}

/// Returns whether an officer captures the thief, as the rules state it.
pub(crate) fn captured(board: &Board, rules: &Rules, officers: &Pieces, thief: Cell) -> bool {
    let captures = |officer: &Cell| {
        let by = rules.capture.as_ref().and_then(Capture::move_set).map(|by| Movement::new(by.clone()));
        let reaching =
            by.map(|by| Rules { police: by, police_on_exit: PoliceOnExit::Allowed, ..rules.clone() });
        let reached = reaching.map(|rules| Steps::new(&rules, Side::Police).moves_from(board, *officer));
        *officer == thief || reached.is_some_and(|cells| cells.contains(&thief))
    };
    officers.iter().any(captures)
}

fn movement() -> impl Strategy<Value = Movement> {
    let list = prop::collection::btree_set((-2i16..=2, -2i16..=2), 0..6)
        .prop_map(|list| MoveSet::Offsets(list.into_iter().filter(|&offset| offset != (0, 0)).collect()));
    let named = vec![MoveSet::King, MoveSet::Orthogonal, MoveSet::Diagonal, MoveSet::Knight];
    let length = || prop_oneof![3 => Just(1u8), 1 => 2u8..4];
    let moves = prop_oneof![4 => prop::sample::select(named), 1 => list];
    (moves, any::<bool>(), length(), length(), prop::bool::weighted(0.25)).prop_map(
        |(moves, may_pass, steps, reach, glide)| {
            let reach = if glide { 1 } else { reach };
            Movement { may_pass, steps, reach, glide, ..Movement::new(moves) }
        },
    )
}

/// Returns the game of these rules on the board, in every other lot with up to three doors that schedules
/// open and close. A graph has no doors.
pub(crate) fn on_schedule(board: Board, rules: Rules, lot: u64) -> Setting {
    let is_open = |&cell: &Cell| board.square(cell) == Some(Square::Open);
    let cells: Vec<Cell> = board.open_cells().filter(is_open).collect();
    let setting = Setting::new(Scenario::from_board(board.clone()), rules);
    if lot.is_multiple_of(2) || board.graph().is_some() || cells.is_empty() {
        return setting;
    }
    let schedules = [".#", "##.", ".", "..#"].map(|plan| Opening::Schedule(Schedule::new(plan).unwrap()));
    let mut doors: Vec<Door> = Vec::new();
    for number in 0..3 {
        let lot = (lot >> (8 * number)) as usize;
        let cell = cells[lot / 4 % cells.len()];
        if doors.iter().all(|door| door.cell != cell) {
            doors.push(Door { cell, opening: schedules[lot / 2 % schedules.len()].clone() });
        }
    }
    setting.with_doors(doors).unwrap()
}

/// Rules of every kind, for one officer on a board of squares.
pub(crate) fn rules() -> impl Strategy<Value = Rules> {
    let wrap = prop::sample::select(vec![Wrap::None, Wrap::Horizontal, Wrap::Vertical, Wrap::Both]);
    let stuck = prop::sample::select(vec![Stuck::Loses, Stuck::Wins]);
    let team = prop::sample::select(vec![Team::All, Team::One]);
    let exits = vec![PoliceOnExit::Allowed, PoliceOnExit::Barred, PoliceOnExit::Wins];
    let undecided = vec![Undecided::Draw, Undecided::Police, Undecided::Thief];
    let steps = vec![MoveSet::King, MoveSet::Orthogonal, MoveSet::Knight];
    let capture = prop::option::weighted(0.3, prop::sample::select(steps).prop_map(Capture::by));
    let ends = (prop::sample::select(exits), prop::sample::select(undecided), capture);
    (movement(), movement(), any::<bool>(), wrap, stuck, team, ends).prop_map(
        |(police, thief, corner_cutting, wrap, stuck, team, (police_on_exit, undecided, capture))| Rules {
            officers: 1,
            police,
            thief,
            corner_cutting,
            wrap,
            stuck,
            team,
            police_on_exit,
            undecided,
            capture,
            ..Rules::classic()
        },
    )
}

/// Boards of a few cells.
pub(crate) fn board() -> impl Strategy<Value = Board> {
    (1usize..6, 1usize..7).prop_flat_map(|(height, width)| {
        let arrow = prop::sample::select(vec!['>', '<', '^', 'v']);
        let letter = prop_oneof![12 => Just('.'), 4 => Just('#'), 2 => Just('E'), 1 => arrow];
        prop::collection::vec(letter, height * width).prop_map(move |mut letters| {
            letters[0] = '.';
            let rows = letters.chunks(width).map(|row| row.iter().collect::<String>() + "\n");
            text::parse(rows.collect::<String>().as_bytes()).unwrap().board
        })
    })
}

/// Boards of graphs with a few vertices, some of them exits; edges may lead one way.
pub(crate) fn graph_board(vertices: std::ops::Range<usize>) -> impl Strategy<Value = Board> {
    vertices.prop_flat_map(|vertices| {
        let edges = prop::collection::vec((0..vertices as u64, 0..vertices as u64), 0..3 * vertices);
        let exits = prop::collection::btree_set(0..vertices as u16, 0..3);
        (edges, exits, any::<bool>()).prop_map(move |(edges, exits, both_ways)| {
            let mut builder = GraphBuilder::new();
            for (from, to) in edges {
                builder.add(from, to).unwrap();
                if both_ways {
                    builder.add(to, from).unwrap();
                }
            }
            let exits: Vec<Cell> = exits.into_iter().map(|vertex| Cell::new(0, vertex)).collect();
            Board::of_graph(&builder.build_with(vertices as u32)).unwrap().with_exits(&exits).unwrap()
        })
    })
}

/// Pursuit games of every kind: on squares and on graphs, with one officer or several, where there are few
/// cells.
pub(crate) fn pursuit() -> impl Strategy<Value = (Board, Rules)> {
    let ground = prop_oneof![2 => board(), 1 => graph_board(1..14)];
    (ground, rules(), 1u8..4).prop_map(|(board, mut rules, officers)| {
        if board.graph().is_some() {
            for movement in [&mut rules.police, &mut rules.thief] {
                movement.moves = MoveSet::Edges;
                movement.reach = 1;
                movement.glide = false;
            }
            rules.wrap = Wrap::None;
            rules.capture = rules.capture.map(|_| Capture::by(MoveSet::Edges));
        }
        rules.officers = match board.open_count() {
            ..8 => officers,
            8..13 => officers.min(2),
            _ => 1,
        };
        (board, rules)
    })
}
