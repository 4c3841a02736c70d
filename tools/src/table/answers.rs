//! Answers about positions and lines as the program's JSON has them: of the commands with `--json`, and of
//! the server.

use crate::output::human;
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::{Pieces, PiecesError},
    rules::Undecided,
    value::{Outcome, Plies, Value},
};
use dragnet_probe::{Choice, Line, LineEnd, Position};
use serde::{Deserialize, Serialize};

/// The value of a position, and of each move.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub(crate) struct PositionAnswer {
    /// The side that wins with best play, or draw.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::outcome))]
    outcome: Outcome,
    /// The side that wins, under rules that count a draw as a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::side))]
    winner: Option<Side>,
    /// The distance to the win in plies, null for a draw.
    dtw: Option<Plies>,
    /// The side to move.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::side))]
    turn: Side,
    /// The cell of the officer, or a list of the cells of several.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::pieces))]
    police: serde_json::Value,
    /// The row and column of the thief.
    thief: [u16; 2],
    /// Every legal move, best first; none if the position is terminal.
    moves: Vec<MoveAnswer>,
}

/// A move, and the value of the position after it.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub(crate) struct MoveAnswer {
    /// The cell, or the cells of several officers, after the move.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::pieces))]
    to: serde_json::Value,
    /// The side that wins after the move, or draw.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::outcome))]
    outcome: Outcome,
    /// The distance to the win after the move in plies, null for a draw.
    dtw: Option<Plies>,
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
                to: human::pieces_json(&choice.to),
                outcome: choice.value.outcome(choice.position.turn),
                dtw: choice.value.dtw(),
            })
            .collect();
        PositionAnswer {
            outcome: value.outcome(position.turn),
            winner: counted_winner(value.outcome(position.turn), undecided),
            dtw: value.dtw(),
            turn: position.turn,
            police: human::pieces_json(&position.police),
            thief: pair(position.thief),
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
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub(crate) struct LineAnswer {
    /// The side that wins with best play, or draw.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::outcome))]
    outcome: Outcome,
    /// The distance to the win in plies, null for a draw.
    dtw: Option<Plies>,
    /// The side that moves first.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::side))]
    turn: Side,
    /// The cell of the officer, or a list of the cells of several.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::pieces))]
    police: serde_json::Value,
    /// The row and column of the thief.
    thief: [u16; 2],
    /// The moves in turn.
    moves: Vec<LineMoveAnswer>,
    /// The side that has won in the end, or "repetition".
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::line_end))]
    end: &'static str,
}

/// A move of a line, and the value of the position after it.
#[derive(Serialize)]
#[cfg_attr(feature = "serve", derive(utoipa::ToSchema))]
pub(crate) struct LineMoveAnswer {
    /// The side that moves.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::side))]
    side: Side,
    /// The cell, or the cells of several officers, after the move.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::pieces))]
    to: serde_json::Value,
    /// The side that wins after the move, or draw.
    #[cfg_attr(feature = "serve", schema(schema_with = schemas::outcome))]
    outcome: Outcome,
    /// The distance to the win after the move in plies, null for a draw.
    dtw: Option<Plies>,
}

impl From<&Line> for LineAnswer {
    fn from(line: &Line) -> LineAnswer {
        let Position { police, thief, turn } = line.start;
        let moves = line
            .moves
            .iter()
            .map(|m| LineMoveAnswer {
                side: m.side,
                to: human::pieces_json(&m.to),
                outcome: m.value.outcome(m.position.turn),
                dtw: m.value.dtw(),
            })
            .collect();
        LineAnswer {
            outcome: line.value.outcome(turn),
            dtw: line.value.dtw(),
            turn,
            police: human::pieces_json(&police),
            thief: pair(thief),
            moves,
            end: match line.end {
                LineEnd::Won(Side::Police) => "police",
                LineEnd::Won(Side::Thief) => "thief",
                LineEnd::Repetition => "repetition",
            },
        }
    }
}

/// The cells of pieces in JSON that was read: a single cell as `[row, column]`, several as a list of these.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum JsonPieces {
    One([u16; 2]),
    Several(Vec<[u16; 2]>),
}

impl TryFrom<JsonPieces> for Pieces {
    type Error = PiecesError;

    fn try_from(pieces: JsonPieces) -> Result<Pieces, PiecesError> {
        let cell = |[row, col]: [u16; 2]| Cell { row, col };
        match pieces {
            JsonPieces::One(pair) => Ok(Pieces::one(cell(pair))),
            JsonPieces::Several(pairs) => Pieces::new(&pairs.into_iter().map(cell).collect::<Vec<_>>()),
        }
    }
}

fn pair(cell: Cell) -> [u16; 2] {
    [cell.row, cell.col]
}

/// The schemas of values whose types say less than their form.
#[cfg(feature = "serve")]
pub(crate) mod schemas {
    use utoipa::openapi::{
        RefOr,
        schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, Type},
    };

    fn words(words: &[&str]) -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(words.iter().copied())).into()
    }

    pub(crate) fn outcome() -> RefOr<Schema> {
        words(&["police", "thief", "draw"])
    }

    pub(crate) fn side() -> RefOr<Schema> {
        words(&["police", "thief"])
    }

    pub(crate) fn line_end() -> RefOr<Schema> {
        words(&["police", "thief", "repetition"])
    }

    /// Returns the schema of a cell, `[row, column]`, or a list of cells.
    pub(crate) fn pieces() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let cell =
            Schema::from(ArrayBuilder::new().items(number.build()).min_items(Some(2)).max_items(Some(2)));
        let cells = ArrayBuilder::new().items(RefOr::T(cell.clone())).min_items(Some(2)).build();
        OneOfBuilder::new().item(cell).item(cells).into()
    }
}
