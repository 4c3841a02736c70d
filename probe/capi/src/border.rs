//! The border to C: pointers that the caller passes, handles that it keeps, and contracts that it has to
//! keep. This is the only file of the crate with `unsafe` code.
//!
//! **Contract.** The caller promises in `dragnet.h` that a pointer is NULL or points to as many elements as
//! the call says; that nobody else changes these elements during the call; that memory to write to overlaps
//! no other argument; and that a handle comes from the library and has not been closed. Only calls from C
//! create values of the types here: their fields are private, and this crate cannot be linked as a Rust
//! library. NULL, misaligned pointers and impossible lengths are detected and refused.

use crate::{failure::Failure, types::Source};
use dragnet_probe::{Bytes, Open, ReadAt};
use std::{
    ffi::{CStr, c_char},
    io,
    path::PathBuf,
    ptr::{NonNull, null_mut},
    slice,
    sync::Arc,
};

/// A `const T *`: one or several elements to read.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

/// A `T *`: memory for one or several elements to write.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

/// A `const T *` with an opaque `T`: a handle that a call uses.
#[repr(transparent)]
pub struct Handle<T>(*const T);

/// A `T *` with an opaque `T`: a handle that its owner has to close.
#[repr(transparent)]
pub struct Owned<T>(*mut T);

/// Checked memory for one element.
pub(crate) struct Destination<T>(NonNull<T>);

/// Checked memory for several elements.
pub(crate) struct Buffer<T> {
    start: NonNull<T>,
    capacity: usize,
}

/// Checks that `count` elements can lie at an address. `name` is the argument's name in errors.
fn checked<T>(address: *mut T, count: usize, name: &str) -> Result<NonNull<T>, Failure> {
    // An empty array may be NULL.
    if count == 0 {
        return Ok(NonNull::dangling());
    }
    let Some(start) = NonNull::new(address) else {
        return Err(Failure::argument(format_args!("{name} is NULL; expected a pointer")));
    };
    if !start.is_aligned() {
        return Err(Failure::argument(format_args!("{name} is not aligned to {} bytes", align_of::<T>())));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(start),
        _ => Err(Failure::argument(format_args!(
            "{name} cannot have {count} elements: too many for any memory"
        ))),
    }
}

impl<T: Copy> In<T> {
    /// Returns the single element.
    pub(crate) fn get(&self, name: &str) -> Result<T, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: not NULL and aligned; by the contract, an element is there.
        Ok(unsafe { start.read() })
    }

    /// Returns the single element, or `None` if the pointer is NULL.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<T>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.get(name).map(Some) }
    }

    /// Returns the `count` elements.
    pub(crate) fn slice(&self, count: usize, name: &str) -> Result<&[T], Failure> {
        let start = checked(self.0.cast_mut(), count, name)?;
        // SAFETY: not NULL, aligned, and of a possible length; by the contract, the elements are there and do
        // not change until the call ends, which `self` does not outlive.
        Ok(unsafe { slice::from_raw_parts(start.as_ptr(), count) })
    }
}

impl In<u8> {
    /// Returns `count` bytes that the caller keeps for as long as any handle reads them.
    pub(crate) fn kept(&self, count: usize, name: &str) -> Result<&'static [u8], Failure> {
        let start = checked(self.0.cast_mut(), count, name)?;
        // SAFETY: as in `slice`, and the header demands of callers who name `kept` bytes that they stay
        // until the handle is closed.
        Ok(unsafe { slice::from_raw_parts(start.as_ptr(), count) })
    }
}

impl In<c_char> {
    /// Returns the text up to its NUL.
    pub(crate) fn text(&self, name: &str) -> Result<&CStr, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: not NULL; by the contract, a NUL ends the text, which does not change until the call ends.
        Ok(unsafe { CStr::from_ptr(start.as_ptr()) })
    }

    /// Returns the path in a text: arbitrary bytes on Unix, UTF-8 elsewhere.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        let text = self.text(name)?;
        #[cfg(unix)]
        let path = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(text.to_bytes());
        #[cfg(not(unix))]
        let path = text
            .to_str()
            .map_err(|error| Failure::argument(format_args!("expected a path in UTF-8, found {error}")))?;
        Ok(path.into())
    }
}

