//! Solves pursuit games, and any finite two-player game, by retrograde analysis, and writes Dragnet tables.
//!
//! [`Generator`] goes the whole way: from the [`Plan`] of a pursuit table, or from a [`Game`] of your own, to
//! a file. [`counters`] is the engine for any game, [`bitboard`] the one for boards. `PROTOCOL.md` beside
//! this crate is their contract and proof, and opens with a glossary. The crate prints nothing: an
//! [`Observer`] receives progress and may stop the work.
//!
//! The modules stand in the order in which they build on each other. A module uses only modules above it.
#![forbid(unsafe_code)]

mod lock;

mod memory;

mod budget;

mod log_error;

mod warning;

pub mod observer;

pub mod ranks;

mod solve_error;

mod csr;

mod stop;

mod pass_threads;

pub mod save;

mod needs;

mod checkpoint;

pub mod game;

mod games;

pub mod solution;

mod table;

mod engines;

mod compile;

mod plan;

pub mod verify;

pub mod play;

mod game_solution;

pub mod generator;

pub mod schedule;

pub mod stealth;

pub use checkpoint::{
    CheckpointFile, CheckpointInterval, checkpoints_in, checkpoints_of, prepare_scratch, remove_leftovers,
    remove_scratch_leftovers, scratch_logs,
};
pub use engines::{
    bitboard, counters, engine::Engine, labelled::LabelledPursuit, naive, reverse_graph::WithPredecessors,
};
pub use game::{Game, Reversible, Start};
pub use game_solution::GameSolution;
pub use games::{
    edge_blocks::graph_of_blocks,
    edge_list::read_edges,
    explore::explore,
    graph::{GraphGame, VertexStart},
    labels::{LabelError, LabelLineError, read_labels},
    pursuit::{self, Pursuit, PursuitError},
    size::GameSize,
    solo, team,
};
pub use generator::{GameReport, GenerateError, Generator, Report};
pub use log_error::LogError;
pub use memory::{OutOfMemory, grow_exact};
pub use needs::Needs;
pub use observer::{GridSquare, Observer, SliceWork, Stage};
pub use plan::{Plan, graph_memory_needed, most_graph_edges, most_graph_vertices};
pub use play::{GamePlay, LineEnd};
pub use solve_error::SolveError;
pub use stop::StopRequest;
pub use table::{encode, game_table};
pub use verify::WrongValue;
pub use warning::{CHECKPOINT_VERSION, CheckpointError, Warning};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
