//! The border: pointers that C hands over, and handles that it keeps. All `unsafe` code of this crate.
//!
//! **Contract.** `dragnet.h` demands of its callers that a pointer is NULL or points to as many elements as the call
//! says, which nobody else changes during the call, that places to write to overlap nothing else that is handed over,
//! and that a handle is one that the library has made and that has not been closed. Only callers from C make values of
//! the types here, by calling: their fields are private, and this crate cannot be linked as a Rust library. NULL and
//! misaligned pointers, and lengths that no memory has, are found and refused.

use crate::failure::Failure;
use std::{
    ffi::{CStr, c_char},
    ptr::{NonNull, null_mut},
    slice,
    sync::Arc,
};

/// `const T *`: one or several elements to be read.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<T>(*const T);

/// `T *`: room for one or several elements to be written.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

/// `const T *`, where T is opaque: a handle that is used.
#[repr(transparent)]
pub struct Handle<T>(*const T);

/// `T *`, where T is opaque: a handle that its holder has to close.
#[repr(transparent)]
pub struct Owned<T>(*mut T);

/// Room for one element.
pub(crate) struct Place<T>(NonNull<T>);

/// Room for several elements.
pub(crate) struct Buffer<T> {
    start: NonNull<T>,
    capacity: usize,
}

/// The address of `count` elements, if there can be so many there.
fn checked<T>(address: *mut T, count: usize, name: &str) -> Result<NonNull<T>, Failure> {
    // No elements are nowhere.
    if count == 0 {
        return Ok(NonNull::dangling());
    }
    let Some(start) = NonNull::new(address) else {
        return Err(Failure::argument(format_args!("{name} is NULL")));
    };
    if !start.is_aligned() {
        return Err(Failure::argument(format_args!("{name} is not aligned to {} bytes", align_of::<T>())));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(start),
        _ => Err(Failure::argument(format_args!("{name} cannot have {count} elements"))),
    }
}

impl<T: Copy> In<T> {
    /// The one element.
    pub(crate) fn get(&self, name: &str) -> Result<T, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: not NULL and aligned; by the contract, an element is there.
        Ok(unsafe { start.read() })
    }

    /// The one element, unless the pointer is NULL.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<T>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.get(name).map(Some) }
    }

    /// So many elements.
    pub(crate) fn slice(&self, count: usize, name: &str) -> Result<&[T], Failure> {
        let start = checked(self.0.cast_mut(), count, name)?;
        // SAFETY: not NULL, aligned, and of a possible length; by the contract, the elements are there and stay as they are
        // until the call ends, which `self` does not outlive.
        Ok(unsafe { slice::from_raw_parts(start.as_ptr(), count) })
    }
}

impl In<u8> {
    /// So many bytes that the caller keeps until all that reads them is closed.
    pub(crate) fn kept(&self, count: usize, name: &str) -> Result<&'static [u8], Failure> {
        let start = checked(self.0.cast_mut(), count, name)?;
        // SAFETY: as in `slice`; that the bytes stay as long as they are read is what the header demands of the one
        // function that uses this.
        Ok(unsafe { slice::from_raw_parts(start.as_ptr(), count) })
    }
}

impl In<c_char> {
    /// The text up to its NUL.
    pub(crate) fn text(&self, name: &str) -> Result<&CStr, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: not NULL; by the contract, a NUL ends the text, which stays as it is until the call ends.
        Ok(unsafe { CStr::from_ptr(start.as_ptr()) })
    }
}

impl<T> Out<T> {
    /// Room for one element.
    pub(crate) fn place(self, name: &str) -> Result<Place<T>, Failure> {
        checked(self.0, 1, name).map(Place)
    }

    /// Room for one element, unless the pointer is NULL.
    pub(crate) fn optional(self, name: &str) -> Result<Option<Place<T>>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.place(name).map(Some) }
    }

    /// Room for so many elements.
    pub(crate) fn buffer(self, capacity: usize, name: &str) -> Result<Buffer<T>, Failure> {
        checked(self.0, capacity, name).map(|start| Buffer { start, capacity })
    }
}

