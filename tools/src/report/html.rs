//! The page of a report, which needs no other file and no network. The templates escape every text.

use crate::{
    output::human,
    report::{
        entry::TableEntry,
        portrait::{Colour, Histogram, Portrait},
        status::Status,
        totals::RunReport,
    },
};
use dragnet_formats::{cell::Cell, header::Counts};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Write;

/// The content security policy of the page: nothing may be loaded from anywhere.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

pub(super) fn page(report: &RunReport) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (report.title) " – Dragnet" }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(colours())) }
            }
            body {
                header {
                    p.product { "Dragnet" }
                    h1 { (report.title) }
                }
                (totals(report))
                (legend())
                (controls(report))
                div.scroll { (boards(report)) }
                dialog { figure { div.large {} figcaption {} } form method="dialog" { button { "Close" } } }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    }
    .into_string()
}

/// Returns the colours of the pictures, for the legend, as CSS variables.
fn colours() -> String {
    let css = |colour: Colour| {
        let [red, green, blue] = colour.rgb();
        format!("rgb({red} {green} {blue})")
    };
    let gradient = |last: u8, colour: fn(u8) -> Colour| {
        const STOPS: u16 = 8;
        let stops: Vec<_> = (0..=STOPS).map(|i| css(colour((i * u16::from(last) / STOPS) as u8))).collect();
        format!("linear-gradient(90deg,{})", stops.join(","))
    };
    format!(
        ":root{{--wall:{};--exit:{};--start:{};--drawn:{};--captures:{};--escapes:{}}}",
        css(Colour::Wall),
        css(Colour::Exit),
        css(Colour::Start),
        css(Colour::Draw),
        gradient(Colour::LATEST_CAPTURE, Colour::Capture),
        gradient(Colour::LATEST_ESCAPE, Colour::Escape),
    )
}

fn totals(report: &RunReport) -> Markup {
    let totals = &report.totals;
    let counted = Status::ALL.into_iter().filter(|&status| totals.count(status) > 0);
    let longest = report.entries.iter().max_by_key(|entry| entry.longest_win());
    let longest = longest.and_then(|entry| Some((entry.longest_win()?, &entry.name)));
    html! {
        dl.totals {
            div {
                dt { "Boards" }
                dd { (human::count(totals.boards)) }
                dd.more { @for status in counted {
                    span class={ "status " (status) } { (human::count(totals.count(status))) " " (status) } " "
                } }
            }
            div {
                dt { "Positions" }
                dd { (human::count(totals.positions)) }
                dd.more { "solved, either side to move" }
            }
            div {
                dt { "Tables" }
                dd { (human::bytes(totals.bytes)) }
                @if totals.positions > 0 {
                    dd.more { (bits(totals.bytes as f64 * 8.0 / totals.positions as f64)) " per position" }
                }
            }
            @if totals.seconds() > 0.0 || totals.elapsed_seconds.is_some() {
                div {
                    dt { "Time" }
                    dd { (seconds(totals.elapsed_seconds.unwrap_or(totals.seconds()))) }
                    dd.more {
                        "solving " (seconds(totals.solve_seconds)) ", writing " (seconds(totals.write_seconds))
                    }
                }
            }
            @if let Some((plies, name)) = longest {
                div { dt { "Longest chase" } dd { (human::plies(plies)) } dd.more { (name) } }
            }
        }
    }
}

fn legend() -> Markup {
    let swatch = |name: &str, text: &str| html! { span { i.swatch.(name) {} (text) } };
    html! {
        section.legend {
            p {
                "Each picture is the board as one police officer sees it, who is to move: a cell’s colour says what becomes of a "
                "thief on it. The officer stands on the cell asked for, else on the one that catches the most thieves, and these "
                "the soonest. Shades follow how long it takes within one picture. Distances are plies, single moves of one side; both play their best."
            }
            p.keys {
                span { "caught at once " i.scale.captures {} " last of all" }
                span { "escapes at once " i.scale.escapes {} " last of all" }
                (swatch("drawn", "neither")) (swatch("start", "the officer")) (swatch("exit", "exit")) (swatch("wall", "wall"))
            }
        }
    }
}

fn controls(report: &RunReport) -> Markup {
    html! {
        div.controls {
            input type="search" placeholder="Filter by name" aria-label="Filter by name";
            @for status in Status::ALL { @if report.totals.count(status) > 0 {
                label { input type="checkbox" value=(status) checked; " " (status) }
            } }
            output {}
        }
    }
}

