//! A list of blocks, whose words are in memory or, in part, in the file of a [`PageStore`].

use super::{
    super::words::Words,
    page_store::{Line, PageStore, SavedPage},
};
use crate::{
    log_error::LogError,
    memory::{OutOfMemory, grow_exact},
};
use smallvec::SmallVec;
use std::{
    io::ErrorKind,
    sync::{Arc, OnceLock},
};
use zerocopy::{transmute, transmute_mut, transmute_ref};

/// The number of blocks in a page of a slice with several pages, and the least by which a page grows.
const PAGE: usize = 4;

/// A page that grows gets room for one more block for each `SPARE` that it has.
const SPARE: usize = 8;

/// Slices with at most so many police tiles have one page each. A set that grows copies its words then, and
/// leaves gaps in the heap, but finds each block with one look-up less: solves of mazes and of lak303d take a
/// tenth less. With one page the board of 256×256, whose slices have 1,024 tiles, takes twice the memory.
pub(crate) const ONE_PAGE: usize = if cfg!(test) { 16 } else { 512 };

/// The lines that a reader gets instead of those of a page that cannot be loaded: all positions are decided,
/// so that none is decided twice until the solve ends with the failure.
static DECIDED: [Line; PAGE * Line::OF_BLOCK] = [Line::DECIDED; PAGE * Line::OF_BLOCK];

/// Returns the capacity, in blocks, that a page of `blocks` blocks gets when it is reallocated. There are few
/// capacities, so that the memory that one set gives back fits another.
fn room(blocks: usize) -> usize {
    let room = blocks + PAGE.max(blocks / SPARE);
    room.next_multiple_of((room.next_power_of_two() / SPARE).max(PAGE))
}

/// Returns the lines that so many blocks of a page need, each of which has `stride`: as many more as the
/// last one lacks of [`Line::OF_BLOCK`].
fn lines_of(blocks: usize, stride: usize) -> usize {
    blocks * stride + Line::OF_BLOCK - stride
}

/// Returns the lines of a block that has so many rows.
fn stride_of(rows: usize) -> usize {
    rows.max(1).div_ceil(8)
}

/// Returns the lines of a page that may leave memory, whose blocks have at most `rows` rows.
pub(crate) fn lines_of_page(rows: usize) -> usize {
    lines_of(PAGE, stride_of(rows))
}

/// Blocks one after the other, in pages. A block has lines for the most rows that a tile has, so that mazes,
/// whose tiles have few open cells, have small blocks. What is read behind them are words of the next block.
#[derive(Debug)]
pub(crate) struct StoredBlocks {
    pages: SmallVec<[Page; 1]>,
    /// The exponent of the number of blocks in a full page.
    exponent: u32,
    /// The lines of a block.
    stride: usize,
    /// The number of blocks.
    len: usize,
    /// For how many lines the pages have room, if they never leave memory.
    capacity: usize,
    /// Where pages may wait that are not in memory.
    store: Option<Arc<PageStore>>,
}

/// A page of blocks.
#[derive(Debug)]
struct Page {
    /// The lines, unless they are in the file alone.
    lines: OnceLock<Vec<Line>>,
    /// Where the file has the lines, as long as nobody changes them.
    saved: Option<SavedPage>,
}

impl Page {
    fn new(lines: Vec<Line>) -> Page {
        Page { lines: OnceLock::from(lines), saved: None }
    }

    /// Returns where the lines are that are not in memory.
    fn place(&self) -> SavedPage {
        self.saved.expect("a page is in memory or in the file")
    }

    /// Returns the lines, which it loads if need be.
    #[inline(always)]
    fn get(&self, store: Option<&Arc<PageStore>>) -> &[Line] {
        match self.lines.get() {
            Some(lines) => lines,
            None => self.load_for_reader(store),
        }
    }

    #[cold]
    #[inline(never)]
    fn load_for_reader(&self, store: Option<&Arc<PageStore>>) -> &[Line] {
        let store = store.expect(STORE);
        match store.load(self.place()) {
            Ok(lines) => {
                if let Err(lines) = self.lines.set(lines) {
                    // Another thread has loaded them meanwhile.
                    store.give_back(lines);
                }
                self.lines.get().expect(LOADED)
            }
            Err(error) => {
                store.fail(error);
                &DECIDED
            }
        }
    }

    /// Loads the lines if need be.
    fn load(&mut self, store: Option<&Arc<PageStore>>) -> Result<(), LogError> {
        if self.lines.get().is_none() {
            self.lines = store.expect(STORE).load(self.place())?.into();
        }
        Ok(())
    }

    /// Returns the lines, which are in memory, to be changed.
    #[inline(always)]
    fn get_mut(&mut self, store: Option<&Arc<PageStore>>) -> &mut Vec<Line> {
        if let Some(saved) = self.saved.take() {
            store.expect(STORE).free(saved);
        }
        self.lines.get_mut().expect(LOADED)
    }

    /// Evicts the lines, unless the file refuses them.
    fn evict(&mut self, store: &PageStore) {
        let Some(lines) = self.lines.get() else { return };
        self.saved = self.saved.or_else(|| store.save(lines));
        if self.saved.is_some() {
            self.lines.take().into_iter().for_each(|lines| store.give_back(lines));
        }
    }

    /// Returns for how many lines a page that never leaves memory has room.
    fn capacity(&self) -> usize {
        self.lines.get().expect(STORE).capacity()
    }
}

/// The invariant of [`Page::lines`].
const STORE: &str = "only pages of a store leave memory";

/// The promise of [`Page::load`].
const LOADED: &str = "a page that was loaded is in memory";

