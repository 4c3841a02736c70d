//! Default options and preset rules.

use crate::{
    border::{In, Out},
    failure::{Failure, guard},
    types::{CacheStatistics, Options, Rules, Status, TablebaseOptions},
};
use dragnet_probe::Cache;
use std::ffi::c_char;

/// Writes the default options of a table.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_options_init(options: Out<Options>) -> Status {
    guard(|| {
        options.single("options")?.write(dragnet_probe::Options::default().into());
        Ok(())
    })
}

/// Writes the default options of a tablebase.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_options_init(options: Out<TablebaseOptions>) -> Status {
    guard(|| {
        options.single("options")?.write(dragnet_probe::TablebaseOptions::default().into());
        Ok(())
    })
}

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

/// Writes the rules of a preset.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_rules_preset(name: In<c_char>, rules: Out<Rules>) -> Status {
    guard(|| {
        let rules = rules.single("rules")?;
        let name = name.text("name")?.to_string_lossy();
        let preset = dragnet_probe::Rules::preset(&name).ok_or_else(|| {
            let known = dragnet_probe::Rules::PRESETS.join(" or ");
            Failure::argument(format_args!("expected the name of a preset, {known}, found {name:?}"))
        })?;
        rules.write((&preset).into());
        Ok(())
    })
}