/// A column: its title, whether greater numbers come first when it is sorted, and its explanation.
const COLUMNS: [(&str, bool, &str); 9] = [
    ("Picture", false, "In the order of the batch"),
    ("Board", false, "Name and what became of it"),
    ("Size", true, "Squares, open cells, positions with either side to move"),
    (
        "Outcomes",
        true,
        "Shares of all positions that the police wins, the thief wins, and neither; sorted by the police’s",
    ),
    ("Longest", true, "Plies of the longest win of each side"),
    (
        "Distances",
        true,
        "Positions with the police to move by distance: police wins upwards, thief wins downwards; sorted by the longest",
    ),
    ("File", true, "Bytes of the table"),
    ("Time", true, "Seconds of solving and writing"),
    ("Memory", true, "Memory taken or reckoned with"),
];

fn boards(report: &RunReport) -> Markup {
    html! {
        table.no-time[!report.entries.iter().any(|entry| entry.seconds().is_some())]
            .no-memory[!report.entries.iter().any(|entry| entry.memory_bytes.is_some())] {
            thead { tr { @for (title, falling, what) in COLUMNS {
                th scope="col" data-falling=[falling.then_some("")] { button type="button" title=(what) { (title) } }
            } } }
            tbody { @for (number, entry) in report.entries.iter().enumerate() { (board(number, entry)) } }
        }
    }
}

fn board(number: usize, entry: &TableEntry) -> Markup {
    let outcomes = entry.outcomes();
    let share = outcomes.map(|counts| counts.police as f64 / counts.total().max(1) as f64);
    html! {
        tr data-status=(entry.status) {
            td.portrait data-v=(number) { @if let Some(portrait) = &entry.portrait { (picture(entry, portrait)) } }
            td.name data-v=(entry.name) {
                b { (entry.name) } " " span class={ "status " (entry.status) } { (entry.status) }
                @if let Some(note) = entry.note() { p.message { (note) } }
                @if let Some(portrait) = &entry.portrait { p.view { (view(portrait)) } }
                @if let Some(path) = &entry.path { p.path { (path) } }
                @if let Some(digest) = &entry.digest { p.path { "digest " (digest) } }
            }
            td.number data-v=[entry.cells] {
                @if let Some((height, width)) = entry.height.zip(entry.width) { p { (height) "×" (width) } }
                @if let Some(cells) = entry.cells { p.small { (human::count(cells)) @if cells == 1 { " cell" } @else { " cells" } } }
                @if let Some(positions) = entry.positions { p.small { (human::count(positions)) " positions" } }
            }
            td.outcomes data-v=[share] {
                @for (who, counts) in [("police first", entry.police_to_move), ("thief first", entry.thief_to_move)] {
                    @if let Some(counts) = counts { (outcome_bar(who, &counts)) }
                }
            }
            td.number data-v=[entry.longest_win()] { @if let Some(longest) = entry.longest {
                p { span.police { (longest.police) } " / " span.thief { (longest.thief) } }
                @if let Some(engine) = &entry.engine { p.small { (engine) } }
            } }
            td data-v=[entry.longest_win()] {
                @if let Some(portrait) = &entry.portrait { (histogram(&portrait.histogram)) }
            }
            td.number data-v=[entry.bytes] { @if let Some(bytes) = entry.bytes {
                p { (human::bytes(bytes)) }
                @if let Some(each) = entry.bits_per_position { p.small { (bits(each)) " each" } }
            } }
            td.number data-v=[entry.seconds()] { @if let Some(all) = entry.seconds() {
                p { (seconds(all)) }
                @if let Some((solve, write)) = entry.solve_seconds.zip(entry.write_seconds) {
                    p.small { "solving " (seconds(solve)) } p.small { "writing " (seconds(write)) }
                }
            } }
            td.number data-v=[entry.memory_bytes] { @if let Some(bytes) = entry.memory_bytes { (human::bytes(bytes)) } }
        }
    }
}

/// The most pixels of the longer side of a picture in the list.
const SIDE: f64 = 120.0;
/// The most pixels of a square.
const SQUARE: f64 = 20.0;
/// The pixels of a square below which the officer's cell has a ring around it.
const RINGED: f64 = 7.0;

