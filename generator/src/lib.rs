//! Solves pursuit games, and any finite two-player game, by retrograde analysis, and writes Dragnet tables.
//!
//! [`Generator`] does the whole job from a board, or from a [`Game`] of your own, to a file. [`counters`] is the engine
//! for any game, [`bitboard`] the one for boards; `PROTOCOL.md` beside this crate is their contract and proof. The crate prints nothing: an [`Observer`] is told how
//! far the work is.
//!
//! The modules in the order in which they build on each other:
#![forbid(unsafe_code)]

pub mod game;

pub mod team;

pub mod pursuit;

pub mod graph;

pub mod solo;

pub mod naive;

pub mod observer;

mod lock;

mod memory;

pub mod save;

pub mod checkpoint;

pub mod counters;

mod rows;

mod edge_list;

mod backwards;

pub mod explore;

pub mod solution;

pub mod encode;

pub mod numbered;

pub mod verify;

pub mod play;

mod game_solution;

pub mod bitboard;

pub mod cops;

pub mod generate;

mod engine;

pub mod batch;

pub use backwards::WithPredecessors;
pub use checkpoint::{CheckpointError, Warning};
pub use edge_list::read_edges;
pub use engine::Engine;
pub use explore::explore;
pub use game::{Game, Reversible, Start};
pub use game_solution::GameSolution;
pub use generate::{GameReport, GenerateError, Generator, Job, Report};
pub use graph::{GraphGame, VertexStart};
pub use observer::{Observer, Stage};
pub use play::{GamePlay, LineEnd};
pub use pursuit::Pursuit;
pub use verify::WrongValue;
