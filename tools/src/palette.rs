//! The colours of boards, in pictures, pages and terminals: the palette of the application, which also says
//! what they mean.
//!
//! The police's wins are blue and the thief's orange: the two that all kinds of sight tell apart. Quick wins
//! are dark, slow ones pale, so that each scale is one without its hue, too.

use serde::Deserialize;
use std::sync::LazyLock;

/// Red, green and blue.
pub(crate) type Rgb = [u8; 3];

/// The colours of the application.
static PALETTE: LazyLock<Palette> = LazyLock::new(|| {
    let written: Written = serde_json::from_str(include_str!("../web/src/base/palette.json"))
        .expect("a test reads the palette, which is a part of the program");
    let all = |texts: &[String]| texts.iter().map(|text| rgb(text)).collect();
    Palette {
        police: all(&written.police),
        thief: all(&written.thief),
        draw: rgb(&written.draw),
        wall: rgb(&written.wall),
        exit: rgb(&written.exit),
        start: rgb(&written.start),
    }
});

/// The palette as its file has it: colours as `#rrggbb`.
#[derive(Deserialize)]
struct Written {
    police: Vec<String>,
    thief: Vec<String>,
    draw: String,
    wall: String,
    exit: String,
    start: String,
}

/// The colours of everything on a board.
pub(crate) struct Palette {
    /// The wins of the police, from the quickest to the slowest.
    pub(crate) police: Vec<Rgb>,
    /// The wins of the thief, from the quickest to the slowest.
    pub(crate) thief: Vec<Rgb>,
    pub(crate) draw: Rgb,
    pub(crate) wall: Rgb,
    pub(crate) exit: Rgb,
    /// The cell of an officer.
    pub(crate) start: Rgb,
}

impl Palette {
    /// Returns the palette.
    pub(crate) fn get() -> &'static Palette {
        &PALETTE
    }
}

/// Returns the colour at `share` of a scale, from 0 at its first colour to 1 at its last.
pub(crate) fn along(scale: &[Rgb], share: f64) -> Rgb {
    let last = scale.len() - 1;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let first = (at as usize).min(last.saturating_sub(1));
    let second = scale[(first + 1).min(last)];
    let part = at - first as f64;
    let mix = |i: usize| {
        let (from, to) = (f64::from(scale[first][i]), f64::from(second[i]));
        (from + (to - from) * part).round() as u8
    };
    [mix(0), mix(1), mix(2)]
}

/// Returns the colour of text on `ground`: white or black, whichever has more contrast.
pub(crate) fn ink_on(ground: Rgb) -> Rgb {
    // At this luminance the contrast with white equals the one with black, by WCAG 2.
    if luminance(ground) < 0.179 { [255; 3] } else { [0; 3] }
}

/// Returns the colour as `#rrggbb`.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns the luminance of a colour by WCAG 2, from 0 to 1.
fn luminance(rgb: Rgb) -> f64 {
    let [red, green, blue] = rgb.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Reads a colour of the form `#rrggbb`.
///
/// # Panics
/// If it has another form; a test reads every colour.
fn rgb(text: &str) -> Rgb {
    let number = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, red, green, blue] = number.expect("a colour of the palette is #rrggbb").to_be_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_scale_becomes_paler_all_the_way() {
        for scale in [&Palette::get().police, &Palette::get().thief] {
            let shades: Vec<f64> = (0..=100).map(|i| luminance(along(scale, f64::from(i) / 100.0))).collect();
            assert!(shades.windows(2).all(|two| two[0] <= two[1]), "{shades:?}");
            assert_eq!((along(scale, 0.0), along(scale, 1.0)), (scale[0], scale[scale.len() - 1]));
        }
        assert_eq!(along(&[[7, 8, 9]], 0.5), [7, 8, 9]);
    }

    #[test]
    fn text_has_the_contrast_that_wcag_asks_for_on_every_colour() {
        let Palette { police, thief, draw, wall, exit, start } = Palette::get();
        for &ground in police.iter().chain(thief).chain([draw, wall, exit, start]) {
            let (one, other) = (luminance(ground) + 0.05, luminance(ink_on(ground)) + 0.05);
            let contrast = one.max(other) / one.min(other);
            assert!(contrast >= 4.5, "{} {contrast}", hex(ground));
        }
    }

    #[test]
    fn sides_differ_to_all_kinds_of_sight() {
        // Linear RGB as protanopes, deuteranopes and tritanopes see it: Machado et al. 2009, severity 1.
        const SIGHTS: [[[f64; 3]; 3]; 3] = [
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ];
        let linear = |rgb: Rgb| {
            rgb.map(|channel| {
                let channel = f64::from(channel) / 255.0;
                if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
            })
        };
        let lab = |[r, g, b]: [f64; 3]| {
            let xyz = [
                (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
                0.2126 * r + 0.7152 * g + 0.0722 * b,
                (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
            ];
            let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        };
        let apart = |a: [f64; 3], b: [f64; 3]| -> f64 {
            a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
        };
        for sight in SIGHTS {
            let seen = |rgb: Rgb| {
                let [r, g, b] = linear(rgb);
                lab(sight.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0)))
            };
            for i in 0..=20 {
                let at = f64::from(i) / 20.0;
                let (police, thief) = (along(&Palette::get().police, at), along(&Palette::get().thief, at));
                let distance = apart(seen(police), seen(thief));
                assert!(distance > 20.0, "{} {} {distance}", hex(police), hex(thief));
            }
        }
    }
}
