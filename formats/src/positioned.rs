//! Reading and writing at an offset of an open file, from many threads at once.

use std::{fs::File, io};

/// Fills `bytes` with those of the file from byte `offset` on.
///
/// # Errors
/// When they cannot be read, or there are fewer ([`io::ErrorKind::UnexpectedEof`]).
pub fn read_exact_at(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset);
    #[cfg(windows)]
    return in_parts(bytes.len(), io::ErrorKind::UnexpectedEof, |done| {
        std::os::windows::fs::FileExt::seek_read(file, &mut bytes[done..], offset + done as u64)
    });
    #[cfg(not(any(unix, windows)))]
    return by_turns(file, offset, |mut file| io::Read::read_exact(&mut file, bytes));
}

/// Writes `bytes` to the file from byte `offset` on.
///
/// # Errors
/// When the file system refuses them.
pub fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::write_all_at(file, bytes, offset);
    #[cfg(windows)]
    return in_parts(bytes.len(), io::ErrorKind::WriteZero, |done| {
        std::os::windows::fs::FileExt::seek_write(file, &bytes[done..], offset + done as u64)
    });
    #[cfg(not(any(unix, windows)))]
    return by_turns(file, offset, |mut file| io::Write::write_all(&mut file, bytes));
}

/// Calls `part` with the number of bytes that are done until all `len` are. `end` is the error of a part
/// without bytes.
#[cfg(windows)]
fn in_parts(
    len: usize,
    end: io::ErrorKind,
    mut part: impl FnMut(usize) -> io::Result<usize>,
) -> io::Result<()> {
    let mut done = 0;
    while done < len {
        match part(done) {
            Ok(0) => return Err(end.into()),
            Ok(more) => done += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Calls `work` with the file at an offset. Systems that have no calls with an offset: threads take turns.
#[cfg(not(any(unix, windows)))]
fn by_turns(mut file: &File, offset: u64, work: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    io::Seek::seek(&mut file, io::SeekFrom::Start(offset))?;
    work(file)
}
