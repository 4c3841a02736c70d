//! Has the linker lay what `dragnet generate` runs side by side: see `order/order.py`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let order = Path::new(&variable("CARGO_MANIFEST_DIR")).join("order/order.ld");
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={}", order.display());
    if variable("CARGO_CFG_TARGET_OS") == "linux" && variable("PROFILE") == "release" {
        let argument = format!("-Wl,-T,{}", order.display());
        if linker_takes(&argument) {
            println!("cargo:rustc-link-arg-bins={argument}");
        }
    }
}

/// Whether a program can be linked with the argument: not every linker knows how to insert into its own script.
fn linker_takes(argument: &str) -> bool {
    let scratch = PathBuf::from(variable("OUT_DIR"));
    let source = scratch.join("linked.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(variable("RUSTC"));
    rustc
        .args(["--edition", "2024", "--target", &variable("TARGET")])
        .arg(source)
        .arg("-o")
        .arg(scratch.join("linked"));
    rustc.args(variable("CARGO_ENCODED_RUSTFLAGS").split('\x1f').filter(|flag| !flag.is_empty()));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        rustc.arg(format!("-Clinker={linker}"));
    }
    rustc.arg(format!("-Clink-arg={argument}")).output().is_ok_and(|output| output.status.success())
}

/// A variable that Cargo sets for build scripts.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("expected the variable {name}, which Cargo sets"))
}
