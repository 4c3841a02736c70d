//! The worlds of a table, for people to look at.

use dragnet_formats::board::Board;
use dragnet_probe::Table;
use std::borrow::Cow;

/// Returns the board of a table in a world: with walls for the doors that are closed.
pub(crate) fn board_in(table: &Table, world: u32) -> Cow<'_, Board> {
    match table.setting() {
        Some(setting) if !setting.doors.is_empty() => {
            Cow::Owned(setting.doors.board_in(setting.worlds().get(world).doors, table.board()))
        }
        _ => Cow::Borrowed(table.board()),
    }
}
