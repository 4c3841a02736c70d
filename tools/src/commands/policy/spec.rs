//! A policy as the command line names it.

use crate::{commands::strength::strength, input::nearest::suggestion};
use dragnet_policy::PolicyMove;
use dragnet_probe::opponent::Strength;
use std::{fmt, path::PathBuf, str::FromStr};

/// An offset (rows down, columns right) and its weight.
type OffsetWeight = ((i32, i32), f64);

/// A policy as the command line names it.
#[derive(Clone, Debug)]
pub(crate) enum PolicySpec {
    /// A patrol on the route in a file.
    Patrol(PathBuf),
    /// A chase, or a flight, by the distance after the next move.
    Greedy,
    /// A walk at random, with the weights of some offsets.
    Random(Vec<OffsetWeight>),
    /// The list of moves in a file.
    Moves(PathBuf),
    /// The opponent of a strength.
    Opponent(Strength),
}

/// The names of the policies.
const NAMES: [&str; 5] = ["patrol", "greedy", "random", "moves", "opponent"];

impl FromStr for PolicySpec {
    type Err = String;

    fn from_str(text: &str) -> Result<PolicySpec, String> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let file = || {
            let rest = rest.filter(|rest| !rest.is_empty());
            rest.map(PathBuf::from).ok_or_else(|| format!("expected {name}:FILE, found no file"))
        };
        match name {
            "patrol" => Ok(PolicySpec::Patrol(file()?)),
            "moves" => Ok(PolicySpec::Moves(file()?)),
            "greedy" if rest.is_none() => Ok(PolicySpec::Greedy),
            "random" => rest.map_or(Ok(Vec::new()), weights).map(PolicySpec::Random),
            "opponent" => strength(rest.unwrap_or_default())
                .map(PolicySpec::Opponent)
                .map_err(|message| format!("opponent: {message}")),
            _ => Err(format!(
                "expected patrol:FILE, greedy, random, moves:FILE or opponent:LEVEL{}",
                suggestion(name, NAMES)
            )),
        }
    }
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicySpec::Patrol(file) => write!(f, "the patrol of {}", file.display()),
            PolicySpec::Greedy => f.write_str("greedy moves"),
            PolicySpec::Random(_) => f.write_str("a random walk"),
            PolicySpec::Moves(file) => write!(f, "the moves of {}", file.display()),
            PolicySpec::Opponent(strength) => {
                let preset = Strength::PRESETS.into_iter().find(|(_, preset)| preset == strength);
                match preset {
                    Some((name, _)) => write!(f, "the moves of an opponent of strength {name}"),
                    None => write!(f, "the moves of an opponent"),
                }
            }
        }
    }
}

/// Reads weights of offsets: `0,1=3+0,0=0`.
fn weights(text: &str) -> Result<Vec<OffsetWeight>, String> {
    let weight = |text: &str| {
        let (offset, weight) = text.split_once('=')?;
        let (down, right) = offset.split_once(',')?;
        let weight: f64 = weight.parse().ok()?;
        let fits = (0.0..=PolicyMove::MOST_WEIGHT).contains(&weight);
        fits.then_some(((down.parse().ok()?, right.parse().ok()?), weight))
    };
    let read = |text: &str| {
        weight(text).ok_or_else(|| {
            format!("expected ROWS,COLUMNS=WEIGHT joined by +, with weights from 0 to 2^53, found {text:?}")
        })
    };
    text.split('+').map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_read_and_what_is_none_is_refused() {
        assert!(
            matches!("patrol:a:b.txt".parse(), Ok(PolicySpec::Patrol(file)) if file.as_os_str() == "a:b.txt")
        );
        assert!(matches!("greedy".parse(), Ok(PolicySpec::Greedy)));
        let random = "random:0,1=3+-1,0=0.5".parse();
        assert!(matches!(random, Ok(PolicySpec::Random(list)) if list == [((0, 1), 3.0), ((-1, 0), 0.5)]));
        assert!(matches!("opponent:hard".parse(), Ok(PolicySpec::Opponent(Strength::HARD))));
        assert!(matches!("opponent:1000".parse(), Ok(PolicySpec::Opponent(Strength::PERFECT))));
        for (text, message) in [
            ("patrol", "expected patrol:FILE"),
            ("gredy", "greedy"),
            ("greedy:1", "expected patrol:FILE"),
            ("random:1=2", "ROWS,COLUMNS=WEIGHT"),
            ("random:0,1=-2", "from 0 to 2^53"),
            ("random:0,1=nan", "from 0 to 2^53"),
            ("random:0,1=9007199254740994", "from 0 to 2^53"),
            ("random:0.5,1=2", "ROWS,COLUMNS=WEIGHT"),
            ("random:", "ROWS,COLUMNS=WEIGHT"),
            ("opponent", "perfect or a level from 0 to 1000"),
            ("opponent:1001", "a level from 0 to 1000"),
        ] {
            let error = text.parse::<PolicySpec>().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
