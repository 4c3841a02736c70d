//! Sections of Godot's scenes and resources, each with a tag, attributes and properties.

/// A section, such as `[node name="Walls" type="TileMapLayer"]`, with the properties below it.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) tag: String,
    pub(super) attributes: Vec<(String, Value)>,
    pub(super) properties: Vec<(String, Value)>,
}

/// A value of an attribute or a property.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(f64),
    /// `true`, `null` or another word.
    Word(String),
    /// A word with arguments, such as `Vector2(8, 8)`.
    Call(String, Vec<Value>),
    /// A list, or the keys and values of a dictionary.
    List(Vec<Value>),
}

impl Section {
    /// Returns the attribute with this name, if it is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.attributes.iter().find(|(known, _)| known == name) {
            Some((_, Value::Text(text))) => Some(text),
            _ => None,
        }
    }

    /// Returns the property with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Returns the vector in a property, such as `Vector2i(16, 16)`.
    pub(super) fn vector(&self, name: &str) -> Option<[f64; 2]> {
        match self.get(name) {
            Some(Value::Call(_, numbers)) => match numbers[..] {
                [Value::Number(x), Value::Number(y)] => Some([x, y]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the number in a property.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(&Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}

impl Value {
    /// Returns the resource to which the value refers: whether it is of another file, and its identifier.
    pub(super) fn resource(&self) -> Option<(bool, &str)> {
        match self {
            Value::Call(name, arguments) => match (name.as_str(), &arguments[..]) {
                ("ExtResource", [Value::Text(id)]) => Some((true, id)),
                ("SubResource", [Value::Text(id)]) => Some((false, id)),
                _ => None,
            },
            _ => None,
        }
    }
}
