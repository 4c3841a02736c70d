//! Ranks that help rank 0 to make its tables.

use super::{GenerateError, Generator};
use crate::{
    checkpoint::Checkpoints,
    engines::bitboard::{self, BitboardSolution},
    games::pursuit::{Pursuit, PursuitError},
    observer::Observer,
    ranks::{Transport, TransportError, share},
    solve_error::SolveError,
};
use dragnet_formats::header::Header;
use std::sync::Arc;

/// The first byte of the order to solve a game, whose header follows.
const SOLVE: u8 = 1;
/// The order to end.
const END: [u8; 1] = [0];

impl Generator {
    /// Returns the generator of one of several ranks, which solve each board together.
    ///
    /// Rank 0 makes tables as any generator does, with the same bytes, and ends with
    /// [`Generator::dismiss_ranks`]. All other ranks call [`Generator::help`]. They need no files: rank 0
    /// sends them the board, and takes the checkpoints. With [`Engine::Counters`](crate::Engine::Counters)
    /// and for games that are not on a board rank 0 works alone.
    ///
    /// If [`Generator::generate`] fails on rank 0 with an error that [ends ranks](GenerateError::ends_ranks),
    /// or [`Generator::help`] fails on another, the ranks can do nothing more together and must end.
    ///
    /// ```
    /// use dragnet_formats::{board::make, rules::Rules};
    /// use dragnet_generator::{Generator, Plan, encode::Encoding, ranks::InProcess};
    /// use std::{sync::Arc, thread};
    ///
    /// let plan = Plan::new(make::open(24, 24)?, Rules::classic(), Encoding::default())?;
    /// let alone = Generator::new(1)?.solve(&plan, &())?.summary();
    /// let mut ranks = InProcess::connect(3).into_iter().map(Arc::new);
    /// let first = Generator::new(1)?.with_ranks(ranks.next().unwrap());
    /// thread::scope(|scope| {
    ///     for rank in ranks {
    ///         scope.spawn(|| Generator::new(1).unwrap().with_ranks(rank).help(&()).unwrap());
    ///     }
    ///     let together = first.solve(&plan, &())?.summary();
    ///     first.dismiss_ranks()?;
    ///     assert_eq!(together, alone);
    ///     Ok(())
    /// })
    /// # .map_err(|error: dragnet_generator::GenerateError| error.into())
    /// # .and_then(|()| Ok::<(), Box<dyn std::error::Error>>(()))
    /// ```
    #[must_use]
    pub fn with_ranks(self, ranks: Arc<dyn Transport>) -> Generator {
        Generator { ranks: Some(ranks), ..self }
    }

    /// Helps rank 0 to make tables until it dismisses the others, or ends. Does nothing on rank 0.
    ///
    /// # Errors
    /// When rank 0 or another one has ended, or the system refuses memory. The process should end then, and
    /// so end the others.
    pub fn help(&self, observer: &dyn Observer) -> Result<(), GenerateError> {
        let Some(ranks) = self.ranks.as_deref().filter(|ranks| ranks.rank() > 0) else { return Ok(()) };
        loop {
            let order = share(ranks, &[]).map_err(SolveError::from)?;
            let wrong = || {
                let error = TransportError::Message { rank: 0, found: "an unknown order" };
                GenerateError::Solve(error.into())
            };
            match order.split_first() {
                Some((&SOLVE, header)) => {
                    let header = Header::from_bytes(header).map_err(|_| wrong())?;
                    let game = Generator::game_of(&header)?;
                    match bitboard::solve_on(game, &self.pool, ranks, None, observer) {
                        // All ranks know that.
                        Ok(_) | Err(SolveError::Stopped | SolveError::TooLong) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                _ if order == END => return Ok(()),
                _ => return Err(wrong()),
            }
        }
    }

    /// Tells the other ranks that no more tables are to be made. Without ranks, or on another one than rank
    /// 0, it does nothing.
    ///
    /// # Errors
    /// When another rank has ended.
    pub fn dismiss_ranks(&self) -> Result<(), GenerateError> {
        match self.ranks.as_deref().filter(|ranks| ranks.rank() == 0) {
            Some(ranks) => Ok(share(ranks, &END).map(drop).map_err(SolveError::from)?),
            None => Ok(()),
        }
    }

    /// Solves a game with this header by `bitboard`, together with the other ranks if there are any.
    pub(super) fn solve_by_bitboard(
        &self,
        header: &Header,
        game: Pursuit,
        checkpoints: Option<&Checkpoints>,
        observer: &dyn Observer,
    ) -> Result<BitboardSolution, GenerateError> {
        let solved = match self.ranks.as_deref().filter(|ranks| ranks.rank() == 0) {
            Some(ranks) => {
                let header = header.to_bytes().map_err(PursuitError::from)?;
                share(ranks, &[&[SOLVE], &header[..]].concat()).map_err(SolveError::from)?;
                bitboard::solve_on(game, &self.pool, ranks, checkpoints, observer)
            }
            None => bitboard::solve_with(game, &self.pool, checkpoints, observer),
        };
        Ok(solved?)
    }
}
