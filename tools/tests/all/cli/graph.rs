//! `dragnet graph`: games on graphs, as a user runs them.

use super::support::run_with;
use dragnet_formats::{
    digest::{digest_term, splitmix64},
    value::Value,
};
use std::{fmt::Write, fs, path::Path};

/// A cycle of three with a way out: whoever is at 1 leaves.
const CYCLE: &[u8] = b"0 1\n1 2\n2 0\n1 3\n";

fn solve(line: &str, input: &[u8]) -> String {
    run_with(Path::new("."), &format!("graph solve {line}"), input).done()
}

#[track_caller]
fn refused(line: &str, input: &[u8], parts: &[&str]) {
    run_with(Path::new("."), &format!("graph solve {line}"), input).failed(2, parts);
}

#[test]
fn graph_solve_lists_every_vertex_with_its_value_and_best_move() {
    let said = solve("", CYCLE);
    assert!(said.starts_with("4 vertices, 4 edges: 2 won, 2 lost, 0 drawn; the longest win takes 3 plies; "));
    let listed = "\
vertex  value  plies  best move
0       lost       2  1
1       won        1  3
2       won        3  0
3       lost       0  -
";
    assert_eq!(said.split_once("\n\n").unwrap().1, listed);
    assert_eq!(
        solve("--vertex 2", CYCLE),
        "2: won in 3 plies\n\n  move      value after it  plies after it\n  0         lost            2\n\n\
         optimal play: 0 1 3, decided\n"
    );
    // Who cannot move wins: nobody goes to 3, and all go round.
    assert_eq!(
        solve("--stuck wins --csv", CYCLE),
        "vertex,value,dtw,best\n0,drawn,,1\n1,drawn,,2\n2,drawn,,0\n3,won,0,\n"
    );
    assert!(solve("--stuck wins --vertex 0", CYCLE).ends_with("optimal play: 1 2 0, repetition\n"));
    assert!(solve("", b"0\n").starts_with("0 vertices, 0 edges"));
}

#[test]
fn graph_solve_reads_edge_lists_lists_and_six_forms() {
    let values = |form: &str, text: &[u8]| solve(&format!("--csv {form}"), text);
    let expected = "vertex,value,dtw,best\n0,won,1,1\n1,lost,0,\n2,lost,2,0\n";
    assert_eq!(values("", b"3\r\n0 1\r\n0 2\r\n2 0\r\n"), expected);
    let from_one = "vertex,value,dtw,best\n1,won,1,2\n2,lost,0,\n3,lost,2,1\n";
    assert_eq!(values("--form lists", b"3 3  2 2 3  0  1 1"), from_one);
    let named = "vertex,value,dtw,best\n\"a,b\",won,1,end\nend,lost,0,\nc,lost,2,\"a,b\"\n";
    assert_eq!(values("--names", b"a,b end\na,b c\nc a,b\n"), named);
    // A path of three vertices, each edge both ways: nobody is ever stuck.
    let drawn = "vertex,value,dtw,best\n0,drawn,,1\n1,drawn,,0\n2,drawn,,1\n";
    assert_eq!(values("--undirected", b"0 1\n1 2\n"), drawn);
    assert_eq!(values("--form six", b"Bg\n"), "vertex,value,dtw,best\n0,drawn,,1\n1,drawn,,0\n2,drawn,,1\n");
}

#[test]
fn graph_solve_takes_values_of_vertices_from_the_input() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("labels"), "# the end is won\nend won\r\nback lost\n").unwrap();
    let line = "graph solve --names --csv --label labels";
    let said = run_with(folder.path(), line, b"start end\nstart middle\nmiddle back\nback start\n").done();
    let expected =
        "vertex,value,dtw,best\nstart,lost,2,middle\nend,won,0,\nmiddle,won,1,back\nback,lost,0,\n";
    assert_eq!(said, expected);
    for (labels, parts) in [
        ("nobody won\n", ["labels", "line 1", "expected a vertex of the graph"]),
        ("end won now\n", ["labels", "line 1", "expected a vertex and won, lost or drawn"]),
        ("\nend better\n", ["labels", "line 2", "expected won, lost or drawn"]),
    ] {
        fs::write(folder.path().join("labels"), labels).unwrap();
        run_with(folder.path(), line, b"start end\n").failed(2, &parts);
    }
}

#[test]
fn graph_solve_refuses_bad_graphs_and_names_the_place() {
    refused("", b"0 1\n1 x\n", &["standard input", "line 2, column 3", "expected a vertex, a number from 0"]);
    refused("", b"2\n0 2\n", &["line 2, column 3", "expected a vertex below 2"]);
    refused("--form lists", b"2 1\n1 3\n0\n", &["line 2, column 3", "from 1 to 2"]);
    refused("--form six", b"D\n", &["line 1", "expected 3 characters"]);
    refused("--form six", b"A_\nA_\n", &["line 2", "expected one graph"]);
    refused(
        "--form six --names",
        b"A_\n",
        &["--names, --directed, --undirected and --vertices are for edge lists"],
    );
    refused("--vertex 4", CYCLE, &["--vertex", "expected a vertex from 0 to 3"]);
    run_with(Path::new("."), "graph solve nowhere.txt", b"").failed(3, &["nowhere.txt"]);
    run_with(Path::new("."), "graph solve .", b"").failed(2, &["expected a graph, found a folder"]);
}

