//! Why a command did not do what it was asked, and the exit status that says so.

use crate::signals;
use dragnet_formats::{container::WriteError, header::HeaderError};
use dragnet_generator::{GenerateError, PursuitError, SolveError};
use dragnet_probe::ProbeError;
use std::{io, path::Path, process::ExitCode};

/// What kind of failure it is, and the message for a person.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check failed: a table is damaged or says something wrong.
    Check(anyhow::Error),
    /// The arguments or the input cannot be used.
    Input(anyhow::Error),
    /// Files or memory make trouble.
    Trouble(anyhow::Error),
    /// Everything has been said already; only the status is left.
    Silent(u8),
}

const CHECK: u8 = 1;
const INPUT: u8 = 2;
const TROUBLE: u8 = 3;

impl Failure {
    /// Bad input with this message.
    pub(crate) fn input(message: impl std::fmt::Display) -> Failure {
        Failure::Input(anyhow::anyhow!("{message}"))
    }

    /// The same failure with `what` before its message.
    pub(crate) fn about(self, what: impl std::fmt::Display) -> Failure {
        let what = what.to_string();
        match self {
            Failure::Check(error) => Failure::Check(error.context(what)),
            Failure::Input(error) => Failure::Input(error.context(what)),
            Failure::Trouble(error) => Failure::Trouble(error.context(what)),
            Failure::Silent(status) => Failure::Silent(status),
        }
    }

    /// The same failure with the file's name, `-` being standard input, before its message.
    pub(crate) fn in_file(self, path: &Path) -> Failure {
        if path == Path::new("-") { self.about("standard input") } else { self.about(path.display()) }
    }

    /// Why the table `path` was not made.
    pub(crate) fn of_table(error: GenerateError, path: &Path) -> Failure {
        let writing = matches!(error, GenerateError::Io(_) | GenerateError::Write(_));
        let failure = Failure::from(error);
        if writing { failure.about(format!("cannot write {}", path.display())) } else { failure }
    }

    /// The error, if it is still to be told.
    pub(crate) fn error(&self) -> Option<&anyhow::Error> {
        match self {
            Failure::Check(error) | Failure::Input(error) | Failure::Trouble(error) => Some(error),
            Failure::Silent(_) => None,
        }
    }

    /// The message; nothing if it has been told already.
    pub(crate) fn text(&self) -> String {
        self.error().map_or_else(String::new, message)
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Check(_) => CHECK,
            Failure::Input(_) => INPUT,
            Failure::Trouble(_) => TROUBLE,
            Failure::Silent(status) => *status,
        }
    }

    /// Whether it is only that nobody reads our output any more.
    pub(crate) fn output_closed(&self) -> bool {
        self.error().into_iter().flat_map(anyhow::Error::chain).any(|cause| {
            cause.downcast_ref().is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe)
        })
    }

    /// Prints the message, if it has not been printed, and gives the exit status. Whoever closed our output early has
    /// seen what they wanted.
    pub(crate) fn report(&self) -> ExitCode {
        if let Some(error) = self.error() {
            if self.output_closed() {
                return ExitCode::SUCCESS;
            }
            say(&format!("dragnet: {}", message(error)));
        }
        ExitCode::from(self.status())
    }
}

/// The error with its causes, outermost first. A cause that the error before it has already told is not told again.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    let mut last = String::new();
    for cause in error.chain() {
        let told = cause.to_string();
        let told = told.trim_end();
        if !last.ends_with(told) {
            if !text.is_empty() {
                text += ": ";
            }
            text += told;
            last = told.to_owned();
        }
    }
    text
}

/// Prints a line on standard error. Ignores a failure to do so: there is no other place to report it.
pub(crate) fn say(line: &str) {
    let _ = io::Write::write_all(&mut io::stderr(), format!("{line}\n").as_bytes());
}

/// Returns success if `printed` failed only because nobody reads the output any more: for commands whose work matters without
/// it.
pub(crate) fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    printed.or_else(|failure| if failure.output_closed() { Ok(()) } else { Err(failure) })
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Trouble(error.into())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        // Writing to an output is all that is done with JSON.
        Failure::Trouble(io::Error::from(error).into())
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        match error {
            ProbeError::File { .. } => Failure::Trouble(error.into()),
            _ => Failure::Input(error.into()),
        }
    }
}

impl From<HeaderError> for Failure {
    fn from(error: HeaderError) -> Failure {
        Failure::Input(error.into())
    }
}

impl From<PursuitError> for Failure {
    fn from(error: PursuitError) -> Failure {
        Failure::Input(error.into())
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Failure {
        match error {
            GenerateError::Pursuit(_) => Failure::Input(error.into()),
            GenerateError::Solve(SolveError::OutOfMemory(refused)) => {
                let bytes = indicatif::BinaryBytes(refused.bytes);
                Failure::Trouble(anyhow::anyhow!(
                    "the positions need {bytes} of memory, and the system does not give it"
                ))
            }
            GenerateError::Write(WriteError::Io(error)) | GenerateError::Io(error) => error.into(),
            GenerateError::Stopped => Failure::Silent(signals::status()),
            _ => Failure::Input(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cause_is_told_twice() {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        let named = ProbeError::File { path: "a.dtb".into(), source: missing() };
        assert_eq!(message(&named.into()), "cannot read a.dtb: no such file");
        let about = Failure::from(missing()).about("b.txt");
        let Failure::Trouble(error) = about else { panic!("expected trouble, found {about:?}") };
        assert_eq!(message(&error), "b.txt: no such file");
    }
}
