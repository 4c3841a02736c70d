//! The key to the pictures, and their colours.

use crate::{
    palette::{Palette, Rgb, hex},
    table::portrait::Colour,
};
use maud::{Markup, html};

/// Returns the colours of the pictures as CSS variables, and each step of the scales as `--police-0` to the
/// palest.
pub(super) fn colours() -> String {
    let css = |colour: Colour| hex(colour.rgb());
    let gradient = |last: u8, colour: fn(u8) -> Colour| {
        const STOPS: u16 = 8;
        let stops: Vec<_> = (0..=STOPS).map(|i| css(colour((i * u16::from(last) / STOPS) as u8))).collect();
        format!("linear-gradient(90deg,{})", stops.join(","))
    };
    let scale = |side: &str, scale: &[Rgb]| -> String {
        scale.iter().enumerate().map(|(step, &rgb)| format!("--{side}-{step}:{};", hex(rgb))).collect()
    };
    let Palette { police, thief, .. } = Palette::get();
    format!(
        ":root{{{}{}--wall:{};--exit:{};--start:{};--drawn:{};--captures:{};--escapes:{}}}",
        scale("police", police),
        scale("thief", thief),
        css(Colour::Wall),
        css(Colour::Exit),
        css(Colour::Start),
        css(Colour::Draw),
        gradient(Colour::LATEST_CAPTURE, Colour::Capture),
        gradient(Colour::LATEST_ESCAPE, Colour::Escape),
    )
}

pub(super) fn key() -> Markup {
    let swatch = |name: &str, text: &str| html! { span { i.swatch.(name) {} (text) } };
    html! {
        section.panel.key aria-label="Key to the pictures" {
            p.keys {
                span { "caught at once " i.scale.captures {} " last of all" }
                span { "escapes at once " i.scale.escapes {} " last of all" }
                (swatch("drawn", "neither")) (swatch("start", "the officer")) (swatch("exit", "exit")) (swatch("wall", "wall"))
            }
            details {
                summary { "What the pictures show" }
                p {
                    "Each picture is the board as one police officer sees it, who is to move: a cell’s colour says what becomes of a "
                    "thief on it. The officer stands on the cell asked for, else on the one that catches the most thieves, and these "
                    "the soonest. Shades follow how long it takes within one picture. Distances are plies, single moves of one side; both play their best."
                }
            }
        }
    }
}