#[test]
fn graph_solve_prints_json_and_draws_dot() {
    let json: serde_json::Value = serde_json::from_str(&solve("--json", CYCLE)).unwrap();
    assert_eq!((&json["vertices"], &json["won"], &json["longest"]), (&4.into(), &2.into(), &3.into()));
    let first = serde_json::json!({"vertex": "0", "value": "lost", "dtw": 2, "best": "1"});
    assert_eq!(json["values"][0], first);
    let json: serde_json::Value = serde_json::from_str(&solve("--json --vertex 2", CYCLE)).unwrap();
    assert_eq!(json["line"], serde_json::json!(["0", "1", "3"]));
    assert_eq!(json["end"], "decided");
    let dot = solve("--dot --names", b"a\\\"b c\n");
    assert!(dot.contains("\"a\\\\\\\"b\" -> \"c\" [penwidth=2]"), "{dot}");
}

/// A made graph is the same each time, in as many threads as one likes; what the summary says of it follows
/// from the list of all vertices.
#[test]
fn graph_make_is_reproducible_and_graph_solve_sums_up() {
    let make = |line: &str| {
        run_with(Path::new("."), &format!("graph make --vertices 30000 --edges 300000 {line}"), b"").done()
    };
    let text = make("--seed 3 --threads 1");
    assert_eq!((text.lines().next(), text.lines().count()), (Some("30000"), 300_001));
    assert_eq!(make("--seed 3 --threads 3"), text);
    assert_ne!(make("--seed 4"), text);
    let csv = solve("--csv --threads 3", text.as_bytes());
    let (mut counts, mut digest, mut longest) = ([0; 3], 0u64, 0);
    for (vertex, line) in (0..).zip(csv.lines().skip(1)) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[0], vertex.to_string());
        let dtw = fields[2].parse().unwrap_or(0);
        let (place, value) = match fields[1] {
            "won" => (0, Value::Win(dtw)),
            "lost" => (1, Value::Loss(dtw)),
            _ => (2, Value::Draw),
        };
        counts[place] += 1;
        digest = digest.wrapping_add(digest_term(vertex, value.code()));
        longest = longest.max(dtw);
    }
    assert!(counts.iter().all(|&count| count > 100) && longest > 10, "{counts:?} {longest}");
    let json: serde_json::Value =
        serde_json::from_str(&solve("--summary --json --threads 2", text.as_bytes())).unwrap();
    let expected = serde_json::json!([counts[0], counts[1], counts[2], longest, format!("{digest:016x}")]);
    let found = ["won", "lost", "drawn", "longest", "digest"].map(|name| &json[name]);
    assert_eq!(serde_json::json!(found), expected);
    assert!(json.get("values").is_none() && json["read_seconds"].as_f64() > Some(0.0), "{json}");
    let said = solve("--summary", text.as_bytes());
    assert!(said.starts_with("30,000 vertices, 300,000 edges: "), "{said}");
    assert!(said.contains(&format!("\ndigest {digest:016x}; read in ")), "{said}");
}

/// Many vertices, one of them with more moves than a counter has bits for, on any number of threads.
#[test]
fn graph_solve_gives_the_same_values_with_any_number_of_threads() {
    let mut text = String::from("60000\n");
    for i in 0..150_000u64 {
        let draw = |salt: u64| splitmix64(3 * i + salt) % 50_000;
        writeln!(text, "{} {}", draw(0), draw(1)).unwrap();
    }
    for to in 0..40_000 {
        writeln!(text, "59999 {to}").unwrap();
    }
    let expected = solve("--csv --threads 1", text.as_bytes());
    assert_eq!(expected.lines().count(), 60_001);
    for threads in [2, 3, 8] {
        assert!(
            solve(&format!("--csv --threads {threads}"), text.as_bytes()) == expected,
            "{threads} threads"
        );
    }
}

/// The samples of the contest problem, one that its players found, and graphs on which labels would say
/// something else.
#[test]
fn graph_solo_gives_the_sample_answers_of_the_contest() {
    let solo = |line: &str, text: &str| {
        run_with(Path::new("."), &format!("graph solo {line}"), text.as_bytes()).done()
    };
    for (text, expected) in [
        ("5 6\n2 2 3\n2 4 5\n1 4\n1 5\n0\n1\n", "Win\n1 2 4 5\n"),
        ("3 2\n1 3\n1 1\n0\n2\n", "Lose\n"),
        ("2 2\n1 2\n1 1\n1\n", "Draw\n"),
        ("4 3\n0\n1 3\n2 2 4\n0\n1\n", "Lose\n"),
        // The second player would rather stay in the cycle.
        ("3 3\n1 2\n2 1 3\n0\n2\n", "Win\n2 3\n"),
    ] {
        assert_eq!(solo("--form lists", text), expected, "{text:?}");
    }
    assert_eq!(solo("--from a --names", "a b\nb c\nb d\nd c\n"), "Win\na b d c\n");
    assert_eq!(solo("--from 1 --json", "0 1\n1 2\n"), "{\"outcome\":\"win\",\"walk\":[\"1\",\"2\"]}\n");
    let failed = |line: &str, text: &str, parts: &[&str]| {
        run_with(Path::new("."), &format!("graph solo {line}"), text.as_bytes()).failed(2, parts);
    };
    failed("", "0 1\n", &["expected --from"]);
    failed("--form lists --from 1", "1 0\n0\n1\n", &["--from is for the other forms"]);
    failed("--form lists", "1 0\n0\n", &["line 3", "expected the vertex to start from"]);
    failed("--from 7", "0 1\n", &["--from: expected a vertex from 0 to 1"]);
}
