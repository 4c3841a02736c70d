//! Ranks that help rank 0 to make its tables.

use super::{GenerateError, Generator};
use crate::{
    checkpoint::Checkpoints,
    engines::bitboard::{self, BitboardSolution},
    games::pursuit::Pursuit,
    observer::Observer,
    ranks::{PIECE, Reader, Transport, TransportError, any_rank, broadcast, open, seal, to_first},
    solution::SourceError,
    solve_error::SolveError,
    table::encode::{BundleHelpers, Encoding, encode_packets},
};
use dragnet_formats::{codec::Favour, header::Header, stop::StopCheck, stored::PackedGame};
use std::sync::Arc;

/// The first byte of the order to solve a game, which follows as its table stores it.
const SOLVE: u8 = 1;
/// The first byte of the order to encode blocks of the game that was solved last: the seed of the packets,
/// the encoding, and a byte for each bundle, 1 if it is missing.
const ENCODE: u8 = 2;
/// The order to end.
const END: [u8; 1] = [0];

impl From<TransportError> for SourceError {
    fn from(error: TransportError) -> SourceError {
        SourceError::Values(error.into())
    }
}

/// The other ranks, as rank 0 asks them to encode.
pub(super) struct RankHelpers<'a> {
    ranks: &'a dyn Transport,
    encoding: Encoding,
    /// The owner of each bundle.
    owners: Vec<usize>,
}

impl<'a> RankHelpers<'a> {
    /// Creates the helpers for the table of `solution`, which they have solved too.
    pub(super) fn new(
        ranks: &'a dyn Transport,
        solution: &BitboardSolution,
        encoding: Encoding,
    ) -> RankHelpers<'a> {
        RankHelpers { ranks, encoding, owners: solution.bundle_owners(ranks.ranks()) }
    }
}

impl BundleHelpers for RankHelpers<'_> {
    fn ask(&self, seed: u32, missing: &[bool]) -> Result<(), SourceError> {
        let favour = u8::from(self.encoding.favour == Favour::Speed);
        let mut order = vec![ENCODE, favour];
        order.extend_from_slice(&seed.to_le_bytes());
        order.extend_from_slice(&self.encoding.level.to_le_bytes());
        order.extend(missing.iter().map(|&missing| u8::from(missing)));
        broadcast(self.ranks, &order)?;
        Ok(())
    }

    fn has(&self, bundle: usize) -> bool {
        self.owners[bundle] > 0
    }

    fn packets(&self, each: &mut dyn FnMut(&[u8])) -> Result<(), SourceError> {
        loop {
            for (rank, message) in to_first(self.ranks, Vec::new())?.iter().enumerate() {
                let mut message = open(message, rank)?;
                while !message.is_empty() {
                    let len = message.u32()?;
                    each(message.bytes(len as usize)?);
                }
            }
            if !any_rank(self.ranks, false)? {
                return Ok(());
            }
        }
    }
}

/// Sends packets to rank 0.
fn send_packets(ranks: &dyn Transport, packets: impl Iterator<Item = Vec<u8>>) -> Result<(), TransportError> {
    let mut packets = packets.peekable();
    loop {
        let mut message = Vec::new();
        while message.len() < PIECE
            && let Some(packet) = packets.next()
        {
            message.extend_from_slice(&(packet.len() as u32).to_le_bytes());
            message.extend_from_slice(&packet);
        }
        seal(&mut message);
        to_first(ranks, message)?;
        if !any_rank(ranks, packets.peek().is_some())? {
            return Ok(());
        }
    }
}

