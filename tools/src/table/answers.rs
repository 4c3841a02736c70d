//! Answers about positions and lines as the program's JSON has them: of the commands with `--json`, and of
//! the server.

use crate::output::json::{JsonCell, JsonPieces, is_zero};
use dragnet_formats::{
    cell::Side,
    rules::Undecided,
    value::{Outcome, Plies, Value},
};
use dragnet_probe::{Choice, Line, Position};
use schemars::JsonSchema;
use serde::Serialize;

/// A position of a pursuit table, with the value of each move.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PositionAnswer {
    /// Winner with best play.
    outcome: Outcome,
    /// Winner if a draw counts as a win. Absent unless the rules count draws as a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Side>,
    /// Distance to the win. `null` for a draw.
    dtw: Option<Plies>,
    /// The world. Absent in world 0.
    #[serde(skip_serializing_if = "is_zero")]
    world: u32,
    /// The side to move.
    turn: Side,
    /// Where the officers stand.
    police: JsonPieces,
    /// Where the thief stands.
    thief: JsonCell,
    /// Every move, best first; empty at the end of the game.
    moves: Vec<MoveAnswer>,
}

/// A move, and the value of the position after it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MoveAnswer {
    /// The cell of the thief, or the cells of all officers, after the move.
    to: JsonPieces,
    /// The world after the move. Absent in world 0.
    #[serde(skip_serializing_if = "is_zero")]
    world: u32,
    #[serde(flatten)]
    value: ValueAnswer,
}

/// The value of a position of a pursuit game.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ValueAnswer {
    /// Winner with best play.
    outcome: Outcome,
    /// Distance to the win. `null` for a draw.
    dtw: Option<Plies>,
}

impl ValueAnswer {
    /// Returns the value of a position with `turn` to move.
    pub(crate) fn new(value: Value, turn: Side) -> ValueAnswer {
        ValueAnswer { outcome: value.outcome(turn), dtw: value.dtw() }
    }
}

impl PositionAnswer {
    /// Returns the answer about `position`, whose value and moves are given, under rules that count a draw as
    /// `undecided` says.
    pub(crate) fn new(
        position: Position,
        value: Value,
        moves: &[Choice],
        undecided: Undecided,
    ) -> PositionAnswer {
        let moves = moves
            .iter()
            .map(|choice| MoveAnswer {
                to: (&choice.to).into(),
                world: choice.position.world,
                value: ValueAnswer::new(choice.value, choice.position.turn),
            })
            .collect();
        PositionAnswer {
            outcome: value.outcome(position.turn),
            winner: counted_winner(value.outcome(position.turn), undecided),
            dtw: value.dtw(),
            world: position.world,
            turn: position.turn,
            police: (&position.police).into(),
            thief: position.thief.into(),
            moves,
        }
    }
}

/// Returns the side that wins a position of this outcome, under rules that count a draw as a win.
pub(crate) fn counted_winner(outcome: Outcome, undecided: Undecided) -> Option<Side> {
    match undecided {
        Undecided::Draw => None,
        _ => outcome.counted(undecided).winner(),
    }
}

/// Optimal play from a position to the end.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LineAnswer {
    #[serde(flatten)]
    value: ValueAnswer,
    /// The world. Absent in world 0.
    #[serde(skip_serializing_if = "is_zero")]
    world: u32,
    /// The side to move.
    turn: Side,
    /// Where the officers stand.
    police: JsonPieces,
    /// Where the thief stands.
    thief: JsonCell,
    /// The plies, in order.
    moves: Vec<LineMoveAnswer>,
    /// Winner after the last ply, or that the position repeats, which is a draw.
    end: LineEndAnswer,
}

/// The end of a line of play.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum LineEndAnswer {
    Police,
    Thief,
    Repetition,
}

impl From<Option<Side>> for LineEndAnswer {
    fn from(winner: Option<Side>) -> LineEndAnswer {
        match winner {
            Some(Side::Police) => LineEndAnswer::Police,
            Some(Side::Thief) => LineEndAnswer::Thief,
            None => LineEndAnswer::Repetition,
        }
    }
}

/// A move of a line, and the value of the position after it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct LineMoveAnswer {
    /// Side that moves.
    side: Side,
    #[serde(flatten)]
    step: MoveAnswer,
}

impl From<&Line> for LineAnswer {
    fn from(line: &Line) -> LineAnswer {
        let Position { world, police, thief, turn } = line.start;
        let moves = line
            .moves
            .iter()
            .map(|m| LineMoveAnswer {
                side: m.side,
                step: MoveAnswer {
                    to: (&m.to).into(),
                    world: m.position.world,
                    value: ValueAnswer::new(m.value, m.position.turn),
                },
            })
            .collect();
        LineAnswer {
            value: ValueAnswer::new(line.value, turn),
            world,
            turn,
            police: (&police).into(),
            thief: thief.into(),
            moves,
            end: line.end.winner().into(),
        }
    }
}
