//! `dragnet batch`: commands about manifests.

mod farm;
mod prune;
mod shards;
mod status;

use super::{generate::Generate, plan::PlanCommand};
use crate::failure::Failure;
use clap::{Args, Subcommand};
use farm::Farm;
use prune::Prune;
use status::StatusCommand;

/// Look at the manifest of a batch, at a batch that runs, or at what an earlier one has left
///
/// 'dragnet generate MANIFEST' runs a batch.
/// Check or run the manifest of a batch: other spellings of plan and generate
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
    /// Make the tables of a manifest: another spelling of 'dragnet generate'
    Run(Generate),
    Status(StatusCommand),
    Farm(Farm),
    Prune(Prune),
}

impl BatchCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Check(plan) => plan.run(),
            Action::Status(status) => status.run(),
            Action::Farm(farm) => farm.run(),
            Action::Prune(prune) => prune.run(),
            Action::Run(generate) => generate.run(),
        }
    }
}