impl In<u16> {
    /// Returns the units of the text up to its NUL.
    pub(crate) fn wide_text(&self, name: &str) -> Result<&[u16], Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        let mut length = 0;
        // SAFETY: not NULL and aligned; by the contract, a NUL ends the text, which does not change until the
        // call ends, and no unit after the NUL is read.
        Ok(unsafe {
            while start.add(length).read() != 0 {
                length += 1;
            }
            slice::from_raw_parts(start.as_ptr(), length)
        })
    }
}

impl<T> Out<T> {
    /// Returns the memory for a single element.
    pub(crate) fn single(self, name: &str) -> Result<Destination<T>, Failure> {
        checked(self.0, 1, name).map(Destination)
    }

    /// Returns the memory for a single element, or `None` if the pointer is NULL.
    pub(crate) fn optional(self, name: &str) -> Result<Option<Destination<T>>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.single(name).map(Some) }
    }

    /// Returns the memory for `capacity` elements.
    pub(crate) fn buffer(self, capacity: usize, name: &str) -> Result<Buffer<T>, Failure> {
        checked(self.0, capacity, name).map(|start| Buffer { start, capacity })
    }
}

impl<T> Destination<T> {
    /// Writes the element.
    pub(crate) fn write(&self, element: T) {
        // SAFETY: `Out` has checked that the address is not NULL and aligned; by the contract, it has memory
        // for one element.
        unsafe { self.0.write(element) };
    }
}

impl<T> Buffer<T> {
    /// Writes elements until the buffer is full.
    pub(crate) fn fill(&self, elements: impl IntoIterator<Item = T>) {
        for (i, element) in elements.into_iter().take(self.capacity).enumerate() {
            // SAFETY: `Out` has checked that the buffer is not NULL, aligned and of a possible length; by the
            // contract, it has memory for `capacity` elements, and `i` is below that.
            unsafe { self.start.add(i).write(element) };
        }
    }

    /// Returns the number of elements that fit into the buffer.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<T: Send + Sync> Handle<T> {
    /// Returns the object of the handle.
    pub(crate) fn get(&self, name: &str) -> Result<&T, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: by the contract, `Owned::new` has created the handle, and nobody closes it during the call.
        Ok(unsafe { start.as_ref() })
    }

    /// Returns the object of the handle, or `None` if the handle is NULL.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<&T>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.get(name).map(Some) }
    }
}

impl<T: Send + Sync> Owned<T> {
    /// Creates a handle that holds a reference.
    pub(crate) fn new(object: Arc<T>) -> Owned<T> {
        Owned(Arc::into_raw(object).cast_mut())
    }

    /// Returns NULL.
    pub(crate) fn null() -> Owned<T> {
        Owned(null_mut())
    }

    /// Returns the object of the handle, for a call that changes it.
    pub(crate) fn get(&self, name: &str) -> Result<&T, Failure> {
        let start = checked(self.0, 1, name)?;
        // SAFETY: by the contract, `Owned::new` has created the handle, and nobody closes it during the call.
        Ok(unsafe { start.as_ref() })
    }

    /// Drops the handle's reference. Does nothing if the handle is NULL.
    pub(crate) fn close(self) -> Result<(), Failure> {
        if !self.0.is_null() {
            let start = checked(self.0, 1, "the handle")?;
            // SAFETY: by the contract, `Owned::new` has created the handle, and it has not been closed
            // before.
            drop(unsafe { Arc::from_raw(start.as_ptr()) });
        }
        Ok(())
    }
}

/// Where a table is, with the caller's functions.
pub(crate) struct CallerSource(Source);

// SAFETY: the header demands that the functions of a source may be called from any thread, and by several at
// once.
unsafe impl Send for CallerSource {}
// SAFETY: as for `Send`.
unsafe impl Sync for CallerSource {}

impl CallerSource {
    /// Takes a source over: it is closed when this is dropped.
    pub(crate) fn new(source: Source) -> CallerSource {
        CallerSource(source)
    }

