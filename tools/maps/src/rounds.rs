//! The rounds of guards in a map.

use super::{
    grid::Grid,
    matching::Matched,
    model::{Map, Object, property},
    role_names::{Role, is_round},
    selector::Selector,
    shape::Outline,
    walls::selected,
};
use crate::error::{MapError, shortened};
use dragnet_formats::{
    board::Board,
    cell::Cell,
    guards::{Guard, GuardError, Guards},
};
use serde_json::{Value, json};

/// The keys of a guard in a file of guards, which are properties of its round.
const KEYS: [&str; 8] = ["back", "pace", "pause", "looks", "sight", "angle", "lines", "doors"];

/// The most squares that a line of findings lists.
const SHOWN: usize = 6;

/// Returns whether an object is the round of a guard by the conventions of maps: a line or a polygon that is
/// called so, or a line that is called like an officer.
pub(super) fn is_round_of_guard(object: &Object) -> bool {
    let names = [&object.name, &object.class];
    match is_line(object) {
        Some(true) => names.iter().any(|name| is_round(name) || Role::of(name) == Some(Role::Police)),
        Some(false) => names.iter().any(|name| is_round(name)),
        None => false,
    }
}

/// Returns whether an object is a line, not a polygon, or `None` if it is neither.
fn is_line(object: &Object) -> Option<bool> {
    match object.shape.as_ref()?.outline {
        Outline::Polyline(_) => Some(true),
        Outline::Polygon(_) => Some(false),
        Outline::Box { .. } => None,
    }
}

/// Finds the guards of a map, those that are selected or else those of the conventions, in the order of the
/// map. Returns a line about each of them.
///
/// # Errors
/// When a selector matches nothing but cells and other objects, or a guard cannot walk on the board.
pub(super) fn find(
    map: &Map,
    grid: Grid,
    given: &[Selector],
    board: &Board,
) -> Result<(Vec<Guard>, Vec<String>), MapError> {
    let matched = match given.is_empty() {
        true => Matched::objects(map, is_round_of_guard),
        false => selected(map, given, "rounds")?,
    };
    if !matched.layers.is_empty() {
        return Err(MapError::unusable("rounds: expected lines and polygons, found cells of layers"));
    }
    let (mut guards, mut findings) = (Vec::new(), Vec::new());
    for (number, object) in (1..).zip(matched.objects) {
        let label = shortened(object.label());
        let guard = guard(object, grid).map_err(|error| error.about(&label))?;
        let round = guard.round.clone();
        guards.push(guard);
        // All before this one have been checked.
        Guards::new(guards.clone(), board).map_err(|error| {
            let vertex = match error {
                GuardError::Place { cell, .. } | GuardError::Leg { from: cell, .. } => {
                    round.iter().position(|&other| other == cell)
                }
                _ => None,
            };
            let vertex = vertex.map_or_else(String::new, |vertex| format!(", vertex {}", vertex + 1));
            MapError::unusable(error).about(format!("{label}{vertex}"))
        })?;
        let squares = match round.len() {
            0..=SHOWN => round.iter().map(Cell::to_string).collect::<Vec<_>>().join(" "),
            many => format!("{many} squares"),
        };
        let back = if guards.last().is_some_and(|guard| guard.back) { " and back" } else { "" };
        findings.push(format!("guard   {number}, {label}: {squares}{back}"));
    }
    Ok((guards, findings))
}

/// Returns the guard who walks an object: a line there and back, a polygon round. Vertices beside each other
/// in one cell are one square.
fn guard(object: &Object, grid: Grid) -> Result<Guard, MapError> {
    let shape = object.shape.as_ref().zip(is_line(object));
    let (shape, is_line) =
        shape.ok_or_else(|| MapError::unusable("expected a line or a polygon for a round, found none"))?;
    let mut round: Vec<Cell> = Vec::new();
    for (vertex, point) in (1..).zip(shape.points()) {
        let index = grid.index_at(point).ok_or_else(|| {
            let [x, y] = point;
            MapError::unusable(format!(
                "vertex {vertex}: expected a point on the board, found one {x:.0},{y:.0} pixels from its corner"
            ))
        })?;
        let cell = grid.cell(index);
        if round.last() != Some(&cell) {
            round.push(cell);
        }
        if round.len() > Guards::MAX_ROUND {
            let most = Guards::MAX_ROUND;
            return Err(MapError::unusable(format!(
                "expected a round of at most {most} squares, found more"
            )));
        }
    }
    let squares: Vec<[u16; 2]> = round.iter().map(|cell| [cell.row, cell.col]).collect();
    let mut keys = json!({ "round": squares, "back": is_line && round.len() > 1 });
    let mut guard = read(&keys)?;
    for key in KEYS {
        if let Some(text) = property(&object.properties, key) {
            keys[key] = value(key, text);
            guard = read(&keys).map_err(|error| error.about(key))?;
        }
    }
    Ok(guard)
}

fn read(keys: &Value) -> Result<Guard, MapError> {
    serde_json::from_value(keys.clone()).map_err(MapError::unusable)
}

/// Returns the value of a guard's key that a property has as text.
fn value(key: &str, text: &str) -> Value {
    let text = text.trim().to_lowercase();
    if key == "looks" {
        return text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    }
    let number = text.parse::<u64>().map(Value::from);
    number.or_else(|_| text.parse::<bool>().map(Value::from)).unwrap_or(Value::String(text))
}
