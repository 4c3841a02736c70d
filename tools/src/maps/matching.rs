//! The layers, numbers and objects of a map that belong to something, and the cells that they cover.

use super::{
    model::{CellValue, Grid, Layer, Map, Object, is_true, property},
    selector::Selector,
};
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
    fn contains(&self, number: u32) -> bool {
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

    /// Returns the indices of the cells of `grid` that are covered, rising. An object covers the cells whose
    /// middle is in its rectangle if `areas` is set, and else, or if there is none, the cell in which it is.
    pub(super) fn cells(&self, grid: Grid, areas: bool) -> BTreeSet<usize> {
        let mut cells = BTreeSet::new();
        for (layer, numbers) in &self.layers {
            let is_in = |index: usize| numbers.contains(layer.cells[index]);
            if layer.grid == grid {
                cells.extend((0..grid.cells()).filter(|&index| is_in(index)));
            } else if layer.grid.cell[0] < grid.cell[0] {
                let small = (0..layer.grid.cells()).filter(|&index| is_in(index));
                cells.extend(small.filter_map(|index| grid.index_at(layer.grid.middle(index))));
            } else {
                let covered = |&index: &usize| layer.grid.index_at(grid.middle(index)).is_some_and(is_in);
                cells.extend((0..grid.cells()).filter(covered));
            }
        }
        for object in &self.objects {
            let before = cells.len();
            if areas && let Some(area) = object.area {
                cells.extend(cells_in(area, grid));
            }
            if cells.len() == before {
                cells.extend(grid.index_at(object.at));
            }
        }
        cells
    }

    /// Returns the objects that are off the board.
    pub(super) fn off_board(&self, grid: Grid) -> usize {
        self.objects.iter().filter(|object| grid.index_at(object.at).is_none()).count()
    }
}

/// Returns whether two names are the same but for the case of letters.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// Returns the cells whose middle is in a rectangle: left, top, right, bottom.
fn cells_in([left, top, right, bottom]: [f64; 4], grid: Grid) -> impl Iterator<Item = usize> {
    let within = |from: f64, to: f64, cell: u32, count: usize| {
        let [from, to] =
            [from, to].map(|end| (end / f64::from(cell) - 0.5).ceil().clamp(0.0, count as f64) as usize);
        from..to
    };
    let columns = within(left, right, grid.cell[0], grid.width);
    within(top, bottom, grid.cell[1], grid.height)
        .flat_map(move |row| columns.clone().map(move |column| row * grid.width + column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_covers_the_cells_whose_middle_is_in_it() {
        let grid = Grid { height: 3, width: 4, cell: [10, 10] };
        let cells = |area| cells_in(area, grid).collect::<Vec<_>>();
        assert_eq!(cells([10.0, 0.0, 30.0, 10.0]), [1, 2]);
        assert_eq!(cells([4.0, 6.0, 16.0, 26.0]), [4, 5, 8, 9]);
        assert_eq!(cells([6.0, 6.0, 14.0, 14.0]), [] as [usize; 0]);
        assert_eq!(cells([-1e300, -1e300, 1e300, 1e300]).len(), 12);
        assert_eq!(cells([f64::NAN, 0.0, 9.0, 9.0]), [0]);
    }
}
