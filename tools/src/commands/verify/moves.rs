//! Deriving values with the police to move from those with the thief to move.

use dragnet_formats::{
    cell::Side,
    moves::{MoveTable, Steps},
    value::Score,
};
use dragnet_generator::team::{PartMoves, TeamSpace};
use dragnet_probe::{Scan, scan::scores::first_wrong};

/// The moves of the police of a table.
pub(super) struct PoliceMoves {
    /// The moves between teams, layer by layer of [`TeamSpace`].
    layers: Vec<PartMoves>,
    stuck: Score,
}

impl PoliceMoves {
    pub(super) fn new(scan: &Scan) -> PoliceMoves {
        let (table, rules) = (scan.table(), scan.table().rules());
        let moves = MoveTable::new(table.board(), &Steps::new(rules, Side::Police));
        let space = TeamSpace::new(table.numbering().police(), rules.team, &moves);
        PoliceMoves {
            layers: (0..space.parts()).map(|layer| space.part_moves(layer)).collect(),
            stuck: rules.stuck.value().score_for_mover(),
        }
    }

    /// Returns the first team whose score with the police to move is not what the scores after each move make
    /// of it, and the score that they make. The rows have a score for each team, with the thief on cell
    /// number `thief`.
    pub(super) fn first_wrong(
        &self,
        scan: &Scan,
        thief: u32,
        police_to_move: &[Score],
        thief_to_move: &[Score],
    ) -> Option<(usize, Score)> {
        // The best that can be reached, part by part of the turn from its end.
        let mut best: Option<Vec<Score>> = None;
        for layer in self.layers.iter().rev() {
            best = Some(layer.best(best.as_deref().unwrap_or(thief_to_move)));
        }
        let best = best.expect("a turn has a part");
        let terminal: Vec<bool> =
            (0..police_to_move.len()).map(|team| scan.is_terminal(team, thief)).collect();
        first_wrong(police_to_move, &best, &terminal, self.stuck)
    }
}
