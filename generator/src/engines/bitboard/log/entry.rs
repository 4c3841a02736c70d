//! The bytes of a log entry: how they are written, read and checked.
//!
//! An entry says which positions of one block were decided in one level. Entries stand one after the other in
//! a chunk:
//!
//! * a number: by how much the police tile is greater than that of the entry before, modulo 2³². Before it
//!   may stand a byte 0 and the code of this and all later entries, a number; the tile is counted from -1
//!   then. Code 0 ends the chunk;
//! * a byte with the length of what follows, or [`LONG`] for that and more. It lets a reader go from entry to
//!   entry without a look at the runs: without it, writing the table of a maze took 6 % longer;
//! * the rows with new positions, a sparse word;
//! * the new positions of these rows, as *runs* of rows that follow one another and have the same word. If it
//!   has one bit, the run is a byte with the number of the bit, plus [`REPEATED`] if a byte follows with the
//!   number of rows behind the first; else it is a byte, [`SPARSE`] plus that number of rows, and the sparse
//!   word.
//!
//! A number has seven bits in each byte, the lowest first, and [`MORE`] in all bytes but the last. A sparse
//! word is a byte that tells which of the word's eight bytes are not 0, and these bytes, the lowest first.

use super::super::words::{ROWS, ones};

/// Zeros behind the last entry of a list, so that a reader may look eight bytes ahead.
pub(super) const MARGIN: usize = 8;

/// Bytes of a code and an entry of 64 words, and of what the writer may write over behind them.
pub(super) const LONGEST: usize = (1 + NUMBER) + NUMBER + 1 + 9 + ROWS * 10 + 8;
/// Bytes of the longest code, and of an entry with one position.
pub(super) const ALONE: usize = (1 + NUMBER) + NUMBER + 1 + 2 + 1;
/// Bytes of the longest number.
const NUMBER: usize = 5;

/// Marks a byte of a number behind which comes another.
const MORE: u64 = 0x80;
/// Marks a run of one position behind which comes the number of rows.
const REPEATED: u64 = 0x40;
/// Marks a run with a sparse word.
const SPARSE: u64 = 0x80;
/// The length that stands for itself and all greater ones.
const LONG: u8 = u8::MAX;

/// The code and the police tile of the entry before, from which those of the next one are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Previous {
    code: u32,
    tile: u32,
}

/// The beginning of a chunk. No entry has code 0, which is that of a draw, so the first one writes its own.
impl Default for Previous {
    fn default() -> Previous {
        Previous::of_code(0)
    }
}

impl Previous {
    /// Returns the state behind a new code: the tile is counted from -1.
    fn of_code(code: u32) -> Previous {
        Previous { code, tile: u32::MAX }
    }
}

/// Appends the entry of police tile `tile` to the bytes of a chunk that are in use, `used` of them, and
/// returns how many are then. `words` are those of `rows`, and none is 0. Behind the entry all bytes stay 0.
#[inline(always)]
pub(super) fn write(
    chunk: &mut [u8],
    used: usize,
    previous: &mut Previous,
    (tile, code): (u32, u32),
    rows: u64,
    words: impl Iterator<Item = u64>,
) -> usize {
    let mut pen = Pen { chunk, at: used };
    // A step of 0 would read as the byte 0: a tile that comes again has its code written again.
    if previous.code != code || previous.tile == tile {
        pen.put(0, 1);
        pen.put_number(code);
        *previous = Previous::of_code(code);
    }
    pen.put_number(tile.wrapping_sub(previous.tile));
    previous.tile = tile;
    let length = pen.at;
    pen.put(0, 1);
    pen.put_sparse(rows);
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut repeats = 0u64;
        while words.next_if_eq(&word).is_some() {
            repeats += 1;
        }
        if word.is_power_of_two() {
            let repeated = u64::from(repeats > 0);
            pen.put(
                u64::from(word.trailing_zeros()) | (repeated * REPEATED) | (repeats << 8),
                1 + repeated as usize,
            );
        } else {
            pen.put(SPARSE | repeats, 1);
            pen.put_sparse(word);
        }
    }
    pen.chunk[length] = (pen.at - (length + 1)).min(LONG.into()) as u8;
    pen.at
}

