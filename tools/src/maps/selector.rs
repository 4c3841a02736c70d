//! Selectors, by which a user names the walls, exits and start cells of a map.

use clap::Args;
use serde::{Deserialize, Deserializer, de};
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// A name of the cells and objects that have a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
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

/// Selectors of walls and exits, and the level that is meant, as a command takes them.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GroundSelectors {
    /// Walls of a map of an editor: layer:NAME, property:NAME, tile:1-40, value:NAME,
    /// colour:#rrggbb, object:NAME or none; may be repeated. See 'dragnet help boards' [default: as the map's
    /// own conventions say]
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    pub(super) walls: Vec<Selector>,
    /// Exits of a map, as --walls has it; --exit ROW,COL replaces it
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    pub(super) exits: Vec<Selector>,
    /// The level of a map with several
    #[arg(long, value_name = "NAME", help_heading = MAPS)]
    pub(crate) map_level: Option<String>,
}

/// Selectors of start cells, as a command takes them.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartSelectors {
    /// Where officers start in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    pub(super) police: Vec<Selector>,
    /// Where the thief starts in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    pub(super) thief: Vec<Selector>,
}

/// The heading of the options about maps.
const MAPS: &str = "Maps of editors";

/// All selectors of a map.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MapSelectors {
    #[command(flatten)]
    pub(crate) ground: GroundSelectors,
    #[command(flatten)]
    pub(crate) starts: StartSelectors,
}

impl MapSelectors {
    /// Returns the selectors as a section of a manifest has them.
    pub(crate) fn new(
        [walls, exits, police, thief]: [Option<Vec<Selector>>; 4],
        map_level: Option<String>,
    ) -> MapSelectors {
        let [walls, exits, police, thief] = [walls, exits, police, thief].map(Option::unwrap_or_default);
        MapSelectors {
            ground: GroundSelectors { walls, exits, map_level },
            starts: StartSelectors { police, thief },
        }
    }

    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let starts = [("police", !self.starts.police.is_empty()), ("thief", !self.starts.thief.is_empty())];
        let of_starts = || starts.into_iter().find_map(|(name, given)| given.then_some(name));
        self.ground.first_given().or_else(of_starts)
    }
}

impl GroundSelectors {
    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("walls", !self.walls.is_empty()),
            ("exits", !self.exits.is_empty()),
            ("map-level", self.map_level.is_some()),
        ];
        given.into_iter().find_map(|(name, given)| given.then_some(name))
    }

    /// Returns selectors by which no cell is a wall.
    pub(crate) fn without_walls() -> GroundSelectors {
        GroundSelectors { walls: vec![Selector::None], ..GroundSelectors::default() }
    }

    /// Returns the selectors of a map whose start cells follow its conventions.
    pub(crate) fn alone(&self) -> MapSelectors {
        MapSelectors { ground: self.clone(), starts: StartSelectors::default() }
    }
}

/// Reads the selectors that a key of a manifest has: one, or a list of them.
pub(crate) fn listed<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Vec<Selector>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a selector such as \"layer:Walls\", or a list of them")]
    enum Several {
        One(String),
        Many(Vec<String>),
    }
    let texts = match Several::deserialize(text)? {
        Several::One(text) => vec![text],
        Several::Many(texts) => texts,
    };
    let selector =
        |text: &String| text.parse().map_err(|error| de::Error::custom(format!("{error}; found {text:?}")));
    texts.iter().map(selector).collect::<Result<_, _>>().map(Some)
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
