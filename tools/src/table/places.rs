//! The places of pieces, for pictures of the board.

use crate::failure::Failure;
use dragnet_formats::{
    cell::{Cell, Side},
    value::Value,
};
use dragnet_probe::{Position, ProbeError, Table};

/// Checks that a picture of the board can show each place of `side`.
///
/// # Errors
/// When the side has several layers, and so several places on a square.
pub(crate) fn require_one_layer(table: &Table, side: Side) -> Result<(), Failure> {
    match table.header().layers(side).count() {
        1 => Ok(()),
        layers => {
            let message =
                format!("no picture is possible: expected one layer of the {side}, found {layers} layers");
            Err(Failure::input(message).with_hint("probe and line show positions with a place in any layer"))
        }
    }
}

/// Returns the square of the board on which a piece stands that has its place on this cell, in whatever
/// layer.
pub(crate) fn square_of(table: &Table, cell: Cell) -> Cell {
    Cell::new(cell.row % table.header().rows(), cell.col)
}

/// Returns the value of every square of the grid of `side` as the cell of the thief or of a single officer,
/// in reading order, with all else as in `position`; `None` where the side has no place.
///
/// # Errors
/// When a piece of the other side stands on no place, there is no such world, or the table is damaged.
pub(crate) fn values_at(
    table: &Table,
    side: Side,
    position: Position,
) -> Result<Vec<Option<Value>>, ProbeError> {
    let places = &table.header().places(side);
    let mut values = vec![None; places.squares().len()];
    for (square, cell) in places.square_numbers().zip(places.cells()) {
        let at = match side {
            Side::Police => Position { police: cell.into(), ..position },
            Side::Thief => Position { thief: cell, ..position },
        };
        values[square as usize] = Some(table.value(at)?);
    }
    Ok(values)
}
