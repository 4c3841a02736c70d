//! Arguments that cannot be read: the message about them and advice, in the form of all other messages.

use crate::{failure::Failure, output::human};
use clap::{
    Error,
    error::{ContextKind, ContextValue, ErrorKind},
};
use std::{
    error::Error as _,
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

/// Returns the failure that says in the program's own form why these words are no arguments: what was
/// expected, what was found, and what to do.
pub(crate) fn refusal(error: &Error, words: &[OsString]) -> Failure {
    let advice = advice(error, words);
    let meant = if advice.is_none() { meant(error) } else { None };
    let mut message = message(error);
    if let Some(meant) = &meant {
        message += &format!("; did you mean {meant}?");
    }
    let hint = advice.or_else(|| tip(error)).or_else(|| if meant.is_none() { help(error) } else { None });
    let failure = Failure::input(message);
    match hint {
        Some(hint) => failure.with_hint(hint),
        None => failure,
    }
}

/// Returns what is wrong.
fn message(error: &Error) -> String {
    let argument = text(error, ContextKind::InvalidArg);
    let value = text(error, ContextKind::InvalidValue);
    match (error.kind(), argument, value) {
        (ErrorKind::InvalidValue, Some(argument), Some(value)) if value.is_empty() => {
            let (name, wanted) = argument.split_once(' ').unwrap_or((&argument, "a value"));
            format!("{}: expected {}, found nothing", plain(name), plain(wanted))
        }
        (ErrorKind::InvalidValue, Some(argument), Some(value)) => {
            let known = texts(error, ContextKind::ValidValue);
            format!("{}: expected {}, found {:?}", name(&argument), listed(&known, "or"), short(&value))
        }
        (ErrorKind::ValueValidation, Some(argument), Some(value)) => {
            let why = error.source().map_or_else(|| "expected another value".to_owned(), ToString::to_string);
            format!("{} {}: {why}", name(&argument), quoted(&value))
        }
        (ErrorKind::UnknownArgument, Some(argument), _) if argument.starts_with('-') => {
            format!("{}: there is no such option", short(&argument))
        }
        (ErrorKind::UnknownArgument, Some(argument), _) => {
            format!("expected no further argument, found {:?}", short(&argument))
        }
        (ErrorKind::MissingRequiredArgument, ..) => {
            let missing: Vec<String> =
                texts(error, ContextKind::InvalidArg).iter().map(|name| plain(name)).collect();
            format!("expected {}, found nothing", listed(&missing, "and"))
        }
        (ErrorKind::ArgumentConflict, Some(argument), _) => match &texts(error, ContextKind::PriorArg)[..] {
            [other] if *other == argument => format!("{} can be given once", name(&argument)),
            [] => format!("{} cannot stand beside other arguments", name(&argument)),
            others => {
                let others: Vec<String> = others.iter().map(|other| name(other)).collect();
                format!("{} cannot stand beside {}", name(&argument), listed(&others, "and"))
            }
        },
        (ErrorKind::InvalidSubcommand, ..) => {
            let command = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            format!("{}: there is no such command", short(&command))
        }
        // The parser's words, up to the usage.
        _ => {
            let whole = error.to_string();
            let lines = whole.lines().map(str::trim).take_while(|line| !line.is_empty());
            let text = lines.collect::<Vec<_>>().join(" ");
            text.strip_prefix("error: ").unwrap_or(&text).to_owned()
        }
    }
}

/// Returns as much of a word of the user's as a message has room for.
fn short(word: &str) -> String {
    human::shortened(word, 60)
}

/// Returns a word of the user's behind an option, in quotes if it could be overlooked.
fn quoted(word: &str) -> String {
    let word = short(word);
    if word.is_empty() || word.contains(char::is_whitespace) { format!("{word:?}") } else { word }
}

/// Returns the name of an argument without its value: `--out` of `--out <DIR>`.
fn name(argument: &str) -> String {
    plain(argument.split(' ').next().unwrap_or(argument))
}

/// Returns an argument without the brackets of a usage: `TABLE or DIR` of `<TABLE|DIR>...`.
fn plain(argument: &str) -> String {
    argument.trim_end_matches("...").replace(['<', '>', '[', ']'], "").replace('|', " or ")
}

/// Returns words in a list: `a, b or c`.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [others @ .., end] if !others.is_empty() => format!("{} {last} {end}", others.join(", ")),
        _ => words.concat(),
    }
}

/// Returns the name that was probably meant.
fn meant(error: &Error) -> Option<String> {
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    // The likest comes last.
    kinds.into_iter().find_map(|kind| texts(error, kind).pop())
}

/// Returns the parser's own advice. Only for a file that exists a word that looks like an option was meant as
/// a value.
fn tip(error: &Error) -> Option<String> {
    let is_file = text(error, ContextKind::InvalidArg).is_some_and(|word| Path::new(&word).exists());
    match error.get(ContextKind::Suggested)? {
        ContextValue::StyledStrs(tips) => {
            let mut tips = tips.iter().map(ToString::to_string);
            tips.find(|tip| is_file || !tip.contains("as a value"))
        }
        _ => None,
    }
}

/// Returns where the arguments of the command are explained.
fn help(error: &Error) -> Option<String> {
    let usage = error.get(ContextKind::Usage)?.to_string();
    let words = usage.split_whitespace().skip_while(|word| *word == "Usage:");
    let command: Vec<&str> = words.take_while(|word| !word.starts_with(['-', '[', '<'])).collect();
    (!command.is_empty()).then(|| format!("'{} --help' shows what there is", command.join(" ")))
}

/// Returns advice about a mistake that is known.
fn advice(error: &Error, words: &[OsString]) -> Option<String> {
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let argument = text(error, ContextKind::InvalidArg)?;
            match argument.as_str() {
                "--overwrite" | "--replace" => return Some("--force replaces what is there".to_owned()),
                "--resume" | "--continue" => {
                    return Some("the same command goes on where it was interrupted".to_owned());
                }
                _ => {}
            }
            let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
            words.windows(3).find_map(|three| match three {
                [option @ ("--police" | "--thief" | "--exit"), row, last]
                    if is_number(row) && is_number(&argument) && **last == argument =>
                {
                    Some(format!("a cell is written ROW,COL without a blank: '{option} {row},{argument}'"))
                }
                _ => None,
            })
        }
        ErrorKind::InvalidSubcommand => match text(error, ContextKind::InvalidSubcommand)?.as_str() {
            "solve" | "make" | "build" => {
                Some("'dragnet generate' makes tables, 'dragnet graph solve' solves a graph".to_owned())
            }
            word if word.ends_with(".toml") => {
                Some(format!("'dragnet generate {word}' makes the tables of a manifest"))
            }
            _ => None,
        },
        ErrorKind::InvalidValue => {
            let word = text(error, ContextKind::InvalidValue)?;
            (word == "tcsh").then(|| "there are no completions for tcsh".to_owned())
        }
        _ => None,
    }
}

fn text(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the texts of a context, of which there may be one or several.
fn texts(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
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
