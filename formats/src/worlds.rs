//! The worlds of a setting: the states of its doors, its guards and its limit.

use crate::{
    cell::{Cell, Side},
    doors::Doors,
    setting::Setting,
};

/// The worlds of a setting. `tools/docs/rules.md` defines their numbers.
#[derive(Clone, Copy, Debug)]
pub struct Worlds<'a> {
    doors: &'a Doors,
    /// The turns of the police after which all guards begin anew.
    ticks: u32,
    /// The plies up to the limit; 0 without one.
    limit: u32,
}

/// The parts of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct World {
    /// The state of the doors, as [`Doors`] numbers them.
    pub doors: u32,
    /// The turns that guards have made of their rounds.
    pub tick: u32,
    /// The plies that have been made, if there is a limit.
    pub ply: u32,
}

impl Setting {
    /// Returns the worlds of the game.
    #[must_use]
    pub fn worlds(&self) -> Worlds<'_> {
        let limit = self.rules.limit.map_or(0, |limit| limit.plies.into());
        Worlds { doors: &self.doors, ticks: self.guards.ticks(), limit }
    }
}

impl Worlds<'_> {
    /// Returns the number of worlds, at least 1.
    #[must_use]
    pub fn count(self) -> u64 {
        u64::from(self.doors.worlds()) * u64::from(self.ticks) * u64::from(self.limit + 1)
    }

    /// Returns the parts of world number `world`.
    #[must_use]
    pub fn get(self, world: u32) -> World {
        let (rest, ply) = (world / (self.limit + 1), world % (self.limit + 1));
        World { doors: rest / self.ticks, tick: rest % self.ticks, ply }
    }

    /// Returns whether the limit is reached in a world.
    #[must_use]
    pub fn is_over(self, world: u32) -> bool {
        self.limit > 0 && self.get(world).ply == self.limit
    }

    /// Returns the world after a move of `side` that ends on the cell `to`, where it did not begin unless
    /// `stays`.
    #[must_use]
    pub fn after(self, world: u32, side: Side, to: Cell, stays: bool) -> u32 {
        let World { doors, tick, ply } = self.get(world);
        let doors = self.doors.world_after(doors, to, stays);
        let tick = if side == Side::Police { (tick + 1) % self.ticks } else { tick };
        (doors * self.ticks + tick) * (self.limit + 1) + (ply + 1).min(self.limit)
    }
}
