//! A patrol: a route that its side walks whatever the other side does.

use super::{
    definition::{Policy, PolicyMove},
    error::PolicyError,
    ground::Ground,
};
use dragnet_formats::{cell::Side, pieces::Pieces};

/// A side that walks a route again and again, whatever the other side does. Its posts are the steps of the
/// route: at post 0 it stands on the first place, and from the last it returns to the first.
///
/// ```
/// use dragnet_formats::{board::make, cell::{Cell, Side}, rules::Rules};
/// use dragnet_policy::{Ground, Patrol, Policy};
///
/// let ground = Ground::new(make::open(2, 2)?, Rules::classic())?;
/// let corners = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(row, col)| Cell::new(row, col).into());
/// let patrol = Patrol::new(&ground, Side::Police, &corners)?;
/// assert_eq!((patrol.posts(&ground), patrol.place(2)), (4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patrol {
    side: Side,
    /// The places of the route.
    route: Vec<u32>,
}

impl Patrol {
    /// Creates the patrol of `side` along `route`, which ends before it comes back to its first place. A
    /// place that stands twice in a row is a turn that is passed.
    ///
    /// # Errors
    /// When the route is empty, a place of it is not open, or a step of it is no legal move.
    pub fn new(ground: &Ground, side: Side, route: &[Pieces]) -> Result<Patrol, PolicyError> {
        let place = |(number, pieces): (usize, &Pieces)| {
            let found = ground.place(side, pieces);
            found.ok_or(PolicyError::RoutePlace { number, side, found: *pieces })
        };
        let places = (1..).zip(route).map(place).collect::<Result<Vec<u32>, _>>()?;
        if places.is_empty() {
            return Err(PolicyError::EmptyRoute);
        }
        for (step, &from) in (1..).zip(&places) {
            let next = step % places.len();
            if ground.moves(side, from).binary_search(&places[next]).is_err() {
                return Err(PolicyError::RouteStep { step, side, from: route[step - 1], to: route[next] });
            }
        }
        Ok(Patrol { side, route: places })
    }
}

impl Policy for Patrol {
    fn side(&self) -> Side {
        self.side
    }

    fn posts(&self, _ground: &Ground) -> u64 {
        self.route.len() as u64
    }

    fn place(&self, post: u32) -> u32 {
        self.route[post as usize]
    }

    fn choose(&self, post: u32, _place: u32, choices: &mut Vec<PolicyMove>) -> Result<(), PolicyError> {
        choices.push(PolicyMove::certain((post + 1) % self.route.len() as u32));
        Ok(())
    }
}
