//! `dragnet probe` of a partial table.

use super::{Probe, print_json};
use crate::{
    failure::Failure,
    output::{
        console::print_line,
        human,
        json::{JsonCell, JsonPieces, is_zero},
    },
};
use dragnet_formats::{cell::Side, header::Keep};
use dragnet_probe::{Outcome, PartialTable, Position, ProbeError};
use schemars::JsonSchema;
use serde::Serialize;

/// The position about which a partial table is asked.
#[derive(Serialize, JsonSchema)]
struct AskedPosition {
    /// The world. Absent in world 0.
    #[serde(skip_serializing_if = "is_zero")]
    world: u32,
    /// The side to move.
    turn: Side,
    /// Where the officers stand.
    police: JsonPieces,
    /// Where the thief stands.
    thief: JsonCell,
}

impl From<Position> for AskedPosition {
    fn from(Position { world, police, thief, turn }: Position) -> AskedPosition {
        AskedPosition { world, turn, police: (&police).into(), thief: thief.into() }
    }
}

/// A position of a partial table that keeps who wins.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OutcomeAnswer {
    #[serde(flatten)]
    position: AskedPosition,
    /// Winner with best play; a draw counts as the rules say.
    outcome: Outcome,
}

/// A position of a partial table that keeps moves.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BestMoveAnswer {
    #[serde(flatten)]
    position: AskedPosition,
    /// Where the side to move best goes: the cell of the thief, or the cells of all officers. `null` if there
    /// is no move.
    best_move: Option<JsonPieces>,
    /// The world after that move. Absent in world 0.
    #[serde(skip_serializing_if = "is_zero")]
    world_after: u32,
}

impl Probe {
    pub(super) fn partial(&self, table: &PartialTable) -> Result<(), Failure> {
        let in_table = |failure: Failure| failure.in_file(&self.table);
        if self.stdin || self.vertex.is_some() || !self.graph.is_empty() {
            let message = "a partial table answers one position at a time: expected --police and --thief";
            return Err(in_table(Failure::input(message)));
        }
        let position = self.position.position(table.board(), table.officers(), || None, |_| Ok(None))?;
        let sentence = human::position(table.board(), &position);
        let failed = |error: ProbeError| in_table(error.into());
        match table.keep() {
            Keep::Outcomes => {
                let outcome = table.outcome(position).map_err(failed)?;
                if self.json {
                    return print_json(&OutcomeAnswer { position: position.into(), outcome });
                }
                let words = match outcome {
                    Outcome::Draw => "a draw".to_owned(),
                    winner => format!("the {winner} wins"),
                };
                print_line(&format!("{sentence}: {words}"))
            }
            Keep::MovesOf(_) => {
                let after = table.best_move(position).map_err(failed)?;
                if self.json {
                    let best_move = after.map(|after| JsonPieces::from(&after.moved()));
                    let world_after = after.map_or(0, |after| after.world);
                    return print_json(&BestMoveAnswer { position: position.into(), best_move, world_after });
                }
                let words = match after {
                    Some(after) => format!("best move {}", human::pieces(table.board(), &after.moved())),
                    None => "no move".to_owned(),
                };
                print_line(&format!("{sentence}: {words}"))
            }
        }
    }
}
