//! The reverse graph of a game: predecessors of games that do not list them.

use crate::{
    csr::{Csr, PiledEdges},
    game::{Game, Reversible, Start, canonical_start},
    observer::Observer,
    solve_error::SolveError,
    stop::StopRequest,
};
use dragnet_formats::value::Value;
use rayon::prelude::*;
use std::{ops::Range, sync::atomic::AtomicBool};

/// A game with its reverse graph. Takes 8 bytes per position and 4 per move, and during construction 6 more
/// per move; for large [graphs](crate::GraphGame) a quarter of that.
#[derive(Debug)]
pub struct WithPredecessors<G> {
    game: G,
    /// The number of moves of each open position, and [`NO_MOVE`] or [`ILLEGAL`] for the others.
    moves: Vec<u32>,
    back: Csr,
}

/// A position whose value is known.
const NO_MOVE: u32 = 0;
/// A position that is illegal, or not canonical.
const ILLEGAL: u32 = u32::MAX;

/// Positions in a task.
const GRAIN: usize = 1 << 13;

/// Graphs with more moves than this are reversed in four passes, which save three quarters of the scratch
/// memory.
const MANY: u64 = 1 << 22;

impl<G: Game> WithPredecessors<G> {
    /// Reverses the moves of `game` on the threads of the current pool.
    ///
    /// # Errors
    /// When the game is too large for numbers of 32 bits, or the system refuses the memory.
    pub fn new(game: G) -> Result<WithPredecessors<G>, SolveError> {
        WithPredecessors::reversed(game, None, &())
    }

    /// Reverses the moves of `game`, unless the observer stops the work. A game that has at most `most_moves`
    /// moves lists them as fast as memory is read.
    pub(crate) fn reversed(
        game: G,
        most_moves: Option<u64>,
        observer: &dyn Observer,
    ) -> Result<WithPredecessors<G>, SolveError> {
        let received = AtomicBool::new(false);
        let stop = StopRequest::new(observer, &received);
        let positions = u32::try_from(game.positions()).map_err(|_| SolveError::TooLarge)?;
        let kind = |position: u32| {
            // Only the first of a piece asks, and the others learn of it.
            if position.is_multiple_of(GRAIN as u32) && stop.ask() || stop.is_received() {
                return StartKind::Illegal;
            }
            match canonical_start(&game, position.into()) {
                Start::Open => StartKind::Open,
                Start::Known(_) => StartKind::Known,
                Start::Illegal => StartKind::Illegal,
            }
        };
        let kinds: Vec<StartKind> = (0..positions).into_par_iter().with_min_len(GRAIN).map(kind).collect();
        if stop.is_received() {
            return Err(SolveError::Stopped);
        }
        let pass = CountingPass {
            game: &game,
            kinds: &kinds,
            stop,
            all_legal: kinds.par_iter().with_min_len(GRAIN).all(|&kind| kind != StartKind::Illegal),
        };
        let mut moves = vec![NO_MOVE; positions as usize];
        let back = match most_moves {
            Some(most) => {
                let mut back = Csr::new(positions.into(), most)?;
                for range in back.ranges(if most > MANY { 4 } else { 1 }) {
                    let sorted = pass.take(range.clone(), &mut moves)?;
                    back.fill(range.len(), &sorted);
                }
                back
            }
            None => {
                let sorted = pass.take(0..positions as usize, &mut moves)?;
                let count = sorted.iter().map(|sorted| sorted.len() as u64).sum();
                if count >= u32::MAX.into() {
                    return Err(SolveError::TooLarge);
                }
                let mut back = Csr::new(positions.into(), count)?;
                back.fill(positions as usize, &sorted);
                back
            }
        };
        Ok(WithPredecessors { game, moves, back })
    }