/// Appends bytes to a chunk, and writes zeros over up to eight behind them: a store of fixed length is
/// quicker.
struct Pen<'a> {
    chunk: &'a mut [u8],
    at: usize,
}

impl Pen<'_> {
    /// Appends the low `len` bytes of `word`, whose other bytes are 0.
    #[inline(always)]
    fn put(&mut self, word: u64, len: usize) {
        self.chunk[self.at..self.at + 8].copy_from_slice(&word.to_le_bytes());
        self.at += len;
    }

    #[inline(always)]
    fn put_number(&mut self, number: u32) {
        let mut left = u64::from(number);
        while left >= MORE {
            self.put(left & (MORE - 1) | MORE, 1);
            left >>= 7;
        }
        self.put(left, 1);
    }

    #[inline(always)]
    fn put_sparse(&mut self, word: u64) {
        let (mask, bytes) = compact(word);
        self.put(mask.into(), 1);
        self.put(bytes, mask.count_ones() as usize);
    }
}

/// Returns which of the word's bytes are not 0, and these bytes, the lowest first.
#[inline(always)]
fn compact(word: u64) -> (u8, u64) {
    let (mut mask, mut bytes, mut left, mut at) = (0, 0, word, 0);
    while left != 0 {
        let place = left.trailing_zeros() / 8;
        let byte = left >> (8 * place) & 0xFF;
        bytes |= byte << (8 * at);
        mask |= 1 << place;
        left ^= byte << (8 * place);
        at += 1;
    }
    (mask, bytes)
}

/// Returns the word of which [`compact`] makes these.
#[inline(always)]
fn expand(mask: u8, bytes: u64) -> u64 {
    let mut word = 0;
    for (at, place) in ones(mask.into()).enumerate() {
        word |= (bytes >> (8 * at) & 0xFF) << (8 * place);
    }
    word
}

/// Returns the eight bytes from `at` on, or 0 if there are fewer: behind the last entry of a chunk there is
/// room.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// One entry of a log: positions of one block that were decided in one level.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LogEntry<'a> {
    /// The police tile of the block.
    pub(crate) tile: u32,
    /// The code of the positions' value.
    pub(crate) code: u32,
    /// The police rows with positions, one bit each.
    pub(crate) rows: u64,
    /// The chunk from the first run on.
    runs: &'a [u8],
}

impl LogEntry<'_> {
    /// Calls `each` with each run: its rows, one bit each, and the word of the positions in each of them.
    #[inline(always)]
    pub(crate) fn for_each_run(&self, mut each: impl FnMut(u64, u64)) {
        let (mut left, mut at) = (self.rows, 0);
        while left != 0 {
            let run = RowRun::read(self.runs, at);
            let behind = (0..=run.repeats).fold(left, |left, _| left & left.wrapping_sub(1));
            each(left ^ behind, run.word);
            (left, at) = (behind, run.end);
        }
    }

    /// Returns where the runs end if a solve could have written this entry for a block with the police rows
    /// `rows` and the thief cells `open`: it has positions, and none elsewhere.
    #[inline(always)]
    fn possible_end(&self, rows: u64, open: u64) -> Option<usize> {
        let (mut left, mut end) = (self.rows.count_ones(), 0);
        while left > 0 {
            let run = RowRun::read(self.runs, end);
            if run.word == 0 || run.word & !open != 0 {
                return None;
            }
            left = left.checked_sub(1 + u32::from(run.repeats))?;
            end = run.end;
        }
        (self.rows != 0 && self.rows & !rows == 0).then_some(end)
    }
}

/// Rows of an entry that follow one another and have the same word.
struct RowRun {
    word: u64,
    /// The number of rows behind the first.
    repeats: u8,
    /// Where the next run begins.
    end: usize,
}

