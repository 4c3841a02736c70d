//! Policies: what a side gets against another one that moves in a fixed way, and what that way is worth.
//!
//! Perfect play cannot tell the designer of a level how a patrol fares, or a guard who runs straight at the
//! thief. One side, the *fixed* one, follows a [`Policy`]: a [`Patrol`], a [`Greedy`] chase, a list of moves
//! ([`ListedMoves`]), a [`RandomWalk`], one that remembers where the other side stood ([`Recalling`]), or one
//! of your own. The *free* side plays the best reply: a [`BestReply`] with exact values if the policy leaves
//! nothing to chance, else [`Odds`] with bounds. [`Worth`] and [`ChanceWorth`] compare this with
//! [`PerfectPlay`]. `PROTOCOL.md` §12 of [`dragnet_generator`] has the method.
//!
//! [`cops`] asks how many officers catch the thief wherever he begins, and how soon.
//!
//! ```
//! use dragnet_formats::{board::text, cell::Side, rules::Rules, value::Outcome};
//! use dragnet_generator::Generator;
//! use dragnet_policy::{Ground, PolicyGame, Worth, best_reply, perfect_play, read_route};
//!
//! let board = text::parse(b"....\n.##.\n....\n")?.board;
//! let (ground, generator) = (Ground::new(board, Rules::classic())?, Generator::new(1)?);
//! let patrol = read_route(&ground, Side::Police, "0,0 0,1 0,2 0,3 0,2 0,1")?;
//! let game = PolicyGame::new(&ground, &patrol, &generator, &())?;
//! let reply = best_reply(&game, &generator, &())?;
//! let worth = Worth::new(&game, &reply, &perfect_play(&ground, &generator, &())?, 1, &())?;
//! // A patrol on one side never catches a thief who stays on the other.
//! assert!(worth.count(Outcome::Police, Outcome::Draw) > 0);
//! assert_eq!(worth.outcomes_lost, worth.count(Outcome::Police, Outcome::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod cops;

mod error;

mod team_turns;

mod ground;

mod definition;

mod patrol;

mod greedy;

mod random_walk;

mod listed;

mod recalling;

mod text;

mod choices;

mod policy_game;

mod certain_game;

mod best_reply;

mod perfect_play;

mod worth;

mod interval;

mod decision_process;

mod certain;

mod end_components;

mod rounds;

mod linear;

mod operator;

mod plans;

mod probability;

mod expected;

mod odds;

mod chance_worth;

pub use best_reply::{BestReply, best_reply};
pub use chance_worth::{ChanceWorth, OddsShare, WorseOdds};
pub use definition::{Policy, PolicyMove};
pub use error::PolicyError;
pub use greedy::Greedy;
pub use ground::Ground;
pub use interval::Interval;
pub use listed::{ListedMoves, Otherwise};
pub use odds::{Odds, odds};
pub use patrol::Patrol;
pub use perfect_play::{PerfectPlay, perfect_play};
pub use policy_game::{PolicyGame, PolicyPosition};
pub use random_walk::RandomWalk;
pub use recalling::Recalling;
pub use rounds::Precision;
pub use text::{PolicyTextError, read_moves, read_route};
pub use worth::{PlyLoss, WorseStart, Worth};
