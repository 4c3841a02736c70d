//! The cells from which the thief still gets away.

use crate::{Position, ProbeError, opponent::valued_game::ValuedGame};
use dragnet_formats::{cell::Cell, value::Outcome};

/// The outcome at perfect play for every cell on which the thief could stand, with the officers and the turn
/// as they are. The cells of the outcome [`Outcome::Thief`] are the cone of his escape: a map of them shows
/// at a glance which way the police has closed and which is still open.
///
/// ```
/// use dragnet_probe::{Cell, Open, Outcome, Position, Side, opponent::EscapeCone};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
/// let table = Open::path(path).pursuit()?;
/// let position = Position::new(Cell::new(0, 0), Cell::new(2, 1), Side::Police);
/// let cone = EscapeCone::new(&table, position)?;
/// assert_eq!(cone.outcome(Cell::new(2, 1)), Some(Outcome::Police));
/// assert_eq!(cone.outcome(Cell::new(2, 3)), Some(Outcome::Thief));
/// assert_eq!(cone.outcome(Cell::new(1, 1)), None, "a wall");
/// # Ok::<(), dragnet_probe::ProbeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscapeCone {
    /// The cells in reading order.
    cells: Vec<(Cell, Outcome)>,
}

impl EscapeCone {
    /// Asks for all open cells.
    ///
    /// # Errors
    /// When an officer stands off the board or on a wall, or the table is damaged.
    pub fn new<G: ValuedGame>(game: &G, position: Position) -> Result<EscapeCone, ProbeError> {
        EscapeCone::of_cells(game, position, game.board().open_cells())
    }

    /// Asks for some cells, such as those in sight on a large board; those that are not open are left out.
    ///
    /// # Errors
    /// When an officer stands off the board or on a wall, or the table is damaged.
    pub fn of_cells<G: ValuedGame>(
        game: &G,
        position: Position,
        cells: impl IntoIterator<Item = Cell>,
    ) -> Result<EscapeCone, ProbeError> {
        let is_open = |&cell: &Cell| game.board().is_open(cell);
        let mut cells: Vec<Cell> = cells.into_iter().filter(is_open).collect();
        cells.sort_unstable();
        cells.dedup();
        let placed = |&thief: &Cell| Position { thief, ..position };
        let positions: Vec<Position> = cells.iter().map(placed).collect();
        let values = game.values(&positions)?;
        let outcomes = values.into_iter().map(|value| value.outcome(position.turn));
        Ok(EscapeCone { cells: cells.into_iter().zip(outcomes).collect() })
    }

    /// Returns the outcome with the thief on `cell`; `None` if the cell was not asked for or is not open.
    #[must_use]
    pub fn outcome(&self, cell: Cell) -> Option<Outcome> {
        let at = self.cells.binary_search_by_key(&cell, |&(asked, _)| asked).ok()?;
        Some(self.cells[at].1)
    }

    /// Returns the cells in reading order, each with its outcome.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Outcome)> + '_ {
        self.cells.iter().copied()
    }

    /// Returns the sign that stands for an outcome on a map of text: `+` where the thief gets away, `=` for a
    /// draw, `-` where he is caught.
    #[must_use]
    pub fn sign(outcome: Outcome) -> char {
        match outcome {
            Outcome::Thief => '+',
            Outcome::Draw => '=',
            Outcome::Police => '-',
        }
    }

    /// Returns how many cells have this outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.cells.iter().filter(|&&(_, other)| other == outcome).count()
    }
}
