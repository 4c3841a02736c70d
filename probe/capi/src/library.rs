//! Functions about the library: its version, the names of statuses, the last message.

use crate::{
    border::{In, Out},
    convert::copy_text,
    failure::{Failure, guard, last_message},
    types::Status,
};
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
    const NAMES: [(Status, &CStr); 13] = [
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
        (Status::Stopped, c"DRAGNET_ERROR_STOPPED"),
    ];
    let name = NAMES.iter().find(|(known, _)| *known as i32 == status).map_or(c"unknown", |(_, name)| name);
    name.as_ptr()
}

/// Writes a text of UTF-16 in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_utf8_from_utf16(
    wide: In<u16>,
    text: Out<c_char>,
    capacity: usize,
    length: Out<usize>,
) -> Status {
    guard(|| {
        let converted = String::from_utf16(wide.wide_text("wide")?)
            .map_err(|_| Failure::argument("wide: expected UTF-16, found a surrogate without its partner"))?;
        copy_text(converted.as_bytes(), text, capacity, length, "text")
    })
}

/// Returns the message of the last call that failed in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_last_error() -> *const c_char {
    last_message()
}
