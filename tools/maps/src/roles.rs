//! Which cells of a map are exits and start cells.

use super::{
    grid::Grid,
    inventory::listed,
    matching::Matched,
    model::{Map, Meaning, Object},
    role_names::Role,
    rounds::is_round_of_guard,
    selector::Selector,
    walls::selected,
};
use crate::error::MapError;
use std::collections::BTreeSet;

/// Cells with a role.
pub(super) struct Placed {
    /// The indices of the cells, rising.
    pub(super) cells: BTreeSet<usize>,
    /// How they were found, for people.
    pub(super) by: String,
    /// Whether a selector names them.
    pub(super) is_given: bool,
    /// The objects that have the role and lie off the board.
    pub(super) off_board: usize,
}

/// Finds the cells of a role: those that are selected, or else those of objects, values and layers that are
/// called so.
///
/// # Errors
/// When a selector matches nothing.
pub(super) fn find(
    map: &Map,
    grid: Grid,
    role: Role,
    given: &[Selector],
    option: &str,
) -> Result<Placed, MapError> {
    place(map, grid, given, option, role == Role::Exits, || conventional(map, role))
}

/// Returns the cells that are selected, or else those of a convention. Objects cover areas if `areas` is set.
///
/// # Errors
/// When a selector matches nothing.
pub(super) fn place<'a>(
    map: &'a Map,
    grid: Grid,
    given: &[Selector],
    option: &str,
    areas: bool,
    conventional: impl FnOnce() -> Matched<'a>,
) -> Result<Placed, MapError> {
    let is_given = !given.is_empty();
    let matched = if is_given { selected(map, given, option)? } else { conventional() };
    let by = match is_given {
        true => given.iter().map(Selector::to_string).collect::<Vec<_>>().join(" and "),
        false => named(map, &matched),
    };
    let covered = matched.covered(grid, areas)?;
    Ok(Placed { cells: covered.cells, by, is_given, off_board: covered.off_board })
}

fn conventional(map: &Map, role: Role) -> Matched<'_> {
    let meaning = match role {
        Role::Walls => Meaning::Wall,
        Role::Exits => Meaning::Exit,
        Role::Police => Meaning::Police,
        Role::Thief => Meaning::Thief,
    };
    let is_role = |name: &str| Role::of(name) == Some(role);
    Matched::objects(map, |object| !object.is_vague && role_of(object) == Some(role))
        .and(Matched::values(map, |_, value| {
            value.meaning == Some(meaning) || value.name.as_deref().is_some_and(is_role)
        }))
        .and(Matched::layers(map, |layer| is_role(&layer.name)))
}

/// Returns the role that the name of an object has, or else its class, or else its layer. The round of a
/// guard has none.
fn role_of(object: &Object) -> Option<Role> {
    if is_round_of_guard(object) {
        return None;
    }
    [&object.name, &object.class, &object.layer].into_iter().find_map(|name| Role::of(name))
}

/// Returns the names of what is matched.
fn named(map: &Map, matched: &Matched) -> String {
    let objects = matched.objects.iter().map(|object| object.label().to_owned());
    let objects = (!matched.objects.is_empty()).then(|| format!("objects {}", listed(objects)));
    let layers: Vec<String> = (matched.layers.iter())
        .filter(|(layer, numbers)| layer.cells.iter().any(|&number| numbers.contains(number)))
        .map(|(layer, _)| layer.name.clone())
        .collect();
    let layers = (!layers.is_empty()).then(|| match map.has_meanings {
        true => "the meanings of values".to_owned(),
        false => format!("layers {}", listed(layers.into_iter())),
    });
    objects.into_iter().chain(layers).collect::<Vec<_>>().join(" and ")
}
