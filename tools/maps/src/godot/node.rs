//! Parts of a node of a scene: what it says of itself, and its line.

use super::{
    section::{Section, Value},
    tile_set::text,
};
use crate::{
    affine::{Affine, Point},
    model::Properties,
    shape::{Outline, Shape},
};

/// Returns what a node says of itself: its metadata, and the variables of its script.
pub(super) fn properties(node: &Section) -> Properties {
    let plain = |name: &str| name.strip_prefix("metadata/").unwrap_or(name).to_owned();
    node.properties.iter().filter_map(|(name, value)| Some((plain(name), text(value)?))).collect()
}

/// Returns the line of a node of the type `Line2D`.
pub(super) fn line(node: &Section, kind: &str, place: Affine) -> Option<Shape> {
    let (Some(Value::Call(_, numbers)), "Line2D") = (node.get("points"), kind) else { return None };
    let points = numbers.chunks_exact(2).filter_map(|point| match *point {
        [Value::Number(x), Value::Number(y)] => Some([x, y]),
        _ => None,
    });
    let points: Vec<Point> = points.collect();
    let is_closed = matches!(node.get("closed"), Some(Value::Word(word)) if word == "true");
    let outline = if is_closed { Outline::Polygon(points) } else { Outline::Polyline(points) };
    Some(Shape { outline, place })
}
