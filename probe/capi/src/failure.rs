//! Failures of calls: their status, their message, and the guard that lets no panic escape to C.

use crate::types::Status;
use dragnet_probe::{
    ProbeError, TableError, TablebaseError,
    opponent::{CalibrationError, RangeError, ReviewError},
};
use std::{
    any::Any,
    cell::RefCell,
    collections::TryReserveError,
    ffi::{CStr, CString, c_char},
    fmt::Display,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A failed call: the status that it returns, and its message.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    /// Returns the failure for an invalid argument.
    pub(crate) fn argument(message: impl Display) -> Failure {
        Failure { status: Status::Argument, message: message.to_string() }
    }

    /// Returns this failure with `subject` before its message.
    pub(crate) fn about(self, subject: impl Display) -> Failure {
        Failure { message: format!("{subject}: {}", self.message), ..self }
    }

    fn panic(payload: &(dyn Any + Send)) -> Failure {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Failure { status: Status::Panic, message: format!("a bug in Dragnet, please report it: {message}") }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure { status: status_of(&error), message: error.to_string() }
    }
}

impl From<TablebaseError> for Failure {
    fn from(error: TablebaseError) -> Failure {
        let status = match &error {
            TablebaseError::Folder { source, .. } => status_of_system(source),
            TablebaseError::Missing { .. } => Status::Missing,
            TablebaseError::Damaged { source } => status_of(source),
            // A kind of error added since: either way there is no table.
            _ => Status::Missing,
        };
        Failure { status, message: error.to_string() }
    }
}

impl From<RangeError> for Failure {
    fn from(error: RangeError) -> Failure {
        Failure::argument(error)
    }
}

impl From<CalibrationError> for Failure {
    fn from(error: CalibrationError) -> Failure {
        match error {
            CalibrationError::Probe(error) => error.into(),
            error => Failure::argument(error),
        }
    }
}

impl From<ReviewError> for Failure {
    fn from(error: ReviewError) -> Failure {
        match error {
            ReviewError::Probe(error) => error.into(),
            error => Failure::argument(error),
        }
    }
}

impl From<TryReserveError> for Failure {
    fn from(error: TryReserveError) -> Failure {
        Failure { status: Status::Memory, message: error.to_string() }
    }
}

fn status_of(error: &ProbeError) -> Status {
    match error {
        ProbeError::File { source, .. } => status_of_system(source),
        ProbeError::Table(TableError::Magic { .. }) => Status::NotATable,
        ProbeError::Table(TableError::Version { .. }) => Status::Version,
        ProbeError::Table(TableError::Kind { .. }) | ProbeError::NotKept { .. } => Status::Kind,
        ProbeError::Position { .. }
        | ProbeError::NoPlace { .. }
        | ProbeError::World { .. }
        | ProbeError::Officers { .. }
        | ProbeError::Number { .. } => Status::Position,
        ProbeError::Source { source } => status_of_system(source),
        ProbeError::TooMuchWork { .. } => Status::TooMuchWork,
        ProbeError::Stopped { .. } => Status::Stopped,
        ProbeError::InFile { source, .. } | ProbeError::InBatch { source, .. } => status_of(source),
        // Damage of all kinds, changes to an open file, and kinds of errors added since: there is no answer
        // to trust.
        _ => Status::Damaged,
    }
}

fn status_of_system(error: &io::Error) -> Status {
    if error.kind() == io::ErrorKind::OutOfMemory { Status::Memory } else { Status::File }
}

thread_local! {
    /// The message of the last call that failed in this thread.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs the body of a call, and turns its failure or panic into a status and a message.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    // After a panic nobody sees half-done work: results are written last, and tables and tablebases change
    // nothing but caches, which check what they hold.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::panic(payload.as_ref()),
    };
    let message = CString::new(one_line(&failure.message)).expect("a line has no NUL");
    // A thread that is just ending has no message any more.
    let _ = LAST.try_with(|last| last.replace(message));
    failure.status
}

/// Returns the text with a space in the place of each control character: paths may have line breaks, and NULs
/// would end the message.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// Returns the address of the message of the last call that failed in this thread, valid until the next
/// failure.
pub(crate) fn last_message() -> *const c_char {
    const NONE: &CStr = c"";
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(NONE.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line() {
        assert_eq!(one_line("a\nb\u{1b}c\0d ü"), "a b c d ü");
    }

    fn message() -> String {
        LAST.with(|last| last.borrow().to_string_lossy().into_owned())
    }

    #[test]
    fn a_panic_becomes_a_status_and_a_message() {
        assert_eq!(guard(|| panic!("as {}", "planned")), Status::Panic);
        assert_eq!(message(), "a bug in Dragnet, please report it: as planned");
        assert_eq!(guard(|| panic!("plainly")), Status::Panic);
        assert_eq!(message(), "a bug in Dragnet, please report it: plainly");
        assert_eq!(guard(|| std::panic::panic_any(7)), Status::Panic);
        assert_eq!(message(), "a bug in Dragnet, please report it: no message");
        assert_eq!(guard(|| Ok(())), Status::Ok);
        assert_eq!(message(), "a bug in Dragnet, please report it: no message", "success keeps the message");
    }

    #[test]
    fn each_thread_has_its_own_message_without_nul() {
        assert_eq!(guard(|| Err(Failure::argument("here\0!"))), Status::Argument);
        std::thread::spawn(|| assert_eq!(message(), "")).join().unwrap();
        assert_eq!(message(), "here !");
    }

    #[test]
    fn refused_memory_has_its_own_status() {
        let refused = Vec::<u64>::new().try_reserve_exact(usize::MAX).map_err(Failure::from);
        assert_eq!(refused.unwrap_err().status, Status::Memory);
        let source = io::Error::from(io::ErrorKind::OutOfMemory);
        let error = ProbeError::File { path: "a.dtb".into(), source };
        assert_eq!(status_of(&error), Status::Memory);
    }
}
