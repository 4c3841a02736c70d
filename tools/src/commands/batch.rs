//! `dragnet batch`: commands about manifests.

mod prune;
mod status;

use super::plan::PlanCommand;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use prune::Prune;
use status::StatusCommand;

/// Look at the manifest of a batch, at a batch that runs, or at what an earlier one has left
///
/// 'dragnet generate MANIFEST' runs a batch.
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
    Status(StatusCommand),
    Prune(Prune),
}

impl BatchCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Check(plan) => plan.run(),
            Action::Status(status) => status.run(),
            Action::Prune(prune) => prune.run(),
        }
    }
}
