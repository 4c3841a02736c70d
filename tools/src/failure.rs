//! Failures of commands, and their exit statuses.

use crate::{
    messages::{self, Kind},
    signals,
};
use dragnet_formats::{
    codec::BlockError,
    container::{TableError, WriteError},
    header::HeaderError,
    rules::RulesError,
};
use dragnet_generator::{
    CheckpointFile, GenerateError, LogError, PursuitError, SolveError, solution::SourceError,
};
use dragnet_maps::MapError;
use dragnet_probe::ProbeError;
use dragnet_verify::VerifyError;
use indicatif::BinaryBytes;
#[cfg(unix)]
use std::panic;
use std::{fmt, io, path::Path, process::ExitCode};

/// A failure of a command: its kind, which determines the exit status, and its message.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check failed: a table is damaged or has a wrong value.
    Check(anyhow::Error),
    /// The arguments or the input cannot be used.
    Input(anyhow::Error),
    /// Files, disk or memory refused.
    Trouble(anyhow::Error),
    /// A failure whose message has been printed already, with the exit status.
    Silent(u8),
}

const CHECK: u8 = 1;
const INPUT: u8 = 2;
/// The exit status of trouble with files or memory.
pub(crate) const TROUBLE: u8 = 3;

impl Failure {
    /// Returns a failure of bad input with this message.
    pub(crate) fn input(message: impl std::fmt::Display) -> Failure {
        Failure::Input(anyhow::anyhow!("{message}"))
    }

    /// Returns the failure to do `what` with a file or a folder.
    pub(crate) fn cannot(what: &str, path: &Path, error: impl Into<Failure>) -> Failure {
        error.into().about(format!("cannot {what} {}", path.display()))
    }

    /// Returns the failure of starting threads, which the system refuses.
    pub(crate) fn of_threads(error: impl Into<anyhow::Error>) -> Failure {
        let hint = "fewer threads need less (--threads N, or RAYON_NUM_THREADS=N in the environment); \
                    ulimit -u and ulimit -v tell the limits";
        Failure::Trouble(error.into()).about("cannot start the threads").with_hint(hint)
    }

    /// Returns the failure with advice beside its message.
    pub(crate) fn with_hint(self, hint: impl std::fmt::Display) -> Failure {
        let hint = hint.to_string();
        let advised = |error| anyhow::Error::new(Advised { message: message(&error), hint });
        match self {
            Failure::Check(error) => Failure::Check(advised(error)),
            Failure::Input(error) => Failure::Input(advised(error)),
            Failure::Trouble(error) => Failure::Trouble(advised(error)),
            Failure::Silent(status) => Failure::Silent(status),
        }
    }

    /// Returns the failure with `what` before its message.
    pub(crate) fn about(self, what: impl std::fmt::Display) -> Failure {
        let what = what.to_string();
        match self {
            Failure::Check(error) => Failure::Check(error.context(what)),
            Failure::Input(error) => Failure::Input(error.context(what)),
            Failure::Trouble(error) => Failure::Trouble(error.context(what)),
            Failure::Silent(status) => Failure::Silent(status),
        }
    }

    /// Returns the failure with the name of the file before its message; `-` is standard input.
    pub(crate) fn in_file(self, path: &Path) -> Failure {
        if path == Path::new("-") { self.about("standard input") } else { self.about(path.display()) }
    }

    /// Returns the failure of making the table `path`.
    pub(crate) fn of_table(error: GenerateError, path: &Path) -> Failure {
        let writing =
            matches!(error, GenerateError::Io(_) | GenerateError::Write(_) | GenerateError::Full { .. });
        let failure = Failure::from(error);
        if writing { Failure::cannot("write", path, failure) } else { failure }
    }

    /// Returns the error, unless its message has been printed already.
    pub(crate) fn error(&self) -> Option<&anyhow::Error> {
        match self {
            Failure::Check(error) | Failure::Input(error) | Failure::Trouble(error) => Some(error),
            Failure::Silent(_) => None,
        }
    }

