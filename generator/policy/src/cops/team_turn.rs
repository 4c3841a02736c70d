//! A turn of several officers, officer by officer (`PROTOCOL.md` §11): words of thief cells for the states
//! half-way through it. One word of a set is carried back through all layers of states at once.

use dragnet_generator::{StopRequest, team::TeamSpace};

/// Scratch words for the layers between the teams that are to move and those that have moved (see
/// [`TeamSpace`]). Between two uses all words are 0.
#[derive(Debug, Default)]
pub(super) struct TeamTurn {
    layers: Vec<Layer>,
}

/// The words of one layer, by state.
#[derive(Debug, Default)]
struct Layer {
    words: Vec<u64>,
    /// The states whose words are not 0. Only these are visited and cleared: most states of a
    /// layer are touched in no pass.
    touched: Vec<u64>,
}

impl Layer {
    /// Adds the thief cells of `word`, which is not 0, to a state.
    #[inline(always)]
    fn add(&mut self, state: u64, word: u64) {
        let words = &mut self.words[state as usize];
        if *words == 0 {
            self.touched.push(state);
        }
        *words |= word;
    }

    /// Clears the words that are not 0.
    fn forget(&mut self) {
        for state in self.touched.drain(..) {
            self.words[state as usize] = 0;
        }
    }
}

impl TeamTurn {
    /// Bytes of memory for a state half-way through a turn: a word.
    pub(super) const STATE: u64 = size_of::<u64>() as u64;

    /// Creates the layers of `space`. One officer has none between.
    pub(super) fn new(space: &TeamSpace) -> TeamTurn {
        let layer = |layer: usize| {
            let states = space.states(layer) as usize;
            Layer { words: vec![0; states], touched: Vec::new() }
        };
        // Layer 0 is the teams that are to move. Their words are the engine's own, so it stays empty; it
        // stands here so that `layers[k]` is layer k.
        let mut layers = vec![Layer::default()];
        layers.extend((1..space.parts()).map(layer));
        TeamTurn { layers }
    }

    /// Seeds the way back with one row of the thief to move: ORs `word`, which is not 0, into all states of
    /// the layer before from which the team's last officer can reach `row`. If a turn has one part there is
    /// no such layer, and the word is kept for [`TeamTurn::back`].
    #[inline(always)]
    pub(super) fn back_from(&mut self, space: &TeamSpace, row: u64, word: u64) {
        let last = space.parts();
        if last == 1 {
            self.layers[0].touched.push(row);
            self.layers[0].words.push(word);
            return;
        }
        let layer = &mut self.layers[last - 1];
        space.for_each_predecessor(last, row, |state| layer.add(state, word));
    }

    /// Carries all that [`TeamTurn::back_from`] has added back, layer by layer, to the teams that can reach
    /// it. Calls `each` with a team's row and a word, for a team perhaps several times with different words.
    /// Leaves the layers empty, unless it is stopped.
    #[inline(always)]
    pub(super) fn back(&mut self, space: &TeamSpace, stop: &StopRequest, mut each: impl FnMut(u64, u64)) {
        let mut pieces = 0;
        let last = space.parts();
        if last == 1 {
            let first = &mut self.layers[0];
            for (row, word) in first.touched.drain(..).zip(first.words.drain(..)) {
                if stop.ask_at_times(&mut pieces) {
                    return;
                }
                space.for_each_predecessor(1, row, |team| each(team, word));
            }
            return;
        }
        for at in (1..last).rev() {
            let (before, layer) = self.layers.split_at_mut(at);
            let (layer, before) = (&mut layer[0], &mut before[at - 1]);
            for &state in &layer.touched {
                if stop.ask_at_times(&mut pieces) {
                    return;
                }
                let word = layer.words[state as usize];
                space.for_each_predecessor(at, state, |from| {
                    if at == 1 {
                        each(from, word);
                    } else {
                        before.add(from, word);
                    }
                });
            }
            layer.forget();
        }
    }
}
