//! Messages about TOML files, in the words of the file.

use crate::input::nearest::nearest;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Characters of a value that a message quotes.
const QUOTED: usize = 40;

/// Returns the error in one line: line and column as errors in board files have them, then the key, then what
/// is wrong there.
pub(crate) fn toml_message(text: &str, error: &toml::de::Error) -> String {
    let span = error.span().unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let place = format!("line {line}, column {column}");
    let message = error.message();
    if let Some((key, _)) = in_backticks(message, "missing field ") {
        return format!("{place}: expected the key {key}, found none");
    }
    let what = in_words_of_file(message, text.get(span.clone()).unwrap_or_default());
    match key_at(text, span.start) {
        Some(key) => format!("{place}: {key}: {what}"),
        None => format!("{place}: {what}"),
    }
}

/// Returns what is wrong without the names that programs have for types. `found` is the text of the value.
fn in_words_of_file(message: &str, found: &str) -> String {
    if let Some((key, known)) = in_backticks(message, "unknown field ") {
        return match nearest(key, known.iter().copied()) {
            Some(near) => format!("there is no such key; did you mean {near}?"),
            None if known.is_empty() => "expected no key here".to_owned(),
            None => format!("there is no such key; expected one of {}", known.join(", ")),
        };
    }
    if let Some((name, known)) = in_backticks(message, "unknown variant ") {
        let near = nearest(name, known.iter().copied());
        let hint = near.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        return format!("expected one of {}; found {name:?}{hint}", known.join(", "));
    }
    let invalid =
        ["invalid type: ", "invalid value: "].into_iter().find_map(|start| message.strip_prefix(start));
    if let Some((found, wanted)) = invalid.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!("expected {}, found {}", wanted_value(wanted), found_value(found));
    }
    // The reader of TOML has said what it wants, but not what it found.
    let wanted = message.strip_prefix("wanted ").or_else(|| message.strip_prefix("expected "));
    match wanted {
        Some(wanted) if !message.contains("found") && !found.is_empty() => {
            format!("expected {}, found {}", wanted_value(wanted), shortened(found))
        }
        _ => message.replace('\n', ", "),
    }
}

/// Returns the first word in backticks behind `start`, and all further ones, if the message begins so.
fn in_backticks<'a>(message: &'a str, start: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let mut quoted = message.strip_prefix(start)?.split('`').skip(1).step_by(2);
    Some((quoted.next()?, quoted.collect()))
}

/// Returns the name of what a reader wants, for people who do not know the types of programs.
fn wanted_value(wanted: &str) -> &str {
    match wanted {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "text in quotes",
        "path string" => "a path in quotes",
        "string or table" => "a name in quotes",
        "a sequence" => "a list",
        "a map" => "a section of keys and values",
        _ if wanted.starts_with("struct ") => "a section of keys and values",
        _ => wanted.strip_prefix("expected ").unwrap_or(wanted),
    }
}

/// Returns a value that was found, as it stands in the file.
fn found_value(found: &str) -> String {
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "a section of keys and values".to_owned(),
        _ => match found.split_once(['`', '"']) {
            Some(("string ", _)) => shortened(&found["string ".len()..]),
            Some((_, value)) => value.trim_end_matches('`').to_owned(),
            None => found.to_owned(),
        },
    }
}

/// Returns the first line of `text`, cut if it is long.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}

/// Returns the key whose name or value is at byte `at` of the text, if the text is TOML.
fn key_at(text: &str, at: usize) -> Option<String> {
    fn search(value: &DeValue, at: usize) -> Option<String> {
        // The span of a table is only its heading.
        let within = |inner: &Spanned<DeValue>, name: &str| {
            let deeper = search(inner.get_ref(), at).map(|rest| match rest.starts_with('[') {
                true => format!("{name}{rest}"),
                false => format!("{name}.{rest}"),
            });
            deeper.or_else(|| inner.span().contains(&at).then(|| name.to_owned()))
        };
        match value {
            DeValue::Table(table) => table.iter().find_map(|(key, inner)| {
                within(inner, key.get_ref())
                    .or_else(|| key.span().contains(&at).then(|| key.get_ref().to_string()))
            }),
            DeValue::Array(array) => (0..)
                .zip(array.iter())
                .find_map(|(number, inner): (usize, _)| within(inner, &format!("[{number}]"))),
            _ => None,
        }
    }
    search(&DeValue::Table(DeTable::parse(text).ok()?.into_inner()), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_in_the_words_of_the_file() {
        let cases = [
            (
                "unknown field `fils`, expected one of `files`, `sizes`",
                "",
                "there is no such key; did you mean files?",
            ),
            ("unknown field `x`, expected `offsets`", "", "there is no such key; expected one of offsets"),
            ("unknown field `x`, there are no fields", "", "expected no key here"),
            (
                "unknown variant `bth`, expected one of `none`, `both`",
                "",
                "expected one of none, both; found \"bth\"; did you mean \"both\"?",
            ),
            (
                "invalid type: string \"two\", expected u8",
                "",
                "expected a whole number from 0, found \"two\"",
            ),
            ("invalid type: integer `3`, expected a boolean", "", "expected true or false, found 3"),
            ("invalid type: floating point `1.5`, expected i64", "", "expected a whole number, found 1.5"),
            ("invalid type: sequence, expected path string", "", "expected a path in quotes, found a list"),
            (
                "invalid type: string \"a, expected b\", expected f64",
                "",
                "expected a number, found \"a, expected b\"",
            ),
            ("wanted string or table", "3", "expected a name in quotes, found 3"),
            (
                "expected a string or a list of strings",
                "[1]",
                "expected a string or a list of strings, found [1]",
            ),
            ("invalid string\nexpected `\"`", "x", "invalid string, expected `\"`"),
        ];
        for (message, found, expected) in cases {
            assert_eq!(in_words_of_file(message, found), expected);
        }
        assert_eq!(shortened(&"ü".repeat(50)), format!("{} …", "ü".repeat(QUOTED)));
    }
}
