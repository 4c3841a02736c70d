//! Rules files.

use dragnet_formats::{
    board::{Board, text},
    cell::Side,
    header::{Header, Summary},
    moves::{MoveTable, Steps},
    numbering::TileSize,
    rules::Rules,
};
use std::sync::LazyLock;

/// Boards on which a step can miss, meet itself, and come to one cell on two ways.
static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let boards = [".\n", "......\n", ".\n.\n#\nE\n", "..#\n.E.\n", ".....\n.#.#.\n..E..\n#....\n"];
    boards.map(|board| text::parse(board.as_bytes()).expect("a board").board).into()
});

/// Any text gives rules or an error; rules that are checked fit into a header and come back from it, and have moves on any
/// board: to open cells, each once, in reading order, to the cell itself only for a side that may pass.
///
/// # Panics
/// When a promise is broken.
pub fn rules(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules: Rules = match toml::from_str(text) {
        Ok(rules) => rules,
        Err(error) => {
            // As the program tells it: with the place, which must be one of the text.
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
    for board in &*BOARDS {
        let tile = TileSize::new(2, 2).expect("a tile size");
        let summary = Summary::of_draws(board.open_count() as u64);
        let header = Header {
            board: board.clone(),
            rules: rules.clone(),
            police_tile: tile,
            thief_tile: tile,
            summary,
        };
        let bytes = header.to_bytes().expect("checked rules fit into a header");
        assert_eq!(Header::from_bytes(&bytes), Ok(header));
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
        let most = movement.moves.offsets().len() + usize::from(movement.may_pass);
        assert!(moves.len() <= most, "{from}: {moves:?}");
    }
    let there = MoveTable::new(board, &steps);
    let back = there.transposed().transposed();
    assert_eq!(back.len(), there.len());
    assert!((0..there.cell_count()).all(|cell| there.of(cell) == back.of(cell)));
}
