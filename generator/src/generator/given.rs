//! Making the table of a given game.

use super::{GenerateError, Generator, Report};
use crate::{
    engines::{bitboard, engine::Engine, labelled::LabelledPursuit},
    given_plan::GivenPlan,
    observer::Observer,
    solution::{BlockSink, BlockSource, Solution, SourceError},
    stop::StopRequest,
    table::{Room, encode::EncodedBlocks},
};
use dragnet_formats::{
    codec::RawBlock,
    header::{GivenHeader, Summary},
    stop::StopCheck,
};
use std::{path::Path, sync::atomic::AtomicBool, time::Instant};

/// The blocks of positions, and behind them those of the sections.
struct WithSections<'a> {
    solution: &'a dyn Solution,
    /// The number of blocks of positions.
    positions: u64,
    sections: Vec<RawBlock>,
}

impl BlockSource for WithSections<'_> {
    fn blocks(&self, sink: BlockSink) -> Result<Summary, SourceError> {
        let summary = self.solution.blocks(sink)?;
        for (block, section) in (self.positions..).zip(&self.sections) {
            sink(block, section.clone())?;
        }
        Ok(summary)
    }
}

impl Generator {
    /// Solves a given game. Keeps no checkpoints and no limit of memory, and works on this rank alone.
    ///
    /// # Errors
    /// See [`GenerateError`]; [`GenerateError::Given`] if the generator is set to what does not go with given
    /// games.
    pub fn solve_given(
        &self,
        plan: &GivenPlan,
        observer: &dyn Observer,
    ) -> Result<Box<dyn Solution>, GenerateError> {
        if self.checkpoints.is_some() || self.ranks.is_some() {
            return Err(GenerateError::Given);
        }
        let received = AtomicBool::new(false);
        let stop = StopRequest::new(observer, &received);
        let ask = || stop.ask();
        let game = plan.pursuit(&mut StopCheck::new(&ask))?;
        Ok(match plan.engine().chosen() {
            Engine::Counters => {
                let labels = self.solve_by_counters(&game, observer)?;
                Box::new(LabelledPursuit::new(game, labels))
            }
            _ => Box::new(bitboard::solve(game, &self.pool, observer)?),
        })
    }

    /// Encodes the table of a solved given game in memory, and returns it with its header.
    ///
    /// # Errors
    /// When the observer stops the work, or the system refuses memory.
    pub fn encode_given(
        &self,
        solution: &dyn Solution,
        plan: &GivenPlan,
        observer: &dyn Observer,
    ) -> Result<(GivenHeader, EncodedBlocks), GenerateError> {
        self.encode_given_into(Room::IN_MEMORY, solution, plan, observer)
    }

    fn encode_given_into(
        &self,
        room: Room,
        solution: &dyn Solution,
        plan: &GivenPlan,
        observer: &dyn Observer,
    ) -> Result<(GivenHeader, EncodedBlocks), GenerateError> {
        let (mut header, sections) = (plan.header().clone(), plan.packed().blocks());
        let count = header.block_count();
        let source = WithSections { solution, positions: count - sections.len() as u64, sections };
        let blocks = self.encode_blocks(room, &source, count, plan.encoding(), observer)?;
        header.summary = blocks.summary;
        Ok((header, blocks))
    }

    /// Solves a given game and writes its table as the file `path`, whose folder is created if need be. A
    /// file of that name is replaced once the new one is complete. The bytes depend on the game and the
    /// encoding, not on the threads or the engine.
    ///
    /// ```
    /// use dragnet_formats::{board::make, game::PursuitGame, given::GivenGame, rules::Rules,
    /// stop::StopCheck};
    /// use dragnet_generator::{Generator, GivenPlan, encode::Encoding};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("given.dtb");
    /// let game = PursuitGame::compile(&make::open(5, 5)?, &Rules::classic(), &mut StopCheck::never())?;
    /// let plan = GivenPlan::new(GivenGame::new(game), Encoding::default())?;
    /// let report = Generator::new(0)?.generate_given(&plan, &path, &())?;
    /// assert_eq!(report.positions, 2 * 25 * 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Generator::solve_given`].
    pub fn generate_given(
        &self,
        plan: &GivenPlan,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<Report, GenerateError> {
        let begin = Instant::now();
        let solution = self.solve_given(plan, observer)?;
        let solving = begin.elapsed();
        let begin = Instant::now();
        let encode = |room| self.encode_given_into(room, &*solution, plan, observer);
        let (header, written) = self.save_table::<GivenHeader, _, _>(path, encode)?;
        Ok(Report {
            engine: plan.engine().chosen(),
            positions: header.positions(),
            summary: header.summary,
            written,
            solving,
            writing: begin.elapsed(),
        })
    }
}
