//! The division of tables among shards, which every task of a farm computes for itself.

use std::{cmp::Reverse, collections::BinaryHeap};

/// A table as the division sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share<'a> {
    /// The name, which no other table has.
    pub(crate) name: &'a str,
    /// The effort of making the table, in any unit.
    pub(crate) effort: u64,
}

/// Returns for each table the number of its shard, from 1 to `shards`.
///
/// The table of the greatest effort is placed first, each in the shard with the least effort so far. So no
/// shard has more than the mean of all and one of its tables; if there are fewer tables than shards, the last
/// shards have none. Depends on the tables alone and not on their order, with whole numbers throughout: all
/// machines find the same division.
pub(crate) fn partition(tables: &[Share], shards: u32) -> Vec<u32> {
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_unstable_by_key(|&table| (Reverse(tables[table].effort), tables[table].name));
    let used = u32::try_from(tables.len()).map_or(shards, |tables| tables.min(shards));
    let mut loads: BinaryHeap<Reverse<(u128, u32)>> = (1..=used).map(|shard| Reverse((0, shard))).collect();
    let mut shard_of = vec![0; tables.len()];
    for table in order {
        let Some(Reverse((load, shard))) = loads.pop() else { break };
        shard_of[table] = shard;
        loads.push(Reverse((load + u128::from(tables[table].effort), shard)));
    }
    shard_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn loads(tables: &[Share], shard_of: &[u32], shards: u32) -> Vec<u128> {
        let mut loads = vec![0; shards as usize];
        for (table, &shard) in tables.iter().zip(shard_of) {
            loads[shard as usize - 1] += u128::from(table.effort);
        }
        loads
    }

    proptest! {
        #[test]
        fn every_table_is_in_one_shard_and_no_shard_is_overloaded(
            efforts in prop::collection::vec(prop_oneof![0..9_u64, 0..1_000_000_u64, Just(u64::MAX)], 0..200),
            shards in 1..40_u32,
        ) {
            let names: Vec<String> = (0..efforts.len()).map(|number| format!("board-{number}")).collect();
            let table = |(name, &effort)| Share { name, effort };
            let tables: Vec<Share> = names.iter().map(String::as_str).zip(&efforts).map(table).collect();
            let shard_of = partition(&tables, shards);
            prop_assert_eq!(shard_of.len(), tables.len());
            prop_assert!(shard_of.iter().all(|shard| (1..=shards).contains(shard)));
            let loads = loads(&tables, &shard_of, shards);
            let mean = loads.iter().sum::<u128>() / u128::from(shards);
            for shard in 1..=shards {
                let own = || tables.iter().zip(&shard_of).filter(|&(_, &of)| of == shard);
                let least = own().map(|(table, _)| u128::from(table.effort)).min().unwrap_or(0);
                prop_assert!(loads[shard as usize - 1] <= mean + least, "{loads:?}");
            }
        }

        #[test]
        fn the_order_of_the_list_does_not_matter(
            efforts in prop::collection::vec(0..5_u64, 1..100),
            shards in 1..20_u32,
            turn in any::<prop::sample::Index>(),
        ) {
            let names: Vec<String> = (0..efforts.len()).map(|number| format!("board-{number}")).collect();
            let table = |(name, &effort)| Share { name, effort };
            let tables: Vec<Share> = names.iter().map(String::as_str).zip(&efforts).map(table).collect();
            let expected = partition(&tables, shards);
            let (mut turned, mut expected_turned) = (tables, expected);
            let by = turn.index(turned.len());
            turned.rotate_left(by);
            expected_turned.rotate_left(by);
            turned.reverse();
            expected_turned.reverse();
            prop_assert_eq!(partition(&turned, shards), expected_turned);
        }
    }

    #[test]
    fn many_shards_of_few_tables_leave_the_last_ones_empty() {
        let tables = [Share { name: "b", effort: 1 }, Share { name: "a", effort: 1 }];
        assert_eq!(partition(&tables, u32::MAX), [2, 1]);
        assert!(partition(&[], 3).is_empty());
    }

    #[test]
    fn a_division_stays_as_it_is() {
        // A task that was begun by one version may be begun again by the next.
        let efforts = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10];
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let tables: Vec<Share> =
            names.into_iter().zip(efforts).map(|(name, effort)| Share { name, effort }).collect();
        assert_eq!(partition(&tables, 3), [1, 2, 3, 3, 2, 1, 1, 2, 3, 3]);
        assert_eq!(loads(&tables, &partition(&tables, 3), 3), [190, 180, 180]);
    }
}
