//! The positions that a row names, to be looked at: links into the application, or commands that open it.

use crate::{
    link::Link,
    output::human,
    report::{entry::TableEntry, place::Place},
    table::statistics::LongestExamples,
};
use dragnet_formats::{
    cell::{Cell, Side},
    pieces::Pieces,
};
use maud::{Markup, html};
use std::borrow::Cow;

/// A position of a table, with or without a thief.
struct Named<'a> {
    what: String,
    police: &'a Pieces,
    thief: Option<Cell>,
    turn: Side,
}

/// Returns where to look at the positions of a finished table: its picture, and the longest wins.
pub(super) fn positions(entry: &TableEntry, place: &Place) -> Markup {
    let named = named(entry);
    html! { @if entry.status.is_finished() && !named.is_empty() {
        @if let Some(application) = &place.application {
            p.look { "Look at " @for (number, position) in named.iter().enumerate() {
                @if number > 0 { " · " }
                a href=(position.link(&entry.name).at(application)) { (position.what) }
            } }
        } @else if let Some(path) = &entry.path {
            details.history {
                summary { "Commands that show it" }
                @for position in &named { p.small { (position.what) ":" } code.command { (position.command(path)) } }
            }
        }
    } }
}

fn named(entry: &TableEntry) -> Vec<Named<'_>> {
    let mut named = Vec::new();
    if let Some(portrait) = &entry.portrait {
        let what = "the picture".to_owned();
        named.push(Named { what, police: &portrait.start, thief: None, turn: Side::Police });
    }
    for (side, example) in entry.longest_examples.iter().flat_map(LongestExamples::both) {
        let what = format!("the {side}’s win in {}", human::plies(example.dtw));
        named.push(Named {
            what,
            police: &example.police,
            thief: Some(example.thief.into()),
            turn: example.turn,
        });
    }
    named
}

impl Named<'_> {
    fn link(&self, table: &str) -> Link {
        let link = Link::new("table", table).police(self.police);
        let link = match self.thief {
            Some(thief) => link.thief(thief),
            None => link,
        };
        link.turn(self.turn)
    }

    fn command(&self, path: &str) -> String {
        let mut command = format!("dragnet view {} --police {}", word(path), self.police);
        if let Some(thief) = self.thief {
            command += &format!(" --thief {thief}");
        }
        command + &format!(" --turn {}", self.turn)
    }
}

/// Returns a word as a shell takes it, in quotation marks if need be.
fn word(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/+,:=@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) && !text.starts_with('-') {
        return text.into();
    }
    let text = if text.starts_with('-') { format!("./{text}") } else { text.to_owned() };
    format!("'{}'", text.replace('\'', "'\\''")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_every_path_as_one_word() {
        for (path, expected) in [
            ("tables/yard.dtb", "tables/yard.dtb"),
            ("my tables/it's.dtb", r"'my tables/it'\''s.dtb'"),
            ("$(rm).dtb", "'$(rm).dtb'"),
            ("-x.dtb", "'./-x.dtb'"),
            ("", "''"),
        ] {
            assert_eq!(word(path), expected);
        }
    }
}
