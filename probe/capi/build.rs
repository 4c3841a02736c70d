//! Names the shared library by the version of its interface.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let family = var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let vendor = var("CARGO_CFG_TARGET_VENDOR").unwrap_or_default();
    if family == "unix" && vendor != "apple" {
        // Before 1.0 a minor version may change the interface, so that it belongs to the name.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdragnet.so.{}", interface());
    }
}

/// `0.MINOR` before version 1.0, `MAJOR` from then on.
fn interface() -> String {
    let part = |name| var(name).unwrap_or_default();
    match part("CARGO_PKG_VERSION_MAJOR").as_str() {
        "0" => format!("0.{}", part("CARGO_PKG_VERSION_MINOR")),
        major => major.to_owned(),
    }
}
