//! A pursuit game solved by the `counters` engine, as a source of table blocks.

use super::counters::Labels;
use crate::{
    games::pursuit::Pursuit,
    solution::{BlockSink, BlockSource, Solution, SourceError},
};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::{ANY_CODE, RawBlock},
    header::Summary,
    pieces::Pieces,
    value::Value,
};
use rayon::prelude::*;

/// A pursuit game with its labels.
#[derive(Debug)]
pub struct LabelledPursuit {
    game: Pursuit,
    labels: Labels,
}

impl LabelledPursuit {
    /// Returns the solution of `game` whose labels these are.
    #[must_use]
    pub fn new(game: Pursuit, labels: Labels) -> LabelledPursuit {
        LabelledPursuit { game, labels }
    }

    /// Returns the value in plies of a position, by the numbers of its state of teams and its thief cell.
    #[inline(always)]
    fn value_of(&self, turn: Side, team: u64, thief: u64) -> Value {
        let row = turn as u64 * self.game.police().len() + team;
        self.game.in_plies(self.labels.value(row * self.game.cell_count() + thief))
    }
}

impl Solution for LabelledPursuit {
    fn game(&self) -> &Pursuit {
        &self.game
    }

    fn summary(&self) -> Summary {
        let cells = self.game.cell_count();
        let police = self.game.police();
        let row = |state: u64| {
            let mut summary = Summary::default();
            let (team, world) = police.team_in_world(state);
            let first = self.game.first_number(world) + police.list().number(team) * cells;
            for (thief, &reading) in (0..).zip(self.game.thief_reading()) {
                let [police, thief] = Side::BOTH.map(|turn| self.value_of(turn, state, thief));
                summary.add_police_to_move(first + u64::from(reading), police);
                summary.add_thief_to_move(thief);
            }
            summary
        };
        (0..police.len()).into_par_iter().map(row).reduce(Summary::default, |mut sum, part| {
            sum.merge(&part);
            sum
        })
    }

    fn value(&self, world: u32, officers: &Pieces, thief: Cell) -> Option<Value> {
        let position = self.game.position(world, officers, thief, Side::Police)?;
        Some(self.game.in_plies(self.labels.value(position)))
    }
}

impl BlockSource for LabelledPursuit {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        (0..self.game.numbering().block_count())
            .into_par_iter()
            .try_for_each_init(Vec::new, |codes, block| sink(block, self.block(block, codes)))?;
        Ok(self.summary())
    }
}

impl LabelledPursuit {
    /// Returns one block of the table. `codes` is scratch memory.
    fn block(&self, block: u64, codes: &mut Vec<u32>) -> RawBlock {
        let numbering = self.game.numbering();
        let tiles = numbering.tiles(block);
        let teams = self.game.police().list().range_of(tiles.police);
        let thief_cells = numbering.thief().range_of(tiles.thief);
        codes.clear();
        codes.resize(teams.len() * thief_cells.len(), ANY_CODE);
        for (rank, team) in teams.clone().enumerate() {
            let terminals = self.game.terminals(tiles.world, team);
            let state = self.game.police().state_of_team(team, tiles.world);
            let slots = codes[rank..].iter_mut().step_by(teams.len());
            for (thief, slot) in thief_cells.clone().zip(slots) {
                if terminals.winner(self.game.thief_reading()[thief]).is_none() {
                    *slot = self.value_of(Side::Police, state, thief as u64).code();
                }
            }
        }
        RawBlock::new(codes)
    }
}
