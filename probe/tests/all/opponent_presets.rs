//! The presets of `Strength` on the page and in other languages, which are written from those of the crate:
//! `DRAGNET_WRITE=1 cargo test -p dragnet-probe presets` writes them anew.

use dragnet_probe::opponent::Strength;
use std::{env, fs, path::Path};

/// A preset as other languages show it.
struct Preset {
    /// The name, in lower case.
    name: &'static str,
    strength: Strength,
    /// The sentence about it in the crate.
    meaning: String,
}

impl Preset {
    /// Returns all presets, the weakest first.
    fn all() -> Vec<Preset> {
        let source = include_str!("../../src/opponent/strength.rs");
        let preset = |(name, strength): (&'static str, Strength)| {
            let constant = format!("    pub const {}: Strength =", name.to_uppercase());
            let (before, _) = source.split_once(&constant).expect("each preset is a constant");
            let comment = before.lines().last().and_then(|line| line.trim().strip_prefix("/// "));
            Preset { name, strength, meaning: comment.expect("each has a line about it").to_owned() }
        };
        Strength::PRESETS.into_iter().map(preset).collect()
    }

    /// Returns the parameters by their names, in order; an unlimited one as `unlimited`.
    fn parameters(&self, unlimited: &str) -> [(&'static str, String); 6] {
        let Strength { errors, blunders, plies, drop, horizon, reaction } = self.strength;
        let far =
            |plies: u32| if plies == Strength::UNLIMITED { unlimited.to_owned() } else { plies.to_string() };
        [
            ("errors", errors.to_string()),
            ("blunders", blunders.to_string()),
            ("plies", far(plies)),
            ("drop", drop.to_string()),
            ("horizon", far(horizon)),
            ("reaction", reaction.to_string()),
        ]
    }

    fn on_page(&self) -> String {
        let parameters = self.parameters("unlimited").map(|(_, value)| format!(" {value} |"));
        format!("| {} |{}\n", self.name, parameters.concat())
    }

    fn in_typescript(&self) -> String {
        let parameters = self.parameters("UNLIMITED").map(|(name, value)| format!("{name}: {value}"));
        let (constant, parameters) = (self.name.to_uppercase(), parameters.join(", "));
        format!("  /** {} */\n  {constant}: {{ {parameters} }} as Strength,\n", self.meaning)
    }

    fn in_csharp(&self) -> String {
        let (name, meaning) = (self.name, &self.meaning);
        let (first, rest) = name.split_at(1);
        format!(
            "        /// <summary>{meaning}</summary>\n        public static Strength {}{rest} => \
             Preset(\"{name}\");\n\n",
            first.to_uppercase()
        )
    }
}

/// Compares the lines between a line with `presets: ` and the next one with `end of presets`, or writes them.
#[track_caller]
fn compare(file: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(&path).unwrap();
    let line_with = |mark, from: usize| {
        text[from..].find(mark).map(|at| from + at).unwrap_or_else(|| panic!("{file}: expected {mark:?}"))
    };
    let begin = line_with("presets: written by", 0);
    let begin = begin + text[begin..].find('\n').unwrap() + 1;
    let end = line_with("end of presets", begin);
    let end = text[..end].rfind('\n').unwrap() + 1;
    if text[begin..end] != *expected {
        let message = "DRAGNET_WRITE=1 cargo test -p dragnet-probe presets writes the presets anew";
        assert!(env::var_os("DRAGNET_WRITE").is_some(), "{file}: {message}");
        fs::write(&path, format!("{}{expected}{}", &text[..begin], &text[end..])).unwrap();
    }
}

#[test]
fn presets_are_the_same_on_the_page_and_in_other_languages() {
    let presets = Preset::all();
    let each = |form: fn(&Preset) -> String| presets.iter().map(form).collect::<String>();
    let names = presets.iter().map(|preset| format!("{:?}", preset.name)).collect::<Vec<_>>().join(", ");
    let pairs = presets.iter().map(|preset| format!("{}: NAMED.{}", preset.name, preset.name.to_uppercase()));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let head = ["preset", "errors", "blunders", "plies", "drop", "horizon", "reaction"].join(" | ");
    let page = each(Preset::on_page);
    compare("OPPONENT.md", &format!("\n| {head} |\n{}|\n{page}\n", "|---".repeat(7)));
    let typescript = each(Preset::in_typescript);
    compare(
        "js/src/opponent/strength.ts",
        &format!("const NAMED = {{\n{typescript}}};\nconst PRESETS = {{ {pairs} }};\n"),
    );
    compare("csharp/Runtime/Strength.cs", &format!("\n{}", each(Preset::in_csharp)));
    compare("python/python/dragnet_probe/opponents.py", &format!("Preset: TypeAlias = Literal[{names}]\n"));
}
