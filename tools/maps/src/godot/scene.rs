//! A scene of Godot as a map: its tile maps become layers, its other nodes objects.

use super::{
    node::{line, properties},
    place::Place,
    section::{Section, Value},
    syntax,
    tile_data::{self, PlacedTile},
    tile_set::{TileName, TileSet},
};
use crate::{
    affine::Affine,
    error::{MapError, counted, quoted, shortened},
    extent::{Extent, Patch},
    grid::{Grid, Lattice},
    limits::{Budget, check_files, check_objects},
    model::{CellValue, Layer, Map, Object, Properties, UNNUMBERED, Values, is_true, property},
    named_files::{self, ReadFile},
    role_names::{Role, WALL_PROPERTIES},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::Path,
    sync::Arc,
};

/// The types of nodes that only hold others.
const FOLDERS: [&str; 3] = ["Node", "Node2D", "CanvasLayer"];

/// The farthest that a tile of a layer may lie from a cell of the board, in cells: editors round positions.
const FARTHEST_OFF: f64 = 1.0 / 64.0;

/// A layer of tiles, before the board's extent is known.
struct PlacedLayer {
    name: String,
    properties: Properties,
    /// Takes pixels of the layer to pixels of the scene.
    place: Affine,
    tiles: Vec<PlacedTile>,
    set: Arc<TileSet>,
}

/// Reads a scene.
///
/// # Errors
/// When the text is no scene, has no tile map, or names a tile set that cannot be read.
pub(crate) fn read(text: &str, read_file: &ReadFile) -> Result<Map, MapError> {
    let sections = syntax::parse(text)?;
    match sections.first() {
        Some(first) if first.tag == "gd_scene" => {}
        _ => {
            return Err(MapError::unusable(
                "expected a scene, which begins with [gd_scene …], found something else",
            ));
        }
    }
    let mut scene = Scene {
        sections: &sections,
        read_file,
        sets: BTreeMap::new(),
        known: HashMap::new(),
        notes: Vec::new(),
    };
    let (layers, mut objects) = scene.nodes()?;
    // The board has the cells of the first layer, or of the first with walls if walls lie between those.
    let with_walls: Vec<&PlacedLayer> = layers.iter().filter(|layer| layer.has_walls()).collect();
    let mut firsts = layers.first().into_iter().chain(with_walls.first().copied());
    let fits = |first: &&PlacedLayer| with_walls.iter().all(|layer| cells(layer, first).is_some());
    let first = firsts.find(fits).or(layers.first()).ok_or_else(|| {
        MapError::unusable("expected a TileMapLayer, or a TileMap of format 2, with tiles, found none")
    })?;
    let tile = first.set.tile;
    let back = first.place.inverse().ok_or_else(|| {
        let name = shortened(&first.name);
        MapError::unusable(format!("node {name}: expected tiles of some size, found a scale of 0"))
    })?;
    let mut notes = scene.notes;
    let mut budget = Budget::new();
    let mut kept = Vec::new();
    let on_board: Vec<_> = layers.iter().map(|layer| cells(layer, first)).collect();
    let first = quoted(&first.name);
    for (layer, cells) in layers.into_iter().zip(on_board) {
        match cells {
            Some(cells) => kept.push((patch(&layer, &cells, &mut budget)?, layer)),
            None if layer.has_walls() => {
                return Err(MapError::unusable(format!(
                    "node {}: expected tiles that lie on those of {first}, found tiles between them",
                    quoted(&layer.name)
                )));
            }
            None => notes.push(format!(
                "layer {} is left out: its tiles lie between those of {first}",
                shortened(&layer.name)
            )),
        }
    }
    let extent = Extent::around(kept.iter().map(|((patch, _), _)| patch))?;
    let grid = Grid { height: extent.height, width: extent.width, cell: tile, lattice: Lattice::Squares };
    let mut framed = Vec::new();
    for ((patch, values), layer) in kept {
        let cells = extent.gather(&[patch], &mut budget)?;
        framed.push(Layer {
            name: layer.name,
            properties: layer.properties,
            grid,
            cells,
            values: Arc::new(values),
        });
    }
    let start = [0, 1].map(|axis| -(extent.at[1 - axis] as f64) * f64::from(tile[axis]));
    let board = Affine::shift(start).after(&back);
    for object in &mut objects {
        object.at = board.apply(object.at);
        if let Some(shape) = &mut object.shape {
            shape.place = board.after(&shape.place);
            object.at = shape.middle();
        }
    }
    Ok(Map {
        form: "Godot scene",
        grid,
        origin: extent.at,
        has_meanings: false,
        layers: framed,
        objects,
        notes,
    })
}