impl Generator {
    /// Returns the generator of one of several ranks, which solve each board together.
    ///
    /// Rank 0 makes tables as any generator does, with the same bytes, and ends with
    /// [`Generator::dismiss_ranks`]. All other ranks call [`Generator::help`]. They need no files: rank 0
    /// sends them the game, and takes the checkpoints. With [`Engine::Counters`](crate::Engine::Counters)
    /// and for games that are no pursuit rank 0 works alone.
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
    /// thread::scope(|scope| -> Result<(), Box<dyn std::error::Error>> {
    ///     for rank in ranks {
    ///         scope.spawn(|| Generator::new(1).unwrap().with_ranks(rank).help(&()).unwrap());
    ///     }
    ///     let together = first.solve(&plan, &())?.summary();
    ///     first.dismiss_ranks()?;
    ///     assert_eq!(together, alone);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
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
        let mut solved = None;
        loop {
            let order = broadcast(ranks, &[]).map_err(SolveError::from)?;
            let wrong = || {
                let error = TransportError::Message { rank: 0, found: "an unknown order" };
                GenerateError::Solve(error.into())
            };
            match (order.split_first(), &solved) {
                (Some((&SOLVE, packed)), _) => {
                    let packed = PackedGame::from_bytes(packed).ok_or_else(wrong)?;
                    // A rank that is to stop says so in the solve, where the others wait for it.
                    let header = packed.header.clone();
                    let never = &mut StopCheck::never();
                    let game = packed.unpack(never).map_err(|_| wrong())?.game;
                    let game = Pursuit::new(game, header.tiles()[0], header.thief.tile, never)?;
                    drop(solved.take());
                    match bitboard::solve_with(game, &self.pool, Some(ranks), None, observer) {
                        Ok(solution) => solved = Some((header, solution)),
                        // All ranks know that.
                        Err(SolveError::Stopped | SolveError::TooLong) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                (Some((&ENCODE, order)), Some((header, solution))) => {
                    let order = Reader::new(order, 0);
                    self.encode_for_others(ranks, order, header, solution, observer)
                        .map_err(SolveError::from)?;
                }
                _ if order == END => return Ok(()),
                _ => return Err(wrong()),
            }
        }
    }

    /// Encodes what `order` asks for, as far as it is in this rank's part of `solution`, and sends it to rank
    /// 0.
    fn encode_for_others(
        &self,
        ranks: &dyn Transport,
        mut order: Reader,
        header: &Header,
        solution: &BitboardSolution,
        observer: &dyn Observer,
    ) -> Result<(), TransportError> {
        let favour = if order.bytes(1)? == [1] { Favour::Speed } else { Favour::Size };
        let (seed, level) = (order.u32()?, order.u32()? as i32);
        let owners = solution.bundle_owners(ranks.ranks());
        let missing = order.bytes(owners.len())?;
        let own = |(&owner, &missing)| owner == ranks.rank() && missing == 1;
        let wanted: Vec<bool> = owners.iter().zip(missing).map(own).collect();
        let encoding = Encoding { favour, level };
        let encode = || {
            let bundles = solution.bundles();
            encode_packets(seed, &bundles, &wanted, header.block_count(), encoding, observer)
        };
        send_packets(ranks, self.pool.install(encode))
    }

    /// Tells the other ranks that no more tables are to be made. Without ranks, or on another one than rank
    /// 0, it does nothing.
    ///
    /// # Errors
    /// When another rank has ended.
    pub fn dismiss_ranks(&self) -> Result<(), GenerateError> {
        match self.ranks.as_deref().filter(|ranks| ranks.rank() == 0) {
            Some(ranks) => Ok(broadcast(ranks, &END).map(drop).map_err(SolveError::from)?),
            None => Ok(()),
        }
    }

    /// Solves a packed game by `bitboard`, together with the other ranks if there are any.
    pub(super) fn solve_by_bitboard(
        &self,
        packed: &PackedGame,
        game: Pursuit,
        checkpoints: Option<&Checkpoints>,
        observer: &dyn Observer,
    ) -> Result<BitboardSolution, GenerateError> {
        let ranks = self.ranks.as_deref().filter(|ranks| ranks.rank() == 0);
        if let Some(ranks) = ranks {
            broadcast(ranks, &[&[SOLVE], &packed.to_bytes()[..]].concat()).map_err(SolveError::from)?;
        }
        Ok(bitboard::solve_with(game, &self.pool, ranks, checkpoints, observer)?)
    }
}
