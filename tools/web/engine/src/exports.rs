//! The functions that the host calls, in this order: [`request`], [`answer`], then those that read the
//! answer.

use dragnet_engine_requests::{answer::Answer, host, pieces::PIECE, requests};
use std::{cell::RefCell, sync::Once};

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Option<Answer>> = const { RefCell::new(None) };
}

/// Passes the messages of panics to the host, which ends the engine after one.
fn report_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            host::panicked(text.as_ptr(), text.len());
        }));
    });
}

/// Forgets the answer before, and returns the address of `len` bytes for a request; 0 if there is no memory
/// for them.
#[unsafe(no_mangle)]
pub extern "C" fn request(len: usize) -> *mut u8 {
    report_panics();
    ANSWER.take();
    REQUEST.with_borrow_mut(|bytes| {
        bytes.clear();
        if bytes.try_reserve_exact(len).is_err() {
            return std::ptr::null_mut();
        }
        bytes.resize(len, 0);
        bytes.as_mut_ptr()
    })
}

/// Does what the request asks for. Returns the address of the answer's text.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    let request = REQUEST.take();
    let answer = requests::answer(&request);
    ANSWER.with_borrow_mut(|place| place.insert(answer).text.as_ptr())
}

/// Returns the number of bytes of the answer's text.
#[unsafe(no_mangle)]
pub extern "C" fn text_len() -> usize {
    ANSWER.with_borrow(|answer| answer.as_ref().map_or(0, |answer| answer.text.len()))
}

/// Returns the number of bytes of the answer's table; 0 if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn table_len() -> usize {
    ANSWER.with_borrow(|answer| answer.as_ref().map_or(0, |answer| answer.table.len()))
}

/// Returns the number of bytes of each piece of a table but the last.
#[unsafe(no_mangle)]
pub extern "C" fn piece_len() -> usize {
    PIECE
}

/// Returns the address of a piece of the answer's table.
#[unsafe(no_mangle)]
pub extern "C" fn piece(number: usize) -> *const u8 {
    ANSWER.with_borrow(|answer| {
        answer.as_ref().map_or(std::ptr::null(), |answer| answer.table.piece(number).as_ptr())
    })
}