impl PlacedLayer {
    /// Returns whether some convention may find walls in the layer.
    fn has_walls(&self) -> bool {
        let is_wall = |name: &str| Role::of(name) == Some(Role::Walls);
        let has_property = |properties: &Properties| {
            WALL_PROPERTIES.iter().any(|name| property(properties, name).is_some_and(is_true))
        };
        let may_be = |value: &CellValue| value.has_shape || has_property(&value.properties);
        let tiles: HashSet<TileName> = self.tiles.iter().map(|&(_, tile)| tile).collect();
        is_wall(&self.name)
            || has_property(&self.properties)
            || tiles.into_iter().any(|tile| may_be(&self.set.value(tile)))
    }
}

/// Returns row and column, among the cells of the layer `first`, of each tile of a layer; `None` if a tile
/// covers no cell.
fn cells(layer: &PlacedLayer, first: &PlacedLayer) -> Option<Vec<[i64; 2]>> {
    let place = first.place.inverse()?.after(&layer.place);
    let per_cell = Affine::scale(first.set.tile.map(|side| 1.0 / f64::from(side)));
    let place = per_cell.after(&place).after(&Affine::scale(layer.set.tile.map(f64::from)));
    // A tile fills its cell, turned or mirrored: its sides go to sides.
    let [x, y] = [place.x, place.y].map(|side| side.map(|part| (part.abs() - 1.0).abs().min(part.abs())));
    let is_cell = [x, y].as_flattened().iter().all(|&off| off < FARTHEST_OFF)
        && (place.x[0] * place.y[1] - place.x[1] * place.y[0]).abs() > 0.5;
    let at = |&([row, column], _): &PlacedTile| {
        let middle = place.apply([column as f64 + 0.5, row as f64 + 0.5]).map(|middle| middle - 0.5);
        let whole = middle.map(f64::round);
        let is_on =
            (0..2).all(|axis| (middle[axis] - whole[axis]).abs() < FARTHEST_OFF && whole[axis].abs() < 1e9);
        is_on.then_some([whole[1] as i64, whole[0] as i64])
    };
    if is_cell { layer.tiles.iter().map(at).collect() } else { None }
}

/// Returns the cells of a layer in one rectangle, with a number for each different tile. `at` has the row and
/// column of each.
fn patch(layer: &PlacedLayer, at: &[[i64; 2]], budget: &mut Budget) -> Result<(Patch, Values), MapError> {
    let mut numbers: HashMap<TileName, u32> = HashMap::new();
    let mut values = Values::new();
    // Tiles that are not used say what the others mean.
    for tile in layer.tiles.iter().map(|&(_, tile)| tile).chain(layer.set.known()) {
        let next = UNNUMBERED + numbers.len() as u32;
        numbers.entry(tile).or_insert_with(|| {
            values.insert(next, layer.set.value(tile));
            next
        });
    }
    let (Some(first_row), Some(first_column)) =
        (at.iter().map(|at| at[0]).min(), at.iter().map(|at| at[1]).min())
    else {
        return Ok((Patch::default(), values));
    };
    let side = |axis: usize, first: i64| {
        let last = at.iter().map(|at| at[axis]).max().unwrap_or(first);
        usize::try_from(last - first + 1).unwrap_or(usize::MAX)
    };
    let (height, width) = (side(0, first_row), side(1, first_column));
    let about = |error: MapError| error.about(format!("layer {}", quoted(&layer.name)));
    let mut cells = vec![0; budget.take(height, width).map_err(about)?];
    for (&[row, column], (_, tile)) in at.iter().zip(&layer.tiles) {
        // Both are not before the first, and not behind the last.
        cells[(row - first_row) as usize * width + (column - first_column) as usize] = numbers[tile];
    }
    Ok((Patch { at: [first_row, first_column], width, cells }, values))
}

/// A scene while it is read.
struct Scene<'a> {
    sections: &'a [Section],
    read_file: &'a ReadFile<'a>,
    /// The tile sets that have been read, by whether they are in another file, and their identifiers.
    sets: BTreeMap<(bool, String), Arc<TileSet>>,
    /// The nodes that have been read, by their paths.
    known: HashMap<String, Place>,
    notes: Vec<String>,
}

