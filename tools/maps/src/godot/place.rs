//! Where the nodes of a scene lie: each moves with the one above it, unless something ends that.

use super::section::{Section, Value};
use crate::affine::{Affine, Point};

/// Types of nodes, and of windows into other worlds, that have no place: nodes below them begin anew.
const WITHOUT_PLACE: [&str; 16] = [
    "Node",
    "Timer",
    "AnimationPlayer",
    "AnimationTree",
    "AudioStreamPlayer",
    "HTTPRequest",
    "MultiplayerSpawner",
    "MultiplayerSynchronizer",
    "NavigationAgent2D",
    "ResourcePreloader",
    "ShaderGlobalsOverride",
    "StatusIndicator",
    "SubViewport",
    "Viewport",
    "Window",
    "WorldEnvironment",
];

/// Types of nodes that are canvases of their own.
const CANVASES: [&str; 2] = ["CanvasLayer", "ParallaxBackground"];

/// The place of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Takes pixels of the node to pixels of the scene.
    pub(super) whole: Affine,
    /// Whether the node has no place that is known: it, or a node above it, is of the user interface, whose
    /// places follow from the size of the screen.
    pub(super) is_unknown: bool,
    /// Whether the node only holds others.
    pub(super) is_folder: bool,
    /// Takes pixels of the canvas on which the node is drawn to pixels of the scene.
    canvas: Affine,
}

impl Place {
    /// Returns the place of a node of a type, given that of the node above it.
    pub(super) fn of(node: &Section, kind: &str, above: Option<Place>) -> Place {
        let start =
            Place { whole: Affine::IDENTITY, is_unknown: false, is_folder: false, canvas: Affine::IDENTITY };
        let above = above.unwrap_or(start);
        if CANVASES.contains(&kind) {
            let own = transform(node, "offset");
            return Place { whole: own, canvas: own, ..start };
        }
        if WITHOUT_PLACE.contains(&kind) {
            return Place { whole: above.canvas, is_unknown: false, ..above };
        }
        let is_control = node.properties.iter().any(|(name, _)| {
            ["layout_mode", "anchors_preset", "anchor_", "offset_"]
                .iter()
                .any(|start| name.starts_with(start))
        });
        let is_top = matches!(node.get("top_level"), Some(Value::Word(word)) if word == "true");
        let from = if is_top { above.canvas } else { above.whole };
        Place {
            whole: from.after(&transform(node, "position")),
            is_unknown: is_control || above.is_unknown && !is_top,
            ..above
        }
    }
}

/// Returns the transform of a node, as Godot puts it together: `transform`, or else position, rotation in
/// radians, scale and skew.
fn transform(node: &Section, position: &str) -> Affine {
    if let Some(Value::Call(_, numbers)) = node.get("transform")
        && let [
            Value::Number(a),
            Value::Number(b),
            Value::Number(c),
            Value::Number(d),
            Value::Number(e),
            Value::Number(f),
        ] = numbers[..]
    {
        return Affine { x: [a, b], y: [c, d], origin: [e, f] };
    }
    let number = |name: &str| node.number(name).unwrap_or(0.0);
    let turned = number("rotation").to_degrees() + number("rotation_degrees");
    let scale = node.vector("scale").unwrap_or([1.0, 1.0]);
    let along = |degrees: f64, image: fn(Affine) -> Point, scale: f64| {
        image(Affine::rotation(degrees)).map(|part| part * scale)
    };
    Affine {
        x: along(turned, |turn| turn.x, scale[0]),
        y: along(turned + number("skew").to_degrees(), |turn| turn.y, scale[1]),
        origin: node.vector(position).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

    fn node(properties: &[(&str, Value)]) -> Section {
        let properties = properties.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Section { tag: "node".to_owned(), attributes: Vec::new(), properties: properties.collect() }
    }

    fn vector(x: f64, y: f64) -> Value {
        Value::Call("Vector2".to_owned(), vec![Value::Number(x), Value::Number(y)])
    }

    fn is_near(a: Point, b: Point) -> bool {
        (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-4
    }

    #[test]
    fn node_moves_with_the_one_above_it() {
        let parent = node(&[
            ("position", vector(100.0, 0.0)),
            ("rotation", Value::Number(FRAC_PI_2)),
            ("scale", vector(2.0, 3.0)),
        ]);
        let parent = Place::of(&parent, "Node2D", None);
        let child = Place::of(&node(&[("position", vector(10.0, 0.0))]), "Sprite2D", Some(parent));
        assert!(is_near(child.whole.origin, [100.0, 20.0]), "{child:?}");
        let skewed = Place::of(&node(&[("skew", Value::Number(FRAC_PI_4))]), "Node2D", None);
        assert!(is_near(skewed.whole.apply([0.0, 2.0_f64.sqrt()]), [-1.0, 1.0]), "{skewed:?}");
        let whole =
            Value::Call("Transform2D".to_owned(), [2.0, 0.0, 0.0, 2.0, 5.0, 6.0].map(Value::Number).to_vec());
        assert_eq!(
            Place::of(&node(&[("transform", whole)]), "Node2D", None).whole.apply([1.0, 1.0]),
            [7.0, 8.0]
        );
    }

    #[test]
    fn node_begins_anew_below_one_without_place_or_if_it_says_so() {
        let moved = [("position", vector(10.0, 0.0))];
        let parent = Place::of(&node(&moved), "Node2D", None);
        let plain = Place::of(&node(&[]), "Node", Some(parent));
        assert_eq!(Place::of(&node(&moved), "Node2D", Some(plain)).whole.origin, [10.0, 0.0]);
        let top = [("position", vector(10.0, 0.0)), ("top_level", Value::Word("true".to_owned()))];
        assert_eq!(Place::of(&node(&top), "Node2D", Some(parent)).whole.origin, [10.0, 0.0]);
        let canvas = Place::of(&node(&[("offset", vector(0.0, 7.0))]), "CanvasLayer", Some(parent));
        let below = Place::of(&node(&[]), "Node", Some(canvas));
        assert_eq!(Place::of(&node(&moved), "Node2D", Some(below)).whole.origin, [10.0, 7.0]);
    }

    #[test]
    fn place_of_the_user_interface_is_unknown() {
        let control = Place::of(&node(&[("layout_mode", Value::Number(3.0))]), "Control", None);
        assert!(control.is_unknown && Place::of(&node(&[]), "Node2D", Some(control)).is_unknown);
        assert!(!Place::of(&node(&[]), "CanvasLayer", Some(control)).is_unknown);
    }
}
