//! The choices of a policy in all positions, each different one kept once.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use dragnet_formats::cell::Side;
use dragnet_generator::{Observer, SolveError, StopRequest, grow_exact};
use rayon::prelude::*;
use std::{collections::HashMap, ops::Range, sync::atomic::AtomicBool};

/// Stands for the choice in a position without a move.
const NO_CHOICE: u32 = u32::MAX;

/// Rows whose choices are made by all threads before they are sorted into the list.
const ROWS: usize = 64;

/// The choices of a policy in all pairs of a post and a place of the other side.
///
/// Most policies make few different choices: a random walk makes one for each post, so that the choices are
/// numbered and a pair keeps the number of its own in 4 bytes.
#[derive(Debug)]
pub(super) struct Choices {
    /// The number of each pair's choice, post after post; [`NO_CHOICE`] if the fixed side does not move.
    of_pairs: Vec<u32>,
    /// Where the posts of each choice begin, and the end of the last.
    starts: Vec<u32>,
    /// The posts to which choices lead.
    posts: Vec<u32>,
    /// The probability of each post.
    shares: Vec<f64>,
}

impl Choices {
    /// Asks `policy` in all positions of `ground` in which its side moves, on the threads of the current
    /// pool.
    pub(super) fn new(
        ground: &Ground,
        policy: &impl Policy,
        posts: usize,
        observer: &dyn Observer,
    ) -> Result<Choices, PolicyError> {
        let others = ground.places(policy.side().other());
        let mut of_pairs = Vec::new();
        grow_exact(&mut of_pairs, posts * others).map_err(SolveError::OutOfMemory)?;
        let mut choices = Choices { of_pairs, starts: vec![0], posts: Vec::new(), shares: Vec::new() };
        let mut known: HashMap<Box<[(u32, u64)]>, u32> = HashMap::new();
        let received = AtomicBool::new(false);
        let stop = StopRequest::new(observer, &received);
        for first in (0..posts).step_by(ROWS) {
            observer.asked((first * others) as u64);
            let rows: Vec<Row> = (first..posts.min(first + ROWS))
                .into_par_iter()
                .map(|post| Row::new(ground, policy, post as u32, posts, others, stop))
                .collect::<Result<_, _>>()?;
            rows.iter().for_each(|row| choices.push(row, &mut known));
        }
        Ok(choices)
    }

    /// Appends the choices of a row.
    fn push(&mut self, row: &Row, known: &mut HashMap<Box<[(u32, u64)]>, u32>) {
        let mut last: Option<(&[(u32, u64)], u32)> = None;
        for ends in row.starts.windows(2) {
            let choice = &row.choices[ends[0]..ends[1]];
            let number = match last {
                _ if choice.is_empty() => NO_CHOICE,
                Some((same, number)) if same == choice => number,
                _ => match known.get(choice) {
                    Some(&number) => number,
                    None => {
                        let number = known.len() as u32;
                        known.insert(choice.into(), number);
                        self.posts.extend(choice.iter().map(|&(post, _)| post));
                        self.shares.extend(choice.iter().map(|&(_, share)| f64::from_bits(share)));
                        self.starts.push(self.posts.len() as u32);
                        number
                    }
                },
            };
            last = Some((choice, number));
            self.of_pairs.push(number);
        }
    }

    /// Returns the posts to which the choice of a pair leads, each once, with their probabilities; none if
    /// the fixed side does not move.
    #[inline(always)]
    pub(super) fn of(&self, pair: usize) -> (&[u32], &[f64]) {
        match self.of_pairs[pair] {
            NO_CHOICE => (&[], &[]),
            number => {
                let range = self.range(number);
                (&self.posts[range.clone()], &self.shares[range])
            }
        }
    }

    /// Returns the runs of places of the other side for which the choice at `post` is the same: the places,
    /// the posts to which it leads, and their probabilities. There is no run where the fixed side does not
    /// move.
    #[inline(always)]
    pub(super) fn runs(
        &self,
        post: usize,
        others: usize,
    ) -> impl Iterator<Item = (Range<usize>, &[u32], &[f64])> {
        let mut end = 0;
        self.of_pairs[post * others..][..others].chunk_by(|a, b| a == b).filter_map(move |run| {
            let places = end..end + run.len();
            end = places.end;
            (run[0] != NO_CHOICE).then(|| {
                let range = self.range(run[0]);
                (places, &self.posts[range.clone()], &self.shares[range])
            })
        })
    }

