//! The places of pieces, for pictures of the board.

use crate::failure::Failure;
use dragnet_formats::{
    cell::{Cell, Side},
    header::Header,
    value::Value,
};
use dragnet_probe::{Position, ProbeError, Table};

/// Returns the number of the layer of `side` that a user names: by its number, or by its name if no other one
/// has it.
///
/// # Errors
/// When there is no such layer, or several.
pub(crate) fn layer_called(header: &Header, side: Side, named: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = header.layers(side).collect();
    let mut called = (0..names.len()).filter(|&layer| names[layer] == named);
    let by_name = called.next().filter(|_| called.next().is_none());
    let by_number = || named.parse().ok().filter(|&layer| layer < names.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let layers = match names.len() {
            0 => format!("no layer, since there is no {side}"),
            1 => format!("0, the only layer of the {side}"),
            count => format!("a layer of the {side}, 0 to {} or a name of {}", count - 1, names.join(", ")),
        };
        Failure::input(format!("--layer: expected {layers}, found {named}"))
    })
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