impl Scene<'_> {
    /// Returns the layers and the objects, both in pixels of the scene.
    fn nodes(&mut self) -> Result<(Vec<PlacedLayer>, Vec<Object>), MapError> {
        let external: HashMap<&str, &Section> = (self.sections.iter())
            .filter(|section| section.tag == "ext_resource")
            .filter_map(|section| Some((section.text("id")?, section)))
            .collect();
        let nodes = || self.sections.iter().filter(|section| section.tag == "node");
        let parents: HashSet<&str> = nodes().filter_map(|node| node.text("parent")).collect();
        let (mut layers, mut objects) = (Vec::new(), Vec::new());
        let mut parts_of_others = 0;
        let mut checked = HashSet::new();
        for node in nodes() {
            let name = node.text("name").unwrap_or_default();
            let about = |error: MapError| error.about(format!("node {}", quoted(name)));
            let parent = node.text("parent");
            let path = match parent {
                None => ".".to_owned(),
                Some(".") => name.to_owned(),
                Some(parent) => format!("{parent}/{name}"),
            };
            let kind = node.text("type").unwrap_or_default();
            let instance = node.attributes.iter().find(|(name, _)| name == "instance");
            let instance = instance.and_then(|(_, value)| external.get(value.resource()?.1));
            let above = parent.and_then(|parent| self.known.get(parent)).copied();
            let mut place = Place::of(node, kind, above);
            place.is_folder = instance.is_none() && FOLDERS.contains(&kind);
            let in_folder = above.is_some_and(|above| above.is_folder) && parent != Some(".");
            self.known.insert(path.clone(), place);
            if let Some(file) = instance
                && checked.insert(file.text("path"))
            {
                check_files(checked.len())?;
                self.check_instance(file).map_err(about)?;
            }
            if kind == "TileMapLayer" || kind == "TileMap" {
                if place.is_unknown {
                    let expected =
                        "expected a layer that moves with nodes of two dimensions, found one in a Control";
                    return Err(about(MapError::unusable(expected)));
                }
                layers.extend(self.layers(node, name, place.whole)?);
            } else if kind.is_empty() && instance.is_none() {
                if node.get("tile_map_data").is_some() {
                    let expected = "expected tiles of this scene, found changed tiles of another one";
                    return Err(about(MapError::unusable(expected)));
                }
                parts_of_others += 1;
            } else if parent.is_some() && !place.is_unknown {
                // A node that holds nothing may be a mark, if somebody says so.
                let is_vague = place.is_folder;
                if is_vague && (kind != "Node2D" || parents.contains(path.as_str())) {
                    continue;
                }
                check_objects(objects.len() + 1)?;
                let class = match instance {
                    Some(file) => stem(file.text("path").unwrap_or_default()),
                    None if in_folder => last_name(parent.unwrap_or_default()),
                    None => kind.to_owned(),
                };
                let layer = parent.filter(|&parent| parent != ".").map_or_else(String::new, last_name);
                let at = place.whole.origin;
                objects.push(Object {
                    name: name.to_owned(),
                    class,
                    layer,
                    properties: properties(node),
                    at,
                    shape: line(node, kind, place.whole),
                    is_vague,
                    ..Object::default()
                });
            }
        }
        if parts_of_others > 0 {
            let nodes = counted(parts_of_others, "node", "nodes");
            self.notes.push(format!("{nodes} of other scenes, which this one changes, are not read"));
        }
        Ok((layers, objects))
    }

    /// Checks that a scene of which this one has an instance has no tiles, which would be missing.
    fn check_instance(&self, file: &Section) -> Result<(), MapError> {
        let path = file.text("path").unwrap_or_default();
        // A scene that is not there holds at least no tiles that anybody has.
        let Ok(bytes) = (self.read_file)(path) else { return Ok(()) };
        let parts: [&[u8]; 2] = [b"tile_map_data", b"/tile_data"];
        if parts.iter().any(|part| bytes.windows(part.len()).any(|found| found == *part)) {
            let found =
                format!("expected tiles in this scene, found an instance of {} with tiles", quoted(path));
            return Err(MapError::unusable(found)
                .with_hint("make the instance local in the editor, or give the scene that has the tiles"));
        }
        Ok(())
    }

    /// Returns the layers of a node with tiles.
    fn layers(&mut self, node: &Section, name: &str, place: Affine) -> Result<Vec<PlacedLayer>, MapError> {
        let about = |error: MapError| error.about(format!("node {}", quoted(name)));
        let set = self.set(node).map_err(about)?;
        let placed = |name: String, tiles| PlacedLayer {
            name,
            properties: properties(node),
            place,
            tiles,
            set: Arc::clone(&set),
        };
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
                        return Err(about(MapError::unusable(
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
    fn set(&mut self, node: &Section) -> Result<Arc<TileSet>, MapError> {
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
            MapError::unusable(format!(
                "tile_set: expected a resource of the file, found the unknown {}",
                quoted(id)
            ))
        })?;
        let set = match external {
            false => TileSet::read(section, self.sections)?,
            true => {
                let path = section.text("path").unwrap_or_default();
                let about = |error: MapError| error.about(format!("tile set {}", quoted(path)));
                let text = named_files::text(self.read_file, path, "a tile set of Godot", &["[gd_resource"]);
                let resources = text.and_then(|text| syntax::parse(&text)).map_err(about)?;
                let resource = resources.iter().find(|section| section.tag == "resource");
                let resource = resource
                    .ok_or_else(|| about(MapError::unusable("expected a section [resource], found none")))?;
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