fn picture(entry: &TableEntry, portrait: &Portrait) -> Markup {
    let (height, width) = (u32::from(entry.height.unwrap_or(1)), u32::from(entry.width.unwrap_or(1)));
    let square = (SIDE / f64::from(height.max(width))).min(SQUARE);
    // Whole pixels per square, unless these are so few that squares are smoothed.
    let sharp = square >= 2.0;
    let square = if sharp { square.floor() } else { square };
    // Of a corridor more must be seen than is there.
    let scaled = |side: u32| format!("{:.0}px", (f64::from(side) * square).max(5.0));
    let percent = |place: u16, of: u32| (f64::from(place) + 0.5) * 100.0 / f64::from(of);
    let place = |cell: &Cell| {
        let (left, top) = (percent(cell.col, width), percent(cell.row, height));
        format!("left:{left:.2}%;top:{top:.2}%")
    };
    html! {
        button.picture type="button" title="Enlarge"
            style={ "width:" (scaled(width)) ";height:" (scaled(height)) ";--height:" (height) ";--width:" (width) } {
            img.smooth[!sharp] src={ "data:image/png;base64," (portrait.picture) } alt={ "Board of " (entry.name) };
            @if square < RINGED { @for cell in portrait.start.iter() { i.ring style=(place(cell)) {} } }
        }
    }
}

/// Returns the contents of the picture in words.
fn view(portrait: &Portrait) -> String {
    let (counts, one) = (&portrait.from_start, portrait.start.len() == 1);
    let mut text = format!(
        "{} on {}{}: {} {} of thieves",
        if one { "officer" } else { "officers" },
        portrait.start,
        if portrait.start_given {
            ""
        } else if one {
            ", the best cell"
        } else {
            ", the best cells"
        },
        if one { "catches" } else { "catch" },
        human::percent(counts.police, counts.total()),
    );
    if portrait.longest_from_start.police > 0 {
        let plies = human::plies(portrait.longest_from_start.police);
        let _ = write!(text, ", at the latest in {plies}, {:.1} in the mean", portrait.mean_capture());
    }
    if counts.thief > 0 {
        let _ = write!(text, "; {} escape", human::percent(counts.thief, counts.total()));
    }
    text
}

fn outcome_bar(who: &str, counts: &Counts) -> Markup {
    let parts = [("police", counts.police), ("thief", counts.thief), ("draw", counts.draw)];
    let share = |part: u64| part as f64 * 100.0 / counts.total().max(1) as f64;
    let words: Vec<String> = parts
        .iter()
        .map(|&(name, part)| {
            format!("{name} {} ({})", human::count(part), human::percent(part, counts.total()))
        })
        .collect();
    html! {
        div.outcome title={ (who) ": " (words.join(", ")) } {
            div.bar { @for (name, part) in parts { @if part > 0 { i.(name) style=(format!("width:{:.3}%", share(part))) {} } } }
            p.small { span { (who) } span { @for (number, (name, part)) in parts.into_iter().enumerate() {
                @if number > 0 { " · " }
                span.(name) { (format!("{:.1}", share(part))) }
            } " %" } }
        }
    }
}

/// Width and height of a histogram, in pixels.
const PLOT: [f64; 2] = [168.0, 52.0];

fn histogram(histogram: &Histogram) -> Markup {
    let most = |buckets: &[u64]| buckets.iter().copied().max().unwrap_or(0) as f64;
    let (up, down) = (most(&histogram.police), most(&histogram.thief));
    let buckets = histogram.police.len();
    let [width, height] = PLOT;
    let scale = height / (up + down).max(1.0);
    let base = up * scale;
    let each = width / buckets.max(1) as f64;
    let bars = |counts: &[u64], sign: f64| {
        let mut path = String::new();
        for (place, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            // What is more than nothing is seen.
            let high = (count as f64 * scale).max(0.8) * sign;
            let _ = write!(
                path,
                "M{:.1} {base:.1}v{high:.1}h{:.1}v{:.1}z",
                place as f64 * each,
                each * 0.86,
                -high
            );
        }
        path
    };
    let end = buckets as u32 * histogram.step;
    let all: u64 = histogram.police.iter().chain(&histogram.thief).sum();
    let about = format!(
        "{} decided positions with the police to move, {} plies to a bar; highest bars {} (police) and {} (thief)",
        human::count(all),
        histogram.step,
        human::count(up as u64),
        human::count(down as u64)
    );
    html! {
        div.histogram title=(about) {
            svg viewBox=(format!("0 -1 {width} {}", height + 2.0)) width=(width) height=(height + 2.0) role="img" aria-label=(about) {
                path.police d=(bars(&histogram.police, -1.0)) {}
                path.thief d=(bars(&histogram.thief, 1.0)) {}
                path.axis d=(format!("M0 {base:.1}h{width}")) {}
            }
            div.small { span { "0" } span { (end) " plies" } }
        }
    }
}

fn bits(number: f64) -> String {
    format!("{number:.2} bits")
}

fn seconds(number: f64) -> String {
    if number < 100.0 {
        format!("{number:.2} s")
    } else {
        format!("{} s", human::count(number.round() as u64))
    }
}
