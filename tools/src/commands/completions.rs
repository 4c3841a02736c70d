//! `dragnet completions`: scripts with which shells complete the command line.

use super::output;
use crate::failure::Failure;
use clap::Args;
use clap_complete::{Shell, generate};
use std::io::Write;

/// Print the script with which a shell completes commands, options and their values
///
/// The shell reads the script when it starts. The archives and the Debian package of a release hold the
/// scripts, too.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet completions bash > ~/.local/share/bash-completion/completions/dragnet
  dragnet completions zsh > ~/.zfunc/_dragnet              a folder of $fpath
  dragnet completions fish > ~/.config/fish/completions/dragnet.fish
  dragnet completions powershell >> $PROFILE";

impl Completions {
    /// Prints the script for this description of the command line.
    pub(crate) fn run(self, mut command_line: clap::Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut command_line, "dragnet", &mut script);
        let mut output = output();
        output.write_all(&script)?;
        Ok(output.flush()?)
    }
}
