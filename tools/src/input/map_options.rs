//! Options that name the walls, exits, letters, start cells and guards of a map of an editor.

use clap::Args;
use dragnet_maps::{MapSelectors, Selector, parse_letter};
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

/// Options about the walls and exits of a map, and its level.
#[derive(Args, Clone, Debug)]
pub(crate) struct GroundOptions {
    /// Walls of a map of an editor: layer:NAME, property:NAME, tile:1-40, value:NAME,
    /// colour:#rrggbb, object:NAME or none; may be repeated. See 'dragnet help boards' [default: as the map's
    /// own conventions say]
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    walls: Vec<Selector>,
    /// Exits of a map, as --walls has it; --exit ROW,COL replaces it
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    exits: Vec<Selector>,
    /// Squares of a map with a letter of boards, such as m=value:mud or >=tile:7, as --walls has them; may be
    /// repeated
    #[arg(long, value_name = "CHAR=SELECTOR", value_parser = lettered, help_heading = MAPS)]
    letter: Vec<(char, Selector)>,
    /// The level of a map with several
    #[arg(long, value_name = "NAME", help_heading = MAPS)]
    map_level: Option<String>,
}

/// All options about a map.
#[derive(Args, Clone, Debug)]
pub(crate) struct MapOptions {
    #[command(flatten)]
    ground: GroundOptions,
    /// Where officers start in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    police: Vec<Selector>,
    /// Where the thief starts in a map, as --walls has it; not a cell
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    thief: Vec<Selector>,
    /// Lines and polygons of a map that are rounds of guards, as --walls has it
    #[arg(long, value_name = "SELECTOR", help_heading = MAPS)]
    rounds: Vec<Selector>,
}

/// The heading of the options about maps.
const MAPS: &str = "Maps of editors";

impl GroundOptions {
    /// Returns the selectors of a map whose start cells follow its conventions.
    pub(crate) fn selectors(&self) -> MapSelectors {
        let GroundOptions { walls, exits, letter: letters, map_level } = self.clone();
        let mut letter: BTreeMap<char, Vec<Selector>> = BTreeMap::new();
        for (known, selector) in letters {
            letter.entry(known).or_default().push(selector);
        }
        MapSelectors { walls, exits, letter, level: map_level, ..MapSelectors::default() }
    }

    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.selectors().first_given()
    }
}

impl MapOptions {
    /// Returns the selectors of a map.
    pub(crate) fn selectors(&self) -> MapSelectors {
        let MapOptions { ground, police, thief, rounds } = self.clone();
        MapSelectors { police, thief, rounds, ..ground.selectors() }
    }

    /// Returns the name of the first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.selectors().first_given()
    }
}

/// Reads a letter of boards and the selector of its squares.
fn lettered(text: &str) -> Result<(char, Selector), String> {
    let (letter, selector) =
        text.split_once('=').ok_or("expected a letter, = and a selector, as in m=value:mud")?;
    Ok((parse_letter(letter)?, selector.parse()?))
}

/// Reads the selectors that a key of a manifest has: one, or a list of them.
pub(crate) fn listed<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Vec<Selector>>, D::Error> {
    Ok(Some(Listed::deserialize(text)?.0))
}

/// Reads the selectors of each letter in a table of a manifest.
pub(crate) fn of_letters<'de, D: Deserializer<'de>>(
    table: D,
) -> Result<Option<BTreeMap<char, Vec<Selector>>>, D::Error> {
    let table = BTreeMap::<String, Listed>::deserialize(table)?;
    let letter = |(letter, Listed(selectors)): (String, Listed)| {
        Ok((parse_letter(&letter).map_err(de::Error::custom)?, selectors))
    };
    table.into_iter().map(letter).collect::<Result<_, _>>().map(Some)
}

/// A selector, or a list of them.
struct Listed(Vec<Selector>);

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Listed, D::Error> {
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
        let selector = |text: &String| {
            text.parse().map_err(|error| de::Error::custom(format!("{error}; found {text:?}")))
        };
        texts.iter().map(selector).collect::<Result<_, _>>().map(Listed)
    }
}
