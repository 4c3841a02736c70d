//! The structures of the C interface for opponents, with integers of fixed width and doubles alone, so that
//! any bytes are a valid structure.
#![allow(missing_docs, reason = "`dragnet.h` says what each number and field means")]

use crate::types::Move;

/// The choices among moves that all lose.
pub mod style {
    pub const LONGEST: i32 = 0;
    pub const TRICKIEST: i32 = 1;
    pub const TRICKIEST_AGAINST: i32 = 2;
}

/// The horizon that sees every end.
pub const UNLIMITED: u32 = 1_073_741_823;

/// The highest level of the dial.
pub const MAX_LEVEL: u32 = 1000;

/// How well an opponent plays.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Strength {
    pub errors: u32,
    pub blunders: u32,
    pub plies: u32,
    pub drop: u32,
    pub horizon: u32,
    pub reaction: u32,
}

/// The conduct of an opponent in positions that it cannot win.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub kind: i32,
    pub replier: Strength,
}

/// A share of wins that an opponent is to reach.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub seed: u64,
    pub side: i32,
    pub share: u32,
    pub games: u32,
    pub style: Style,
}

/// A strength with the share of games that it wins.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    pub level: u32,
    pub strength: Strength,
    pub games: u32,
    pub wins: u32,
    pub lowest: u32,
    pub highest: u32,
    pub reached: i32,
    pub from: f64,
    pub to: f64,
}

/// The sums of a review.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Review {
    pub moves: u64,
    pub errors: u64,
    pub blunders: u64,
    pub drops: u64,
    pub plies_lost: u64,
}

/// A move of a game with its cost.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReviewedMove {
    pub ply: u64,
    pub played: Move,
    pub best: Move,
    pub drop: u32,
    pub plies: u32,
}
