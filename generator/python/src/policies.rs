//! Policies of Python callers.

use crate::{errors::wrong, tables::table_bytes};
use dragnet_formats::{
    cell::{Cell, Side},
    codec::Favour,
    pieces::Pieces,
};
use dragnet_generator::{GenerateError, Generator, Observer, Plan, encode::Encoding};
use dragnet_policy::{
    Greedy, Ground, ListedMoves, Otherwise, Patrol, Policy, PolicyError, PolicyGame, PolicyMove, RandomWalk,
    Recalling,
};
use dragnet_probe::{
    Open, Position, Table,
    opponent::{Crew, Strength, Style},
};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// A move of a list: the place of the side, that of the other side, if it matters, the place to which the
/// move leads, and its weight.
type ListedMove = (u32, Option<u32>, u32, f64);

/// A policy in an argument: a dictionary with what belongs to it, or "greedy".
#[derive(FromPyObject)]
pub(crate) enum PolicyArgument<'py> {
    /// The moves of the policy in each position.
    Choices {
        /// The place of each post.
        #[pyo3(item)]
        places: PyReadonlyArray1<'py, u32>,
        /// Whether a game may begin at each post.
        #[pyo3(item)]
        starts: PyReadonlyArray1<'py, bool>,
        /// Where the moves of each pair of a post and a place of the other side begin, and one more at the
        /// end.
        #[pyo3(item)]
        rows: PyReadonlyArray1<'py, i64>,
        /// The posts to which moves lead.
        #[pyo3(item)]
        posts: PyReadonlyArray1<'py, u32>,
        /// The weights of the moves.
        #[pyo3(item)]
        weights: PyReadonlyArray1<'py, f64>,
    },
    /// The cells of all pieces at each step of a patrol.
    Patrol {
        #[pyo3(item)]
        route: Vec<Vec<(u16, u16)>>,
    },
    /// A list of moves, and what the side does in other positions.
    Listed {
        #[pyo3(item)]
        moves: Vec<ListedMove>,
        #[pyo3(item)]
        otherwise: String,
    },
    /// An opponent with the parameters of its strength, in the order of `dragnet_probe.Strength`.
    Opponent {
        #[pyo3(item)]
        strength: (u16, u16, u32, u8, u32, u8),
    },
    /// A random walk with the weights of some offsets.
    Random {
        #[pyo3(item)]
        offsets: Vec<((i32, i32), f64)>,
    },
    /// A chase or a flight.
    Greedy(String),
}

/// A policy that is not on a board yet.
pub(crate) enum Spec<'a> {
    Choices { places: &'a [u32], starts: &'a [bool], rows: &'a [i64], posts: &'a [u32], weights: &'a [f64] },
    Patrol(Vec<Pieces>),
    Listed(&'a [ListedMove], Otherwise),
    Opponent(Strength),
    Random(&'a [((i32, i32), f64)]),
    Greedy,
}

impl PolicyArgument<'_> {
    /// Returns the policy, for a game against `others` places.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn spec(&self, others: usize) -> PyResult<Spec<'_>> {
        Ok(match self {
            PolicyArgument::Choices { places, starts, rows, posts, weights } => {
                let (places, starts, rows) = (places.as_slice()?, starts.as_slice()?, rows.as_slice()?);
                let (posts, weights) = (posts.as_slice()?, weights.as_slice()?);
                let fits = starts.len() == places.len()
                    && rows.len() == places.len() * others + 1
                    && rows.first() == Some(&0)
                    && rows.is_sorted()
                    && rows.last() == Some(&(posts.len() as i64))
                    && weights.len() == posts.len();
                if !fits {
                    return Err(wrong("expected the moves of each post and each place of the other side"));
                }
                Spec::Choices { places, starts, rows, posts, weights }
            }
            PolicyArgument::Patrol { route } => {
                let pieces = |cells: &Vec<(u16, u16)>| {
                    let cells: Vec<Cell> =
                        cells.iter().map(|&(row, column)| Cell::new(row, column)).collect();
                    Pieces::new(&cells).map_err(wrong)
                };
                Spec::Patrol(route.iter().map(pieces).collect::<PyResult<_>>()?)
            }
            PolicyArgument::Listed { moves, otherwise } => {
                let otherwise = match otherwise.as_str() {
                    "stay" => Otherwise::Stay,
                    "greedy" => Otherwise::Greedy,
                    "random" => Otherwise::Random,
                    _ => {
                        let message =
                            format!("expected otherwise 'stay', 'greedy' or 'random', found {otherwise:?}");
                        return Err(wrong(message));
                    }
                };
                Spec::Listed(moves, otherwise)
            }
            &PolicyArgument::Opponent { strength } => {
                let (errors, blunders, plies, drop, horizon, reaction) = strength;
                Spec::Opponent(Strength { errors, blunders, plies, drop, horizon, reaction })
            }
            PolicyArgument::Random { offsets } => Spec::Random(offsets),
            PolicyArgument::Greedy(word) if word == "greedy" => Spec::Greedy,
            PolicyArgument::Greedy(word) => {
                return Err(wrong(format!("expected a policy, found {word:?}")));
            }
        })
    }
}

