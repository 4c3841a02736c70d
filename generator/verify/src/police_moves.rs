//! The moves of the police from team to team, part by part of a turn.

use super::checked_table::CheckedTable;
use dragnet_formats::{
    cell::Side,
    stop::{StopCheck, Stopped},
};
use dragnet_generator::team::TeamSpace;

/// Words of memory that are read and written to find a target, roughly.
const TARGET: usize = 32;

/// The moves of one part of the police's turn.
pub(super) struct PartMoves {
    /// Where the targets of each state before the part begin, and their end.
    starts: Vec<usize>,
    /// The states after the part.
    targets: Vec<u32>,
}

impl PartMoves {
    /// Lists the moves from `layer`, which is not the last, to the next.
    fn new(space: &TeamSpace, layer: usize, check: &mut StopCheck) -> Result<PartMoves, Stopped> {
        let mut moves = PartMoves { starts: vec![0], targets: Vec::new() };
        let teams = space.list().len();
        // The space counts teams with the worlds of each, a table world after world.
        let number = |state: u64| {
            let (team, world) = space.team_in_world(state);
            (world as usize * teams + team) as u32
        };
        let is_last = layer + 1 == space.parts();
        for state in 0..space.states(layer) {
            let state = match layer {
                0 => space.state_of_team(state as usize % teams, (state as usize / teams) as u32),
                _ => state,
            };
            let before = moves.targets.len();
            // A partial turn that cannot be completed is not a legal move.
            if layer > 0 || !space.stuck(state) {
                space.for_each_successor(layer, state, |to| {
                    moves.targets.push(if is_last { number(to) } else { to as u32 });
                });
            }
            check.steps(TARGET * (1 + moves.targets.len() - before))?;
            moves.starts.push(moves.targets.len());
        }
        Ok(moves)
    }

    /// Returns the number of states before the part.
    #[inline(always)]
    pub(super) fn states(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the states after the part that can be reached from a state before it.
    #[inline(always)]
    pub(super) fn of(&self, state: usize) -> &[u32] {
        &self.targets[self.starts[state]..self.starts[state + 1]]
    }
}

/// The moves of the police of a table.
pub(super) struct PoliceMoves {
    /// The moves between teams, layer by layer of [`TeamSpace`]. The states of the first layer, and those
    /// after the last one, are the teams in the order of the list of teams, world after world.
    pub(super) layers: Vec<PartMoves>,
}

impl PoliceMoves {
    /// Lists the moves of the police.
    ///
    /// # Errors
    /// When `check` says that the work is to stop.
    pub(super) fn new(checked: &CheckedTable, check: &mut StopCheck) -> Result<PoliceMoves, Stopped> {
        let (teams, game) = (checked.table.numbering().police(), &checked.game);
        let space = TeamSpace::new(game.worlds, teams, game.team, game.moves(Side::Police), check)?;
        let layers = (0..space.parts()).map(|layer| PartMoves::new(&space, layer, check));
        Ok(PoliceMoves { layers: layers.collect::<Result<_, _>>()? })
    }

    /// Returns the number of states in all layers but the teams.
    pub(super) fn partial_states(&self) -> usize {
        self.layers.iter().skip(1).map(PartMoves::states).sum()
    }
}
