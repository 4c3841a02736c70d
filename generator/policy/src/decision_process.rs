//! The game against a policy with chance as a Markov decision process, and sets of its positions.

use super::policy_game::{PolicyGame, PolicyPosition};
use dragnet_formats::{cell::Side, game::MoveTable, value::Value};
use dragnet_generator::{SolveError, StopRequest};

/// Something for each position: for all pairs of a post and a place with the fixed side to move, and for all
/// with the free side to move.
#[derive(Clone, Debug)]
pub(super) struct ByTurn<T> {
    pub(super) fixed: Vec<T>,
    pub(super) free: Vec<T>,
}

impl<T: Copy> ByTurn<T> {
    /// Returns what belongs to each of `pairs` pairs, by functions of the pair.
    pub(super) fn new(
        pairs: usize,
        fixed: impl FnMut(usize) -> T,
        free: impl FnMut(usize) -> T,
    ) -> ByTurn<T> {
        ByTurn { fixed: (0..pairs).map(fixed).collect(), free: (0..pairs).map(free).collect() }
    }
}

/// A set of positions.
pub(super) type PositionSet = ByTurn<bool>;

impl PositionSet {
    /// Returns the positions that are not in the set.
    pub(super) fn complement(&self) -> PositionSet {
        let not = |part: &[bool]| part.iter().map(|&is_in| !is_in).collect();
        ByTurn { fixed: not(&self.fixed), free: not(&self.free) }
    }

    /// Returns the number of positions in the set.
    pub(super) fn count(&self) -> usize {
        [&self.fixed, &self.free].into_iter().flatten().filter(|&&is_in| is_in).count()
    }
}

/// How a position ends, for the free side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The game goes on.
    Open,
    /// The free side has won.
    Won,
    /// The free side has lost.
    Lost,
}

/// How many moves of the free side must lead into a set for a position to join it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// One of them: the free side is willing to go there.
    Any,
    /// All of them: the free side is forced to go there.
    All,
}

/// The game against a policy as a Markov decision process.
pub(super) struct DecisionProcess<'a> {
    pub(super) game: &'a PolicyGame<'a>,
    pub(super) ends: ByTurn<End>,
    /// The request to stop. Work that it cuts short has results that mean nothing, so that whoever uses them
    /// asks it first.
    pub(super) stop: StopRequest<'a>,
    /// For each post those from which some choice leads to it.
    ways_back: Vec<Vec<u32>>,
    /// The moves of the free side taken back.
    moves_back: MoveTable,
}

