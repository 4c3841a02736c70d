//! What officers and guards see.

use crate::{answer::Answer, description::cell, failure::Failure, game::GameRequest};
use dragnet_formats::{
    cell::Cell,
    look::Direction,
    rules::{Capture, Sight},
    setting::Setting,
    sight::View,
};
use serde::Deserialize;
use serde_json::json;

/// A request for what the pieces of a game see.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeenRequest {
    game: GameRequest,
    /// The number of the world.
    world: u32,
    /// The officers' cells, on the grid of their layers.
    police: Vec<[u16; 2]>,
}

/// Returns the square under a cell of the grid of officers, and the direction in which one looks who stands
/// there.
fn post(setting: &Setting, [row, col]: [u16; 2]) -> Result<(Cell, Option<Direction>), Failure> {
    let Setting { board, rules, .. } = setting;
    let square = board.require_open(Cell::new(row % board.height(), col))?;
    let Some(directions) = rules.police.look else { return Ok((square, None)) };
    let state = row / board.height() / u16::from(rules.most_turns(&rules.police));
    let look = Direction::ALL.get(usize::from(state) * 8 / usize::from(directions));
    let expected = || Failure::input(format!("expected an officer on one of the layers, found {row},{col}"));
    Ok((square, Some(*look.ok_or_else(expected)?)))
}

/// Tells where the guards stand in a world, and the squares that they and the officers see.
pub(crate) fn seen(request: &SeenRequest) -> Result<Answer, Failure> {
    let setting = request.game.read_setting()?;
    let Setting { board, rules, guards, .. } = &setting;
    let seen = |from: Cell, sight: Sight, look: Option<Direction>| {
        let cells = View::new(board, &rules.opaque).seen(from, sight, look);
        cells.into_iter().map(cell).collect::<Vec<_>>()
    };
    let sight = match rules.capture_of(&rules.police) {
        Some(Capture::Seen(sight)) => Some(*sight),
        _ => None,
    };
    let officers = request.police.iter().map(|&officer| {
        let (from, look) = post(&setting, officer)?;
        Ok(sight.map_or_else(Vec::new, |sight| seen(from, sight, look)))
    });
    let guards = guards.at(setting.worlds().get(request.world).tick);
    let guards = guards.map(|(guard, post)| {
        let own = cell(post.cell);
        let seen = guard.sight.map_or_else(|| vec![own], |sight| seen(post.cell, sight, post.look));
        json!({ "cell": own, "seen": seen })
    });
    Answer::of(&json!({
        "police": officers.collect::<Result<Vec<_>, Failure>>()?,
        "guards": guards.collect::<Vec<_>>(),
    }))
}
