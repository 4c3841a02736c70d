//! `dragnet completions`: scripts with which shells complete the command line.

use super::output;
use crate::{failure::Failure, version};
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
    pub(crate) fn run(self, command_line: clap::Command) -> Result<(), Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut without_hidden(&command_line), "dragnet", &mut script);
        let mut output = output();
        output.write_all(&script)?;
        Ok(output.flush()?)
    }
}

/// Returns the description without the subcommands that help texts hide, which no shell should suggest.
fn without_hidden(command_line: &clap::Command) -> clap::Command {
    let shown = command_line.get_subcommands().filter(|command| !command.is_hide_set());
    clap::Command::new("dragnet")
        .disable_help_subcommand(true)
        .version(version::SHORT)
        .long_version(version::LONG)
        .args(command_line.get_arguments())
        .subcommands(shown)
}
