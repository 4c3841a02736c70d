//! Opponents worth playing: moves chosen from exact values, with errors by lot.
//!
//! An [`Opponent`] has a [`Strength`], which says how often it errs, at what cost, how far it sees and how
//! quickly it reacts, and a [`Style`] for positions that it cannot win. All lots come from a seed, so that a
//! game can be repeated. `OPPONENT.md` beside this crate specifies every step, for readers in other
//! languages.
//!
//! ```
//! use dragnet_probe::{Cell, Open, Position, Side, opponent::{Opponent, Strength, Style}};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/doc/alley.dtb");
//! let table = Open::path(path).pursuit()?;
//! let mut thief = Opponent::new(Strength::EASY, Style::Longest, 7)?;
//! let position = Position::new(Cell::new(0, 0), Cell::new(2, 3), Side::Thief);
//! let choice = thief.choose(&table, position)?.expect("the game goes on");
//! assert_eq!(choice.position.turn, Side::Police);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | choose a move | [`Opponent::choose`] |
//! | know how likely each move is | [`Opponent::probabilities`] |
//! | ask that from many threads | [`Crew::weights`] |
//! | set the strength | [`Strength::EASY`] and other presets, [`Strength::level`], or any [`Strength`] |
//! | find the level that wins a share of games from here | [`Opponent::calibrate`] |
//! | let two opponents play | [`Duel::play`] |
//! | rate a human's game | [`Review::new`], in words [`Review::lines`] |
//! | see where the thief still gets away | [`EscapeCone::new`] |
//! | play by values of your own | [`ValuedGame`] |
//!
//! The modules in the order in which they build on each other:

mod lots;

mod strength;

mod cost;

mod valued_game;

mod style;

mod board_steps;

mod instinct;

mod player;

mod probabilities;

mod crew;

mod duel;

mod calibration;

mod review;

mod report;

mod escape;

pub use calibration::{Calibration, CalibrationError, Target};
pub use cost::Cost;
pub use crew::Crew;
pub use duel::Duel;
pub use escape::EscapeCone;
pub use lots::Lots;
pub use player::Opponent;
pub use review::{Review, ReviewError, ReviewedMove};
pub use strength::{RangeError, Strength};
pub use style::{Replier, Style};
pub use valued_game::ValuedGame;
