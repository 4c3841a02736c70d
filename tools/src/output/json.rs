//! Cells, values and numbers as the program's JSON documents have them, with their JSON Schemas.
//!
//! The title of a schema is the phrase for it in the tables of `docs/json.md`.

use dragnet_formats::{
    cell::Cell,
    pieces::{Pieces, PiecesError},
    value::Value,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Returns whether a number is 0, for fields that are absent then.
pub(crate) fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A cell as `[row, column]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "`[row, column]`")]
pub(crate) struct JsonCell([u16; 2]);

impl From<Cell> for JsonCell {
    fn from(cell: Cell) -> JsonCell {
        JsonCell([cell.row, cell.col])
    }
}

impl From<JsonCell> for Cell {
    fn from(JsonCell([row, col]): JsonCell) -> Cell {
        Cell { row, col }
    }
}

/// The cells of a side's pieces: of a single one `[row, column]`, of several a list of these.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(title = "`[row, column]`, of several officers a list of these")]
pub(crate) enum JsonPieces {
    One(JsonCell),
    Several(#[schemars(length(min = 2))] Vec<JsonCell>),
}

impl From<&Pieces> for JsonPieces {
    fn from(pieces: &Pieces) -> JsonPieces {
        match pieces[..] {
            [one] => JsonPieces::One(one.into()),
            _ => JsonPieces::Several(pieces.iter().copied().map(JsonCell::from).collect()),
        }
    }
}

impl TryFrom<JsonPieces> for Pieces {
    type Error = PiecesError;

    fn try_from(pieces: JsonPieces) -> Result<Pieces, PiecesError> {
        match pieces {
            JsonPieces::One(cell) => Ok(Pieces::one(cell.into())),
            JsonPieces::Several(cells) => Pieces::new(&cells.into_iter().map(Cell::from).collect::<Vec<_>>()),
        }
    }
}

/// Pieces in JSON, for fields of the type [`Pieces`].
pub(crate) mod cells {
    use super::{Deserialize, JsonPieces, Pieces, Serialize};
    use serde::{Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(pieces: &Pieces, to: S) -> Result<S::Ok, S::Error> {
        JsonPieces::from(pieces).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Pieces, D::Error> {
        Pieces::try_from(JsonPieces::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// A number of 64 bits as 16 hexadecimal digits: JSON has no exact integers of that size.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(into = "String")]
#[schemars(title = "16 hexadecimal digits", extend("pattern" = "^[0-9a-f]{16}$"))]
pub(crate) struct Hex(pub(crate) u64);

impl From<Hex> for String {
    fn from(Hex(number): Hex) -> String {
        format!("{number:016x}")
    }
}

/// The value of a position of a numbered game, for the player to move.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum PlayerResult {
    Won,
    Drawn,
    Lost,
}

impl From<Value> for PlayerResult {
    fn from(value: Value) -> PlayerResult {
        match value {
            Value::Win(_) => PlayerResult::Won,
            Value::Draw => PlayerResult::Drawn,
            Value::Loss(_) => PlayerResult::Lost,
        }
    }
}

impl fmt::Display for PlayerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PlayerResult::Won => "won",
            PlayerResult::Drawn => "drawn",
            PlayerResult::Lost => "lost",
        })
    }
}
