//! Puts a Tiled map together: external tilesets, templates, groups, offsets and the part that is the board.

use super::{
    json,
    places::Places,
    raw::{Content, TiledLayer, TiledMap, TiledObject, TiledTile},
    xml,
};
use crate::{
    failure::Failure,
    maps::{
        beside::ReadBeside,
        frame::{Frame, Patch},
        limits::{Budget, check_objects},
        markup::quoted,
        model::{CellValue, Grid, Lattice, Layer, Map, Object, Properties, Values},
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// The most templates and tilesets in files of their own.
const MOST_FILES: usize = 1 << 10;

/// A layer out of its groups.
struct FlatLayer {
    name: String,
    properties: Properties,
    content: FlatContent,
}

enum FlatContent {
    Cells(Vec<Patch>),
    /// Objects, and how far their layer is moved.
    Objects(Vec<TiledObject>, [f64; 2]),
}

/// Puts the map together.
///
/// # Errors
/// When a file that it names cannot be read, or its orientation or size cannot be a board's.
pub(super) fn map(map: TiledMap, beside: &ReadBeside, mut budget: Budget) -> Result<Map, Failure> {
    let lattice = lattice(&map)?;
    if map.tile.contains(&0) {
        return Err(Failure::input("expected tiles of at least 1 by 1 pixels, found a side of 0"));
    }
    let values = Arc::new(values(&map, beside)?);
    let mut notes = Vec::new();
    let mut flat = Vec::new();
    flatten(map.layers, [0.0, 0.0], map.tile, &mut flat, &mut notes);
    let frame = match map.infinite {
        false => Frame { at: [0, 0], height: map.height, width: map.width },
        true => Frame::around(flat.iter().flat_map(|layer| match &layer.content {
            FlatContent::Cells(patches) => patches.as_slice(),
            FlatContent::Objects(..) => Default::default(),
        }))?,
    };
    // Objects of hexagonal maps are counted in cells; those of isometric ones by the height of tiles.
    let cell = match (lattice, map.orientation.as_str()) {
        (Lattice::Hexagons { .. }, _) => [1, 1],
        (_, "isometric") => [map.tile[1]; 2],
        _ => map.tile,
    };
    let grid = Grid { height: frame.height, width: frame.width, cell };
    Budget::new().take(grid.height, grid.width)?;
    let places = Places {
        lattice,
        tile: map.tile,
        hexagon: &map.hexagon,
        isometric: map.orientation == "isometric",
        grid,
        frame,
    };
    let mut templates = BTreeMap::new();
    let (mut layers, mut objects) = (Vec::new(), Vec::new());
    for FlatLayer { name, properties, content } in flat {
        match content {
            FlatContent::Cells(patches) => {
                let cells = frame.gather(&patches, &mut budget)?;
                layers.push(Layer { name, properties, grid, cells, values: Arc::clone(&values) });
            }
            FlatContent::Objects(found, offset) => {
                check_objects(objects.len() + found.len())?;
                for mut object in found {
                    if let Some(file) = object.template.take() {
                        complete(&mut object, file, &mut templates, beside)?;
                    }
                    let properties: Properties =
                        properties.clone().into_iter().chain(object.properties.clone()).collect();
                    objects.push(Object { layer: name.clone(), properties, ..places.object(object, offset) });
                }
            }
        }
    }
    Ok(Map {
        form: "Tiled map",
        lattice,
        grid,
        origin: frame.at,
        has_meanings: false,
        layers,
        objects,
        notes,
    })
}

fn lattice(map: &TiledMap) -> Result<Lattice, Failure> {
    match map.orientation.as_str() {
        "orthogonal" | "isometric" | "" => Ok(Lattice::Squares),
        "hexagonal" => Ok(Lattice::Hexagons {
            columns: map.hexagon.stagger_axis.as_deref() == Some("x"),
            odd: map.hexagon.stagger_index.as_deref() != Some("even"),
        }),
        "staggered" => Err(Failure::input(
            "orientation: expected orthogonal, isometric or hexagonal, found staggered, whose rows are \
             moved by half a tile",
        )
        .with_hint("Tiled cannot convert it; draw the map with the orientation isometric")),
        other => {
            let found = quoted(other);
            Err(Failure::input(format!(
                "orientation: expected orthogonal, isometric or hexagonal, found {found}"
            )))
        }
    }
}

/// Returns whether the text of a file is XML, not JSON.
fn is_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}

/// Returns what the tilesets say of the numbers in cells.
fn values(map: &TiledMap, beside: &ReadBeside) -> Result<Values, Failure> {
    let mut values = Values::new();
    let external = map.tilesets.iter().filter(|tileset| tileset.source.is_some()).count();
    if external > MOST_FILES {
        return Err(Failure::input(format!(
            "expected at most {MOST_FILES} external tilesets, found {external}"
        )));
    }
    for tileset in &map.tilesets {
        let mut add = |tiles: &[TiledTile]| {
            for tile in tiles {
                let Some(number) = tileset.first.checked_add(tile.id) else { continue };
                let value: &mut CellValue = values.entry(number).or_default();
                if !tile.class.is_empty() {
                    value.name = Some(tile.class.clone());
                }
                value.has_shape |= tile.has_shape;
                value.properties.extend(tile.properties.clone());
            }
        };
        match &tileset.source {
            None => add(&tileset.tiles),
            // Tilesets that Tiled has within itself.
            Some(source) if source.starts_with(":/") => {}
            Some(source) => {
                let about = |failure: Failure| failure.about(format!("tileset {}", quoted(source)));
                let bytes = beside(source).map_err(about)?;
                let read = if is_xml(&bytes) { xml::tileset(&bytes) } else { json::tileset(&bytes) };
                add(&read.map_err(about)?);
            }
        }
    }
    Ok(values)
}

/// Appends the layers with those in groups, each moved as far as its groups are.
fn flatten(
    layers: Vec<TiledLayer>,
    moved: [f64; 2],
    tile: [u32; 2],
    flat: &mut Vec<FlatLayer>,
    notes: &mut Vec<String>,
) {
    for TiledLayer { name, properties, offset, content } in layers {
        let offset = [moved[0] + offset[0], moved[1] + offset[1]];
        let content = match content {
            Content::Other => continue,
            Content::Group(layers) => {
                flatten(layers, offset, tile, flat, notes);
                continue;
            }
            Content::Objects(objects) => FlatContent::Objects(objects, offset),
            Content::Cells(mut patches) => {
                let tiles = [0, 1].map(|axis| offset[axis] / f64::from(tile[axis]));
                if tiles.iter().all(|tiles| tiles.fract() == 0.0 && tiles.abs() < 1e9) {
                    for patch in &mut patches {
                        patch.at = [
                            patch.at[0].saturating_add(tiles[1] as i64),
                            patch.at[1].saturating_add(tiles[0] as i64),
                        ];
                    }
                } else {
                    let [x, y] = offset;
                    notes.push(format!(
                        "layer {name:?} is moved by {x},{y} pixels, which are no whole tiles; read as if it \
                         were not"
                    ));
                }
                FlatContent::Cells(patches)
            }
        };
        flat.push(FlatLayer { name, properties, content });
    }
}

/// Fills in what an object takes from its template, which is read once.
fn complete(
    object: &mut TiledObject,
    file: String,
    templates: &mut BTreeMap<String, TiledObject>,
    beside: &ReadBeside,
) -> Result<(), Failure> {
    if !templates.contains_key(&file) {
        let about = |failure: Failure| failure.about(format!("template {}", quoted(&file)));
        if templates.len() == MOST_FILES {
            return Err(Failure::input(format!("expected at most {MOST_FILES} templates, found more")));
        }
        let bytes = beside(&file).map_err(about)?;
        let read = if is_xml(&bytes) { xml::template(&bytes) } else { json::template(&bytes) };
        let read = read.map_err(about)?;
        templates.insert(file.clone(), read);
    }
    if let Some(template) = templates.get(&file) {
        object.complete(template);
    }
    Ok(())
}
