//! Compares `docs/schemas` and the tables of `docs/json.md` with the types that are printed, or writes them:
//! `DRAGNET_WRITE=1 cargo test -p dragnet --bin dragnet schemas`.

use super::{AsPrinted, settings};
use crate::{commands, messages::wrapped};
use schemars::JsonSchema;
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeMap, env, fs, path::Path};

/// The document that one command prints, or one file holds.
struct Document {
    /// The words of the command, joined by `-`.
    name: &'static str,
    description: &'static str,
    /// A schema for each form that the document may have.
    forms: Vec<Json>,
    definitions: Map<String, Json>,
}

impl Document {
    fn new(name: &'static str, description: &'static str) -> Document {
        Document { name, description, forms: Vec::new(), definitions: Map::new() }
    }

    /// Adds a form. Its description is that of the type.
    fn or<T: JsonSchema>(mut self) -> Document {
        let settings = settings().with_transform(AsPrinted { is_answer: true, is_part: false });
        let mut form = settings.into_generator().into_root_schema_for::<T>().to_value();
        let form_object = form.as_object_mut().expect("the schema of a type is an object");
        for word in ["$schema", "title"] {
            form_object.remove(word);
        }
        if let Some(Json::Object(definitions)) = form_object.remove("$defs") {
            self.definitions.extend(definitions);
        }
        self.forms.push(form);
        self
    }

    /// Returns the schema as its file has it.
    fn schema(&self) -> String {
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": self.title(),
            "description": self.description,
        });
        let object = schema.as_object_mut().expect("it is one");
        match &self.forms[..] {
            [Json::Object(form)] => {
                object.extend(form.clone().into_iter().filter(|(word, _)| word != "description"));
            }
            forms => drop(object.insert("oneOf".to_owned(), forms.into())),
        }
        object.insert("$defs".to_owned(), self.definitions.clone().into());
        serde_json::to_string_pretty(&schema).unwrap() + "\n"
    }

    fn title(&self) -> String {
        match self.name {
            "report" | "catalogue" => format!("{}.json", self.name),
            name => format!("dragnet {} --json", name.replace('-', " ")),
        }
    }
}

/// The tables of fields in the page, one document after the other.
#[derive(Default)]
struct Page {
    /// The section in which each type of a field is described.
    sections: BTreeMap<String, &'static str>,
}

impl Page {
    /// Returns the generated part of a document's section.
    fn section(&mut self, document: &Document) -> String {
        let Document { name, description, forms, definitions } = document;
        let mut text = paragraph(&format!("{description} Schema: [`{name}.json`](schemas/{name}.json)."));
        // Types of fields, with the names of these fields.
        let mut inner = Vec::new();
        for form in forms {
            if forms.len() > 1 {
                text += &format!("\n**{}**:\n", sentence(form));
            }
            text += &rows(form, definitions, &mut inner);
        }
        let mut done = 0;
        while let Some((definition, fields)) = inner.get(done).cloned() {
            done += 1;
            let schema = &definitions[&definition];
            let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
            let what = sentence(schema);
            let head = format!("{} ({}{})", fields.join(" and "), what[..1].to_lowercase(), &what[1..]);
            let known = self.sections.entry(definition).or_insert(name);
            if known == name {
                text += &format!("\n{}\n", paragraph(&format!("Fields of {head}:")).trim_end());
                text += &rows(schema, definitions, &mut inner);
            } else {
                let there = known.replace('-', " ");
                text +=
                    &format!("\n{}", paragraph(&format!("Fields of {head}: those in [{there}](#{known}).")));
            }
        }
        text
    }
}

/// Returns the first sentence of a schema's description without its full stop.
fn sentence(schema: &Json) -> &str {
    let description = schema["description"].as_str().unwrap_or_default();
    description.split(". ").next().unwrap_or_default().trim_end_matches('.')
}

/// The definitions of objects, each with the names of the fields of that type.
type Inner = Vec<(String, Vec<String>)>;

/// Returns the table of an object's fields, and adds the types of those that are objects to `inner`.
fn rows(object: &Json, definitions: &Map<String, Json>, inner: &mut Inner) -> String {
    let mut text = String::new();
    for (name, field) in object["properties"].as_object().into_iter().flatten() {
        let mut found = None;
        let kind = kind(name, field, definitions, &mut found);
        let meaning = field["description"].as_str().unwrap_or_default();
        if text.is_empty() {
            text += "\n| field | type | meaning |\n|---|---|---|\n";
        }
        text += &format!("| `{name}` | {kind} | {meaning} |\n");
        if let Some(found) = found {
            match inner.iter_mut().find(|(definition, _)| *definition == found) {
                Some((_, fields)) if fields.contains(name) => {}
                Some((_, fields)) => fields.push(name.clone()),
                None => inner.push((found, vec![name.clone()])),
            }
        }
    }
    for form in ["oneOf", "anyOf"].iter().flat_map(|forms| object[forms].as_array()).flatten() {
        text += &format!("\n{}:\n", sentence(form));
        text += &rows(form, definitions, inner);
    }
    text
}

