//! Plans of tables that boards have: of pursuit, and of pursuit with doors.

use crate::input::arguments::EngineName;
use dragnet_formats::{board::Board, codec::Favour, rules::Rules, setting::Setting};
use dragnet_generator::{DoorPlan, Plan, schedule::Task};

/// The plan of the table of a board.
#[derive(Clone, Debug)]
pub(crate) enum AnyPlan {
    /// A board alone: its table is a pursuit table.
    Pursuit(Box<Plan>),
    /// A board with doors: its table is a game table.
    Doors(DoorPlan),
}

impl AnyPlan {
    /// Returns the board, with all doors open.
    pub(crate) fn board(&self) -> &Board {
        match self {
            AnyPlan::Pursuit(plan) => &setting(plan).board,
            AnyPlan::Doors(plan) => plan.game().board(),
        }
    }

    /// Returns the rules.
    pub(crate) fn rules(&self) -> &Rules {
        match self {
            AnyPlan::Pursuit(plan) => &setting(plan).rules,
            AnyPlan::Doors(plan) => plan.game().rules(),
        }
    }

    /// Returns the number of positions of the game.
    pub(crate) fn positions(&self) -> u64 {
        match self {
            AnyPlan::Pursuit(plan) => plan.positions(),
            AnyPlan::Doors(plan) => plan.positions(),
        }
    }

    /// Returns what the table is optimised for.
    pub(crate) fn favour(&self) -> Favour {
        match self {
            AnyPlan::Pursuit(plan) => plan.encoding().favour,
            AnyPlan::Doors(plan) => plan.encoding().favour,
        }
    }

    /// Returns the hash of everything that the bytes of the table depend on, as the journal has it.
    pub(crate) fn key(&self) -> String {
        let key = match self {
            AnyPlan::Pursuit(plan) => plan.key(),
            AnyPlan::Doors(plan) => plan.key(),
        };
        format!("{key:032x}")
    }

    /// Returns the engine that solves the game.
    pub(crate) fn engine(&self) -> EngineName {
        match self {
            AnyPlan::Pursuit(plan) => plan.engine().chosen().into(),
            AnyPlan::Doors(_) => EngineName::Counters,
        }
    }

    /// Returns positions and memory, for the scheduler, if a run has `threads` threads.
    pub(crate) fn task(&self, threads: usize) -> Task {
        match self {
            AnyPlan::Pursuit(plan) => Task::new(plan, threads),
            AnyPlan::Doors(plan) => Task::with_doors(plan, threads),
        }
    }
}

/// Returns board and rules of a plan.
pub(crate) fn setting(plan: &Plan) -> &Setting {
    plan.setting().expect("this program plans the tables of boards")
}
