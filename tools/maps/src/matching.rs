//! The layers, numbers and objects of a map that belong to something, and the cells that they cover.

use super::{
    cover::Cover,
    grid::Grid,
    limits::Work,
    model::{CellValue, Layer, Map, Object, is_true, property},
    selector::Selector,
};
use crate::error::MapError;
use std::{
    collections::{BTreeSet, HashSet},
    ops::RangeInclusive,
};

/// The layers, numbers and objects that belong to something.
#[derive(Default)]
pub(super) struct Matched<'a> {
    pub(super) layers: Vec<(&'a Layer, Numbers)>,
    pub(super) objects: Vec<&'a Object>,
}

/// Numbers in the cells of a layer.
pub(super) enum Numbers {
    /// All but 0.
    All,
    Listed(HashSet<u32>),
    Range(RangeInclusive<u32>),
}

impl Numbers {
    /// Returns whether a number is one of them. 0, which is an empty cell, is not.
    pub(super) fn contains(&self, number: u32) -> bool {
        number != 0
            && match self {
                Numbers::All => true,
                Numbers::Listed(numbers) => numbers.contains(&number),
                Numbers::Range(numbers) => numbers.contains(&number),
            }
    }
}

impl<'a> Matched<'a> {
    /// Returns the layers for which `is_layer` holds.
    pub(super) fn layers(map: &'a Map, is_layer: impl Fn(&Layer) -> bool) -> Matched<'a> {
        let layers = map.layers.iter().filter(|layer| is_layer(layer)).map(|layer| (layer, Numbers::All));
        Matched { layers: layers.collect(), objects: Vec::new() }
    }

    /// Returns the numbers for whose description `is_value` holds.
    pub(super) fn values(map: &'a Map, is_value: impl Fn(u32, &CellValue) -> bool) -> Matched<'a> {
        let numbers = |layer: &Layer| -> HashSet<u32> {
            layer
                .values
                .iter()
                .filter(|&(&number, value)| is_value(number, value))
                .map(|(&number, _)| number)
                .collect()
        };
        let layers = map.layers.iter().map(|layer| (layer, numbers(layer)));
        let layers = layers.filter(|(_, numbers)| !numbers.is_empty());
        Matched {
            layers: layers.map(|(layer, numbers)| (layer, Numbers::Listed(numbers))).collect(),
            objects: Vec::new(),
        }
    }

    /// Returns the objects for which `is_object` holds.
    pub(super) fn objects(map: &'a Map, is_object: impl Fn(&Object) -> bool) -> Matched<'a> {
        let objects = map.objects.iter().filter(|object| is_object(object));
        Matched { layers: Vec::new(), objects: objects.collect() }
    }

    /// Returns all of both.
    pub(super) fn and(mut self, other: Matched<'a>) -> Matched<'a> {
        self.layers.extend(other.layers);
        self.objects.extend(other.objects);
        self
    }

    /// Returns what a selector names.
    pub(super) fn by(map: &'a Map, selector: &Selector) -> Matched<'a> {
        match selector {
            Selector::None => Matched::default(),
            Selector::Layer(name) => Matched::layers(map, |layer| same(&layer.name, name))
                .and(Matched::objects(map, |object| same(&object.layer, name))),
            Selector::Property(name, wanted) => {
                let holds = |value: Option<&str>| match wanted {
                    None => value.is_some_and(is_true),
                    Some(wanted) => value.is_some_and(|value| same(value, wanted)),
                };
                Matched::values(map, |_, value| holds(property(&value.properties, name)))
                    .and(Matched::layers(map, |layer| holds(property(&layer.properties, name))))
                    .and(Matched::objects(map, |object| holds(property(&object.properties, name))))
            }
            Selector::Tiles(range) => {
                let layers =
                    map.layers.iter().filter(|layer| layer.cells.iter().any(|number| range.contains(number)));
                Matched {
                    layers: layers.map(|layer| (layer, Numbers::Range(range.clone()))).collect(),
                    objects: Vec::new(),
                }
            }
            Selector::Value(name) => {
                let named = Matched::values(map, |_, value| {
                    value.name.as_ref().is_some_and(|known| same(known, name))
                });
                match name.parse() {
                    Ok(number) if named.is_empty() => Matched::by(map, &Selector::Tiles(number..=number)),
                    _ => named,
                }
            }
            Selector::Colour(colour) => Matched::values(map, |_, value| {
                value.colour.is_some_and(|known| known[..3] == *colour && known[3] > 0)
            }),
            Selector::Object(name) => {
                Matched::objects(map, |object| same(&object.name, name) || same(&object.class, name))
            }
        }
    }

    /// Returns whether nothing belongs to it.
    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty() && self.objects.is_empty()
    }

    /// Returns the cells of `grid` that are covered. An object covers the cells that its shape covers if
    /// `areas` is set, and else, or if there are none, the cell in which it is.
    ///
    /// # Errors
    /// When the shapes are too much work.
    pub(super) fn covered(&self, grid: Grid, areas: bool) -> Result<Covered, MapError> {
        let mut work = Work::new();
        let mut cover = Cover::new(grid, &mut work);
        for (layer, numbers) in &self.layers {
            let is_in = |index: usize| numbers.contains(layer.cells[index]);
            let own = || (0..layer.grid.cells()).filter(|&index| is_in(index));
            if layer.grid == grid {
                own().for_each(|index| cover.add_cell(index));
            } else if layer.grid.cell[0] < grid.cell[0] {
                let cells = own().filter_map(|index| grid.index_at(layer.grid.middle(index)));
                cells.for_each(|index| cover.add_cell(index));
            } else {
                let covered = |&index: &usize| layer.grid.index_at(grid.middle(index)).is_some_and(is_in);
                (0..grid.cells()).filter(covered).for_each(|index| cover.add_cell(index));
            }
        }
        let (mut off_board, mut thin) = (0, 0);
        for object in &self.objects {
            let shape = object.shape.as_ref().filter(|_| areas);
            if let Some(shape) = shape
                && cover.add(shape)?
            {
                continue;
            }
            match grid.index_at(object.at) {
                Some(index) => {
                    cover.add_cell(index);
                    thin += usize::from(shape.is_some());
                }
                None => off_board += 1,
            }
        }
        Ok(Covered { cells: cover.cells(), off_board, thin })
    }
}

/// The cells that layers and objects cover.
pub(super) struct Covered {
    /// The indices of the cells, rising.
    pub(super) cells: BTreeSet<usize>,
    /// The objects that are off the board.
    pub(super) off_board: usize,
    /// The objects whose shape covers the middle of no cell.
    pub(super) thin: usize,
}

/// Returns whether two names are the same but for the case of letters.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
