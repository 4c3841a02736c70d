//! Cells of a board, and the two sides.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A cell of a board: row and column, both from 0, row 0 on top. Cells are ordered in reading order.
///
/// ```
/// use dragnet_formats::cell::Cell;
///
/// assert_eq!("3,12".parse(), Ok(Cell::new(3, 12)));
/// assert!(Cell::new(0, 9) < Cell::new(1, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u16,
    /// The column, from 0 at the left.
    pub col: u16,
}

impl Cell {
    /// Creates the cell in row `row` and column `col`.
    #[must_use]
    pub const fn new(row: u16, col: u16) -> Cell {
        Cell { row, col }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

/// The text is not a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a cell as ROW,COL with numbers from 0 to 65535, for example 3,12; found {found:?}")]
pub struct ParseCellError {
    /// The text that was given.
    pub found: String,
}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Cell, ParseCellError> {
        let error = || ParseCellError { found: text.to_owned() };
        let (row, col) = text.split_once(',').ok_or_else(error)?;
        let number = |s: &str| -> Option<u16> {
            let s = s.trim();
            s.bytes().all(|b| b.is_ascii_digit()).then(|| s.parse().ok())?
        };
        Ok(Cell { row: number(row).ok_or_else(error)?, col: number(col).ok_or_else(error)? })
    }
}

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The pursuer, who moves first in the classic game.
    Police,
    /// The fugitive.
    Thief,
}

impl Side {
    /// Both sides, police first.
    pub const BOTH: [Side; 2] = [Side::Police, Side::Thief];

    /// Returns the other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Police => Side::Thief,
            Side::Thief => Side::Police,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Police => "police",
            Side::Thief => "thief",
        })
    }
}

/// The text names neither side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected police or thief, found {found:?}")]
pub struct ParseSideError {
    /// The text that was given.
    pub found: String,
}

impl FromStr for Side {
    type Err = ParseSideError;

    fn from_str(text: &str) -> Result<Side, ParseSideError> {
        match text {
            "police" => Ok(Side::Police),
            "thief" => Ok(Side::Thief),
            _ => Err(ParseSideError { found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_parse_as_they_print_and_other_text_is_refused() {
        assert_eq!("3,12".parse(), Ok(Cell::new(3, 12)));
        assert_eq!("3, 12".parse(), Ok(Cell::new(3, 12)));
        assert_eq!(Cell::new(3, 12).to_string(), "3,12");
        for bad in ["", "3", "3;4", "-1,2", "+1,2", "70000,1", "1,2,3", ","] {
            assert!(bad.parse::<Cell>().is_err(), "{bad:?}");
        }
    }
}