impl Spec<'_> {
    /// Returns the game against the policy, which `side` follows.
    ///
    /// # Errors
    /// When the policy cannot be played on `ground`, or the observer stops the work.
    pub(crate) fn game<'g>(
        &self,
        ground: &'g Ground,
        side: Side,
        generator: &Generator,
        observer: &dyn Observer,
    ) -> Result<PolicyGame<'g>, PolicyError> {
        match self {
            Spec::Patrol(route) => {
                PolicyGame::new(ground, &Patrol::new(ground, side, route)?, generator, observer)
            }
            Spec::Greedy => PolicyGame::new(ground, &Greedy::new(ground, side), generator, observer),
            Spec::Random(weights) => {
                let walk = RandomWalk::new(ground, side).with_weights(weights)?;
                PolicyGame::new(ground, &walk, generator, observer)
            }
            Spec::Listed(moves, otherwise) => {
                let mut listed = ListedMoves::new(ground, side, *otherwise);
                for &(place, other, to, weight) in *moves {
                    listed.add(place, other, to, weight)?;
                }
                PolicyGame::new(ground, &listed, generator, observer)
            }
            &Spec::Opponent(strength) => {
                let table = table_of(ground, generator, observer)?;
                let crew =
                    Crew::new(strength, Style::Longest).map_err(|error| PolicyError::Own(error.into()))?;
                let weights = |[police, thief]: [Pieces; 2], seen: &[Pieces]| {
                    let position = Position::new(police, thief.cell(), side);
                    Ok(crew.weights(&table, position, seen)?)
                };
                let opponent = Recalling::new(ground, side, strength.reaction, weights);
                PolicyGame::new(ground, &opponent, generator, observer)
            }
            &Spec::Choices { places, starts, rows, posts, weights } => {
                let others = ground.places(side.other());
                let choices = Choices { side, others, places, starts, rows, posts, weights };
                PolicyGame::new(ground, &choices, generator, observer)
            }
        }
    }
}

/// Returns the plan of the table of perfect play on `ground`.
pub(crate) fn opponent_plan(ground: &Ground) -> Result<Plan, PolicyError> {
    let encoding = Encoding { favour: Favour::Speed, ..Encoding::default() };
    Ok(Plan::new(ground.board().clone(), ground.rules().clone(), encoding)?)
}

/// Returns the table of perfect play on `ground`, from which an opponent chooses its moves.
fn table_of(ground: &Ground, generator: &Generator, observer: &dyn Observer) -> Result<Table, PolicyError> {
    let plan = opponent_plan(ground)?;
    let bytes = table_bytes(&plan, generator, observer).map_err(|error| match error {
        GenerateError::Stopped => PolicyError::Stopped,
        GenerateError::Solve(error) => PolicyError::from(error),
        error => PolicyError::Own(error.into()),
    })?;
    Open::bytes(bytes).pursuit().map_err(|error| PolicyError::Own(error.into()))
}

/// A side that makes the moves of arrays. See [`PolicyArgument::Choices`].
struct Choices<'a> {
    side: Side,
    /// The number of places of the other side.
    others: usize,
    places: &'a [u32],
    starts: &'a [bool],
    rows: &'a [i64],
    posts: &'a [u32],
    weights: &'a [f64],
}

impl Policy for Choices<'_> {
    fn side(&self) -> Side {
        self.side
    }

    fn posts(&self, _ground: &Ground) -> u64 {
        self.places.len() as u64
    }

    fn place(&self, post: u32) -> u32 {
        self.places[post as usize]
    }

    fn is_start(&self, post: u32) -> bool {
        self.starts[post as usize]
    }

    fn choose(&self, post: u32, place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        let pair = post as usize * self.others + place as usize;
        let moves = self.rows[pair] as usize..self.rows[pair + 1] as usize;
        let moves = self.posts[moves.clone()].iter().zip(&self.weights[moves]);
        choices.extend(moves.map(|(&post, &weight)| PolicyMove { post, weight }));
        Ok(())
    }
}
