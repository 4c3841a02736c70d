//! Why a call failed, what it leaves to be read, and that no panic gets out.

use crate::types::Status;
use dragnet_probe::{ProbeError, TableError, TablebaseError};
use std::{
    any::Any,
    cell::RefCell,
    collections::TryReserveError,
    ffi::{CStr, CString, c_char},
    fmt::Display,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// A call that failed: the status that it returns, and its message.
#[derive(Debug)]
pub struct Failure {
    status: Status,
    message: String,
}

impl Failure {
    /// An argument that cannot be.
    pub(crate) fn argument(message: impl Display) -> Failure {
        Failure { status: Status::Argument, message: message.to_string() }
    }

    /// The same failure with the name of what it is about.
    pub(crate) fn about(self, what: impl Display) -> Failure {
        Failure { message: format!("{what}: {}", self.message), ..self }
    }

    fn panic(payload: &(dyn Any + Send)) -> Failure {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Failure { status: Status::Panic, message: format!("a mistake in Dragnet: {message}") }
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
            // Of a kind that has come since: there is no table that could be asked.
            _ => Status::Missing,
        };
        Failure { status, message: error.to_string() }
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
        ProbeError::Table(TableError::Kind { .. }) => Status::Kind,
        ProbeError::Position { .. } | ProbeError::Officers { .. } | ProbeError::Number { .. } => {
            Status::Position
        }
        ProbeError::InFile { source, .. } | ProbeError::InBatch { source, .. } => status_of(source),
        // Among them any kind that has come since: the table has no answer that could be trusted.
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

/// Does the work of a call, and makes of its failure or its panic a status and a message.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    // What a panic leaves half done is never seen: results are written last, and tables and tablebases change nothing but
    // caches, which check what they hold.
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(failure)) => failure,
        Err(payload) => Failure::panic(payload.as_ref()),
    };
    let mut message = failure.message.into_bytes();
    message.retain(|&byte| byte != 0);
    // Without NUL there is no error; and a thread at its very end keeps no message.
    let message = CString::new(message).unwrap_or_default();
    let _ = LAST.try_with(|last| last.replace(message));
    failure.status
}

/// Where the message of the last call that failed in this thread is, until the next one fails.
pub(crate) fn last_message() -> *const c_char {
    const NONE: &CStr = c"";
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(NONE.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> String {
        LAST.with(|last| last.borrow().to_string_lossy().into_owned())
    }

    #[test]
    fn a_panic_is_a_status_with_a_message() {
        assert_eq!(guard(|| panic!("as {}", "planned")), Status::Panic);
        assert_eq!(message(), "a mistake in Dragnet: as planned");
        assert_eq!(guard(|| panic!("plainly")), Status::Panic);
        assert_eq!(message(), "a mistake in Dragnet: plainly");
        assert_eq!(guard(|| std::panic::panic_any(7)), Status::Panic);
        assert_eq!(message(), "a mistake in Dragnet: no message");
        assert_eq!(guard(|| Ok(())), Status::Ok);
        assert_eq!(message(), "a mistake in Dragnet: no message", "success leaves the message");
    }

    #[test]
    fn messages_are_each_threads_own_and_have_no_nul() {
        assert_eq!(guard(|| Err(Failure::argument("here\0!"))), Status::Argument);
        std::thread::spawn(|| assert_eq!(message(), "")).join().unwrap();
        assert_eq!(message(), "here!");
    }

    #[test]
    fn memory_that_the_system_refuses_has_its_own_status() {
        let refused = Vec::<u64>::new().try_reserve_exact(usize::MAX).map_err(Failure::from);
        assert_eq!(refused.unwrap_err().status, Status::Memory);
        let source = io::Error::from(io::ErrorKind::OutOfMemory);
        let error = ProbeError::File { path: "a.dtb".into(), source };
        assert_eq!(status_of(&error), Status::Memory);
    }
}
