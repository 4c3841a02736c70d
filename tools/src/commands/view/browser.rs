//! The user's browser.

use crate::messages::{self, Kind};
use std::{
    env,
    process::{Command, Stdio},
    thread,
};

/// The commands that open an address with what the desktop has chosen, in the order in which they are tried.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    // As `start` of the shell does, which would take a part of the address for commands of its own.
    &[&["rundll32", "url.dll,FileProtocolHandler"]]
} else {
    &[&["xdg-open"], &["wslview"], &["gio", "open"]]
};

/// Opens an address, and says so if that fails. Does not wait: a browser may go on until it is closed.
pub(super) fn open(address: String) {
    let work = move || {
        let chosen = env::var("BROWSER").unwrap_or_default();
        let chosen = chosen.split(':').map(|command| command.split_whitespace().collect::<Vec<_>>());
        let mut all = chosen.chain(OPENERS.iter().map(|opener| opener.to_vec()));
        if !all.any(|words| opened(&words, &address)) {
            messages::say(Kind::Note, "no browser could be opened; open the address in one");
        }
    };
    // Without a thread the user opens the address.
    let _ = thread::Builder::new().name("browser".to_owned()).spawn(work);
}

/// Runs a command with the address in place of `%s`, or behind its words. Returns whether it succeeded.
fn opened(words: &[&str], address: &str) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let mut command = Command::new(program);
    command.args(arguments.iter().map(|word| word.replace("%s", address)));
    if !arguments.iter().any(|word| word.contains("%s")) {
        command.arg(address);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