    #[inline(always)]
    fn range(&self, number: u32) -> Range<usize> {
        self.starts[number as usize] as usize..self.starts[number as usize + 1] as usize
    }

    /// Returns whether each choice is a single move.
    pub(super) fn are_certain(&self) -> bool {
        self.posts.len() + 1 == self.starts.len()
    }

    /// Returns the most moves among which a choice is drawn.
    pub(super) fn most(&self) -> usize {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0) as usize
    }

    /// Calls `each` for all pairs of a post and a post to which some choice leads from there, perhaps more
    /// than once.
    pub(super) fn for_each_way(&self, others: usize, mut each: impl FnMut(u32, u32)) {
        for (post, row) in (0..).zip(self.of_pairs.chunks_exact(others.max(1))) {
            let mut last = NO_CHOICE;
            for &number in row {
                if number != last && number != NO_CHOICE {
                    self.posts[self.range(number)].iter().for_each(|&to| each(post, to));
                }
                last = number;
            }
        }
    }
}

/// The choices of a policy at one post.
struct Row {
    /// Where the choice for each place of the other side begins, and the end of the last.
    starts: Vec<usize>,
    /// Posts, rising within a choice, with the bits of their probabilities.
    choices: Vec<(u32, u64)>,
}

impl Row {
    /// Asks `policy` at `post`, one of `posts`, for all `others` places of the other side.
    fn new(
        ground: &Ground,
        policy: &impl Policy,
        post: u32,
        posts: usize,
        others: usize,
        stop: StopRequest,
    ) -> Result<Row, PolicyError> {
        let (side, place) = (policy.side(), policy.place(post));
        let moves = ground.moves(side, place);
        let mut row = Row { starts: vec![0], choices: Vec::new() };
        let mut choices: Vec<PolicyMove> = Vec::new();
        let mut asked = 0;
        stop.check()?;
        for other in 0..others as u32 {
            if stop.ask_at_times(&mut asked) {
                return Err(PolicyError::Stopped);
            }
            let winner = match side {
                Side::Police => ground.winner(place, other),
                Side::Thief => ground.winner(other, place),
            };
            if winner.is_none() && !moves.is_empty() {
                choices.clear();
                policy.choose(post, other, &mut choices)?;
                let pieces = |side, place| ground.pieces(side, place);
                let fits = |choice: &PolicyMove| (0.0..=PolicyMove::MOST_WEIGHT).contains(&choice.weight);
                let fit = choices.iter().all(fits);
                choices.sort_by_key(|choice| choice.post);
                choices.dedup_by(|next, kept| {
                    let same = next.post == kept.post;
                    kept.weight += if same { next.weight } else { 0.0 };
                    same
                });
                // After equal posts are one: the weight of a single post is the sum exactly.
                let sum: f64 = choices.iter().map(|choice| choice.weight).sum();
                if !fit || sum <= 0.0 {
                    let (at, other) = (pieces(side, place), pieces(side.other(), other));
                    return Err(PolicyError::Weights { side, at, other });
                }
                for choice in choices.iter().filter(|choice| choice.weight > 0.0) {
                    let to =
                        if (choice.post as usize) < posts { policy.place(choice.post) } else { u32::MAX };
                    if moves.binary_search(&to).is_err() {
                        let at = pieces(side, place);
                        let known = (to as usize) < ground.places(side);
                        let to = if known { pieces(side, to) } else { at };
                        return Err(PolicyError::IllegalMove {
                            side,
                            at,
                            other: pieces(side.other(), other),
                            to,
                        });
                    }
                    // A move that may be made has a probability above 0, however small its weight is.
                    let share = (choice.weight / sum).max(f64::MIN_POSITIVE);
                    row.choices.push((choice.post, share.to_bits()));
                }
            }
            row.starts.push(row.choices.len());
        }
        Ok(row)
    }
}
