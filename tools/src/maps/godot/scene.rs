//! A scene of Godot as a map: its tile maps become layers, its other nodes objects.

use super::{
    section::{Section, Value},
    syntax,
    tile_data::{self, PlacedTile},
    tile_set::{TileName, TileSet},
};
use crate::{
    failure::Failure,
    maps::{
        beside::ReadBeside,
        frame::{Frame, Patch},
        limits::{Budget, check_objects},
        markup::{quoted, utf8},
        model::{CellValue, Grid, Lattice, Layer, Map, Object, Properties, UNNUMBERED, Values},
    },
};
use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
    sync::Arc,
};

/// The types of nodes that only hold others.
const FOLDERS: [&str; 3] = ["Node", "Node2D", "CanvasLayer"];

/// A layer of tiles, before the board's frame is known.
struct PlacedLayer {
    name: String,
    /// Where its cell 0,0 lies, in pixels.
    corner: [f64; 2],
    tiles: Vec<PlacedTile>,
    set: Arc<TileSet>,
}

/// Reads a scene.
///
/// # Errors
/// When the text is no scene, has no tile map, or names a tile set that cannot be read.
pub(in crate::maps) fn read(bytes: &[u8], beside: &ReadBeside) -> Result<Map, Failure> {
    let sections = syntax::parse(utf8(bytes)?)?;
    match sections.first() {
        Some(first) if first.tag == "gd_scene" => {}
        _ => {
            return Err(Failure::input(
                "expected a scene, which begins with [gd_scene …], found something else",
            ));
        }
    }
    let mut scene = Scene { sections: &sections, beside, sets: BTreeMap::new() };
    let (layers, mut objects) = scene.nodes()?;
    let first = layers.first().ok_or_else(|| {
        Failure::input("expected a TileMapLayer, or a TileMap of format 2, with tiles, found none")
    })?;
    let (corner, tile) = (first.corner, first.set.tile);
    let mut budget = Budget::new();
    let mut notes = Vec::new();
    let mut kept = Vec::new();
    for layer in layers {
        let name = &layer.name;
        let moved = [0, 1].map(|axis| (layer.corner[axis] - corner[axis]) / f64::from(tile[axis]));
        if layer.set.tile != tile {
            notes.push(format!(
                "layer {name:?} is left out: its tiles have another size than those of the first layer"
            ));
        } else if moved.iter().any(|tiles| tiles.fract() != 0.0 || tiles.abs() > 1e9) {
            notes.push(format!("layer {name:?} is left out: it lies between the tiles of the first layer"));
        } else {
            kept.push((patch(&layer, moved.map(|tiles| tiles as i64), &mut budget)?, layer));
        }
    }
    let frame = Frame::around(kept.iter().map(|((patch, _), _)| patch))?;
    let grid = Grid { height: frame.height, width: frame.width, cell: tile };
    let mut framed = Vec::new();
    for ((patch, values), layer) in kept {
        let cells = frame.gather(&[patch], &mut budget)?;
        framed.push(Layer {
            name: layer.name,
            properties: Properties::new(),
            grid,
            cells,
            values: Arc::new(values),
        });
    }
    for object in &mut objects {
        let start = [frame.at[1] as f64, frame.at[0] as f64];
        object.at = [0, 1].map(|axis| object.at[axis] - corner[axis] - start[axis] * f64::from(tile[axis]));
    }
    Ok(Map {
        form: "Godot scene",
        lattice: Lattice::Squares,
        grid,
        origin: frame.at,
        has_meanings: false,
        layers: framed,
        objects,
        notes,
    })
}

/// Returns the cells of a layer in one rectangle, with a number for each different tile.
fn patch(layer: &PlacedLayer, moved: [i64; 2], budget: &mut Budget) -> Result<(Patch, Values), Failure> {
    let mut numbers: HashMap<TileName, u32> = HashMap::new();
    let mut values = Values::new();
    let mut single = Vec::with_capacity(layer.tiles.len());
    for &([row, column], tile) in &layer.tiles {
        let next = UNNUMBERED + numbers.len() as u32;
        let number = *numbers.entry(tile).or_insert_with(|| {
            let value: CellValue = layer.set.value(tile);
            values.insert(next, value);
            next
        });
        single.push(([row.saturating_add(moved[1]), column.saturating_add(moved[0])], number));
    }
    let (Some(first_row), Some(first_column)) =
        (single.iter().map(|(at, _)| at[0]).min(), single.iter().map(|(at, _)| at[1]).min())
    else {
        return Ok((Patch::default(), values));
    };
    let side = |axis: usize, first: i64| {
        let last = single.iter().map(|(at, _)| at[axis]).max().unwrap_or(first);
        usize::try_from(last - first + 1).unwrap_or(usize::MAX)
    };
    let (height, width) = (side(0, first_row), side(1, first_column));
    let about = |failure: Failure| failure.about(format!("layer {:?}", layer.name));
    let mut cells = vec![0; budget.take(height, width).map_err(about)?];
    for ([row, column], number) in single {
        // Both are not before the first, and not behind the last.
        cells[(row - first_row) as usize * width + (column - first_column) as usize] = number;
    }
    Ok((Patch { at: [first_row, first_column], width, cells }, values))
}

/// A scene while it is read.
struct Scene<'a> {
    sections: &'a [Section],
    beside: &'a ReadBeside<'a>,
    /// The tile sets that have been read, by whether they are in another file, and their identifiers.
    sets: BTreeMap<(bool, String), Arc<TileSet>>,
}

