//! The turn of several officers, part by part: the words of the teams that are half-way through it.

use crate::games::team::TeamSpace;

/// The layers between those who are to move and those who have moved (see [`TeamSpace`]). All words are 0, or not known, between two
/// uses.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    layers: Vec<Layer>,
}

/// By state of a layer.
#[derive(Debug, Default)]
struct Layer {
    words: Vec<u64>,
    /// Whether the word is that of [`Turn::all`], and may be 0.
    known: Vec<bool>,
    /// The states whose words are known, or are not 0.
    touched: Vec<u64>,
}

impl Layer {
    /// Adds a word that is not 0.
    #[inline(always)]
    fn add(&mut self, state: u64, word: u64) {
        let words = &mut self.words[state as usize];
        if *words == 0 {
            self.touched.push(state);
        }
        *words |= word;
    }

    fn know(&mut self, state: u64, word: u64) {
        self.known[state as usize] = true;
        self.touched.push(state);
        self.words[state as usize] = word;
    }

    fn forget(&mut self) {
        for state in self.touched.drain(..) {
            self.words[state as usize] = 0;
            self.known[state as usize] = false;
        }
    }
}

impl Turn {
    /// The layers of `space`, of which one officer has none.
    pub(crate) fn new(space: &TeamSpace) -> Turn {
        let layer = |layer: usize| {
            let states = space.states(layer) as usize;
            Layer { words: vec![0; states], known: vec![false; states], touched: Vec::new() }
        };
        // Layer 0 is there for the number of the others. Who is to move has his words elsewhere.
        let mut layers = vec![Layer::default()];
        layers.extend((1..space.parts()).map(layer));
        Turn { layers }
    }

    /// Adds `word`, which is not 0, to all states of the last layer but one from which the team can move to row `row`; or, where a turn has one part, keeps it for
    /// [`Turn::back`].
    #[inline(always)]
    pub(crate) fn back_from(&mut self, space: &TeamSpace, row: u64, word: u64) {
        let last = space.parts();
        if last == 1 {
            self.layers[0].touched.push(row);
            self.layers[0].words.push(word);
            return;
        }
        let layer = &mut self.layers[last - 1];
        space.for_each_predecessor(last, row, |state| layer.add(state, word));
    }

    /// Hands all that has been added on, part by part, to the rows of teams from which it can be reached: `each` gets a row with a part of
    /// its words.
    #[inline(always)]
    pub(crate) fn back(&mut self, space: &TeamSpace, mut each: impl FnMut(u64, u64)) {
        let last = space.parts();
        if last == 1 {
            let first = &mut self.layers[0];
            for (row, word) in first.touched.drain(..).zip(first.words.drain(..)) {
                space.for_each_predecessor(1, row, |team| each(team, word));
            }
            return;
        }
        for at in (1..last).rev() {
            let (before, layer) = self.layers.split_at_mut(at);
            let (layer, before) = (&mut layer[0], &mut before[at - 1]);
            for &state in &layer.touched {
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

    /// The thief cells with which all ways to end the turn from a state of `layer` lead into `source`, which has a word for each row.
    pub(crate) fn all(&mut self, space: &TeamSpace, source: &[u64], layer: usize, state: u64) -> u64 {
        if layer == space.parts() {
            return source[state as usize];
        }
        if layer > 0 && self.layers[layer].known[state as usize] {
            return self.layers[layer].words[state as usize];
        }
        let mut word = !0;
        space.for_each_successor(layer, state, |next| {
            if word != 0 {
                word &= self.all(space, source, layer + 1, next);
            }
        });
        if layer > 0 {
            self.layers[layer].know(state, word);
        }
        word
    }

    /// Forgets what [`Turn::all`] has found.
    pub(crate) fn forget(&mut self) {
        self.layers.iter_mut().skip(1).for_each(Layer::forget);
    }
}