/// Objects of a few numbers, whose names say all.
const BRIEF: [&str; 2] = ["Counts", "Longest"];

/// Returns the type of a field in words. `found` becomes the definition of an object that is to be described.
fn kind(name: &str, field: &Json, definitions: &Map<String, Json>, found: &mut Option<String>) -> String {
    if let Some(title) = field["title"].as_str() {
        return title.to_owned();
    }
    if let Some(reference) = field["$ref"].as_str() {
        let definition = reference.trim_start_matches("#/$defs/");
        let schema = &definitions[definition];
        if BRIEF.contains(&definition) {
            return format!("object `{{{}}}` of integers", keys(schema).join(", "));
        }
        if schema["title"].is_null() && schema["type"] == "object" || schema["oneOf"][0]["type"] == "object" {
            *found = Some(definition.to_owned());
            return "object, see below".to_owned();
        }
        return kind(name, schema, definitions, found);
    }
    if let Some(words) = field["enum"].as_array() {
        return words.iter().map(Json::to_string).collect::<Vec<_>>().join(", ");
    }
    if !field["const"].is_null() {
        return field["const"].to_string();
    }
    if let Some(forms) = ["oneOf", "anyOf"].iter().find_map(|forms| field[forms].as_array()) {
        let (objects, words): (Vec<_>, Vec<_>) =
            forms.iter().filter(|form| form["type"] != "null").partition(|form| form["type"] == "object");
        let mut kinds: Vec<String> =
            words.into_iter().map(|form| kind(name, form, definitions, found)).collect();
        kinds.extend(objects.into_iter().map(|form| format!("or object `{{{}}}`", keys(form).join(", "))));
        return kinds.join(", ");
    }
    let word = match &field["type"] {
        Json::Array(words) => words[0].as_str(),
        word => word.as_str(),
    };
    match word {
        Some("boolean") => "true or false".to_owned(),
        Some("string") => "text".to_owned(),
        Some("array") => {
            let of = kind(name, &field["items"], definitions, found);
            match ["object", "text", "integer", "list"].iter().find(|one| of.starts_with(*one)) {
                Some(one) => format!("list of {one}s{}", &of[one.len()..]),
                None => format!("list of {of}"),
            }
        }
        Some("integer") if name.split('_').any(|word| word == "bytes") => "bytes".to_owned(),
        Some("integer") if name == "dtw" => "plies".to_owned(),
        Some("integer") => format!("integer{}", range(field)),
        Some("number") if name.split('_').any(|word| word == "seconds") => "seconds".to_owned(),
        Some("number") => match name.rsplit('_').next() {
            Some("ns") => "nanoseconds",
            Some("us") => "microseconds",
            _ if name.starts_with("bits_") => "bits",
            _ if name.ends_with("per_second") => "per second",
            _ => return format!("number{}", range(field)),
        }
        .to_owned(),
        Some("object") if field["additionalProperties"].is_object() => {
            format!("object of {} by key", kind(name, &field["additionalProperties"], definitions, found))
        }
        _ => panic!("{name}: no word for {field}"),
    }
}

/// Returns the range of a number in words, with a comma before it.
fn range(field: &Json) -> String {
    match (field["minimum"].as_f64(), field["maximum"].as_f64()) {
        (Some(least), Some(most)) if field["type"] == "number" => format!(", {least} to {most}"),
        (Some(least), _) => format!(", from {least}"),
        _ => String::new(),
    }
}

fn keys(object: &Json) -> Vec<&str> {
    object["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect()
}

/// Returns a paragraph in lines that are not too long, with an end of line.
fn paragraph(text: &str) -> String {
    wrapped(text, 0, 110) + "\n"
}

/// Compares a file with what it should hold, or writes it.
fn compare(path: &Path, expected: &str) {
    let found = fs::read_to_string(path).unwrap_or_default();
    if found == expected {
        return;
    }
    assert!(
        env::var_os("DRAGNET_WRITE").is_some(),
        "{} is not what the types say; DRAGNET_WRITE=1 cargo test -p dragnet --bin dragnet schemas writes it anew",
        path.display()
    );
    fs::write(path, expected).unwrap();
}

#[test]
fn schemas_and_tables_of_fields_are_those_of_the_types() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let path = docs.join("json.md");
    let mut text = fs::read_to_string(&path).unwrap();
    let mut page = Page::default();
    for document in documents() {
        let name = document.name;
        compare(&docs.join("schemas").join(format!("{name}.json")), &document.schema());
        let (begin, end) = (format!("<!-- fields of {name} -->\n"), "<!-- end of fields -->\n");
        let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("expected {begin} in json.md"));
        let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("expected {end} after {begin}"));
        text = format!("{before}{begin}\n{}\n{end}{after}", page.section(&document));
    }
    compare(&path, &text);
}

