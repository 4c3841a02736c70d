//! Puts a Tiled map together: external tilesets, templates, groups, offsets and the part that is the board.

use super::{
    files::Files,
    places::Places,
    raw::{Content, TiledLayer, TiledMap, TiledObject},
};
use crate::{
    affine::{Affine, Point},
    error::{MapError, quoted, shortened},
    extent::{Extent, Patch},
    grid::{Grid, Lattice},
    limits::{Budget, check_objects},
    model::{Layer, Map, Object, Properties},
    named_files::ReadFile,
};
use std::sync::Arc;

/// A layer out of its groups.
struct FlatLayer {
    name: String,
    properties: Properties,
    /// How far it is moved, in pixels of the screen.
    offset: Point,
    parallax: Point,
    content: FlatContent,
}

enum FlatContent {
    Cells(Vec<Patch>),
    Objects(Vec<TiledObject>),
}

/// Puts the map together.
///
/// # Errors
/// When a file that it names cannot be read, or its orientation or size cannot be a board's.
pub(super) fn map(map: TiledMap, read_file: &ReadFile, mut budget: Budget) -> Result<Map, MapError> {
    let lattice = lattice(&map)?;
    if map.tile.contains(&0) {
        return Err(MapError::unusable("expected tiles of at least 1 by 1 pixels, found a side of 0"));
    }
    let is_isometric = map.orientation == "isometric";
    // Isometric maps count the pixels of objects by the height of tiles.
    let cell = if is_isometric { [map.tile[1]; 2] } else { map.tile };
    let mut grid = Grid { height: map.height, width: map.width, cell, lattice };
    let tile = map.tile.map(f64::from);
    let half = tile[0] / tile[1] / 2.0;
    let screen = match is_isometric {
        true => Affine { x: [half, 0.5], y: [-half, 0.5], origin: [0.0, 0.0] },
        false => Affine::IDENTITY,
    };
    let from_screen = screen.inverse().unwrap_or(Affine::IDENTITY);
    let mut flat = Vec::new();
    flatten(map.layers, [0.0, 0.0], [1.0, 1.0], &mut flat);
    let mut notes = Vec::new();
    for layer in &mut flat {
        notes.extend(settle(layer, from_screen.apply(layer.offset), grid));
    }
    let extent = match map.infinite {
        false => Extent { at: [0, 0], height: map.height, width: map.width },
        true => Extent::around(flat.iter().flat_map(|layer| match &layer.content {
            FlatContent::Cells(patches) => patches.as_slice(),
            FlatContent::Objects(_) => Default::default(),
        }))?,
    };
    (grid.height, grid.width) = (extent.height, extent.width);
    if let Lattice::Hexagons { columns, odd, .. } = &mut grid.lattice {
        *odd ^= extent.at[usize::from(*columns)].rem_euclid(2) == 1;
    }
    Budget::new().take(grid.height, grid.width)?;

    let start = [0, 1].map(|axis| -(extent.at[1 - axis] as f64) * grid.step()[axis]);
    let places = Places {
        screen,
        board: Affine::shift(start).after(&from_screen),
        tile,
        is_isometric,
        is_hexagonal: lattice != Lattice::Squares,
    };
    let mut files = Files::new(read_file, places);
    let tiles = files.tiles(map.tilesets)?;
    let values = Arc::new(tiles.values.clone());
    let (mut layers, mut objects) = (Vec::new(), Vec::new());
    for FlatLayer { name, properties, offset, content, .. } in flat {
        match content {
            FlatContent::Cells(patches) => {
                let cells = extent.gather(&patches, &mut budget)?;
                layers.push(Layer { name, properties, grid, cells, values: Arc::clone(&values) });
            }
            FlatContent::Objects(found) => {
                check_objects(objects.len() + found.len())?;
                for object in found {
                    let mut object = files.object(object, &tiles, offset)?;
                    for (key, value) in &properties {
                        object.properties.entry(key.clone()).or_insert_with(|| value.clone());
                    }
                    objects.push(Object { layer: name.clone(), ..object });
                }
            }
        }
    }
    Ok(Map { form: "Tiled map", grid, origin: extent.at, has_meanings: false, layers, objects, notes })
}

fn lattice(map: &TiledMap) -> Result<Lattice, MapError> {
    match map.orientation.as_str() {
        "orthogonal" | "isometric" | "" => Ok(Lattice::Squares),
        "hexagonal" => Ok(Lattice::Hexagons {
            columns: map.hexagon.stagger_axis.as_deref() == Some("x"),
            odd: map.hexagon.stagger_index.as_deref() != Some("even"),
            side: map.hexagon.side.unwrap_or(0),
        }),
        "staggered" => Err(MapError::unusable(
            "orientation: expected orthogonal, isometric or hexagonal, found staggered, whose rows are \
             moved by half a tile",
        )
        .with_hint("Tiled cannot convert it; draw the map with the orientation isometric")),
        other => {
            let found = quoted(other);
            Err(MapError::unusable(format!(
                "orientation: expected orthogonal, isometric or hexagonal, found {found}"
            )))
        }
    }
}

/// Appends the layers with those in groups, each moved as far as its groups are.
fn flatten(layers: Vec<TiledLayer>, moved: Point, parallax: Point, flat: &mut Vec<FlatLayer>) {
    for layer in layers {
        let offset = [0, 1].map(|axis| moved[axis] + layer.offset[axis]);
        let parallax = [0, 1].map(|axis| parallax[axis] * layer.parallax[axis]);
        let content = match layer.content {
            Content::Other => continue,
            Content::Group(layers) => {
                flatten(layers, offset, parallax, flat);
                continue;
            }
            Content::Objects(objects) => FlatContent::Objects(objects),
            Content::Cells(patches) => FlatContent::Cells(patches),
        };
        flat.push(FlatLayer { name: layer.name, properties: layer.properties, offset, parallax, content });
    }
}

/// Moves the cells of a layer by a distance in pixels of the map. Returns what cannot be read as it is.
fn settle(layer: &mut FlatLayer, by: Point, grid: Grid) -> Vec<String> {
    let mut notes = Vec::new();
    let name = shortened(&layer.name);
    if layer.parallax != [1.0, 1.0] {
        notes.push(format!("layer {name} moves otherwise than the camera; read as if it did not"));
    }
    let FlatContent::Cells(patches) = &mut layer.content else { return notes };
    // The lines of hexagons are alike only in pairs.
    let pair = match grid.lattice {
        Lattice::Squares => [1, 1],
        Lattice::Hexagons { columns: true, .. } => [2, 1],
        Lattice::Hexagons { columns: false, .. } => [1, 2],
    };
    let cells = [0, 1].map(|axis| by[axis] / (grid.step()[axis] * f64::from(pair[axis])));
    // Half a cell is none.
    let whole = cells.map(|cells| ((cells.abs() - 0.5).ceil() * cells.signum()).clamp(-1e9, 1e9));
    let [columns, rows] = [0, 1].map(|axis| whole[axis] as i64 * i64::from(pair[axis]));
    if (0..2).any(|axis| (cells[axis] - whole[axis]).abs() > 1e-6) {
        let [x, y] = layer.offset;
        notes.push(format!(
            "layer {name} is moved by {x},{y} pixels, which are no whole tiles; read as if it were moved by \
             {rows} rows and {columns} columns"
        ));
    }
    for patch in patches {
        patch.at = [patch.at[0].saturating_add(rows), patch.at[1].saturating_add(columns)];
    }
    notes
}