impl<'a> DecisionProcess<'a> {
    /// Creates the process of `game`.
    ///
    /// # Errors
    /// When the work is to stop.
    pub(super) fn new(
        game: &'a PolicyGame<'a>,
        stop: StopRequest<'a>,
    ) -> Result<DecisionProcess<'a>, SolveError> {
        let mut looks = 0;
        let (places, free) = (game.places(), game.free_side());
        let mut end = |turn: Side, pair: usize| {
            if stop.ask_at_times(&mut looks) {
                return End::Open;
            }
            let (post, place) = ((pair / places) as u32, (pair % places) as u32);
            match game.known(PolicyPosition { turn, post, place }) {
                None | Some(Value::Draw) => End::Open,
                Some(Value::Win(_)) if turn == free => End::Won,
                Some(Value::Loss(_)) if turn != free => End::Won,
                Some(_) => End::Lost,
            }
        };
        let [fixed, free_ends] =
            [free.other(), free].map(|turn| (0..game.pairs()).map(|pair| end(turn, pair)).collect());
        let ends = ByTurn { fixed, free: free_ends };
        let mut ways_back: Vec<Vec<u32>> = vec![Vec::new(); game.posts()];
        game.choices().for_each_way(places, |from, to| {
            if !stop.ask_at_times(&mut looks) {
                ways_back[to as usize].push(from);
            }
        });
        for ways in &mut ways_back {
            if stop.ask_at_times(&mut looks) {
                break;
            }
            ways.sort_unstable();
            ways.dedup();
        }
        stop.check()?;
        let moves_back = game.ground().moves_back(free, stop)?;
        Ok(DecisionProcess { game, ends, stop, ways_back, moves_back })
    }

    /// Returns the positions that have ended so.
    pub(super) fn ended(&self, end: End) -> PositionSet {
        let are = |ends: &[End]| ends.iter().map(|&other| other == end).collect();
        ByTurn { fixed: are(&self.ends.fixed), free: are(&self.ends.free) }
    }

    /// Returns the pairs to which moves of the free side lead from `pair`, with the fixed side to move.
    #[inline(always)]
    pub(super) fn free_moves(&self, pair: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.game.places();
        let (first, place) = (pair - pair % places, pair % places);
        let moves = self.game.ground().moves(self.game.free_side(), place as u32).iter();
        moves.map(move |&to| first + to as usize)
    }

    /// Returns the pairs to which the policy may lead from `pair`, with the free side to move, and their
    /// probabilities.
    #[inline(always)]
    pub(super) fn fixed_moves(&self, pair: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let places = self.game.places();
        let place = pair % places;
        let (posts, shares) = self.game.choices().of(pair);
        posts.iter().zip(shares).map(move |(&post, &share)| (post as usize * places + place, share))
    }

    /// Computes the means of `values` over the moves of the policy at `post`, one for each place of the free
    /// side. Where the policy does not move, the mean is left as it is.
    #[inline(always)]
    pub(super) fn means(&self, post: usize, values: &[f64], means: &mut [f64]) {
        let places = self.game.places();
        for (run, posts, shares) in self.game.choices().runs(post, places) {
            let means = &mut means[run.clone()];
            means.fill(0.0);
            for (&to, &share) in posts.iter().zip(shares) {
                let values = &values[to as usize * places..][run.clone()];
                means.iter_mut().zip(values).for_each(|(mean, value)| *mean += share * value);
            }
        }
    }

    /// Returns for each pair with the free side to move and in `region` a move that keeps to it, so that some
    /// luck leads to a position of `ends` by moves like that. From each position of `region` such moves must
    /// exist.
    pub(super) fn shortest_plan(&self, ends: PositionSet, region: &PositionSet) -> Vec<u32> {
        let (mut plan, mut set) = (vec![0; self.game.pairs()], ends);
        // The pairs that have joined the set in the last round, so that the plan follows the fewest moves.
        let places = self.game.places();
        let pairs = || 0..self.game.pairs();
        let mut fixed: Vec<usize> = pairs().filter(|&pair| set.fixed[pair]).collect();
        let mut free: Vec<usize> = pairs().filter(|&pair| set.free[pair]).collect();
        let mut looks = 0;
        while !fixed.is_empty() || !free.is_empty() {
            let mut next = Vec::new();
            for pair in free.drain(..) {
                if self.stop.ask_at_times(&mut looks) {
                    return plan;
                }
                let (post, place) = (pair / places, pair % places);
                for from in self.ways_back[post].iter().map(|&from| from as usize * places + place) {
                    if self.join_fixed(&mut set, Some(region), from) {
                        next.push(from);
                    }
                }
            }
            for pair in fixed.drain(..) {
                if self.stop.ask_at_times(&mut looks) {
                    return plan;
                }
                let (first, place) = (pair - pair % places, pair % places);
                for from in self.moves_back.of(place).iter().map(|&from| first + from as usize) {
                    if self.join_free(&mut set, Need::Any, Some(region), from) {
                        plan[from] = pair as u32;
                        free.push(from);
                    }
                }
            }
            fixed = next;
        }
        plan
    }

    /// Lets positions that go on join `set` until none can: those of the fixed side with some move into it
    /// that the policy may make, and those of the free side as `need` says. Only positions of `within` join,
    /// if it is given.
    ///
    /// All positions are visited once. Whenever one joins, those are visited again from which a move leads
    /// to it.
    pub(super) fn spread(&self, set: &mut PositionSet, need: Need, within: Option<&PositionSet>) {
        let places = self.game.places();
        // Pairs that have joined and have not been followed back.
        let mut joined = ByTurn { fixed: Vec::new(), free: Vec::new() };
        let mut looks = 0;
        for post in 0..self.game.posts() {
            if self.stop.ask() {
                return;
            }
            let row = post * places..(post + 1) * places;
            joined.fixed.extend(row.clone().filter(|&pair| self.join_fixed(set, within, pair)));
            joined.free.extend(row.filter(|&pair| self.join_free(set, need, within, pair)));
        }
        while !self.stop.ask_at_times(&mut looks) {
            if let Some(pair) = joined.free.pop() {
                let (post, place) = (pair / places, pair % places);
                let from = self.ways_back[post].iter().map(|&from| from as usize * places + place);
                joined.fixed.extend(from.filter(|&pair| self.join_fixed(set, within, pair)));
            } else if let Some(pair) = joined.fixed.pop() {
                let (first, place) = (pair - pair % places, pair % places);
                let from = self.moves_back.of(place).iter().map(|&from| first + from as usize);
                joined.free.extend(from.filter(|&pair| self.join_free(set, need, within, pair)));
            } else {
                return;
            }
        }
    }

    /// Lets the position of a pair with the fixed side to move join `set` if it may. Returns whether it has.
    #[inline(always)]
    fn join_fixed(&self, set: &mut PositionSet, within: Option<&PositionSet>, pair: usize) -> bool {
        let joins = !set.fixed[pair]
            && self.ends.fixed[pair] == End::Open
            && within.is_none_or(|within| within.fixed[pair])
            && self.fixed_moves(pair).any(|(to, _)| set.free[to]);
        set.fixed[pair] |= joins;
        joins
    }

    /// Lets the position of a pair with the free side to move join `set` if it may. Returns whether it has.
    #[inline(always)]
    fn join_free(
        &self,
        set: &mut PositionSet,
        need: Need,
        within: Option<&PositionSet>,
        pair: usize,
    ) -> bool {
        let joins = !set.free[pair]
            && self.ends.free[pair] == End::Open
            && within.is_none_or(|within| within.free[pair])
            && match need {
                Need::Any => self.free_moves(pair).any(|to| set.fixed[to]),
                Need::All => self.free_moves(pair).all(|to| set.fixed[to]),
            };
        set.free[pair] |= joins;
        joins
    }
}