    /// Says how to open the table, and returns its file, if it is one.
    pub(crate) fn open(self) -> Result<(Open, Option<PathBuf>), Failure> {
        let Source { path, whole, mapped, bytes, kept, read, length, .. } = self.0;
        let files = [path, whole, mapped].map(|path| !path.is_null());
        let others = [!bytes.is_null(), !kept.is_null(), read.is_some()];
        if files.iter().chain(&others).filter(|&&given| given).count() != 1 {
            return Err(Failure::argument(
                "source: expected one of path, whole, mapped, bytes, kept and read, found none or several",
            ));
        }
        // A length that memory cannot have is refused with its array.
        let length_in_memory = usize::try_from(length).unwrap_or(usize::MAX);
        let open = match (files, others) {
            ([true, ..], _) => return in_file(path, Open::path),
            ([_, true, _], _) => return in_file(whole, Open::whole),
            // SAFETY: the header demands of callers who name a mapped file that nobody changes it while a
            // handle is open.
            ([.., true], _) => return in_file(mapped, |file| unsafe { Open::mapped(file) }),
            (_, [true, ..]) => {
                let bytes = In(bytes);
                let bytes = bytes.slice(length_in_memory, "source.bytes")?;
                let mut copy = Vec::new();
                copy.try_reserve_exact(bytes.len())?;
                copy.extend_from_slice(bytes);
                Open::bytes(copy)
            }
            (_, [_, true, _]) => {
                let bytes = In(kept).kept(length_in_memory, "source.kept")?;
                Open::bytes(Bytes::from_owner(Kept { bytes, _source: self }))
            }
            _ => Open::source(self),
        };
        Ok((open, None))
    }
}

/// Says how to open the table in a file, whose path it returns too.
fn in_file(path: *const c_char, open: impl Fn(PathBuf) -> Open) -> Result<(Open, Option<PathBuf>), Failure> {
    let file = In(path).path("path")?;
    Ok((open(file.clone()), Some(file)))
}

/// Bytes that the caller keeps until the source is closed.
struct Kept {
    bytes: &'static [u8],
    _source: CallerSource,
}

impl AsRef<[u8]> for Kept {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

impl ReadAt for CallerSource {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.length)
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        // A safe function may be called with bytes beyond the end.
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > self.0.length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let read = self.0.read.expect("a source has a function to read");
        match read(self.0.context, offset, bytes.as_mut_ptr(), bytes.len()) {
            0 => Ok(()),
            number => Err(io::Error::other(format!("the function that reads the source returned {number}"))),
        }
    }
}

impl Drop for CallerSource {
    fn drop(&mut self) {
        if let Some(close) = self.0.close {
            close(self.0.context);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null;

    fn message<T>(result: Result<T, Failure>) -> String {
        format!("{:?}", result.err().unwrap())
    }

    #[test]
    fn impossible_pointers_are_refused() {
        let numbers = [1u32, 2, 3];
        let misaligned = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        assert!(message(In(null::<u32>()).get("it")).contains("it is NULL"));
        assert!(message(In(misaligned).get("it")).contains("it is not aligned to 4 bytes"));
        assert!(message(In(misaligned).slice(2, "it")).contains("it is not aligned"));
        assert!(message(In(numbers.as_ptr()).slice(usize::MAX / 4, "it")).contains("cannot have"));
        assert!(message(Out(misaligned.cast_mut()).single("it")).contains("it is not aligned"));
        assert!(message(Handle(null::<u32>()).get("it")).contains("it is NULL"));
        assert_eq!(In(null::<u32>()).optional("it").unwrap(), None);
        assert!(In(null::<u32>()).slice(0, "it").unwrap().is_empty());
        assert_eq!(In(numbers.as_ptr()).slice(3, "it").unwrap(), numbers);
    }

    #[test]
    fn a_buffer_drops_elements_beyond_its_capacity() {
        let mut room = [0u8; 4];
        Out(room.as_mut_ptr()).buffer(3, "it").unwrap().fill(1..=9);
        assert_eq!(room, [1, 2, 3, 0]);
        Out(null_mut::<u8>()).buffer(0, "it").unwrap().fill(1..=9);
    }

    #[test]
    fn a_handle_keeps_its_object_until_it_is_closed() {
        let object = Arc::new(5);
        let handle = Owned::new(Arc::clone(&object));
        assert_eq!((Arc::strong_count(&object), *Handle(handle.0).get("it").unwrap()), (2, 5));
        handle.close().unwrap();
        Owned::<u8>::null().close().unwrap();
        assert_eq!(Arc::strong_count(&object), 1);
    }
}