/// The invariant of [`StoredBlocks::pages`].
const NO_LINES: &str = "behind the last block of a page stand more lines";

impl StoredBlocks {
    /// Creates the empty list of a slice with `tiles` police tiles of at most `rows` rows. Its pages may
    /// leave memory if there is a `store`, whose pages are to have [`lines_of_page`].
    pub(crate) fn new(tiles: usize, rows: usize, store: Option<&Arc<PageStore>>) -> StoredBlocks {
        let is_one = tiles <= ONE_PAGE && store.is_none();
        let exponent = if is_one { u32::BITS - 1 } else { PAGE.ilog2() };
        StoredBlocks {
            pages: SmallVec::new(),
            exponent,
            stride: stride_of(rows),
            len: 0,
            capacity: 0,
            store: store.map(Arc::clone),
        }
    }

    /// Returns the number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the page of a block, and its first line there.
    #[inline(always)]
    fn place(&self, index: usize) -> (usize, usize) {
        (index >> self.exponent, (index & ((1 << self.exponent) - 1)) * self.stride)
    }

    /// Returns a block. If it cannot be loaded, the store has failed, and the words say that all positions
    /// are decided.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &Words {
        let (page, first) = self.place(index);
        let lines = self.pages[page].get(self.store.as_ref());
        let lines: &[Line; Line::OF_BLOCK] = lines[first..].first_chunk().expect(NO_LINES);
        transmute_ref!(lines)
    }

    /// Loads a block if need be, so that it can be changed.
    #[inline(always)]
    pub(crate) fn load(&mut self, index: usize) -> Result<(), LogError> {
        let page = self.place(index).0;
        self.pages[page].load(self.store.as_ref())
    }

    /// Returns a block that is loaded, to add positions to. Nobody may change its words behind the rows of
    /// its tile.
    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut Words {
        let (page, first) = self.place(index);
        let lines = self.pages[page].get_mut(self.store.as_ref());
        let lines: &mut [Line; Line::OF_BLOCK] = lines[first..].first_chunk_mut().expect(NO_LINES);
        transmute_mut!(lines)
    }

    /// Gives a block that is loaded these words.
    pub(crate) fn set(&mut self, index: usize, words: &Words) {
        let (page, first) = self.place(index);
        let lines: &[Line; Line::OF_BLOCK] = &transmute!(*words);
        self.pages[page].get_mut(self.store.as_ref())[first..][..self.stride]
            .copy_from_slice(&lines[..self.stride]);
    }

    /// Appends a block.
    pub(crate) fn push(&mut self, words: &Words) -> Result<(), LogError> {
        let (page, first) = self.place(self.len);
        if page == self.pages.len() {
            let lines = self.store.as_ref().map_or(Ok(Vec::new()), |store| store.take())?;
            let refused = |_| OutOfMemory::refused(size_of::<Page>(), ErrorKind::OutOfMemory);
            self.pages.try_reserve(1).map_err(refused)?;
            self.pages.push(Page::new(lines));
        }
        let before = first / self.stride;
        self.pages[page].load(self.store.as_ref())?;
        let page = self.pages[page].get_mut(self.store.as_ref());
        let lines = lines_of(before + 1, self.stride);
        if lines > page.capacity() {
            // The lines may be copied: to make room for one block each time would take too long.
            self.capacity -= page.capacity();
            let grown = grow_exact(page, lines_of(room(before), self.stride) - page.len());
            self.capacity += page.capacity();
            grown?;
        }
        if lines > page.len() {
            page.resize(lines, Line::default());
        }
        self.len += 1;
        self.set(self.len - 1, words);
        Ok(())
    }

    /// Removes a block, whose place the last one takes. Both are loaded.
    pub(crate) fn swap_remove(&mut self, index: usize) {
        self.len -= 1;
        let last = *self.get(self.len);
        self.set(index, &last);
        // Some room stays for blocks that come and go.
        if self.pages.len() > 1 {
            if self.len + PAGE + PAGE / 2 <= self.pages.len() * PAGE {
                self.pop();
            }
        } else if self.store.is_none()
            && self.pages[0].capacity() > lines_of(room(self.len + self.len / SPARE), self.stride)
        {
            let [lines, fewer] = [self.len, room(self.len)].map(|blocks| lines_of(blocks, self.stride));
            let page = self.pages[0].get_mut(self.store.as_ref());
            page.truncate(lines);
            // Gives the end of the list back, for which an allocator needs no memory.
            page.shrink_to(fewer);
            self.capacity = page.capacity();
        }
    }

    /// Removes the last page.
    fn pop(&mut self) {
        let Some(page) = self.pages.pop() else { return };
        match &self.store {
            None => self.capacity -= page.capacity(),
            Some(store) => {
                page.lines.into_inner().into_iter().for_each(|lines| store.give_back(lines));
                page.saved.into_iter().for_each(|saved| store.free(saved));
            }
        }
    }

    /// Evicts all pages, if they may leave memory.
    pub(crate) fn evict(&mut self) {
        if let Some(store) = &self.store {
            self.pages.iter_mut().for_each(|page| page.evict(store));
        }
    }

    /// Returns the bytes of the pages, in memory or not.
    pub(crate) fn bytes(&self) -> usize {
        debug_assert!(
            self.store.is_some() || self.capacity == self.pages.iter().map(Page::capacity).sum::<usize>()
        );
        let lines: usize = match &self.store {
            None => self.capacity,
            Some(_) => self.pages.len() * lines_of(PAGE, self.stride),
        };
        lines * size_of::<Line>()
    }
}
