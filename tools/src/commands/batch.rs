//! `dragnet batch`: commands about manifests.

pub(crate) mod prune;
mod status;

use crate::failure::Failure;
use clap::{Args, Subcommand};
use prune::Prune;
use status::StatusCommand;

/// Look at a batch that runs, or at what an earlier one has left
///
/// 'dragnet plan MANIFEST' checks a batch, and 'dragnet generate MANIFEST' runs it.
#[derive(Args)]
pub(crate) struct BatchCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Status(StatusCommand),
    Prune(Prune),
}

impl BatchCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.action {
            Action::Status(status) => status.run(),
            Action::Prune(prune) => prune.run(),
        }
    }
}
