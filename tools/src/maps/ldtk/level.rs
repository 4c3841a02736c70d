//! A level of an LDtk project as a map.

use super::project::{EntityInstance, LayerInstance, LdtkLevel, Project};
use crate::{
    failure::Failure,
    maps::{
        frame::{Frame, Patch},
        json_text::text_of,
        limits::{Budget, check_objects},
        model::{CellValue, Grid, Lattice, Layer, Map, Object, Properties, Values},
    },
};
use std::sync::Arc;

/// Returns the level as a map. Each layer keeps the size of its own cells.
///
/// # Errors
/// When a layer has a size that no board has, or fewer or more cells than its size says.
pub(super) fn map(level: &LdtkLevel, project: &Project) -> Result<Map, Failure> {
    let mut budget = Budget::new();
    let (mut layers, mut objects, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let mut grids = Vec::new();
    for instance in level.layers() {
        let about = |failure: Failure| failure.about(format!("layer {:?}", instance.identifier));
        let grid = Grid { height: instance.height, width: instance.width, cell: [instance.grid_size; 2] };
        if instance.grid_size == 0 {
            return Err(about(Failure::input("expected cells of at least 1 pixel, found 0")));
        }
        if instance.kind == "Entities" {
            check_objects(objects.len() + instance.entity_instances.len())?;
            objects.extend(instance.entity_instances.iter().map(|entity| object(entity, instance)));
            grids.push((2, grid));
            continue;
        }
        let is_int_grid = instance.kind == "IntGrid";
        let numbers =
            if is_int_grid { int_grid(instance, &mut budget) } else { tiles(instance, &mut budget) };
        let numbers = numbers.map_err(about)?;
        let values =
            if is_int_grid { int_grid_values(instance, project) } else { tile_values(instance, project) };
        let cells = moved(instance, numbers, &mut budget, &mut notes).map_err(about)?;
        grids.push((u8::from(!is_int_grid), grid));
        layers.push(Layer {
            name: instance.identifier.clone(),
            properties: Properties::new(),
            grid,
            cells,
            values: Arc::new(values),
        });
    }
    // The first integer grid has the cells of the board, if no wall says otherwise.
    let grid = grids.into_iter().min_by_key(|&(rank, _)| rank);
    let (_, grid) = grid.ok_or_else(|| Failure::input("expected a level with a layer, found none"))?;
    Budget::new().take(grid.height, grid.width)?;
    Ok(Map {
        form: "LDtk level",
        lattice: Lattice::Squares,
        grid,
        origin: [0, 0],
        has_meanings: false,
        layers,
        objects,
        notes,
    })
}

/// Returns the numbers in an integer grid.
fn int_grid(instance: &LayerInstance, budget: &mut Budget) -> Result<Vec<u32>, Failure> {
    let count = budget.take(instance.height, instance.width)?;
    if instance.int_grid_csv.is_empty() {
        let mut cells = vec![0; count];
        for old in &instance.int_grid {
            let cell = cells.get_mut(old.coord_id).ok_or_else(|| {
                Failure::input(format!(
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
        return Err(Failure::input(format!("intGridCsv: expected {count} numbers, found {found}")));
    }
    Ok(instance.int_grid_csv.clone())
}

/// Returns the numbers of the tiles in a layer of tiles, counted from 1. Of several tiles in a cell the last
/// one counts.
fn tiles(instance: &LayerInstance, budget: &mut Budget) -> Result<Vec<u32>, Failure> {
    let mut cells = vec![0; budget.take(instance.height, instance.width)?];
    let grid = Grid { height: instance.height, width: instance.width, cell: [instance.grid_size; 2] };
    for tile in instance.grid_tiles.iter().chain(&instance.auto_layer_tiles) {
        if let Some(index) = grid.index_at(tile.px) {
            cells[index] = tile.t.saturating_add(1);
        }
    }
    Ok(cells)
}

/// Returns the cells moved as far as the layer is, if these are whole cells.
fn moved(
    instance: &LayerInstance,
    cells: Vec<u32>,
    budget: &mut Budget,
    notes: &mut Vec<String>,
) -> Result<Vec<u32>, Failure> {
    let LayerInstance { offset_x: x, offset_y: y, width, height, .. } = *instance;
    let size = i64::from(instance.grid_size);
    if (x, y) == (0, 0) {
        return Ok(cells);
    }
    if (x % size, y % size) != (0, 0) {
        let name = &instance.identifier;
        notes.push(format!(
            "layer {name:?} is moved by {x},{y} pixels, which are no whole cells; read as if it were not"
        ));
        return Ok(cells);
    }
    let patch = Patch { at: [y / size, x / size], width, cells };
    Frame { at: [0, 0], height, width }.gather(&[patch], budget)
}

fn int_grid_values(instance: &LayerInstance, project: &Project) -> Values {
    let definition = project.defs.layers.iter().find(|layer| layer.uid == instance.layer_def_uid);
    let values = definition.into_iter().flat_map(|layer| (1..).zip(&layer.int_grid_values));
    values
        .map(|(place, value)| {
            let name = value.identifier.clone().filter(|name| !name.is_empty());
            (value.value.unwrap_or(place), CellValue { name, ..CellValue::default() })
        })
        .collect()
}

/// Returns the tags of the tiles as properties.
fn tile_values(instance: &LayerInstance, project: &Project) -> Values {
    let mut values = Values::new();
    let tileset = project.defs.tilesets.iter().find(|tileset| Some(tileset.uid) == instance.tileset);
    for tag in tileset.into_iter().flat_map(|tileset| &tileset.enum_tags) {
        for &tile in &tag.tile_ids {
            let value = values.entry(tile.saturating_add(1)).or_default();
            value.properties.insert(tag.enum_value_id.clone(), "true".to_owned());
        }
    }
    values
}

fn object(entity: &EntityInstance, layer: &LayerInstance) -> Object {
    let offset = [layer.offset_x as f64, layer.offset_y as f64];
    let size = f64::from(layer.grid_size);
    let at = [0, 1].map(|axis| (entity.cell[axis] as f64 + 0.5) * size + offset[axis]);
    let corner = [(0, entity.width), (1, entity.height)]
        .map(|(axis, length)| entity.px[axis] - entity.pivot[axis] * length + offset[axis]);
    let fields = entity.field_instances.iter();
    Object {
        name: entity.identifier.clone(),
        class: entity.tags.first().cloned().unwrap_or_default(),
        layer: layer.identifier.clone(),
        properties: fields
            .filter_map(|field| Some((field.identifier.clone(), text_of(&field.value)?)))
            .collect(),
        at,
        area: Some([corner[0], corner[1], corner[0] + entity.width, corner[1] + entity.height]),
        is_shape: false,
    }
}
