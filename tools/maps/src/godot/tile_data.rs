//! The cells of Godot's tile maps.

use super::{section::Value, tile_set::TileName};
use crate::error::MapError;
use base64::{Engine, engine::general_purpose::STANDARD};

/// Bytes of a cell in `tile_map_data`.
const CELL_BYTES: usize = 12;
/// The bits of an alternative that turn and mirror the tile.
const FLIPS: u16 = 0xF000;
/// The source of an empty cell.
const NO_SOURCE: u16 = u16::MAX;

/// A cell with a tile: row and column in the map's own coordinates.
pub(super) type PlacedTile = ([i64; 2], TileName);

/// Reads `tile_map_data` of a `TileMapLayer`: after a version of two bytes, twelve bytes a cell, which are
/// column and row with a sign, source, column and row in the atlas, and alternative.
///
/// # Errors
/// When the value is not such an array.
pub(super) fn of_layer(value: &Value) -> Result<Vec<PlacedTile>, MapError> {
    let Value::Call(name, arguments) = value else {
        return Err(MapError::unusable("tile_map_data: expected PackedByteArray(…), found another value"));
    };
    let bytes = match (name.as_str(), &arguments[..]) {
        ("PackedByteArray", [Value::Text(text)]) => STANDARD
            .decode(text)
            .map_err(|error| MapError::unusable(format!("tile_map_data: expected base64: {error}")))?,
        ("PackedByteArray", numbers) => {
            numbers.iter().map(|number| integer(number, "tile_map_data")).collect::<Result<Vec<u8>, _>>()?
        }
        _ => {
            return Err(MapError::unusable(
                "tile_map_data: expected PackedByteArray(…), found another value",
            ));
        }
    };
    let Some((version, cells)) = bytes.split_at_checked(2) else { return Ok(Vec::new()) };
    if version != [0, 0] {
        let version = u16::from_le_bytes([version[0], version[1]]);
        return Err(MapError::unusable(format!("tile_map_data: expected version 0, found {version}")));
    }
    if !cells.len().is_multiple_of(CELL_BYTES) {
        return Err(MapError::unusable(format!(
            "tile_map_data: expected {CELL_BYTES} bytes a cell, found {} bytes",
            cells.len()
        )));
    }
    let words = |cell: &[u8]| -> [u16; 6] {
        std::array::from_fn(|i| u16::from_le_bytes([cell[2 * i], cell[2 * i + 1]]))
    };
    Ok(cells.chunks_exact(CELL_BYTES).filter_map(|cell| placed(words(cell))).collect())
}

/// Reads `tile_data` of a layer of a `TileMap`, format 2: three numbers a cell, each of two halves.
///
/// # Errors
/// When the value is not such an array.
pub(super) fn of_old_layer(value: &Value) -> Result<Vec<PlacedTile>, MapError> {
    let numbers = match value {
        Value::Call(name, numbers) if name == "PackedInt32Array" => numbers,
        _ => return Err(MapError::unusable("tile_data: expected PackedInt32Array(…), found another value")),
    };
    if !numbers.len().is_multiple_of(3) {
        return Err(MapError::unusable(format!(
            "tile_data: expected 3 numbers a cell, found {} numbers",
            numbers.len()
        )));
    }
    let mut tiles = Vec::new();
    for cell in numbers.chunks_exact(3) {
        let mut words = [0; 6];
        for (pair, number) in words.chunks_exact_mut(2).zip(cell) {
            let number = integer::<i32>(number, "tile_data")? as u32;
            pair.copy_from_slice(&[number as u16, (number >> 16) as u16]);
        }
        tiles.extend(placed(words));
    }
    Ok(tiles)
}

/// Returns the tile that six numbers place, if it is one.
fn placed([column, row, source, atlas_column, atlas_row, alternative]: [u16; 6]) -> Option<PlacedTile> {
    let at = [row, column].map(|number| i64::from(number.cast_signed()));
    let tile = TileName { source, atlas: [atlas_column, atlas_row], alternative: alternative & !FLIPS };
    (source != NO_SOURCE).then_some((at, tile))
}

fn integer<T: TryFrom<i64>>(value: &Value, name: &str) -> Result<T, MapError> {
    let number = match value {
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            T::try_from(*number as i64).ok()
        }
        _ => None,
    };
    number.ok_or_else(|| {
        MapError::unusable(format!("{name}: expected a list of numbers, found another value in it"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(at: [i64; 2], source: u16, atlas: [u16; 2], alternative: u16) -> PlacedTile {
        (at, TileName { source, atlas, alternative })
    }

    #[test]
    fn all_forms_of_cells_are_read() {
        let bytes = [0, 0, 255, 255, 2, 0, 1, 0, 3, 0, 4, 0, 0, 16, 5, 0, 6, 0, 255, 255, 0, 0, 0, 0, 0, 0];
        let expected = vec![tile([2, -1], 1, [3, 4], 0)];
        let numbers = bytes.map(|byte| Value::Number(f64::from(byte))).to_vec();
        let listed = Value::Call("PackedByteArray".to_owned(), numbers);
        assert_eq!(of_layer(&listed).unwrap(), expected);
        let text = Value::Call("PackedByteArray".to_owned(), vec![Value::Text(STANDARD.encode(bytes))]);
        assert_eq!(of_layer(&text).unwrap(), expected);
        // Column -1 and row 2; source 1 and column 3 of the atlas; row 4 and alternative 1.
        let numbers = [196_607.0, 196_609.0, 65_540.0].map(Value::Number).to_vec();
        let old = Value::Call("PackedInt32Array".to_owned(), numbers);
        assert_eq!(of_old_layer(&old).unwrap(), [tile([2, -1], 1, [3, 4], 1)]);
    }

    #[test]
    fn arrays_that_are_cut_short_are_refused() {
        let call = |name: &str, numbers: &[f64]| {
            Value::Call(name.to_owned(), numbers.iter().copied().map(Value::Number).collect())
        };
        assert!(
            of_layer(&call("PackedByteArray", &[0.0, 0.0, 1.0]))
                .unwrap_err()
                .to_string()
                .contains("12 bytes a cell")
        );
        assert!(
            of_layer(&call("PackedByteArray", &[1.0, 0.0]))
                .unwrap_err()
                .to_string()
                .contains("expected version 0, found 1")
        );
        assert!(of_layer(&call("PackedByteArray", &[256.0])).is_err());
        assert!(of_layer(&call("PackedInt32Array", &[])).is_err());
        assert!(
            of_old_layer(&call("PackedInt32Array", &[1.0, 2.0]))
                .unwrap_err()
                .to_string()
                .contains("3 numbers a cell")
        );
        assert_eq!(of_layer(&call("PackedByteArray", &[])).unwrap(), []);
    }
}