impl<T> Place<T> {
    /// Writes the element.
    pub(crate) fn put(&self, element: T) {
        // SAFETY: `Out` has found the place not NULL and aligned; by the contract, there is room.
        unsafe { self.0.write(element) };
    }
}

impl<T> Buffer<T> {
    /// Writes the elements for which there is room.
    pub(crate) fn fill(&self, elements: impl IntoIterator<Item = T>) {
        for (i, element) in elements.into_iter().take(self.capacity).enumerate() {
            // SAFETY: `Out` has found the buffer not NULL, aligned and of a possible length; by the contract, there is
            // room for `capacity` elements, of which this is one.
            unsafe { self.start.add(i).write(element) };
        }
    }

    /// For how many elements there is room.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }
}

impl<T: Send + Sync> Handle<T> {
    /// What the handle stands for.
    pub(crate) fn get(&self, name: &str) -> Result<&T, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?;
        // SAFETY: by the contract, `Owned::new` has made the handle and nobody closes it during the call.
        Ok(unsafe { start.as_ref() })
    }

    /// Another share of it.
    pub(crate) fn share(&self, name: &str) -> Result<Arc<T>, Failure> {
        let start = checked(self.0.cast_mut(), 1, name)?.as_ptr();
        // SAFETY: as in `get`; the pointer is one of `Arc::into_raw`, and the count grows by the share that is returned.
        Ok(unsafe {
            Arc::increment_strong_count(start);
            Arc::from_raw(start)
        })
    }
}

impl<T: Send + Sync> Owned<T> {
    /// A handle for this share.
    pub(crate) fn new(share: Arc<T>) -> Owned<T> {
        Owned(Arc::into_raw(share).cast_mut())
    }

    /// NULL.
    pub(crate) fn none() -> Owned<T> {
        Owned(null_mut())
    }

    /// Gives the share back; NULL has none.
    pub(crate) fn close(self) -> Result<(), Failure> {
        if !self.0.is_null() {
            let start = checked(self.0, 1, "the handle")?;
            // SAFETY: by the contract, `Owned::new` has made the handle, and it has not been closed before.
            drop(unsafe { Arc::from_raw(start.as_ptr()) });
        }
        Ok(())
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
    fn what_no_memory_can_be_is_refused() {
        let numbers = [1u32, 2, 3];
        let crooked = numbers.as_ptr().cast::<u8>().wrapping_add(1).cast::<u32>();
        assert!(message(In(null::<u32>()).get("it")).contains("it is NULL"));
        assert!(message(In(crooked).get("it")).contains("it is not aligned to 4 bytes"));
        assert!(message(In(crooked).slice(2, "it")).contains("it is not aligned"));
        assert!(message(In(numbers.as_ptr()).slice(usize::MAX / 4, "it")).contains("cannot have"));
        assert!(message(Out(crooked.cast_mut()).place("it")).contains("it is not aligned"));
        assert!(message(Handle(null::<u32>()).get("it")).contains("it is NULL"));
        assert_eq!(In(null::<u32>()).optional("it").unwrap(), None);
        assert_eq!(In(null::<u32>()).slice(0, "it").unwrap(), []);
        assert_eq!(In(numbers.as_ptr()).slice(3, "it").unwrap(), numbers);
    }

    #[test]
    fn a_buffer_takes_what_it_has_room_for() {
        let mut room = [0u8; 4];
        Out(room.as_mut_ptr()).buffer(3, "it").unwrap().fill(1..=9);
        assert_eq!(room, [1, 2, 3, 0]);
        Out(null_mut::<u8>()).buffer(0, "it").unwrap().fill(1..=9);
    }

    #[test]
    fn handles_count_their_shares() {
        let share = Arc::new(5);
        let handle = Owned::new(Arc::clone(&share));
        let other = Owned::new(Handle(handle.0).share("it").unwrap());
        assert_eq!((Arc::strong_count(&share), *Handle(other.0).get("it").unwrap()), (3, 5));
        handle.close().unwrap();
        other.close().unwrap();
        Owned::<u8>::none().close().unwrap();
        assert_eq!(Arc::strong_count(&share), 1);
    }
}
