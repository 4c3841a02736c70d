//! Which cells of a map are walls.

use super::{
    grid::Grid,
    inventory,
    matching::Matched,
    model::{Map, Meaning, Properties, is_true, property},
    role_names::{Role, WALL_PROPERTIES},
    selector::{MapSelectors, Selector},
};
use crate::error::{MapError, counted, shortened};
use std::collections::BTreeSet;

/// The walls of a map, and the cells of its board.
pub(super) struct Walls {
    pub(super) grid: Grid,
    /// The indices of the cells that are walls.
    pub(super) cells: BTreeSet<usize>,
    /// How they were found, for people.
    pub(super) by: String,
    /// A line about what may not be meant.
    pub(super) note: Option<String>,
}

/// Finds the walls: those that are selected, or else those of the first convention that the map has something
/// for. It decides even if no cell is a wall by it, so that a value means the same in all levels.
///
/// # Errors
/// When a selector matches nothing, no convention does, or layers with cells of different sizes have walls.
pub(super) fn find(map: &Map, selectors: &MapSelectors) -> Result<Walls, MapError> {
    let given = &selectors.walls;
    if !given.is_empty() {
        let matched = selected(map, given, "walls")?;
        let by = given.iter().map(Selector::to_string).collect::<Vec<_>>().join(" and ");
        return walls(map, &matched, by);
    }
    if map.has_meanings {
        check_all_named(map, selectors)?;
        let matched = Matched::values(map, |_, value| value.meaning == Some(Meaning::Wall));
        return walls(map, &matched, "the meanings of values".to_owned());
    }
    let mut rules = conventions(map).into_iter().filter(|(_, matched)| !matched.is_empty());
    let Some((rule, matched)) = rules.next() else {
        let message = format!("expected walls by a convention of maps, found none; {}", inventory::of(map));
        return Err(MapError::unusable(message).with_hint(
            "name them with --walls layer:NAME, property:NAME, value:NAME or tile:1-40, or walls in a manifest; \
             none if there are none",
        ));
    };
    let mut found = walls(map, &matched, rule.to_owned())?;
    if found.cells.is_empty() {
        // A tile that is not used decides: say so if this may not be meant.
        for (rule, matched) in rules {
            let other = matched.covered(found.grid, true)?.cells.len();
            if other > 0 {
                let other = counted(other, "cell", "cells");
                found.note = Some(format!("not {rule}, with {other}: --walls names them if they are meant"));
                break;
            }
        }
    }
    Ok(found)
}

/// Returns what the selectors of an option name.
///
/// # Errors
/// When one of them matches nothing.
pub(super) fn selected<'a>(map: &'a Map, given: &[Selector], option: &str) -> Result<Matched<'a>, MapError> {
    let mut all = Matched::default();
    for selector in given {
        let matched = Matched::by(map, selector);
        match selector {
            Selector::None if given.len() > 1 => {
                return Err(MapError::unusable(format!(
                    "{option}: none cannot stand beside another selector"
                )));
            }
            Selector::None => {}
            _ if matched.is_empty() => {
                let found = inventory::of(map);
                return Err(MapError::unusable(format!("{option}: {selector} matches nothing; {found}")));
            }
            _ => {}
        }
        all = all.and(matched);
    }
    Ok(all)
}

/// Returns what each convention matches, the strongest first.
fn conventions(map: &Map) -> [(&'static str, Matched<'_>); 5] {
    let is_wall = |name: &str| Role::of(name) == Some(Role::Walls);
    let has_property = |properties: &Properties| {
        WALL_PROPERTIES.iter().any(|name| property(properties, name).is_some_and(is_true))
    };
    [
        (
            "tiles with the property collides or solid",
            Matched::values(map, |_, value| has_property(&value.properties))
                .and(Matched::objects(map, |object| object.is_tile && has_property(&object.properties))),
        ),
        (
            "tiles with a collision shape",
            Matched::values(map, |_, value| value.has_shape)
                .and(Matched::objects(map, |object| object.is_solid)),
        ),
        (
            "values or classes called wall, solid, collision or obstacle",
            Matched::values(map, |_, value| value.name.as_deref().is_some_and(is_wall))
                .and(Matched::objects(map, |object| object.is_tile && is_wall(&object.class))),
        ),
        (
            "layers or objects with the property collides or solid",
            Matched::layers(map, |layer| has_property(&layer.properties))
                .and(Matched::objects(map, |object| has_property(&object.properties))),
        ),
        (
            "layers called walls, collisions, solids or obstacles",
            Matched::layers(map, |layer| is_wall(&layer.name))
                .and(Matched::objects(map, |object| !object.is_vague && is_wall(&object.layer))),
        ),
    ]
}

/// Returns the walls that are matched. The layers that have them must have cells of one size.
fn walls(map: &Map, matched: &Matched, by: String) -> Result<Walls, MapError> {
    let mut grid = None;
    for (layer, _) in &matched.layers {
        let first = *grid.get_or_insert(layer.grid);
        if first != layer.grid {
            return Err(MapError::unusable(format!(
                "walls: expected layers with cells of one size, found {} and {} pixels; {}",
                first.cell[0],
                layer.grid.cell[0],
                inventory::of(map)
            ))
            .with_hint("--walls layer:NAME names one of them"));
        }
    }
    let grid = grid.unwrap_or(map.grid);
    let covered = matched.covered(grid, true)?;
    let note = (covered.thin > 0).then(|| {
        let shapes = counted(covered.thin, "shape covers", "shapes cover");
        format!("{shapes} the middle of no cell: the cell of its own middle is the wall")
    });
    Ok(Walls { grid, cells: covered.cells, by, note })
}

/// Checks that every value in the cells of a picture or a table has a meaning, of its own or by a selector.
fn check_all_named(map: &Map, selectors: &MapSelectors) -> Result<(), MapError> {
    let named = named(map, selectors)?;
    for layer in &map.layers {
        for (index, number) in layer.cells.iter().enumerate().filter(|&(_, &number)| number != 0) {
            let value = layer.values.get(number);
            if value.is_none_or(|value| value.meaning.is_none()) && !named.contains(&index) {
                let name = value
                    .and_then(|value| value.name.as_deref())
                    .map_or_else(|| "another value".to_owned(), shortened);
                let cells = layer.cells.iter().filter(|&other| other == number).count();
                let (row, column) = (index / layer.grid.width, index % layer.grid.width);
                let message = format!(
                    "cell {row},{column}: expected a value that means wall or open, found {name}, in {}; {}",
                    counted(cells, "cell", "cells"),
                    inventory::of(map)
                );
                return Err(MapError::unusable(message).with_hint(
                    "--walls names the walls, and all else is open; --exits, --police, --thief and --letter name other values",
                ));
            }
        }
    }
    Ok(())
}

/// Returns the cells that some selector names.
pub(super) fn named(map: &Map, selectors: &MapSelectors) -> Result<BTreeSet<usize>, MapError> {
    let mut named = BTreeSet::new();
    for selector in selectors.all() {
        named.extend(Matched::by(map, selector).covered(map.grid, true)?.cells);
    }
    Ok(named)
}
