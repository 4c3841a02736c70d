//! Which cells of a map are walls.

use super::{
    inventory,
    matching::Matched,
    model::{Grid, Map, Meaning, Properties, is_true, property},
    selector::{MapSelectors, Selector},
    words::{Role, WALL_PROPERTIES},
};
use crate::{failure::Failure, output::human::counted};
use std::collections::BTreeSet;

/// The walls of a map, and the cells of its board.
pub(super) struct Walls {
    pub(super) grid: Grid,
    /// The indices of the cells that are walls.
    pub(super) cells: BTreeSet<usize>,
    /// How they were found, for people.
    pub(super) by: String,
}

/// Finds the walls: those that are selected, or else those of the first convention that matches a cell. If a
/// convention matches no cell but something that the map could use, the map has no wall.
///
/// # Errors
/// When a selector matches nothing, no convention does, or layers with cells of different sizes have walls.
pub(super) fn find(map: &Map, selectors: &MapSelectors) -> Result<Walls, Failure> {
    let given = &selectors.ground.walls;
    if !given.is_empty() {
        let matched = selected(map, given, "walls")?;
        let by = given.iter().map(Selector::to_string).collect::<Vec<_>>().join(" and ");
        return walls(map, &matched, by);
    }
    let mut unused = None;
    for (rule, matched) in conventions(map) {
        if matched.is_empty() {
            continue;
        }
        let walls = walls(map, &matched, rule.to_owned())?;
        if !walls.cells.is_empty() {
            return Ok(walls);
        }
        unused = unused.or(Some(walls));
    }
    if map.has_meanings {
        check_all_named(map, selectors)?;
        let matched = Matched::values(map, |_, value| value.meaning == Some(Meaning::Wall));
        return walls(map, &matched, "the meanings of values".to_owned());
    }
    unused.ok_or_else(|| {
        let message = format!("expected walls by a convention of maps, found none; {}", inventory::of(map));
        Failure::input(message).with_hint(
            "name them with --walls layer:NAME, property:NAME, value:NAME or tile:1-40, or walls in a manifest; \
             none if there are none",
        )
    })
}

/// Returns what the selectors of an option name.
///
/// # Errors
/// When one of them matches nothing.
pub(super) fn selected<'a>(map: &'a Map, given: &[Selector], option: &str) -> Result<Matched<'a>, Failure> {
    let mut all = Matched::default();
    for selector in given {
        let matched = Matched::by(map, selector);
        match selector {
            Selector::None if given.len() > 1 => {
                return Err(Failure::input(format!("{option}: none cannot stand beside another selector")));
            }
            Selector::None => {}
            _ if matched.is_empty() => {
                let found = inventory::of(map);
                return Err(Failure::input(format!("{option}: {selector} matches nothing; {found}")));
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
            Matched::values(map, |_, value| has_property(&value.properties)),
        ),
        ("tiles with a collision shape", Matched::values(map, |_, value| value.has_shape)),
        (
            "values or classes called wall, solid, collision or obstacle",
            Matched::values(map, |_, value| value.name.as_deref().is_some_and(is_wall)),
        ),
        (
            "layers or objects with the property collides or solid",
            Matched::layers(map, |layer| has_property(&layer.properties))
                .and(Matched::objects(map, |object| has_property(&object.properties))),
        ),
        (
            "layers called walls, collisions, solids or obstacles",
            Matched::layers(map, |layer| is_wall(&layer.name))
                .and(Matched::objects(map, |object| is_wall(&object.layer))),
        ),
    ]
}

/// Returns the walls that are matched. The layers that have them must have cells of one size.
fn walls(map: &Map, matched: &Matched, by: String) -> Result<Walls, Failure> {
    let mut grid = None;
    for (layer, _) in &matched.layers {
        let first = *grid.get_or_insert(layer.grid);
        if first != layer.grid {
            return Err(Failure::input(format!(
                "walls: expected layers with cells of one size, found {} and {} pixels; {}",
                first.cell[0],
                layer.grid.cell[0],
                inventory::of(map)
            ))
            .with_hint("--walls layer:NAME names one of them"));
        }
    }
    let grid = grid.unwrap_or(map.grid);
    let shapes = matched.objects.iter().filter(|object| object.is_shape).count();
    let by = match shapes {
        0 => by,
        _ => format!(
            "{by}; {} read as one cell",
            counted(shapes as u64, "polygon or ellipse", "polygons or ellipses")
        ),
    };
    Ok(Walls { grid, cells: matched.cells(grid, true), by })
}

/// Checks that every value in the cells of a picture or a table has a meaning, of its own or by a selector.
fn check_all_named(map: &Map, selectors: &MapSelectors) -> Result<(), Failure> {
    let starts = &selectors.starts;
    let given = selectors.ground.exits.iter().chain(&starts.police).chain(&starts.thief);
    let named: BTreeSet<usize> =
        given.flat_map(|selector| Matched::by(map, selector).cells(map.grid, true)).collect();
    for layer in &map.layers {
        for (index, number) in layer.cells.iter().enumerate().filter(|&(_, &number)| number != 0) {
            let value = layer.values.get(number);
            if value.is_none_or(|value| value.meaning.is_none()) && !named.contains(&index) {
                let name = value.and_then(|value| value.name.as_deref()).unwrap_or("another value");
                let cells = layer.cells.iter().filter(|&other| other == number).count();
                let (row, column) = (index / layer.grid.width, index % layer.grid.width);
                let message = format!(
                    "cell {row},{column}: expected a value that means wall or open, found {name}, in {}; {}",
                    counted(cells as u64, "cell", "cells"),
                    inventory::of(map)
                );
                return Err(Failure::input(message).with_hint(
                    "--walls names the walls, and all else is open; --exits, --police and --thief name other values",
                ));
            }
        }
    }
    Ok(())
}
