//! Variants of the game of cops and robbers.

use dragnet_formats::rules::{Movement, Rules, Team};

/// A variant of the game, as a change of its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Only one officer may move in a turn.
    pub lazy: bool,
    /// No piece may stay: each must move whenever it is its side's turn.
    pub active: bool,
    /// The thief moves up to so many steps in a turn, if it is given; officers do not block his way.
    pub speed: Option<u8>,
}

impl Variant {
    /// Returns the rules of this variant of the game with `rules`.
    ///
    /// ```
    /// use dragnet_formats::{board::Board, rules::Rules};
    /// use dragnet_policy::cops::{Variant, capture, family::graph_of_family};
    ///
    /// // A rook's moves on 3x3 squares: two officers win if both may move in a turn.
    /// let board = Board::of_graph(&graph_of_family("torus:3,3", 9)?)?;
    /// let rules = Rules { officers: 2, ..Rules::cops() };
    /// let lazy = Variant { lazy: true, ..Variant::default() };
    /// assert!(capture(&board, &rules, &())?.is_some());
    /// assert_eq!(capture(&board, &lazy.of(rules), &())?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(&self, rules: Rules) -> Rules {
        let moves = |movement: Movement| Movement { may_pass: movement.may_pass && !self.active, ..movement };
        let thief = moves(rules.thief);
        Rules {
            team: if self.lazy { Team::One } else { rules.team },
            police: moves(rules.police),
            thief: Movement { steps: self.speed.unwrap_or(thief.steps), ..thief },
            ..rules
        }
    }
}
