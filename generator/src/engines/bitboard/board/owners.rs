//! Which rank owns which overlay, and the edges over which ranks see each other's (`PROTOCOL.md` §13).

use super::{edge_bits::EdgeBits, thief::Overlay};
use crate::{
    observer::GridSquare,
    ranks::{Transport, owners_of},
};

/// A rank, one of those that solve a game together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rank {
    pub(crate) number: usize,
    /// How many ranks there are.
    pub(crate) ranks: usize,
}

impl Rank {
    /// The only rank.
    pub(crate) const ALONE: Rank = Rank { number: 0, ranks: 1 };

    /// Returns the rank of `transport`.
    pub(crate) fn of(transport: &dyn Transport) -> Rank {
        Rank { number: transport.rank(), ranks: transport.ranks() }
    }
}

/// The order in which a rank numbers the overlays: first its own, then those of others into which moves from
/// its own lead, of which it has *ghosts*, and then the rest.
#[derive(Debug)]
pub(crate) struct OverlayOrder {
    /// The number of each overlay among those of the whole board.
    pub(crate) numbers: Vec<u32>,
    /// The place of each overlay of the whole board in this order.
    pub(crate) places: Vec<u32>,
    /// The square of each overlay.
    pub(crate) squares: Vec<GridSquare>,
    /// The owner of each overlay.
    pub(crate) owners: Vec<usize>,
    /// How many the rank owns.
    pub(crate) own: usize,
    /// How many the rank owns or has ghosts of.
    pub(crate) held: usize,
}

impl OverlayOrder {
    /// Returns the order of `overlays`, which are numbered as on the whole board and lie in these
    /// squares.
    pub(crate) fn new(overlays: &[Overlay], squares: &[GridSquare], rank: Rank) -> OverlayOrder {
        let owners = owners_of(squares, rank.ranks);
        let is_own = |number: u32| owners[number as usize] == rank.number;
        let kind = |number: u32| {
            let before = &overlays[number as usize].before;
            if is_own(number) { 0 } else { 2 - u8::from(before.iter().any(|&before| is_own(before))) }
        };
        let mut numbers: Vec<u32> = (0..overlays.len() as u32).collect();
        numbers.sort_by_key(|&number| kind(number));
        let until = |last: u8| numbers.partition_point(|&number| kind(number) <= last);
        let (own, held) = (until(0), until(1));
        let owners = numbers.iter().map(|&number| owners[number as usize]).collect();
        let squares = numbers.iter().map(|&number| squares[number as usize]).collect();
        let mut places = vec![0; numbers.len()];
        for (place, &number) in (0..).zip(&numbers) {
            places[number as usize] = place;
        }
        OverlayOrder { own, held, owners, squares, places, numbers }
    }
}

/// The edges of one rank: which thief cells of the others' overlays its moves lead to, and the other way
/// round. All ranks find the same.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    /// For each own overlay the ranks that have ghosts of it, with the cells that they see.
    pub(crate) readers: Vec<Vec<(usize, EdgeBits)>>,
    /// For each ghost the cells that this rank sees.
    pub(crate) ghosts: Vec<EdgeBits>,
}

impl Edges {
    /// Returns the edges of the rank that has numbered `overlays` like this.
    pub(crate) fn new(overlays: &[Overlay], order: &OverlayOrder, rank: Rank) -> Edges {
        let mut readers = vec![Vec::<(usize, u64)>::new(); order.own];
        let mut ghosts = vec![0; order.held - order.own];
        for (from, overlay) in overlays.iter().enumerate() {
            for target in &overlay.targets {
                let (to, reader) = (target.overlay as usize, order.owners[from]);
                let cells = overlay.reached(target);
                if to < order.own && reader != rank.number {
                    match readers[to].iter_mut().find(|(known, _)| *known == reader) {
                        Some((_, all)) => *all |= cells,
                        None => readers[to].push((reader, cells)),
                    }
                } else if to >= order.own && reader == rank.number {
                    ghosts[to - order.own] |= cells;
                }
            }
        }
        let bits = |readers: Vec<(usize, u64)>| {
            readers.into_iter().map(|(reader, cells)| (reader, EdgeBits::new(cells))).collect()
        };
        Edges {
            readers: readers.into_iter().map(bits).collect(),
            ghosts: ghosts.into_iter().map(EdgeBits::new).collect(),
        }
    }
}
