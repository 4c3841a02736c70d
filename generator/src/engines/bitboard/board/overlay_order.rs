//! The order in which a solver numbers the overlays of a board.

use super::thief::Overlay;
use crate::observer::GridSquare;

/// First the overlays of the solver's own part of the board, then those of the rest into which moves from its
/// own lead, of which it has *ghosts*, then all others. A solver of a whole board owns all.
#[derive(Debug)]
pub(crate) struct OverlayOrder {
    /// The number of each overlay among those of the whole board.
    pub(crate) numbers: Vec<u32>,
    /// The place of each overlay of the whole board in this order.
    pub(crate) places: Vec<u32>,
    /// The square of each overlay.
    pub(crate) squares: Vec<GridSquare>,
    /// How many are own ones.
    pub(crate) own: usize,
    /// How many are own ones or ghosts.
    pub(crate) held: usize,
}

impl OverlayOrder {
    /// Returns the order of `overlays`, which are numbered as on the whole board and lie in these squares.
    pub(crate) fn new(
        overlays: &[Overlay],
        squares: &[GridSquare],
        is_own: impl Fn(u32) -> bool,
    ) -> OverlayOrder {
        let kind = |number: u32| {
            let before = &overlays[number as usize].before;
            if is_own(number) { 0 } else { 2 - u8::from(before.iter().any(|&before| is_own(before))) }
        };
        let mut numbers: Vec<u32> = (0..overlays.len() as u32).collect();
        numbers.sort_by_key(|&number| kind(number));
        let until = |last: u8| numbers.partition_point(|&number| kind(number) <= last);
        let (own, held) = (until(0), until(1));
        let squares = numbers.iter().map(|&number| squares[number as usize]).collect();
        let mut places = vec![0; numbers.len()];
        for (place, &number) in (0..).zip(&numbers) {
            places[number as usize] = place;
        }
        OverlayOrder { own, held, squares, places, numbers }
    }
}
