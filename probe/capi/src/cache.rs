//! The cache of all tables.

use crate::{
    border::Out,
    failure::guard,
    types::{CacheStatistics, Status},
};
use dragnet_probe::Cache;

/// Sets the most bytes of memory for the cache of all tables.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_cache_set_limit(bytes: u64) -> Status {
    guard(|| {
        Cache::shared().set_limit(bytes);
        Ok(())
    })
}

/// Writes what the cache of all tables holds and how often it was of use.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_cache_get_statistics(statistics: Out<CacheStatistics>) -> Status {
    guard(|| {
        let out = statistics.single("statistics")?;
        let now = Cache::shared().statistics();
        out.write(CacheStatistics {
            limit: now.limit,
            reserved: now.reserved,
            bytes: now.bytes,
            tables: now.tables,
            hits: now.hits,
            misses: now.misses,
        });
        Ok(())
    })
}