    /// Returns the message with its advice, empty if it has been printed already.
    pub(crate) fn text(&self) -> String {
        self.error().map_or_else(String::new, |error| match hint(error) {
            Some(hint) => format!("{}; {hint}", message(error)),
            None => message(error),
        })
    }

    /// Returns the exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Failure::Check(_) => CHECK,
            Failure::Input(_) => INPUT,
            Failure::Trouble(_) => TROUBLE,
            Failure::Silent(status) => *status,
        }
    }

    /// Returns whether the only cause is that nobody reads the output any more.
    pub(crate) fn output_closed(&self) -> bool {
        self.error().into_iter().flat_map(anyhow::Error::chain).any(|cause| {
            cause.downcast_ref().is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe)
        })
    }

    /// Prints the message, if it has not been printed, and returns the exit status. Output that was closed
    /// early is no failure: its reader has seen enough.
    pub(crate) fn report(&self) -> ExitCode {
        if let Some(error) = self.error() {
            if self.output_closed() {
                return ExitCode::SUCCESS;
            }
            messages::say(Kind::Error, &message(error));
            if let Some(hint) = hint(error) {
                messages::say(Kind::Hint, hint);
            }
        }
        ExitCode::from(self.status())
    }
}

/// Returns the error with its causes, outermost first. Leaves out a cause that the message before it ends
/// with.
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

/// A message with advice, which is the last cause of its error.
#[derive(Debug)]
struct Advised {
    message: String,
    hint: String,
}

impl fmt::Display for Advised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advised {}

/// Returns the advice of the error, if it has any.
fn hint(error: &anyhow::Error) -> Option<&str> {
    error.chain().find_map(|cause| Some(cause.downcast_ref::<Advised>()?.hint.as_str()))
}

/// Returns success if `printed` failed only because nobody reads the output any more: for commands whose work
/// matters without it.
pub(crate) fn unless_closed(printed: Result<(), Failure>) -> Result<(), Failure> {
    printed.or_else(|failure| if failure.output_closed() { Ok(()) } else { Err(failure) })
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        // Files do not say so; of all else that the program asks the system for, only threads do.
        if error.kind() == io::ErrorKind::WouldBlock {
            return Failure::of_threads(error);
        }
        Failure::Trouble(error.into())
    }
}

/// Makes the panic of a library that can start no thread a failure with a message.
#[cfg(unix)]
pub(crate) fn explain_refused_threads() {
    let others = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let refused = io::Error::from(rustix::io::Errno::AGAIN);
        // The text without the number behind it, which not all libraries tell in the same way.
        let told = refused.to_string();
        let told = told.split(" (os error").next().unwrap_or(&told);
        if panic.payload_as_str().is_some_and(|text| text.contains(told)) {
            let _ = Failure::of_threads(refused).report();
            std::process::exit(TROUBLE.into());
        }
        others(panic);
    }));
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Failure {
        // JSON is only written to outputs.
        Failure::Trouble(io::Error::from(error).into())
    }
}

/// Returns whether files or memory are the cause of the error, and not the bytes of a table.
fn is_trouble(error: &ProbeError) -> bool {
    matches!(
        error,
        ProbeError::File { .. }
            | ProbeError::Changed { .. }
            | ProbeError::Table(TableError::Block { source: BlockError::OutOfMemory, .. })
    )
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        if is_trouble(&error) { Failure::Trouble(error.into()) } else { Failure::Input(error.into()) }
    }
}

impl From<MapError> for Failure {
    fn from(error: MapError) -> Failure {
        match error {
            MapError::Unreadable { .. } => Failure::Trouble(error.into()),
            MapError::Unusable { message, hint: None } => Failure::input(message),
            MapError::Unusable { message, hint: Some(hint) } => Failure::input(message).with_hint(hint),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Probe(error) => error.into(),
            VerifyError::Memory { .. } => Failure::Trouble(error.into()),
            VerifyError::Stopped => Failure::Silent(signals::status()),
            error => Failure::Check(error.into()),
        }
    }
}

