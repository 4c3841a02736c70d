//! JSON Schemas of what the program prints and the server answers, from the types themselves.

#[cfg(test)]
mod tests;

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{Transform, transform_subschemas},
};
use serde_json::Value as Json;

/// Returns the schema of `T` in itself, without definitions: of an answer, whose fields are all known, or of
/// a question, which may have others.
#[cfg(feature = "serve")]
pub(crate) fn inline_schema<T: JsonSchema>(is_answer: bool) -> Schema {
    let settings = settings().with(|settings| settings.inline_subschemas = true);
    let settings = settings.with_transform(AsPrinted { is_answer, is_part: false });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("$schema");
    schema.remove("title");
    schema
}

fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().for_serialize()
}

/// Says of objects how they are printed: a field that may be absent is no `null`, and other fields are not
/// there.
#[derive(Clone, Copy)]
struct AsPrinted {
    /// Whether objects have no other fields.
    is_answer: bool,
    /// Whether the schema is a part of an object's schema, whose other fields stand around it.
    is_part: bool,
}

impl Transform for AsPrinted {
    fn transform(&mut self, schema: &mut Schema) {
        for word in ["format", "default"] {
            schema.remove(word);
        }
        // Links to code, and the ends of lines in comments.
        if let Some(Json::String(text)) = schema.get_mut("description") {
            *text = text.replace("[`", "`").replace("`]", "`").replace('\n', " ");
        }
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required =
            |name: &str| required.as_array().is_some_and(|names| names.iter().any(|n| n == name));
        let mut is_object = false;
        if let Some(Json::Object(properties)) = schema.get_mut("properties") {
            is_object = true;
            for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
                remove_null(property);
            }
        }
        let forms = ["oneOf", "anyOf"].into_iter().find(|forms| schema.get(*forms).is_some());
        let others = if forms.is_some() { "unevaluatedProperties" } else { "additionalProperties" };
        if is_object && self.is_answer && !self.is_part {
            schema.insert(others.to_owned(), false.into());
        }
        let is_part = is_object && forms.is_some();
        transform_subschemas(&mut AsPrinted { is_part, ..*self }, schema);
    }
}

/// Takes `null` out of what a schema allows.
fn remove_null(schema: &mut Json) {
    let is_null = |form: &Json| form["type"] == "null";
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Json::Array(types)) = object.get_mut("type") {
        types.retain(|word| word != "null");
        if let [one] = &types[..] {
            object["type"] = one.clone();
        }
    }
    if let Some(Json::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Json::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| !is_null(form));
        if let [Json::Object(one)] = &mut forms[..] {
            let one = std::mem::take(one);
            object.remove("anyOf");
            for (word, value) in one {
                object.entry(word).or_insert(value);
            }
        }
    }
}
