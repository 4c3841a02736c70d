//! Messages about TOML files, with the place and the key.

use crate::input::nearest::suggestion;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Returns the error in one line: line and column as errors in board files have them, then the key, then the
/// message of the TOML reader, with the word that is probably meant.
pub(crate) fn toml_message(text: &str, error: &toml::de::Error) -> String {
    let span = error.span().unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let key = key_at(text, span.start).map_or_else(String::new, |key| format!(" {key}:"));
    let message = error.message().replace('\n', ", ");
    let meant = meant(&message, text.get(span).unwrap_or_default());
    format!("line {line}, column {column}:{key} {message}{meant}")
}

/// Returns the end of a message about the word `found`: the word that is probably meant, among those that the
/// message has in backticks.
fn meant(message: &str, found: &str) -> String {
    let found = found.trim_matches(['"', '\'']);
    suggestion(found, message.split('`').skip(1).step_by(2).filter(|&known| known != found))
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
    fn message_suggests_a_word_that_it_names() {
        let unknown = "unknown variant `bth`, expected one of `none`, `both`";
        assert_eq!(meant(unknown, "\"bth\""), "; did you mean both?");
        assert_eq!(meant("unknown field `x`, expected `offsets`", "x"), "");
        assert_eq!(meant("invalid type: integer `3`, expected a boolean", "3"), "");
    }

    #[test]
    fn message_begins_with_line_column_and_key() {
        let text = "a = 1\n[b]\nc = \"ü\"\n";
        let error =
            toml::from_str::<std::collections::BTreeMap<String, toml::Value>>("a = 1\n= 2").unwrap_err();
        assert!(toml_message("a = 1\n= 2", &error).starts_with("line 2, column 1: "));
        assert_eq!(key_at(text, text.find('ü').unwrap()).as_deref(), Some("b.c"));
    }
}
