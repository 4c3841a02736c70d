//! The meanings of letters of a board, and ends of a game beside captures and exits.

use crate::{board::Board, cell::Side};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, Unexpected, Visitor},
};
use std::{fmt, str::FromStr};

/// A letter to which rules give a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Letter(pub char);

/// The letters that are expected, for messages.
const LETTER: &str = "a letter of the board, one of a to z but v, or A to Z but E, P and T";

impl<'de> Deserialize<'de> for Letter {
    fn deserialize<D: Deserializer<'de>>(letter: D) -> Result<Letter, D::Error> {
        let text = String::deserialize(letter)?;
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(letter), None) if Board::is_rules_letter(letter) => Ok(Letter(letter)),
            _ => Err(D::Error::invalid_value(Unexpected::Str(&text), &LETTER)),
        }
    }
}

/// Letters to which rules give one meaning, written one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(transparent))]
pub struct Letters(String);

impl Letters {
    /// Returns the letters in order.
    pub fn iter(&self) -> impl Iterator<Item = char> + '_ {
        self.0.chars()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether `letter` is one of them.
    #[must_use]
    pub fn contains(&self, letter: Option<char>) -> bool {
        letter.is_some_and(|letter| self.0.contains(letter))
    }
}

impl FromStr for Letters {
    type Err = String;

    /// Reads letters, each once. An error says what was expected.
    fn from_str(text: &str) -> Result<Letters, String> {
        let odd = text.chars().enumerate().find(|&(at, letter)| {
            !Board::is_rules_letter(letter) || text.chars().take(at).any(|other| other == letter)
        });
        match odd {
            None => Ok(Letters(text.to_owned())),
            Some((_, letter)) => Err(format!("expected letters of the board, each once, found {letter:?}")),
        }
    }
}

impl Serialize for Letters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Letters {
    fn deserialize<D: Deserializer<'de>>(letters: D) -> Result<Letters, D::Error> {
        String::deserialize(letters)?.parse().map_err(D::Error::custom)
    }
}

/// The cost of a square for a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A piece that comes to such a square is there for so many turns, 1 to [`Ground::MAX_TURNS`].
    Turns(u8),
    /// A piece never stands on such a square.
    Barred,
}

impl Ground {
    /// The most turns that a square takes.
    pub const MAX_TURNS: u8 = 8;
    /// The word for a square on which a piece never stands.
    const BARRED: &'static str = "barred";
}

impl Serialize for Ground {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Ground::Turns(turns) => serializer.serialize_u8(*turns),
            Ground::Barred => serializer.serialize_str(Ground::BARRED),
        }
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Ground {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ground".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The turns that a piece is on a square with this letter, or `barred` if it never is.",
            "anyOf": [
                { "type": "integer", "minimum": 1, "maximum": Ground::MAX_TURNS },
                { "const": Ground::BARRED },
            ],
        })
    }
}

impl<'de> Deserialize<'de> for Ground {
    fn deserialize<D: Deserializer<'de>>(ground: D) -> Result<Ground, D::Error> {
        struct Words;

        impl Visitor<'_> for Words {
            type Value = Ground;

            fn expecting(&self, text: &mut fmt::Formatter) -> fmt::Result {
                write!(text, "a number of turns from 1 to {}, or \"{}\"", Ground::MAX_TURNS, Ground::BARRED)
            }

            fn visit_i64<E: Error>(self, turns: i64) -> Result<Ground, E> {
                match u8::try_from(turns) {
                    Ok(turns @ 1..=Ground::MAX_TURNS) => Ok(Ground::Turns(turns)),
                    _ => Err(E::invalid_value(Unexpected::Signed(turns), &self)),
                }
            }

            fn visit_u64<E: Error>(self, turns: u64) -> Result<Ground, E> {
                self.visit_i64(i64::try_from(turns).unwrap_or(i64::MAX))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Ground, E> {
                match word {
                    Ground::BARRED => Ok(Ground::Barred),
                    _ => Err(E::invalid_value(Unexpected::Str(word), &self)),
                }
            }
        }

        ground.deserialize_any(Words)
    }
}

/// Steps from the squares with one letter to those with another, or between all with one letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct Way {
    /// The letter of the squares where the way begins.
    pub from: char,
    /// The letter of the squares where it ends: the same one for a way both ways.
    pub to: char,
}

impl FromStr for Way {
    type Err = String;

    fn from_str(text: &str) -> Result<Way, String> {
        let letter = |text: &str| text.parse().ok().filter(|&letter| Board::is_rules_letter(letter));
        let (from, to) = text.split_once('>').unwrap_or((text, text));
        let way = letter(from).zip(letter(to)).map(|(from, to)| Way { from, to });
        way.ok_or_else(|| {
            format!("expected a way, as \"A\" or \"A>B\" with letters of the board, found {text:?}")
        })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from == self.to {
            true => write!(text, "{}", self.from),
            false => write!(text, "{}>{}", self.from, self.to),
        }
    }
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Way {
    fn deserialize<D: Deserializer<'de>>(way: D) -> Result<Way, D::Error> {
        String::deserialize(way)?.parse().map_err(D::Error::custom)
    }
}

/// How far a square hides a thief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Cover {
    /// Nobody captures him there.
    Full,
    /// Only who is at most a row and a column away captures him.
    Beside,
}

/// The loot that the thief has to fetch before an exit counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Loot {
    /// The letters of the squares where it lies.
    pub squares: Letters,
    /// The number of squares that the thief needs, or of letters `in_order`; all if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub need: Option<u8>,
    /// Whether the letters are to be visited in their order, any square of each.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_order: bool,
}

impl Loot {
    /// The most squares with loot, or letters in order.
    pub const MAX: usize = 6;
}

/// The end of a game after a number of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The number of plies after which the game is over, at least 1.
    pub plies: u16,
    /// The side that has won then.
    pub winner: Side,
}
