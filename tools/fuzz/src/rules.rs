//! The harness of rules files.

use crate::games::compile;
use dragnet_formats::{
    board::{Board, Scenario, text},
    cell::{Cell, Side},
    game::MoveTable,
    graph::GraphBuilder,
    moves::Steps,
    numbering::TileSize,
    rules::Rules,
    setting::Setting,
    stop::StopCheck,
};
use std::sync::LazyLock;

/// Boards on which a step can miss, return to its start, and reach a cell in two ways.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let boards = [".\n", "......\n", ".\n.\n#\nE\n", "..#\n.E.\n", ".....\n.#.#.\n..E..\n#....\n"];
    let mut boards: Vec<Board> =
        boards.map(|board| text::parse(board.as_bytes()).expect("a board").board).into();
    let mut graph = GraphBuilder::new();
    for (from, to) in [(0, 1), (1, 2), (2, 0), (2, 3)] {
        graph.add(from, to).expect("an edge");
    }
    let graph = Board::of_graph(&graph.build()).expect("a board");
    boards.push(graph.with_exits(&[Cell::new(0, 2)]).expect("a vertex"));
    boards
});

/// Checks that any text is rules or an error whose place lies in the text.
///
/// Rules come back from TOML. Rules that pass [`Rules::check`] come back from the source of a table too, and
/// have moves on any board: to open cells, each once, in reading order, and to the cell itself only for a
/// side that may pass. The sections of a table keep these moves.
///
/// # Panics
/// Panics if a promise is broken.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules: Rules = match toml::from_str(text) {
        Ok(rules) => rules,
        Err(error) => {
            // The program shows the place, which must lie in the text.
            let span = error.span().unwrap_or_default();
            assert!(text.get(span.clone()).is_some(), "{span:?} of {} bytes", text.len());
            return;
        }
    };
    let written = toml::to_string(&rules).expect("rules can be written");
    assert_eq!(toml::from_str::<Rules>(&written).as_ref(), Ok(&rules));
    if rules.check().is_err() {
        return;
    }
    let tile = TileSize::new(1, 1).expect("a tile size");
    for board in BOARDS.iter().filter(|board| rules.check_on(board).is_ok()) {
        let setting = Setting::new(Scenario::from_board(board.clone()), rules.clone());
        assert_eq!(Setting::from_source(&setting.to_source()).as_ref(), Ok(&setting));
        let game = compile(&setting);
        let packed = game.pack([tile, tile]).expect("a small game");
        let again = packed.unpack(&mut StopCheck::never()).expect("it was packed");
        assert_eq!(again.pack([tile, tile]).expect("a small game").blocks(), packed.blocks());
        for side in Side::BOTH {
            moves(board, &rules, side);
        }
    }
}

fn moves(board: &Board, rules: &Rules, side: Side) {
    let steps = Steps::new(rules, side);
    let movement = rules.movement(side);
    for from in board.open_cells() {
        let moves = steps.moves_from(board, from);
        assert!(moves.is_sorted_by(|a, b| a < b), "{from}: {moves:?}");
        assert!(moves.iter().all(|&to| board.is_open(to)), "{from}: {moves:?}");
        assert_eq!(moves.contains(&from), movement.may_pass, "{from}: {moves:?}");
        let steps = match board.graph() {
            Some(graph) => graph.successors(from.col.into()).len(),
            None => movement.most_targets() as usize,
        };
        let most = steps + usize::from(movement.may_pass);
        assert!(moves.len() <= most || movement.steps > 1, "{from}: {moves:?}");
    }
    let there = MoveTable::new(board, &steps);
    let back = there.transposed().transposed();
    assert_eq!(back.len(), there.len());
    assert!((0..there.places()).all(|cell| there.of(cell) == back.of(cell)));
}
