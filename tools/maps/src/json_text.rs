//! JSON files of editors: messages with line and column, and forms that differ between versions.

use super::model::Properties;
use crate::error::{MapError, fault};
use dragnet_formats::board::Board;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;
use std::fmt;

/// Reads a JSON file.
///
/// # Errors
/// With line and column, when the text is not JSON or lacks what `T` needs.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, MapError> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let what = message.strip_suffix(&place).unwrap_or(&message);
        fault((line, column), format!("expected the JSON of a map: {what}"))
    })
}

/// Returns a simple value as text, and a list of them with commas between; `None` of an empty list, of
/// objects and of null.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(list) if list.iter().any(|value| value.is_array() || value.is_object()) => None,
        Value::Array(list) => {
            let texts: Vec<String> = list.iter().filter_map(text_of).collect();
            (!texts.is_empty()).then(|| texts.join(","))
        }
        Value::Null | Value::Object(_) => None,
    }
}

/// Numbers in a list, or a text that holds them in another encoding.
pub(super) enum NumbersOrText {
    Numbers(Vec<u32>),
    Text(String),
}

impl<'de> Deserialize<'de> for NumbersOrText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NumbersOrText, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = NumbersOrText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of numbers or a string")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<NumbersOrText, E> {
                Ok(NumbersOrText::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NumbersOrText, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = list.next_element()? {
                    if numbers.len() == Board::MAX_SQUARES {
                        let most = Board::MAX_SQUARES;
                        return Err(A::Error::custom(format!("expected at most {most} numbers, found more")));
                    }
                    numbers.push(number);
                }
                Ok(NumbersOrText::Numbers(numbers))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// Properties in a list of objects with name and value, or, as in old files, in one object.
#[derive(Default)]
pub(super) struct JsonProperties(pub(super) Properties);

impl<'de> Deserialize<'de> for JsonProperties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonProperties, D::Error> {
        #[derive(Deserialize)]
        struct Property {
            name: String,
            #[serde(default)]
            value: Value,
        }
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = JsonProperties;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("properties")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonProperties, A::Error> {
                let mut properties = Properties::new();
                while let Some(Property { name, value }) = list.next_element()? {
                    properties.extend(text_of(&value).map(|value| (name, value)));
                }
                Ok(JsonProperties(properties))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonProperties, A::Error> {
                let mut properties = Properties::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    properties.extend(text_of(&value).map(|value| (name, value)));
                }
                Ok(JsonProperties(properties))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Example {
        data: NumbersOrText,
        #[serde(default)]
        properties: JsonProperties,
    }

    #[test]
    fn both_forms_of_numbers_and_properties_are_read() {
        let new: Example =
            parse(r#"{"data": [1, 2], "properties": [{"name": "a", "type": "bool", "value": true}]}"#)
                .unwrap();
        assert!(matches!(new.data, NumbersOrText::Numbers(numbers) if numbers == [1, 2]));
        let old: Example = parse(r#"{"data": "AQ==", "properties": {"a": true, "b": []}}"#).unwrap();
        assert!(matches!(old.data, NumbersOrText::Text(text) if text == "AQ=="));
        assert_eq!(new.properties.0, old.properties.0);
    }

    #[test]
    fn faults_have_line_and_column() {
        let message = |text: &str| parse::<Example>(text).err().map(|error| error.to_string());
        assert_eq!(
            message("{\n}").as_deref(),
            Some("line 2, column 1: expected the JSON of a map: missing field `data`")
        );
        assert!(message("{\n \"data\": 7}").unwrap().starts_with("line 2, column "));
        assert!(message("{\"data\": [-1]}").unwrap().starts_with("line 1, column "));
    }
}