impl Scene<'_> {
    /// Returns the layers and the objects, both in pixels of the scene.
    fn nodes(&mut self) -> Result<(Vec<PlacedLayer>, Vec<Object>), Failure> {
        let external: HashMap<&str, &Section> = (self.sections.iter())
            .filter(|section| section.tag == "ext_resource")
            .filter_map(|section| Some((section.text("id")?, section)))
            .collect();
        // Position, and whether the node only holds others.
        let mut known: HashMap<String, ([f64; 2], bool)> = HashMap::new();
        let (mut layers, mut objects) = (Vec::new(), Vec::new());
        for node in self.sections.iter().filter(|section| section.tag == "node") {
            let name = node.text("name").unwrap_or_default();
            let parent = node.text("parent");
            let path = match parent {
                None => ".".to_owned(),
                Some(".") => name.to_owned(),
                Some(parent) => format!("{parent}/{name}"),
            };
            let (start, in_folder) = parent.and_then(|parent| known.get(parent)).copied().unwrap_or_default();
            let own = node.vector("position").unwrap_or_default();
            let at = [start[0] + own[0], start[1] + own[1]];
            let kind = node.text("type").unwrap_or_default();
            let instance = node.attributes.iter().find(|(name, _)| name == "instance");
            let instance = instance.and_then(|(_, value)| external.get(value.resource()?.1));
            let class = match instance {
                Some(file) => stem(file.text("path").unwrap_or_default()),
                None if in_folder => last_name(parent.unwrap_or_default()),
                None => kind.to_owned(),
            };
            let is_folder = instance.is_none() && FOLDERS.contains(&kind);
            known.insert(path, (at, is_folder && parent.is_some()));
            if kind == "TileMapLayer" || kind == "TileMap" {
                layers.extend(self.layers(node, name, at)?);
            } else if !is_folder && parent.is_some() {
                check_objects(objects.len() + 1)?;
                let layer = parent.filter(|&parent| parent != ".").map_or_else(String::new, last_name);
                objects.push(Object { name: name.to_owned(), class, layer, at, ..Object::default() });
            }
        }
        Ok((layers, objects))
    }

    /// Returns the layers of a node with tiles.
    fn layers(&mut self, node: &Section, name: &str, corner: [f64; 2]) -> Result<Vec<PlacedLayer>, Failure> {
        let about = |failure: Failure| failure.about(format!("node {name:?}"));
        let set = self.set(node).map_err(about)?;
        let placed = |name: String, tiles| PlacedLayer { name, corner, tiles, set: Arc::clone(&set) };
        if let Some(data) = node.get("tile_map_data") {
            let tiles = tile_data::of_layer(data).map_err(about)?;
            return Ok(vec![placed(name.to_owned(), tiles)]);
        }
        let mut names: HashMap<&str, &str> = HashMap::new();
        let mut layers = Vec::new();
        for (key, value) in &node.properties {
            let Some((number, what)) = key.strip_prefix("layer_").and_then(|key| key.split_once('/')) else {
                continue;
            };
            match (what, value) {
                ("name", Value::Text(name)) => drop(names.insert(number, name)),
                ("tile_data", data) => {
                    if node.number("format") != Some(2.0) {
                        return Err(about(Failure::input(
                            "expected a TileMap of format 2, which Godot 4 writes, found another",
                        )));
                    }
                    let tiles = tile_data::of_old_layer(data).map_err(about)?;
                    let layer = match names.get(number) {
                        Some(layer) if !layer.is_empty() => (*layer).to_owned(),
                        _ => format!("{name} {number}"),
                    };
                    layers.push(placed(layer, tiles));
                }
                _ => {}
            }
        }
        Ok(layers)
    }

    /// Returns the tile set of a node, which is read once.
    fn set(&mut self, node: &Section) -> Result<Arc<TileSet>, Failure> {
        let Some((external, id)) = node.get("tile_set").and_then(Value::resource) else {
            return Ok(Arc::default());
        };
        let key = (external, id.to_owned());
        if let Some(set) = self.sets.get(&key) {
            return Ok(Arc::clone(set));
        }
        let tag = if external { "ext_resource" } else { "sub_resource" };
        let section =
            self.sections.iter().find(|section| section.tag == tag && section.text("id") == Some(id));
        let section = section.ok_or_else(|| {
            Failure::input(format!("tile_set: expected a resource of the file, found the unknown {id:?}"))
        })?;
        let set = match external {
            false => TileSet::read(section, self.sections)?,
            true => {
                let path = section.text("path").unwrap_or_default();
                let about = |failure: Failure| failure.about(format!("tile set {}", quoted(path)));
                let bytes = (self.beside)(path).map_err(about)?;
                let resources = utf8(&bytes).and_then(syntax::parse).map_err(about)?;
                let resource = resources.iter().find(|section| section.tag == "resource");
                let resource = resource
                    .ok_or_else(|| about(Failure::input("expected a section [resource], found none")))?;
                TileSet::read(resource, &resources).map_err(about)?
            }
        };
        let set = Arc::new(set);
        self.sets.insert(key, Arc::clone(&set));
        Ok(set)
    }
}

/// Returns the name of a file without its folder and its ending.
fn stem(path: &str) -> String {
    Path::new(path).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// Returns the last name of a path of nodes.
fn last_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or_default().to_owned()
}
