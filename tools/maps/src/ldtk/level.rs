//! A level of an LDtk project as a map.

use super::project::{Definitions, EntityInstance, LayerInstance, LdtkLevel, PlacedTile};
use crate::{
    affine::{Affine, Point},
    error::{MapError, quoted, shortened},
    extent::{Extent, Patch},
    grid::{Grid, Lattice},
    json_text::text_of,
    limits::{Budget, check_objects},
    model::{CellValue, Layer, Map, Meaning, Object, Properties, UNNUMBERED, Values},
    role_names::is_round,
    selector::parse_letter,
    shape::{Outline, Shape},
};
use serde_json::Value;
use std::sync::Arc;

/// Returns the level as a map. Each layer keeps the size of its own cells.
///
/// # Errors
/// When a layer has a size that no board has, or fewer or more cells than its size says.
pub(super) fn map(level: &LdtkLevel, definitions: &Definitions) -> Result<Map, MapError> {
    let mut budget = Budget::new();
    let (mut layers, mut objects, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut grids = Vec::new();
    for instance in level.layers() {
        let about = |error: MapError| error.about(format!("layer {}", quoted(&instance.identifier)));
        let &LayerInstance { height, width, grid_size, .. } = instance;
        let grid = Grid { height, width, cell: [grid_size; 2], lattice: Lattice::Squares };
        if grid_size == 0 {
            return Err(about(MapError::unusable("expected cells of at least 1 pixel, found 0")));
        }
        if instance.kind == "Entities" {
            check_objects(objects.len() + instance.entity_instances.len())?;
            objects.extend(instance.entity_instances.iter().map(|entity| object(entity, instance)));
            grids.push((2, grid));
            continue;
        }
        let is_int_grid = instance.kind == "IntGrid";
        grids.push((u8::from(!is_int_grid), grid));
        let mut parts = Vec::new();
        if is_int_grid {
            let numbers = int_grid(instance, &mut budget).map_err(about)?;
            parts.push((&instance.identifier[..], numbers, int_grid_values(instance, definitions)));
            // Its tiles follow from its values: they have tags, but neither a name nor numbers.
            let tags = tile_values(instance, definitions, UNNUMBERED);
            for numbers in tiles(&instance.auto_layer_tiles, grid, UNNUMBERED, &mut budget).map_err(about)? {
                parts.push(("", numbers, tags.clone()));
            }
        } else {
            let tags = tile_values(instance, definitions, 1);
            let placed = instance.grid_tiles.iter().chain(&instance.auto_layer_tiles);
            for numbers in tiles(placed, grid, 1, &mut budget).map_err(about)? {
                parts.push((&instance.identifier[..], numbers, tags.clone()));
            }
        }
        for (name, numbers, values) in parts {
            let cells = moved(instance, numbers, &mut budget, &mut notes).map_err(about)?;
            layers.push(Layer { name: name.to_owned(), properties: Properties::new(), grid, cells, values });
        }
    }
    // The first integer grid has the cells of the board, if no wall says otherwise.
    let grid = grids.into_iter().min_by_key(|&(rank, _)| rank);
    let (_, grid) = grid.ok_or_else(|| MapError::unusable("expected a level with a layer, found none"))?;
    Budget::new().take(grid.height, grid.width)?;
    Ok(Map { form: "LDtk level", grid, origin: [0, 0], has_meanings: false, layers, objects, notes })
}

/// Returns the numbers in an integer grid.
fn int_grid(instance: &LayerInstance, budget: &mut Budget) -> Result<Vec<u32>, MapError> {
    let count = budget.take(instance.height, instance.width)?;
    if instance.int_grid_csv.is_empty() {
        let mut cells = vec![0; count];
        for old in &instance.int_grid {
            let cell = cells.get_mut(old.coord_id).ok_or_else(|| {
                MapError::unusable(format!(
                    "intGrid: expected cells from 0 to {}, found {}",
                    count - 1,
                    old.coord_id
                ))
            })?;
            *cell = old.v.saturating_add(1);
        }
        return Ok(cells);
    }
    let found = instance.int_grid_csv.len();
    if found != count {
        return Err(MapError::unusable(format!("intGridCsv: expected {count} numbers, found {found}")));
    }
    Ok(instance.int_grid_csv.clone())
}

/// Returns the numbers of tiles, counted from `first`: in the first list those that lie lowest in their
/// cells, in the next ones those that are stacked on them. There is one list at least.
fn tiles<'a>(
    placed: impl IntoIterator<Item = &'a PlacedTile>,
    grid: Grid,
    first: u32,
    budget: &mut Budget,
) -> Result<Vec<Vec<u32>>, MapError> {
    let mut height = vec![0; budget.take(grid.height, grid.width)?];
    let mut stacked = vec![vec![0; height.len()]];
    for tile in placed {
        let Some(index) = grid.index_at(tile.px) else { continue };
        if height[index] == stacked.len() {
            stacked.push(vec![0; budget.take(grid.height, grid.width)?]);
        }
        stacked[height[index]][index] = tile.t.saturating_add(first);
        height[index] += 1;
    }
    Ok(stacked)
}

