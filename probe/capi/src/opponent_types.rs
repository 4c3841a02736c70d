//! The structures of the C interface for opponents, with integers of fixed width and doubles alone, so that
//! any bytes are a valid structure.

use crate::types::Move;

/// The choices among moves that all lose.
pub mod style {
    /// The moves that lose in the most plies.
    pub const LONGEST: i32 = 0;
    /// The moves with the most replies that throw the win away.
    pub const TRICKIEST: i32 = 1;
    /// The moves after which an enemy of a given strength most likely throws the win away.
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
    /// The share of turns in which it errs if there is a tempting error, per mille.
    pub errors: u32,
    /// The weight of an error that makes the outcome worse.
    pub blunders: u32,
    /// The most plies that an error may lose.
    pub plies: u32,
    /// The most steps of the outcome that an error may cost.
    pub drop: u32,
    /// The number of plies ahead that it sees the end.
    pub horizon: u32,
    /// The rounds after which it takes notice of what the other side does.
    pub reaction: u32,
}

/// The conduct of an opponent in positions that it cannot win.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// One of [`style`].
    pub kind: i32,
    /// The strength of the enemy, for [`style::TRICKIEST_AGAINST`] alone.
    pub replier: Strength,
}

/// A share of wins that an opponent is to reach.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The seed of all lots.
    pub seed: u64,
    /// The side of the opponent.
    pub side: i32,
    /// The share of games that it is to win, per mille.
    pub share: u32,
    /// The number of games at each level that is tried; 0 for the default.
    pub games: u32,
    /// The style of the opponent.
    pub style: Style,
}

/// A strength with the share of games that it wins.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// The level of the dial.
    pub level: u32,
    /// The strength at that level.
    pub strength: Strength,
    /// The games that were played at that level.
    pub games: u32,
    /// The games of these that were won.
    pub wins: u32,
    /// The least number of wins at any level.
    pub lowest: u32,
    /// The greatest number of wins at any level.
    pub highest: u32,
    /// 1 if the target was reached, else 0.
    pub reached: i32,
    /// The lower end of the 95 % confidence interval of the share of wins.
    pub from: f64,
    /// The upper end of the 95 % confidence interval of the share of wins.
    pub to: f64,
}

/// The sums of a review.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Review {
    /// The moves of the side.
    pub moves: u64,
    /// The moves that were not the best.
    pub errors: u64,
    /// The moves that made the outcome worse.
    pub blunders: u64,
    /// The steps of the outcome that all moves together lost.
    pub drops: u64,
    /// The plies that all moves together lost.
    pub plies_lost: u64,
}

/// A move of a game with its cost.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ReviewedMove {
    /// The index of the position before the move.
    pub ply: u64,
    /// The move that was made.
    pub played: Move,
    /// The first of the best moves.
    pub best: Move,
    /// The steps of the outcome that the move lost.
    pub drop: u32,
    /// The plies by which the move made a win longer or a loss shorter.
    pub plies: u32,
}
