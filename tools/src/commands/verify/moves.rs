//! Deriving values with the police to move from those with the thief to move.

use dragnet_formats::{
    cell::Side,
    moves::{MoveTable, Steps},
    value::Score,
};
use dragnet_generator::team::TeamSpace;
use dragnet_probe::{Scan, scan::scores::first_wrong};

/// The moves of one part of the police's turn.
struct PartMoves {
    /// Where the targets of each state before the part begin, and their end.
    starts: Vec<usize>,
    /// The states after the part.
    targets: Vec<u32>,
}

impl PartMoves {
    /// Lists the moves from `layer`, which is not the last, to the next.
    fn new(space: &TeamSpace, layer: usize) -> PartMoves {
        let mut moves = PartMoves { starts: vec![0], targets: Vec::new() };
        for state in 0..space.states(layer) {
            // A partial turn that cannot be completed is not a legal move.
            if layer > 0 || !space.stuck(state) {
                space.for_each_successor(layer, state, |to| moves.targets.push(to as u32));
            }
            moves.starts.push(moves.targets.len());
        }
        moves
    }

    /// Returns for each state before the part the best score that it can reach, given the scores of the
    /// states after it, or [`Score::MIN`] if the state has no move.
    fn best(&self, after: &[Score]) -> Vec<Score> {
        let best = |moves: &[usize]| {
            let targets = self.targets[moves[0]..moves[1]].iter();
            targets.map(|&to| after[to as usize]).max().unwrap_or(Score::MIN)
        };
        self.starts.windows(2).map(best).collect()
    }
}

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
            layers: (0..space.parts()).map(|layer| PartMoves::new(&space, layer)).collect(),
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
