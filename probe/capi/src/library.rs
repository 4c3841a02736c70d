//! Functions about the library: its version, the names of statuses, the last message.

use crate::{failure::last_message, types::Status};
use std::ffi::{CStr, c_char};

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no NUL"),
};

/// Returns the version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Returns the name of a status as the header spells it.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_status_name(status: i32) -> *const c_char {
    const NAMES: [(Status, &CStr); 12] = [
        (Status::Ok, c"DRAGNET_OK"),
        (Status::Argument, c"DRAGNET_ERROR_ARGUMENT"),
        (Status::File, c"DRAGNET_ERROR_FILE"),
        (Status::NotATable, c"DRAGNET_ERROR_NOT_A_TABLE"),
        (Status::Version, c"DRAGNET_ERROR_VERSION"),
        (Status::Damaged, c"DRAGNET_ERROR_DAMAGED"),
        (Status::Position, c"DRAGNET_ERROR_POSITION"),
        (Status::Missing, c"DRAGNET_ERROR_MISSING"),
        (Status::Memory, c"DRAGNET_ERROR_MEMORY"),
        (Status::Panic, c"DRAGNET_ERROR_PANIC"),
        (Status::Kind, c"DRAGNET_ERROR_KIND"),
        (Status::TooMuchWork, c"DRAGNET_ERROR_TOO_MUCH_WORK"),
    ];
    let name = NAMES.iter().find(|(known, _)| *known as i32 == status).map_or(c"unknown", |(_, name)| name);
    name.as_ptr()
}

/// Returns the message of the last call that failed in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_last_error() -> *const c_char {
    last_message()
}
