//! Advice about arguments that cannot be read, where the parser's own is missing or wrong.

use clap::{
    Error,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

/// Returns the words with those joined that belong together. A number below 0 is joined to the option before
/// it, as in `--seed=-1`: the complaint is then about the value, and not about an unknown option `-1`. And
/// `--keep moves-of police` is one value, `--keep moves-of-police`.
pub(crate) fn joined_words(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut options = true;
    for word in words {
        options &= word != "--";
        let negative = word
            .to_str()
            .and_then(|word| word.strip_prefix('-'))
            .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        let keeps = matches!(&joined[..], [.., option, value] if option == "--keep" && value == "moves-of");
        match joined.last_mut() {
            Some(value) if options && keeps => {
                value.push("-");
                value.push(&word);
            }
            Some(option) if options && negative && is_long_option(option) => {
                option.push("=");
                option.push(&word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// Returns whether a word is `--NAME`, without a value.
fn is_long_option(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| word.starts_with("--") && word.len() > 2 && !word.contains('='))
}

/// Returns the error about these words with better advice.
pub(crate) fn improved(mut error: Error, words: &[OsString]) -> Error {
    if let Some(advice) = advice(&error, words) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
        return error;
    }
    // Only for a file that exists the word was meant as a value.
    let unknown = context(&error, ContextKind::InvalidArg).is_some_and(|word| !Path::new(&word).exists());
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested).cloned()
        && unknown
    {
        let kept: Vec<StyledStr> =
            tips.into_iter().filter(|tip| !tip.to_string().contains("as a value")).collect();
        error.remove(ContextKind::Suggested);
        if !kept.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(kept));
        }
    }
    error
}

/// Returns advice about a mistake that is known.
fn advice(error: &Error, words: &[OsString]) -> Option<String> {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let column = context(error, ContextKind::InvalidArg)?;
            let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
            words.windows(3).find_map(|three| match three {
                [option @ ("--police" | "--thief" | "--exit"), row, last]
                    if is_number(row) && is_number(&column) && **last == column =>
                {
                    Some(format!("a cell is written ROW,COL without a blank: '{option} {row},{column}'"))
                }
                _ => None,
            })
        }
        ErrorKind::InvalidSubcommand => {
            let word = context(error, ContextKind::InvalidSubcommand)?;
            word.ends_with(".toml")
                .then(|| format!("'dragnet generate {word}' makes the tables of a manifest"))
        }
        _ => None,
    }
}

fn context(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_0_are_values_of_the_option_before_them() {
        let joined = |line: &str| {
            let words = joined_words(line.split(' ').map(OsString::from));
            words.join(OsStr::new(" ")).into_string().unwrap()
        };
        assert_eq!(joined("d probe --police -1,1 t.dtb"), "d probe --police=-1,1 t.dtb");
        assert_eq!(joined("d --seed=3 -1 --size -x"), "d --seed=3 -1 --size -x");
        assert_eq!(joined("d --seed -- --json -1"), "d --seed -- --json -1");
    }
}