impl RowRun {
    #[inline(always)]
    fn read(bytes: &[u8], at: usize) -> RowRun {
        let head = word_at(bytes, at);
        if head & SPARSE == 0 {
            let repeated = head & REPEATED != 0;
            let repeats = if repeated { (head >> 8) as u8 } else { 0 };
            RowRun { word: 1 << (head & 63), repeats, end: at + 1 + usize::from(repeated) }
        } else {
            let mask = (head >> 8) as u8;
            let end = at + 2 + mask.count_ones() as usize;
            RowRun { word: expand(mask, word_at(bytes, at + 2)), repeats: head as u8 & 63, end }
        }
    }
}

/// Returns where the runs of so many rows end.
#[cold]
fn end_of_runs(runs: &[u8], rows: u32) -> usize {
    let (mut left, mut end) = (rows, 0);
    while left > 0 {
        let run = RowRun::read(runs, end);
        left = left.saturating_sub(1 + u32::from(run.repeats));
        end = run.end;
    }
    end
}

/// Returns the rows of the entry whose length stands at `head` in a chunk, and where its runs begin.
#[inline(always)]
fn rows_at(chunk: &[u8], head: usize) -> (u64, usize) {
    let mask = chunk.get(head + 1).copied().unwrap_or(0);
    (expand(mask, word_at(chunk, head + 2)), head + 2 + mask.count_ones() as usize)
}

impl<'a> LogEntry<'a> {
    /// Returns the entry of tile `tile` and code `code` whose length stands at `head` in `chunk`.
    #[inline(always)]
    pub(super) fn at(chunk: &'a [u8], head: usize, tile: u32, code: u32) -> LogEntry<'a> {
        let (rows, begin) = rows_at(chunk, head);
        LogEntry { tile, code, rows, runs: chunk.get(begin..).unwrap_or_default() }
    }
}

/// The entries of a chunk, in the order in which they were written.
pub(super) struct Entries<'a> {
    chunk: &'a [u8],
    /// Where the length of the last entry stands that was returned.
    pub(super) head: usize,
    /// Where the next entry begins.
    pub(super) at: usize,
    pub(super) previous: Previous,
}

impl<'a> Entries<'a> {
    pub(super) fn of(chunk: &'a [u8]) -> Entries<'a> {
        Entries { chunk, head: 0, at: 0, previous: Previous::default() }
    }

    /// Returns whether a solve could have written `entry`, the last one that was read, for a block with the
    /// police rows `rows` and the thief cells `open`, and it ends where its length says.
    #[inline(always)]
    pub(super) fn is_possible(&self, entry: &LogEntry, rows: u64, open: u64) -> bool {
        let begin = self.chunk.len() - entry.runs.len();
        entry.possible_end(rows, open).is_some_and(|end| self.at == begin + end)
    }

    #[inline(always)]
    fn number(&mut self) -> u32 {
        let bytes = word_at(self.chunk, self.at);
        let (mut number, mut len) = (0, 0);
        loop {
            let byte = bytes >> (8 * len);
            number |= (byte & (MORE - 1)) << (7 * len);
            len += 1;
            if byte & MORE == 0 || len == NUMBER {
                break;
            }
        }
        self.at += len;
        number as u32
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = LogEntry<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<LogEntry<'a>> {
        let begin = self.at;
        let mut step = self.number();
        while step == 0 {
            let code = self.number();
            if code == 0 {
                self.at = begin;
                return None;
            }
            self.previous = Previous::of_code(code);
            step = self.number();
        }
        self.previous.tile = self.previous.tile.wrapping_add(step);
        self.head = self.at;
        let length = self.chunk.get(self.at).copied()?;
        let (rows, begin) = rows_at(self.chunk, self.at);
        let runs = self.chunk.get(begin..)?;
        self.at = if length < LONG {
            self.at + 1 + usize::from(length)
        } else {
            begin + end_of_runs(runs, rows.count_ones())
        };
        Some(LogEntry { tile: self.previous.tile, code: self.previous.code, rows, runs })
    }
}
