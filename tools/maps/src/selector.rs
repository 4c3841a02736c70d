//! Selectors, by which a user names the walls, exits and start cells of a map.

use crate::error::quoted;
use dragnet_formats::board::Board;
use std::{collections::BTreeMap, fmt, ops::RangeInclusive, str::FromStr};

/// A name of the cells and objects that have a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// Every cell that is not empty, and every object, of the layers with this name.
    Layer(String),
    /// Tiles, layers and objects with this property, if its value stands for yes or is the one given.
    Property(String, Option<String>),
    /// The numbers in this range.
    Tiles(RangeInclusive<u32>),
    /// The value with this name or number, or the tiles of this class.
    Value(String),
    /// Pixels of this colour: red, green, blue.
    Colour([u8; 3]),
    /// Objects with this name, type or class.
    Object(String),
    /// Nothing at all.
    None,
}

/// The forms of selectors, for help texts and messages.
const FORMS: &str = "layer:NAME, property:NAME, property:NAME=VALUE, tile:1-40, value:NAME, value:N, \
                     colour:#rrggbb, object:NAME, or none";

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Selector, String> {
        let is_cell = text
            .split_once(',')
            .is_some_and(|ends| ends.0.parse::<u16>().is_ok() && ends.1.parse::<u16>().is_ok());
        let wrong = || match is_cell {
            true => format!("expected {FORMS}; cells, as ROW,COL, are for commands that ask tables"),
            false => format!("expected {FORMS}"),
        };
        if text == "none" {
            return Ok(Selector::None);
        }
        let (kind, name) = text.split_once(':').filter(|(_, name)| !name.is_empty()).ok_or_else(wrong)?;
        match kind {
            "layer" => Ok(Selector::Layer(name.to_owned())),
            "property" => Ok(match name.split_once('=') {
                Some((name, value)) => Selector::Property(name.to_owned(), Some(value.to_owned())),
                None => Selector::Property(name.to_owned(), None),
            }),
            "tile" => {
                let (first, last) = name.split_once('-').unwrap_or((name, name));
                let numbers = first.parse().ok().zip(last.parse().ok());
                match numbers.filter(|(first, last)| 0 < *first && first <= last) {
                    Some((first, last)) => Ok(Selector::Tiles(first..=last)),
                    None => Err("expected numbers of tiles from 1, as in tile:1-40".to_owned()),
                }
            }
            "value" => Ok(Selector::Value(name.to_owned())),
            "colour" | "color" => match colour(name) {
                Some(colour) => Ok(Selector::Colour(colour)),
                None => Err("expected a colour such as colour:#ff8000".to_owned()),
            },
            "object" => Ok(Selector::Object(name.to_owned())),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Layer(name) => write!(f, "layer:{name}"),
            Selector::Property(name, None) => write!(f, "property:{name}"),
            Selector::Property(name, Some(value)) => write!(f, "property:{name}={value}"),
            Selector::Tiles(numbers) if numbers.start() == numbers.end() => {
                write!(f, "tile:{}", numbers.start())
            }
            Selector::Tiles(numbers) => write!(f, "tile:{}-{}", numbers.start(), numbers.end()),
            Selector::Value(name) => write!(f, "value:{name}"),
            Selector::Colour([red, green, blue]) => write!(f, "colour:#{red:02x}{green:02x}{blue:02x}"),
            Selector::Object(name) => write!(f, "object:{name}"),
            Selector::None => f.write_str("none"),
        }
    }
}

/// Reads a colour of six hexadecimal digits, or of three, after an optional `#`.
fn colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits: Vec<u8> =
        digits.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    match digits[..] {
        [a, b, c, d, e, f] => Some([a << 4 | b, c << 4 | d, e << 4 | f]),
        [a, b, c] => Some([a, b, c].map(|digit| digit << 4 | digit)),
        _ => None,
    }
}

/// Returns the letter of boards that a text is: the letter of a cell, or an arrow.
///
/// # Errors
/// Says what was expected when the text is none.
///
/// ```
/// assert_eq!(dragnet_maps::parse_letter("m"), Ok('m'));
/// assert!(dragnet_maps::parse_letter("E").is_err());
/// ```
pub fn parse_letter(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if Board::is_letter(letter) => Ok(letter),
        _ => Err(format!(
            "expected a letter from a to z, from A to Z but E, P and T, or one of >, < and ^; found {}",
            quoted(text)
        )),
    }
}

/// The selectors of a map, and the level that is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapSelectors {
    /// The walls; by the conventions of maps if there is none.
    pub walls: Vec<Selector>,
    /// The exits; by the conventions of maps if there is none.
    pub exits: Vec<Selector>,
    /// The officers' start cells; by the conventions of maps if there is none.
    pub police: Vec<Selector>,
    /// The thief's start cell; by the conventions of maps if there is none.
    pub thief: Vec<Selector>,
    /// The rounds of guards; by the conventions of maps if there is none.
    pub rounds: Vec<Selector>,
    /// The cells with a letter of boards, for each letter that does not follow the conventions of maps.
    pub letter: BTreeMap<char, Vec<Selector>>,
    /// The name of a level of an LDtk project.
    pub level: Option<String>,
}

impl MapSelectors {
    /// Returns the name of the first selector that was given, as options of programs and keys of files have
    /// it: `walls`, `exits`, `letter`, `map-level`, `police`,
    /// `thief` or `rounds`.
    #[must_use]
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("walls", !self.walls.is_empty()),
            ("exits", !self.exits.is_empty()),
            ("letter", !self.letter.is_empty()),
            ("map-level", self.level.is_some()),
            ("police", !self.police.is_empty()),
            ("thief", !self.thief.is_empty()),
            ("rounds", !self.rounds.is_empty()),
        ];
        given.into_iter().find_map(|(name, given)| given.then_some(name))
    }

    /// Returns the selectors of all roles and letters.
    pub(super) fn all(&self) -> impl Iterator<Item = &Selector> {
        let roles = [&self.walls, &self.exits, &self.police, &self.thief];
        roles.into_iter().chain(self.letter.values()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selector_comes_back_from_its_text() {
        for text in [
            "layer:Walls",
            "property:collides",
            "property:kind=wall",
            "tile:7",
            "tile:1-40",
            "value:lava",
            "value:3",
            "colour:#ff8000",
            "object:Exit 1",
            "none",
        ] {
            assert_eq!(text.parse::<Selector>().unwrap().to_string(), text);
        }
        assert_eq!("color:0f8".parse(), Ok(Selector::Colour([0, 255, 136])));
        for text in
            ["", "walls", "layer:", "tile:0", "tile:9-3", "tile:x", "colour:red", "colour:#12345é", "wall:3"]
        {
            assert!(text.parse::<Selector>().is_err(), "{text}");
        }
        assert!("7,1".parse::<Selector>().unwrap_err().ends_with("are for commands that ask tables"));
    }
}
