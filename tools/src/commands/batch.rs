//! `dragnet batch`: commands about manifests.

use super::plan::PlanCommand;
use crate::failure::Failure;
use clap::{Args, Subcommand};

/// Look at the manifest of a batch without running it
#[derive(Args)]
pub(crate) struct BatchCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Check a manifest and every board that it names, and print what would be made: another spelling of
    /// 'dragnet plan'
    Check(PlanCommand),
}

impl BatchCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Action::Check(plan) = self.action;
        plan.run()
    }
}
