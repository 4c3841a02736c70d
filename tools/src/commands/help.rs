//! `dragnet help`: the help text of a command, or a topic.

use super::output;
use crate::{failure::Failure, input::nearest::suggestion, topics};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser},
};
use std::{io::Write, sync::OnceLock};

/// The names of all commands, once the command line has been described.
static COMMANDS: OnceLock<Vec<String>> = OnceLock::new();

/// Print this message, the help of a command, or a topic
#[derive(Args)]
pub(crate) struct Help {
    /// A command or a topic
    #[arg(value_name = "COMMAND|TOPIC", hide_possible_values = true, value_parser = explained())]
    word: Option<String>,
    /// Commands of that command
    #[arg(value_name = "COMMAND")]
    more: Vec<String>,
}

impl Help {
    /// Returns the description of the command line with the topics, which this command explains too.
    pub(crate) fn described(command_line: clap::Command) -> clap::Command {
        COMMANDS.get_or_init(|| {
            command_line.get_subcommands().map(|command| command.get_name().to_owned()).collect()
        });
        let after = command_line.get_after_help().map(ToString::to_string).unwrap_or_default();
        let after = format!("{}\n\n{after}", list_of_topics());
        command_line.disable_help_subcommand(true).after_help(after)
    }

    /// Prints the help text.
    pub(crate) fn run(self, command_line: clap::Command) -> Result<(), Failure> {
        if let Some(topic) = topics::ALL.iter().find(|topic| Some(topic.name) == self.word.as_deref()) {
            if let Some(word) = self.more.first() {
                return Err(Failure::input(format!(
                    "expected nothing behind {}, found {word:?}",
                    topic.name
                )));
            }
            let mut output = output();
            writeln!(output, "{}", topic.text.trim_end())?;
            return Ok(output.flush()?);
        }
        let mut command = &command_line;
        for word in self.word.iter().chain(&self.more) {
            command = command.find_subcommand(word).ok_or_else(|| {
                let hint = suggestion(word, command.get_subcommands().map(clap::Command::get_name));
                Failure::input(format!("expected a command of {}, found {word:?}{hint}", command.get_name()))
            })?;
        }
        let words = self.word.as_deref().into_iter().chain(self.more.iter().map(String::as_str));
        let line = ["dragnet"].into_iter().chain(words).chain(["--help"]);
        match command_line.try_get_matches_from(line) {
            Err(help) => Ok(help.print()?),
            Ok(_) => Ok(()),
        }
    }
}

/// Returns what can be explained: the commands and the topics.
fn explained() -> PossibleValuesParser {
    let commands = COMMANDS.get().into_iter().flatten().cloned();
    let topics = topics::ALL.iter().map(|topic| topic.name.to_owned());
    PossibleValuesParser::new(commands.chain(topics).map(PossibleValue::new))
}

/// Returns the topics as a section of a help text.
fn list_of_topics() -> String {
    let widest = topics::ALL.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let lines = topics::ALL.iter().map(|topic| format!("\n  {:widest$}  {}", topic.name, topic.title));
    format!("Topics, as in 'dragnet help rules':{}", lines.collect::<String>())
}