/// Returns the cells moved as far as the layer is, if these are whole cells.
fn moved(
    instance: &LayerInstance,
    cells: Vec<u32>,
    budget: &mut Budget,
    notes: &mut Vec<String>,
) -> Result<Vec<u32>, MapError> {
    let LayerInstance { offset_x: x, offset_y: y, width, height, .. } = *instance;
    let size = i64::from(instance.grid_size);
    if (x, y) == (0, 0) {
        return Ok(cells);
    }
    if (x % size, y % size) != (0, 0) {
        let name = &instance.identifier;
        let note = format!(
            "layer {} is moved by {x},{y} pixels, which are no whole cells; read as if it were not",
            shortened(name)
        );
        if !notes.contains(&note) {
            notes.push(note);
        }
        return Ok(cells);
    }
    let patch = Patch { at: [y / size, x / size], width, cells };
    Extent { at: [0, 0], height, width }.gather(&[patch], budget)
}

fn int_grid_values(instance: &LayerInstance, definitions: &Definitions) -> Arc<Values> {
    let definition = definitions.layers.iter().find(|layer| layer.uid == instance.layer_def_uid);
    let values = definition.into_iter().flat_map(|layer| (1..).zip(&layer.int_grid_values));
    let values = values
        .map(|(place, value)| {
            let name = value.identifier.clone().filter(|name| !name.is_empty());
            let letter = name.as_deref().and_then(|name| parse_letter(name).ok());
            let meaning = letter.map(Meaning::Letter);
            (value.value.unwrap_or(place), CellValue { name, meaning, ..CellValue::default() })
        })
        .collect();
    Arc::new(values)
}

/// Returns the tags of the tiles as properties. The numbers of tiles are counted from `first`.
fn tile_values(instance: &LayerInstance, definitions: &Definitions, first: u32) -> Arc<Values> {
    let mut values = Values::new();
    let tileset = definitions.tilesets.iter().find(|tileset| Some(tileset.uid) == instance.tileset);
    for tag in tileset.into_iter().flat_map(|tileset| &tileset.enum_tags) {
        for &tile in &tag.tile_ids {
            let value = values.entry(tile.saturating_add(first)).or_default();
            value.properties.insert(tag.enum_value_id.clone(), "true".to_owned());
            if parse_letter(&tag.enum_value_id).is_ok() {
                // Two of them are no letter.
                *value.properties.entry("letter".to_owned()).or_default() += &tag.enum_value_id;
            }
        }
    }
    Arc::new(values)
}

/// Returns an entity as an object: it is in the cell in which its position is, as LDtk counts it, which at
/// the right and lower side of an entity is the last pixel within. An entity with points for a round is the
/// line from it to them, whose class is the name of the field.
fn object(entity: &EntityInstance, layer: &LayerInstance) -> Object {
    let offset = [layer.offset_x as f64, layer.offset_y as f64];
    let position = [0, 1].map(|axis| entity.px[axis] + offset[axis]);
    let at = [0, 1].map(|axis| position[axis] - if entity.pivot[axis] == 1.0 { 1.0 } else { 0.0 });
    let size = [entity.width, entity.height];
    let corner = [0, 1].map(|axis| position[axis] - entity.pivot[axis] * size[axis]);
    let fields = entity.field_instances.iter();
    let rectangle = Shape { outline: Outline::rectangle(size), place: Affine::shift(corner) };
    let mut class = entity.tags.first().cloned().unwrap_or_default();
    let round = entity.field_instances.iter().find_map(|field| {
        let is_called_so = is_round(&field.identifier) || is_round(&entity.identifier);
        let points = is_called_so.then(|| points(&field.value, layer.grid_size))?;
        (!points.is_empty()).then_some((field, points))
    });
    let line = round.map(|(field, points)| {
        class.clone_from(&field.identifier);
        let way = [[0, 1].map(|axis| at[axis] - offset[axis])].into_iter().chain(points).collect();
        Shape { outline: Outline::Polyline(way), place: Affine::shift(offset) }
    });
    Object {
        name: entity.identifier.clone(),
        class,
        layer: layer.identifier.clone(),
        properties: fields
            .filter_map(|field| Some((field.identifier.clone(), text_of(&field.value)?)))
            .collect(),
        at,
        shape: Some(line.unwrap_or(rectangle)),
        ..Object::default()
    }
}

/// Returns the points in a field, in pixels of the layer: the middles of cells of this size.
fn points(field: &Value, cell: u32) -> Vec<Point> {
    let middle = |point: &Value, axis: &str| Some((point.get(axis)?.as_f64()? + 0.5) * f64::from(cell));
    let points = field.as_array().into_iter().flatten();
    points.filter_map(|point| Some([middle(point, "cx")?, middle(point, "cy")?])).collect()
}
