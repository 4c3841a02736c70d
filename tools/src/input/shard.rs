//! The division of a manifest's tables among tasks that have no folder in common.

use std::str::FromStr;

/// A part of the tables of a manifest, as `--shard` names it. The table with the number `k` in the manifest
/// belongs to the shard with the number `k` modulo the number of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    /// The number of the shard, from 0.
    number: usize,
    /// How many shards there are, at least 1.
    of: usize,
}

impl Shard {
    /// Returns the tables of the shard, in the order of all `tables`.
    pub(crate) fn part<T>(self, tables: Vec<T>) -> Vec<T> {
        let numbered = tables.into_iter().enumerate();
        numbered.filter(|(number, _)| number % self.of == self.number).map(|(_, table)| table).collect()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        // `parse` alone would accept a plus sign.
        let number =
            |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let shard = text.split_once('/').and_then(|(one, of)| Some((number(one)?, number(of)?)));
        // The last one may be called by the number of all, where numbers begin with 1.
        let shard = shard.filter(|&(one, of): &(usize, usize)| of > 0 && one <= of);
        shard
            .map(|(number, of)| Shard { number: number % of, of })
            .ok_or_else(|| format!("expected I/N with I from 1 to N, or from 0, as in 3/200; found {text:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_in_one_shard_whether_numbers_begin_with_0_or_with_1() {
        let shard = |text: &str| text.parse::<Shard>().unwrap().part((0..7).collect::<Vec<u32>>());
        assert_eq!([shard("1/3"), shard("2/3"), shard("3/3")], [vec![1, 4], vec![2, 5], vec![0, 3, 6]]);
        assert_eq!((shard("0/3"), shard("9/9")), (shard("3/3"), vec![0]));
        for wrong in ["", "3", "9/8", "+3/8", "0/0", "3/8/9", "auto", "3/99999999999999999999"] {
            assert!(wrong.parse::<Shard>().unwrap_err().contains("I from 1 to N"), "{wrong}");
        }
    }
}
