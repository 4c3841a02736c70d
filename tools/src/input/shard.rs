//! Shards: the parts of a manifest's tables that the tasks of a farm make.

use crate::{input::limits::byte_count, output::human};
use serde::{Deserialize, Serialize, de};
use std::{fmt, str::FromStr};

/// A part of the tables of a manifest, which one task of a farm makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shard {
    /// The number of the shard, from 1 to [`Shard::of`].
    pub(crate) number: u32,
    /// How many shards there are.
    pub(crate) of: u32,
    /// The class of tables that these shards share; all tables if there is none.
    pub(crate) class: Option<MemoryClass>,
}

impl Shard {
    /// Returns the mark in the names of the shard's own files: `3-of-8`, of a class with its two numbers of
    /// bytes behind it.
    pub(crate) fn mark(&self) -> String {
        let Shard { number, of, class } = self;
        match class {
            Some(MemoryClass { above, most }) => format!("{number}-of-{of}-{above}-{most}"),
            None => format!("{number}-of-{of}"),
        }
    }

    /// Returns the shard with this mark.
    pub(crate) fn from_mark(mark: &str) -> Option<Shard> {
        let (number, rest) = mark.split_once("-of-")?;
        let mut rest = rest.split('-');
        let (number, of) = (number.parse().ok()?, rest.next()?.parse().ok()?);
        let class = match (rest.next(), rest.next(), rest.next()) {
            (Some(above), Some(most), None) => {
                Some(MemoryClass { above: above.parse().ok()?, most: most.parse().ok()? })
            }
            (None, ..) => None,
            _ => return None,
        };
        let shard = Shard { number, of, class };
        (shard.mark() == mark).then_some(shard)
    }

    /// Returns whether the other shard is of another division of some of the tables: one that replaces this
    /// one, or is replaced by it.
    pub(crate) fn is_of_rival_division(&self, other: &Shard) -> bool {
        let are_one = (self.of, self.class) == (other.of, other.class);
        let all = MemoryClass { above: 0, most: u64::MAX };
        let (one, two) = (self.class.unwrap_or(all), other.class.unwrap_or(all));
        !are_one && one.above < two.most && two.above < one.most
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)?;
        match &self.class {
            Some(class) => write!(f, " of {}", class.words()),
            None => Ok(()),
        }
    }
}

/// In files a shard is its mark.
impl Serialize for Shard {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.mark())
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        let mark = String::deserialize(deserializer)?;
        Shard::from_mark(&mark).ok_or_else(|| de::Error::custom(format!("expected a shard, found {mark:?}")))
    }
}

/// The tables that need more than one number of bytes of memory, and at most another: those of one array of
/// tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MemoryClass {
    pub(crate) above: u64,
    pub(crate) most: u64,
}

impl MemoryClass {
    /// Returns whether a table that needs this many bytes belongs to the class.
    pub(crate) fn has(&self, bytes: u64) -> bool {
        self.above < bytes && bytes <= self.most
    }

    /// Returns the class as people read it.
    pub(crate) fn words(&self) -> String {
        format!("{}..{}", human::bytes(self.above), human::bytes(self.most))
    }
}

impl FromStr for MemoryClass {
    type Err = String;

    fn from_str(text: &str) -> Result<MemoryClass, String> {
        let error = || format!("expected two sizes like 2GiB..8GiB, the smaller first; found {text:?}");
        let (above, most) = text.split_once("..").ok_or_else(error)?;
        let class = MemoryClass {
            above: byte_count(above).map_err(|_| error())?,
            most: byte_count(most).map_err(|_| error())?,
        };
        if class.above < class.most { Ok(class) } else { Err(error()) }
    }
}

/// A shard as `--shard` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardChoice {
    /// The number of a shard, and how many there are.
    Given { number: u32, of: u32 },
    /// As the scheduler says in the environment. Some schedulers do not say how many shards there are.
    Auto { of: Option<u32> },
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardChoice, String> {
        let error = || {
            format!(
                "expected I/N with I from 1 to N, as in 3/200, or auto, or auto/N with the number of shards; found \
                 {text:?}"
            )
        };
        // `parse` alone would accept a plus sign.
        let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
        let number = |text: &str| {
            let number = Some(text).filter(digits).and_then(|text| text.parse().ok());
            number.filter(|&number: &u32| number > 0).ok_or_else(error)
        };
        match text.split_once('/') {
            None if text == "auto" => Ok(ShardChoice::Auto { of: None }),
            Some(("auto", of)) => Ok(ShardChoice::Auto { of: Some(number(of)?) }),
            Some((one, of)) => {
                let (number, of) = (number(one)?, number(of)?);
                if number <= of { Ok(ShardChoice::Given { number, of }) } else { Err(error()) }
            }
            None => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_written_from_one_on() {
        let read = |text: &str| text.parse::<ShardChoice>();
        assert_eq!(read("3/200"), Ok(ShardChoice::Given { number: 3, of: 200 }));
        assert_eq!(read("auto"), Ok(ShardChoice::Auto { of: None }));
        assert_eq!(read("auto/8"), Ok(ShardChoice::Auto { of: Some(8) }));
        for wrong in
            ["", "3", "0/8", "9/8", "+3/8", "3/0", "auto/", "auto/0", "3/8/9", "4294967296/4294967297"]
        {
            assert!(read(wrong).unwrap_err().contains("I from 1 to N"), "{wrong}");
        }
    }

    #[test]
    fn a_mark_names_one_shard() {
        let class = Some("2GiB..8GiB".parse().unwrap());
        for shard in [Shard { number: 3, of: 8, class: None }, Shard { number: 1, of: 1, class }] {
            assert_eq!(Shard::from_mark(&shard.mark()), Some(shard));
        }
        assert_eq!(Shard { number: 3, of: 8, class: None }.mark(), "3-of-8");
        for wrong in ["", "3-of-", "3-of-8-1", "3-of-8-1-2-3", "03-of-8", "3-of-8.tmp"] {
            assert_eq!(Shard::from_mark(wrong), None, "{wrong}");
        }
        assert!("8GiB..2GiB".parse::<MemoryClass>().is_err());
    }

    #[test]
    fn divisions_of_the_same_tables_are_rivals() {
        let shard = |of, class: Option<&str>| Shard {
            number: 1,
            of,
            class: class.map(|class| class.parse().unwrap()),
        };
        let eight = shard(8, None);
        assert!(!eight.is_of_rival_division(&Shard { number: 2, ..eight }));
        assert!(eight.is_of_rival_division(&shard(9, None)));
        assert!(eight.is_of_rival_division(&shard(8, Some("2GiB..8GiB"))));
        assert!(!shard(8, Some("0..2GiB")).is_of_rival_division(&shard(4, Some("2GiB..8GiB"))));
        assert!(shard(8, Some("0..4GiB")).is_of_rival_division(&shard(4, Some("2GiB..8GiB"))));
    }
}