fn documents() -> Vec<Document> {
    use crate::make::workers::FolderStatus;
    use commands::{
        batch::prune::PrunedFile,
        bench::{EngineMeasurements, TableMeasurements},
        checkpoints::CheckpointAnswer,
        cops::results::{CopNumbersAnswer, CopsAnswer},
        generate::GenerateAnswer,
        graph::{
            show::{GraphAnswer, SolvedVertexAnswer, VertexMovesAnswer, VertexValue},
            solo::SoloAnswer,
        },
        info::{PursuitInfo, game_table::GameInfo},
        pack::PackAnswer,
        plan::Forecast,
        policy::{certain::CertainPolicy, chance::ChancePolicy},
        probe::{
            StreamAnswer,
            partial::{BestMoveAnswer, OutcomeAnswer},
        },
        show::ShowAnswer,
        verify::table_check::TableCheck,
    };
    vec![
        Document::new(
            "generate",
            "One object per table when it is done: in the order of the arguments for boards and sizes, in the order in which they are done for a manifest.",
        )
        .or::<GenerateAnswer>(),
        Document::new("plan", "One object per table.").or::<Forecast>(),
        Document::new("batch-status", "One object; with `--watch` one each second from the time a run has begun.")
            .or::<FolderStatus>(),
        Document::new("batch-prune", "One object per file that the manifest no longer names.").or::<PrunedFile>(),
        Document::new(
            "report",
            "The file `report.json`, which `report` and `generate MANIFEST` write: one object over many lines.",
        )
        .or::<crate::report::totals::RunReport>(),
        Document::new(
            "checkpoints",
            "One object per file: the checkpoints of a table, and the log that they share.",
        )
        .or::<CheckpointAnswer>(),
        Document::new(
            "catalogue",
            "The file `catalogue.json`, which `site` writes beside the pages: tables, boards and graphs that the application can open.",
        )
        .or::<crate::catalogue::Catalogue>(),
        Document::new("pack", "One object.").or::<PackAnswer>(),
        Document::new(
            "probe",
            "One object; with `--stdin` one per line. The form depends on the kind of table, on `--stdin` and on `--graph`.",
        )
        .or::<crate::table::answers::PositionAnswer>()
        .or::<OutcomeAnswer>()
        .or::<BestMoveAnswer>()
        .or::<VertexValue>()
        .or::<VertexMovesAnswer>()
        .or::<StreamAnswer>(),
        Document::new("line", "One object.").or::<crate::table::answers::LineAnswer>(),
        Document::new("stealth", "One object.").or::<commands::stealth::StealthAnswer>(),
        Document::new("show", "One object.").or::<ShowAnswer>(),
        Document::new(
            "policy",
            "One object. Its form depends on whether the policy draws lots. The **fixed** side follows the policy, the other one is the **free** side; a bound of plies that is not known is `null`.",
        )
        .or::<CertainPolicy>()
        .or::<ChancePolicy>(),
        Document::new("info", "One object per table. The form depends on the kind of table.")
            .or::<PursuitInfo>()
            .or::<GameInfo>(),
        Document::new("stats", "One object per table. The form depends on the kind of table.")
            .or::<crate::table::statistics::PursuitStatisticsAnswer>()
            .or::<crate::table::statistics::GameStatisticsAnswer>(),
        Document::new(
            "verify",
            "One object per table, in the order of the arguments. The exit status is not 0 if a table fails.",
        )
        .or::<TableCheck>(),
        Document::new("bench", "One object: measurements of engines, or with `--table` of tables.")
            .or::<EngineMeasurements>()
            .or::<TableMeasurements>(),
        Document::new("graph-solve", "One object: the whole graph, or with `--vertex` one vertex.")
            .or::<GraphAnswer<()>>()
            .or::<SolvedVertexAnswer>(),
        Document::new("graph-solo", "One object.").or::<SoloAnswer>(),
        Document::new("cops", "One object per graph or board, or with `--count` one object in all.")
            .or::<CopsAnswer>()
            .or::<CopNumbersAnswer>(),
    ]
}
