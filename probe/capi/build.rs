//! Sets the soname of the shared library to the version of its interface.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Cargo sets no family for a target without an operating system.
    let family = var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let vendor = var("CARGO_CFG_TARGET_VENDOR").expect("cargo sets the vendor of the target");
    if family == "unix" && vendor != "apple" {
        // A minor version may change the interface before 1.0, and is part of the name until then.
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdragnet.so.{}", interface());
    }
}

/// Returns the version of the interface: `0.MINOR` before version 1.0, `MAJOR` from then on.
fn interface() -> String {
    let part = |name| var(name).expect("cargo sets the version of the package");
    match part("CARGO_PKG_VERSION_MAJOR").as_str() {
        "0" => format!("0.{}", part("CARGO_PKG_VERSION_MINOR")),
        major => major.to_owned(),
    }
}
