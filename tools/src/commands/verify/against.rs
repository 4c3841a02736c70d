//! `dragnet verify --against`: a partial table beside the pursuit table from which it was made.

use crate::{
    failure::Failure,
    output::{human, progress::Progress},
    table::partial::PartialSlots,
};
use dragnet_formats::header::Keep;
use dragnet_probe::{PartialTable, Table};
use rayon::prelude::*;
use std::{
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// Checks that what `partial` keeps of each position is what `full` says.
pub(super) fn check(partial: &PartialTable, full: &Table, path: &Path) -> Result<(), Failure> {
    check_all(partial, full, path).map_err(|failure| failure.in_file(path))
}

fn check_all(partial: &PartialTable, full: &Table, path: &Path) -> Result<(), Failure> {
    let (header, there) = (&partial.header().game, full.header());
    // The tables may differ in their tiles, and what the summaries say is compared below.
    let mut like = header.clone();
    for (kind, there) in like.kinds.iter_mut().chain([&mut like.thief]).zip(there.all_kinds()) {
        kind.tile = there.tile;
    }
    like.summary = there.summary;
    let mut same = like == *there;
    for section in header.sections() {
        same = same && partial.section(section)? == full.section(section)?;
    }
    if !same {
        return Err(Failure::input("--against is a table of another board or of other rules"));
    }
    if header.summary != there.summary {
        let digests = [there.summary.digest, header.summary.digest].map(|digest| format!("{digest:016x}"));
        let [expected, found] = digests;
        return Err(Failure::Check(anyhow::anyhow!(
            "expected a table made from the one with digest {expected}, found digest {found}, other counts or other \
             longest wins"
        )));
    }
    partial.check_sums(|_| ())?;
    full.check_sums(|_| ())?;
    let slots = PartialSlots::new(full, partial.header())?;
    let progress = Progress::of_table(path, "thief tiles", slots.thief_tiles().into());
    let done = AtomicU64::new(0);
    let tile = |codes: &mut Vec<u32>, tile| -> Result<(), Failure> {
        slots.for_each_block(tile, |block, expected| {
            partial.block_codes(block, codes)?;
            expected.first_wrong(codes).map_or(Ok(()), |slot| Err(wrong(partial, &slots, block, slot)))
        })?;
        progress.set(done.fetch_add(1, Ordering::Relaxed) + 1, String::new);
        Ok(())
    };
    // The first failure in the order of the file, so that every run says the same.
    let tiles = (0..slots.thief_tiles()).into_par_iter();
    let checked = tiles.map_init(Vec::new, tile).find_first(Result::is_err);
    progress.finish();
    checked.transpose()?;
    partial.check_unchanged()?;
    full.check_unchanged()?;
    Ok(())
}

/// Returns the failure of a table that keeps something wrong in a slot.
fn wrong(partial: &PartialTable, slots: &PartialSlots, block: u64, slot: usize) -> Failure {
    let position = slots.position(block, slot);
    let sentence = human::position(partial.board(), &position);
    let found = match partial.keep() {
        Keep::Outcomes => partial.outcome(position).map(|outcome| format!("outcome {outcome}")),
        Keep::MovesOf(_) => partial.best_move(position).map(|after| {
            after.map_or_else(
                || "no move".to_owned(),
                |after| format!("the move {}", human::pieces(partial.board(), &after.moved())),
            )
        }),
    };
    match found {
        Ok(found) => Failure::Check(anyhow::anyhow!(
            "{sentence}: the table keeps {found}, and by the table it is checked against that is wrong"
        )),
        Err(error) => Failure::Check(anyhow::Error::new(error).context(sentence)),
    }
}