    /// Returns the game itself.
    #[must_use]
    pub fn into_game(self) -> G {
        self.game
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StartKind {
    Open,
    Known,
    Illegal,
}

/// A growing list of edges, some of which are kept.
#[derive(Default)]
struct Edges {
    /// The edges kept, then room for more.
    list: Vec<(u32, u32)>,
    len: usize,
}

impl Edges {
    /// Appends `edge` if `keep`. Has no branch on `keep`, which no processor could predict.
    #[inline]
    fn push(&mut self, edge: (u32, u32), keep: bool) {
        if self.len == self.list.len() {
            self.list.resize((2 * self.len).max(1 << 10), (0, 0));
        }
        self.list[self.len] = edge;
        self.len += usize::from(keep);
    }
}

/// A pass over all moves of a game.
struct CountingPass<'a, G> {
    game: &'a G,
    kinds: &'a [StartKind],
    stop: StopRequest<'a>,
    all_legal: bool,
}

impl<G: Game> CountingPass<'_, G> {
    /// Returns the reversed moves into the positions `to`, and writes the number of all moves of each
    /// position to `moves`.
    ///
    /// # Errors
    /// When the observer stops the work.
    fn take(&self, to: Range<usize>, moves: &mut [u32]) -> Result<Vec<PiledEdges>, SolveError> {
        let to = to.start as u32..to.end as u32;
        let piles = moves
            .par_chunks_mut(GRAIN)
            .enumerate()
            .map_init(Edges::default, |edges, (piece, moves)| {
                edges.len = 0;
                if self.stop.ask() {
                    return PiledEdges::new(&[]);
                }
                for (from, count) in (piece * GRAIN..).zip(moves) {
                    *count = match self.kinds[from] {
                        StartKind::Known => NO_MOVE,
                        StartKind::Illegal => ILLEGAL,
                        StartKind::Open => self.moves_of(from as u32, |target| {
                            edges
                                .push((target, from as u32), target.wrapping_sub(to.start) < to.len() as u32);
                        }),
                    };
                }
                PiledEdges::new(&edges.list[..edges.len])
            })
            .collect();
        if self.stop.is_received() { Err(SolveError::Stopped) } else { Ok(piles) }
    }

    /// Calls `each` for the target of each legal move of an open position, and returns their number.
    fn moves_of(&self, position: u32, mut each: impl FnMut(u32)) -> u32 {
        let mut count = 0;
        self.game.for_each_successor(position.into(), |to| {
            let to = self.game.canonical(to) as u32;
            if self.all_legal || self.kinds[to as usize] != StartKind::Illegal {
                count += 1;
                each(to);
            }
        });
        count
    }
}

impl<G: Game> Game for WithPredecessors<G> {
    fn positions(&self) -> u64 {
        self.game.positions()
    }

    fn start(&self, position: u64) -> Start {
        self.game.start(position)
    }

    fn for_each_successor(&self, position: u64, each: impl FnMut(u64)) {
        self.game.for_each_successor(position, each);
    }

    fn stuck(&self, position: u64) -> Value {
        self.game.stuck(position)
    }

    #[inline]
    fn keeps_turn(&self, position: u64) -> bool {
        self.game.keeps_turn(position)
    }

    fn canonical(&self, position: u64) -> u64 {
        self.game.canonical(position)
    }
}

/// Positions whose predecessors are fetched at once: enough for all cache misses that a processor can have
/// under way. A random graph of 2 million vertices and 20 million edges takes 8 % longer to solve if they are
/// fetched one by one; between 16 and 256 there is no difference.
const AT_ONCE: usize = 64;

impl<G: Game> Reversible for WithPredecessors<G> {
    const SCATTERED: bool = true;

    fn for_each_predecessor_of(&self, positions: impl Iterator<Item = u64>, mut each: impl FnMut(u64)) {
        let mut positions = positions.fuse();
        loop {
            let mut rows = [(); AT_ONCE].map(|()| &[][..]);
            let mut count = 0;
            for (row, position) in rows.iter_mut().zip(&mut positions) {
                *row = self.back.of(position);
                count += 1;
            }
            // Nothing depends on these loads, so the processor has all their cache misses under way at once.
            // An empty row has no entry to load.
            let first = |row: &&[u32]| row.first().copied().unwrap_or(0);
            std::hint::black_box(rows[..count].iter().map(first).fold(0, u32::wrapping_add));
            rows[..count].iter().for_each(|row| row.iter().for_each(|&from| each(from.into())));
            if count < AT_ONCE {
                return;
            }
        }
    }

    fn for_each_predecessor(&self, position: u64, mut each: impl FnMut(u64)) {
        for &from in self.back.of(position) {
            each(from.into());
        }
    }

    fn for_each_start(&self, range: Range<u64>, mut each: impl FnMut(u64, Start, u32)) {
        for position in range {
            let (start, moves) = match self.moves[position as usize] {
                ILLEGAL => (Start::Illegal, 0),
                NO_MOVE => match self.game.start(position) {
                    Start::Open => (Start::Known(self.game.stuck(position)), 0),
                    start => (start, 0),
                },
                moves => (Start::Open, moves),
            };
            each(position, start, moves);
        }
    }
}