impl From<HeaderError> for Failure {
    fn from(error: HeaderError) -> Failure {
        Failure::Input(error.into())
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
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
                let bytes = BinaryBytes(refused.bytes);
                Failure::Trouble(anyhow::anyhow!(
                    "the positions need {bytes} of memory, and the system refuses to provide it"
                ))
            }
            GenerateError::Solve(SolveError::Log(_)) => Failure::Trouble(error.into()).with_hint(DAMAGED),
            GenerateError::Source(SourceError::Values(ref cause)) if cause.is::<LogError>() => {
                Failure::Trouble(error.into()).with_hint(DAMAGED)
            }
            GenerateError::Source(SourceError::Values(ref cause))
                if cause.downcast_ref().is_some_and(is_trouble) =>
            {
                Failure::Trouble(error.into())
            }
            GenerateError::Write(WriteError::Io(error)) | GenerateError::Io(error) => error.into(),
            GenerateError::Full { source, bytes, checkpoints } => {
                let failure = Failure::from(source);
                let failure = match bytes {
                    Some(bytes) => failure.about(format!("the table has {}", BinaryBytes(bytes))),
                    None => failure,
                };
                failure.with_hint(room_hint(&checkpoints))
            }
            GenerateError::Scratch { .. } => Failure::Trouble(error.into()),
            GenerateError::Stopped => Failure::Silent(signals::status()),
            _ => Failure::Input(error.into()),
        }
    }
}

/// The hint about logs that are damaged or cannot be read back.
const DAMAGED: &str = "run it again: it uses what is not damaged";

/// Returns what to do about a full disk on which these checkpoints of the table have been left.
fn room_hint(checkpoints: &[CheckpointFile]) -> String {
    // Logs and encoded blocks alone are of no use.
    if checkpoints.iter().all(|file| file.level.is_none()) {
        return "make room on the disk and run it again".to_owned();
    }
    let name = |file: &CheckpointFile| format!("{} ({})", file.path.display(), BinaryBytes(file.bytes));
    let names = checkpoints.iter().map(name).collect::<Vec<_>>().join(" and ");
    format!("make room on the disk and run it again: it resumes from {names}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_names_what_a_later_run_resumes_from() {
        let log = CheckpointFile {
            path: ".a.dtb.log".into(),
            table: "a.dtb".into(),
            level: None,
            is_log: true,
            is_blocks: false,
            bytes: 2048,
        };
        let generation =
            CheckpointFile { path: ".a.dtb.check-1".into(), level: Some(7), is_log: false, ..log.clone() };
        assert_eq!(room_hint(std::slice::from_ref(&log)), "make room on the disk and run it again");
        let hint = room_hint(&[generation, log]);
        assert!(
            hint.ends_with("it resumes from .a.dtb.check-1 (2.00 KiB) and .a.dtb.log (2.00 KiB)"),
            "{hint}"
        );
    }

    #[test]
    fn threads_that_are_refused_are_named_with_what_to_do() {
        let refused = || io::Error::from(io::ErrorKind::WouldBlock);
        for failure in [Failure::from(refused()), Failure::of_threads(refused())] {
            assert_eq!(failure.status(), TROUBLE);
            let text = failure.text();
            assert!(text.starts_with("cannot start the threads: ") && text.contains("--threads N"), "{text}");
        }
    }

    #[test]
    fn no_cause_is_printed_twice() {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        let named = ProbeError::File { path: "a.dtb".into(), source: missing() };
        assert_eq!(message(&named.into()), "cannot read a.dtb: no such file");
        let about = Failure::from(missing()).about("b.txt");
        let Failure::Trouble(error) = about else { panic!("expected trouble, found {about:?}") };
        assert_eq!(message(&error), "b.txt: no such file");
    }
}
