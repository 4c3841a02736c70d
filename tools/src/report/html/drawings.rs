//! Drawings of a table: its board, its outcomes, its distances. Each has its contents in words too.

use crate::{
    output::human,
    report::entry::TableEntry,
    table::portrait::{Histogram, Portrait},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use dragnet_formats::{cell::Cell, header::Counts};
use maud::{Markup, html};
use std::fmt::Write;

/// The most pixels of the longer side of a picture in the list.
const SIDE: f64 = 120.0;
/// The most pixels of a square.
const SQUARE: f64 = 20.0;
/// The pixels of a square below which the officer's cell has a ring around it.
const RINGED: f64 = 7.0;

pub(super) fn picture(entry: &TableEntry, portrait: &Portrait) -> Markup {
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
            img.smooth[!sharp] src={ "data:image/png;base64," (STANDARD.encode(&portrait.picture)) } alt={ "Board of " (entry.name) };
            @if square < RINGED { @for cell in portrait.start.iter() { i.ring style=(place(cell)) {} } }
        }
    }
}

/// Returns the contents of the picture in words.
pub(super) fn view(portrait: &Portrait) -> String {
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

pub(super) fn outcome_bar(who: &str, counts: &Counts) -> Markup {
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

/// Width and height of a histogram, in its own units.
const PLOT: [f64; 2] = [168.0, 52.0];

pub(super) fn histogram(histogram: &Histogram) -> Markup {
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
        div.histogram {
            svg viewBox=(format!("0 -1 {width} {}", height + 2.0)) role="img" {
                title { (about) }
                path.police d=(bars(&histogram.police, -1.0)) {}
                path.thief d=(bars(&histogram.thief, 1.0)) {}
                path.axis d=(format!("M0 {base:.1}h{width}")) {}
            }
            div.small { span { "0" } span { (end) " plies" } }
        }
    }
}
