//! Lots that are the same in every language.

use dragnet_formats::digest::{GOLDEN_GAMMA, splitmix64};

/// A generator of random numbers, SplitMix64, whose state is one number.
///
/// ```
/// use dragnet_probe::opponent::Lots;
///
/// let mut lots = Lots::new(0);
/// assert_eq!(lots.draw(), 0xE220_A839_7B1D_CDAF);
/// assert_eq!(lots.draw(), Lots::nth(0, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lots {
    state: u64,
}

impl Lots {
    /// Creates the generator whose state is `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Lots {
        Lots { state: seed }
    }

    /// Returns the number with index `index`, from 0, of the generator that begins with `seed`.
    #[must_use]
    pub const fn nth(seed: u64, index: u64) -> u64 {
        splitmix64(seed.wrapping_add(index.wrapping_mul(GOLDEN_GAMMA)))
    }

    /// Returns the state: the seed of a generator that goes on from here.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Returns the next number.
    pub const fn draw(&mut self) -> u64 {
        let number = splitmix64(self.state);
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        number
    }

    /// Returns `number` scaled down to a lot below `count`; 0 if `count` is 0.
    #[must_use]
    pub const fn scale(number: u64, count: u64) -> u64 {
        ((number as u128 * count as u128) >> 64) as u64
    }
}
