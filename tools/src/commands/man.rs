//! `dragnet man`: pages for `man`, from the help texts.

use super::output;
use crate::{failure::Failure, version};
use clap::Args;
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

/// Print the manual page, or write a page for every command
///
/// Without --out the page of dragnet itself goes to standard output. The archives and the Debian package of a
/// release hold all pages.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ManCommand {
    /// The folder for the pages of all commands, created if need be
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  dragnet man | man -l -
  dragnet man --out ~/.local/share/man/man1";

impl ManCommand {
    /// Prints or writes pages for this description of the command line.
    pub(crate) fn run(self, command_line: clap::Command) -> Result<(), Failure> {
        let Some(folder) = &self.out else {
            let mut output = output();
            output.write_all(&page(&command_line)?)?;
            return Ok(output.flush()?);
        };
        let cannot = |error| Failure::cannot("write", folder, error);
        fs::create_dir_all(folder).map_err(cannot)?;
        let mut left = vec![&command_line];
        while let Some(command) = left.pop() {
            let path = folder.join(format!("{}.1", name(command)));
            fs::write(&path, page(command)?).map_err(|error| Failure::cannot("write", &path, error))?;
            left.extend(command.get_subcommands().filter(|command| has_page(command)));
        }
        Ok(())
    }
}

/// Returns whether a command has a page: `help` prints what is in the others.
fn has_page(command: &clap::Command) -> bool {
    command.get_name() != "help"
}

/// Returns the name of a command's page, as in `dragnet-graph-solve`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// Returns the page of a command.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let shown = command.clone().subcommand_help_heading("COMMANDS").subcommand_value_name("COMMAND");
    let man = Man::new(shown)
        .title(name(command).to_uppercase())
        .date(version::DATE)
        .source(format!("dragnet {}", version::SHORT))
        .manual("Dragnet");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let after = command.get_after_long_help().or_else(|| command.get_after_help());
    closing_sections(&after.map(ToString::to_string).unwrap_or_default()).to_writer(&mut page)?;
    if name(command) != "dragnet" {
        see_also().to_writer(&mut page)?;
    }
    Ok(page)
}

/// Returns the sections of the text that stands behind the options in a help text. A paragraph that begins
/// with `Heading:` is a section; lines that are indented keep their form.
fn closing_sections(text: &str) -> Roff {
    let mut page = Roff::default();
    let mut notes = false;
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let heading = paragraph.split_once(':').filter(|(heading, _)| {
            heading.starts_with(char::is_uppercase)
                && heading.split(' ').count() <= 2
                && !heading.contains('\n')
        });
        let body = match heading {
            Some((heading, body)) => {
                page.control("SH", [heading.to_uppercase().as_str()]);
                notes = false;
                body
            }
            // It goes on with the section before it.
            None if notes || paragraph.starts_with("  ") => {
                page.control("PP", []);
                paragraph
            }
            None => {
                page.control("SH", ["NOTES"]);
                notes = true;
                paragraph
            }
        };
        let mut verbatim = false;
        for line in body.lines().filter(|line| !line.is_empty()) {
            let indented = line.starts_with("  ");
            if indented != verbatim {
                page.control(if indented { "nf" } else { "fi" }, []);
                verbatim = indented;
            }
            page.text([roman(line.strip_prefix("  ").unwrap_or_else(|| line.trim_start()))]);
        }
        if verbatim {
            page.control("fi", []);
        }
    }
    page
}

fn see_also() -> Roff {
    let mut page = Roff::default();
    page.control("SH", ["SEE ALSO"]);
    page.text([bold("dragnet"), roman("(1)")]);
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Returns the page as a terminal shows it, or `None` if there is no groff here.
    fn shown(page: &[u8]) -> Option<String> {
        let mut groff = Command::new("groff");
        groff.args(["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=10000n"]);
        groff.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let Ok(mut child) = groff.spawn() else {
            writeln!(io::stderr(), "skipped: there is no groff").unwrap();
            return None;
        };
        child.stdin.take().unwrap().write_all(page).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        Some(String::from_utf8(output.stdout).unwrap())
    }

    #[test]
    fn page_of_every_command_has_its_help_text() {
        let squeezed = |text: &str| {
            let plain = text.replace(['‐', '−', '’', '‘', '´', '\'', '`'], "-");
            plain.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let description = crate::command_line();
        let mut left: Vec<&clap::Command> =
            description.get_subcommands().filter(|one| has_page(one)).collect();
        while let Some(command) = left.pop() {
            left.extend(command.get_subcommands().filter(|one| has_page(one)));
            let Some(page) = shown(&page(command).unwrap()) else { return };
            let page = squeezed(&page);
            let texts = [command.get_about(), command.get_after_help()].into_iter().flatten();
            let texts: Vec<String> = texts.map(ToString::to_string).collect();
            let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.ends_with(':'));
            // The help text of --help is another one in a page.
            let arguments = command.get_arguments().filter(|argument| argument.get_id() != "help");
            let helps = arguments.filter_map(|argument| Some(argument.get_help()?.to_string()));
            for text in lines.map(str::to_owned).chain(helps) {
                assert!(page.contains(&squeezed(&text)), "{}: expected {text:?} in {page}", name(command));
            }
        }
    }
}
