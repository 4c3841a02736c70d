//! Verifies tables: derives every value again from the values after each move, without the engines.
//!
//! Only one assignment of values agrees with the rules everywhere, so a table that passes is right, whatever
//! program has made it. [`verify`] checks a pursuit table, [`verify_sample`] some of its positions, and
//! [`verify_game`] the table of any [`Game`](dragnet_generator::Game): of a graph, or of your own. All work
//! on the threads of the current pool, and an [`Observer`](dragnet_generator::Observer) receives their
//! progress and may stop them. To find damage alone, at the speed of the disk, is the business of
//! [`check_sums`](dragnet_probe::BlockReader::check_sums).
//!
//! ```
//! use dragnet_formats::{board::make, rules::Rules};
//! use dragnet_generator::{Generator, Plan, encode::Encoding};
//! use dragnet_probe::Open;
//! use dragnet_verify::verify;
//! use std::io::Cursor;
//!
//! let plan = Plan::new(make::open(5, 5)?, Rules::classic(), Encoding::default())?;
//! let generator = Generator::new(1)?;
//! let (header, blocks) = generator.encode(&*generator.solve(&plan, &())?, &plan, &())?;
//! let bytes = blocks.write(&header, Cursor::new(Vec::new()))?.0.into_inner();
//! verify(&Open::bytes(bytes).pursuit()?, u64::MAX, &())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;

mod score;

mod checked_table;

mod police_moves;

mod word_cells;

mod recent_blocks;

mod tally;

mod row_moves;

mod word_check;

mod pursuit;

mod sample;

mod game;

pub use error::{Difference, VerifyError, WrongPosition};
pub use game::{AllValues, check_game, summary_difference, verify_game};
pub use pursuit::verify;
pub use sample::{Sampled, verify_sample};
