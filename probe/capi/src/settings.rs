//! Options and rules to begin with.

use crate::{
    border::{In, Out},
    failure::{Failure, guard},
    types::{Options, Rules, Status, TablebaseOptions},
};
use std::ffi::c_char;

/// The options with which a table is opened if none are given.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_options_init(options: Out<Options>) -> Status {
    guard(|| {
        options.place("options")?.put(dragnet_probe::Options::default().into());
        Ok(())
    })
}

/// The options with which a tablebase is opened if none are given.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_tablebase_options_init(options: Out<TablebaseOptions>) -> Status {
    guard(|| {
        options.place("options")?.put(dragnet_probe::TablebaseOptions::default().into());
        Ok(())
    })
}

/// The rules of a preset.
#[unsafe(no_mangle)]
pub extern "C" fn dragnet_rules_preset(name: In<c_char>, rules: Out<Rules>) -> Status {
    guard(|| {
        let rules = rules.place("rules")?;
        let name = name.text("name")?.to_string_lossy();
        let preset = dragnet_probe::Rules::preset(&name).ok_or_else(|| {
            let known = dragnet_probe::Rules::PRESETS.join(" or ");
            Failure::argument(format_args!("expected the name of a preset, {known}, found {name:?}"))
        })?;
        rules.put((&preset).into());
        Ok(())
    })
}
