//! The part of a list that a shard makes.

use crate::{
    failure::Failure,
    input::{planned::TableList, shard::Shard},
    make::{
        checked::{CheckedTable, check_silently, say_all},
        partition::{Share, partition},
        status::Whole,
    },
};

/// The facts about the tables of a shard.
pub(crate) struct ShardPart {
    pub(crate) shard: Shard,
    /// The shard's tables, in the order of its list.
    pub(crate) checked: Vec<CheckedTable>,
    /// All tables that the shards share.
    pub(crate) whole: Whole,
}

impl ShardPart {
    /// Returns the list of the shard's tables, and what is known of them. Reads every board of the list, as a
    /// run does that makes all tables.
    ///
    /// # Errors
    /// When a board cannot be used, be it another shard's.
    pub(crate) fn of(
        list: TableList,
        shard: Shard,
        threads: usize,
    ) -> Result<(TableList, ShardPart), Failure> {
        let checked = check_silently(&list.tables, threads)?;
        let is_in_class =
            |checked: &CheckedTable| shard.class.is_none_or(|class| class.has(checked.task.needs.memory));
        let shared: Vec<bool> = checked.iter().map(is_in_class).collect();
        let of_class = || list.tables.iter().zip(&checked).zip(&shared).filter(|(_, shared)| **shared);
        let shares: Vec<Share> = of_class()
            .map(|((table, checked), _)| Share { name: &table.name, effort: checked.effort })
            .collect();
        let mut shard_of = partition(&shares, shard.of).into_iter();
        let is_own: Vec<bool> =
            shared.iter().map(|&shared| shared && shard_of.next() == Some(shard.number)).collect();
        let whole = Whole {
            tables: shares.len() as u64,
            positions: of_class()
                .map(|((_, checked), _)| checked.task.positions)
                .fold(0, u64::saturating_add),
            effort: shares.iter().map(|share| share.effort).fold(0, u64::saturating_add),
        };
        let all = list.tables.into_iter().zip(checked).zip(is_own);
        let (tables, checked): (Vec<_>, Vec<_>) =
            all.filter(|(_, is_own)| *is_own).map(|(own, _)| own).unzip();
        let list = TableList { tables, ..list };
        say_all(&list.tables, &checked);
        Ok((list, ShardPart { shard, checked, whole }))
    }
}
