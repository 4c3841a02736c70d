//! Unit tests of the file of the logs.

use super::*;
use crate::checkpoint::scratch;
use std::fs;

/// Returns the file of the logs beside `table`.
fn log_path(table: &Path) -> PathBuf {
    scratch::log_path(table, None)
}

const KEY: u128 = 0x0123_4567_89AB_CDEF << 32;

/// Returns the frames that are appended, and their packed bytes.
fn frames() -> Vec<(LogFrame, Vec<u8>)> {
    let frame = |(log, number, packed): (u32, u32, u32)| {
        let [log_number, number, first, unpacked] = [log, number, 3, 2 * packed].map(U32::new);
        let frame = LogFrame { log: log_number, number, first, unpacked };
        (frame, (0..packed).map(|at| (at * at + log) as u8).collect())
    };
    [(0, 0, 40), (1, 0, 17), (0, 1, 33)].map(frame).into()
}

fn append(file: &LogFile, about: LogFrame, packed: &[u8]) -> u64 {
    file.append(&FrameHead::new(file.seed(), about, packed), packed).unwrap()
}

fn write(table: &Path) -> Mark {
    let file = LogFile::new(log_path(table), KEY, false);
    for (head, packed) in frames() {
        let at = append(&file, head, &packed);
        let mut again = vec![0; packed.len()];
        file.read(at, &mut again).unwrap();
        assert_eq!(again, packed);
    }
    file.keep().unwrap()
}

fn scan(table: &Path, end: Mark) -> Result<Vec<LogFrame>, CheckpointError> {
    let file = LogFile::new(log_path(table), KEY, false);
    file.open()?;
    let mut found = Vec::new();
    file.scan(end, |head, _| found.push(head.about))?;
    Ok(found)
}

#[test]
fn frames_are_found_again_and_any_damage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.dtb");
    let end = write(&table);
    let heads: Vec<LogFrame> = frames().into_iter().map(|(head, _)| head).collect();
    assert_eq!(scan(&table, end).unwrap(), heads);
    let bytes = fs::read(log_path(&table)).unwrap();
    assert_eq!(bytes.len() as u64, end.bytes);
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(log_path(&table), &damaged).unwrap();
        assert!(scan(&table, end).is_err(), "bit {bit}");
    }
    for len in 0..bytes.len() {
        fs::write(log_path(&table), &bytes[..len]).unwrap();
        assert!(scan(&table, end).is_err(), "cut at {len}");
    }
    fs::remove_file(log_path(&table)).unwrap();
    assert!(scan(&table, end).is_err());
    // What stands behind the end does no harm.
    fs::write(log_path(&table), [&bytes[..], b"more"].concat()).unwrap();
    assert_eq!(scan(&table, end).unwrap(), heads);
    for wrong in [
        Mark { bytes: end.bytes - 1, ..end },
        Mark { bytes: end.bytes + 4, ..end },
        Mark { chain: end.chain ^ 1, ..end },
    ] {
        assert!(scan(&table, wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn frames_of_another_run_are_not_taken_for_those_that_a_checkpoint_names() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.dtb");
    let end = write(&table);
    fs::remove_file(log_path(&table)).unwrap();
    let file = LogFile::new(log_path(&table), KEY, false);
    for (head, mut packed) in frames() {
        packed[0] ^= 1;
        append(&file, head, &packed);
    }
    drop(file);
    assert!(matches!(scan(&table, end), Err(CheckpointError::Log { .. })));
}

#[test]
fn one_process_works_on_a_file_and_what_a_checkpoint_names_stays_until_frames_follow() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.dtb");
    let end = write(&table);
    let file = LogFile::new(log_path(&table), KEY, false);
    file.open().unwrap();
    let other = LogFile::new(log_path(&table), KEY, false);
    assert!(other.open().is_err() && other.is_foreign() && !other.is_ours() && other.keep().is_err());
    assert!(!FramedFile::<LogFrame>::is_free(&log_path(&table)));
    file.begin_anew();
    assert_eq!(fs::metadata(log_path(&table)).unwrap().len(), end.bytes);
    let (head, packed) = frames().swap_remove(1);
    append(&file, head, &packed);
    let anew = file.keep().unwrap();
    assert!(anew.bytes < end.bytes && fs::metadata(log_path(&table)).unwrap().len() == anew.bytes);
    fs::rename(log_path(&table), folder.path().join("elsewhere")).unwrap();
    assert!(file.keep().is_err());
    file.close(false);
    assert!(folder.path().join("elsewhere").exists());
}
