//! Maps that are PNG pictures: one pixel is one cell.

use super::{
    limits::Budget,
    model::{CellValue, Map, Meaning, UNNUMBERED, Values},
};
use crate::error::MapError;
use png::{BitDepth, ColorType, Decoder, Limits, Transformations};
use std::{collections::HashMap, io::Cursor};

/// The first bytes of a PNG picture.
pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1A\n";

/// The most different colours of a picture that is a map. A photograph has more.
const MOST_COLOURS: usize = 1 << 12;

/// The most bytes that the decoder allocates besides the pixels.
const MOST_MEMORY: usize = 32 << 20;

/// Reads a picture. Black and transparent pixels are walls, white ones open; the user names other colours.
///
/// # Errors
/// When the bytes are not a PNG picture, it has more pixels than a board has cells, or it looks like a
/// photograph.
pub(super) fn read(bytes: &[u8]) -> Result<Map, MapError> {
    let not_png = |error: png::DecodingError| MapError::unusable(format!("expected a PNG picture: {error}"));
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MOST_MEMORY });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(not_png)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let count = Budget::new().take(height, width)?;
    check_palette(reader.info())?;
    let (colour, depth) = reader.output_color_type();
    let channels = colour.samples();
    let size = reader.output_buffer_size().filter(|&size| size == count * channels);
    let (BitDepth::Eight, Some(size)) = (depth, size) else {
        return Err(MapError::unusable(
            "expected a picture of 8 bits a channel after decoding, found another one",
        ));
    };
    let mut pixels = vec![0; size];
    reader.next_frame(&mut pixels).map_err(not_png)?;

    let mut numbers: HashMap<[u8; 4], u32> = HashMap::new();
    let mut cells = Vec::with_capacity(count);
    for pixel in pixels.chunks_exact(channels) {
        let rgba = match (colour, pixel) {
            (ColorType::Grayscale, &[grey]) => [grey, grey, grey, u8::MAX],
            (ColorType::GrayscaleAlpha, &[grey, alpha]) => [grey, grey, grey, alpha],
            (ColorType::Rgb, &[red, green, blue]) => [red, green, blue, u8::MAX],
            (ColorType::Rgba, &[red, green, blue, alpha]) => [red, green, blue, alpha],
            _ => return Err(MapError::unusable("expected grey or coloured pixels, found a palette")),
        };
        // The colour of a transparent pixel cannot be seen.
        let rgba = if rgba[3] == 0 { [0; 4] } else { rgba };
        let next = UNNUMBERED + numbers.len() as u32;
        let number = *numbers.entry(rgba).or_insert(next);
        if numbers.len() > MOST_COLOURS {
            return Err(MapError::unusable(format!(
                "expected a picture of at most {MOST_COLOURS} colours, one pixel a cell, found more"
            )));
        }
        cells.push(number);
    }
    let values: Values = numbers.into_iter().map(|(colour, number)| (number, value(colour))).collect();
    Ok(Map::of_cells("PNG picture", "pixels", [height, width], cells, values))
}

/// Returns an error if the palette is no list of colours: the decoder would panic.
fn check_palette(info: &png::Info) -> Result<(), MapError> {
    let Some(palette) = &info.palette else { return Ok(()) };
    let transparent = info.trns.as_ref().map_or(0, |transparent| transparent.len());
    let found = palette.len();
    if found.is_multiple_of(3) && (3..=768).contains(&found) && transparent <= found / 3 {
        return Ok(());
    }
    Err(MapError::unusable(format!(
        "expected a palette of 3 bytes a colour and at most one opacity for each, found {found} bytes and \
         {transparent} opacities"
    )))
}

fn value(colour: [u8; 4]) -> CellValue {
    let meaning = match colour {
        [.., 0] | [0, 0, 0, u8::MAX] => Some(Meaning::Wall),
        [u8::MAX, u8::MAX, u8::MAX, u8::MAX] => Some(Meaning::Open),
        _ => None,
    };
    CellValue { name: Some(name(colour)), colour: Some(colour), meaning, ..CellValue::default() }
}

fn name([red, green, blue, alpha]: [u8; 4]) -> String {
    match alpha {
        0 => "transparent".to_owned(),
        u8::MAX => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a picture of one row.
    fn picture(
        colour: ColorType,
        depth: BitDepth,
        width: u32,
        palette: Option<&[u8]>,
        bytes: &[u8],
    ) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, 1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if let Some(palette) = palette {
            encoder.set_palette(palette.to_vec());
        }
        encoder.write_header().unwrap().write_image_data(bytes).unwrap();
        file
    }

    #[test]
    fn pictures_of_all_kinds_of_colour_are_the_same_map() {
        let pictures = [
            picture(ColorType::Grayscale, BitDepth::One, 3, None, &[0b0100_0000]),
            picture(ColorType::Grayscale, BitDepth::Sixteen, 3, None, &[0, 0, 255, 255, 0, 0]),
            picture(ColorType::GrayscaleAlpha, BitDepth::Eight, 3, None, &[0, 255, 255, 255, 0, 255]),
            picture(ColorType::Rgb, BitDepth::Eight, 3, None, &[0, 0, 0, 255, 255, 255, 0, 0, 0]),
            picture(ColorType::Indexed, BitDepth::Two, 3, Some(&[255, 255, 255, 0, 0, 0]), &[0b0100_0100]),
        ];
        for file in pictures {
            let map = read(&file).unwrap();
            let layer = &map.layers[0];
            assert_eq!(layer.cells, [UNNUMBERED, UNNUMBERED + 1, UNNUMBERED]);
            let meanings: Vec<_> = layer.values.values().map(|value| value.meaning).collect();
            assert_eq!(meanings, [Some(Meaning::Wall), Some(Meaning::Open)]);
        }
        let clear = picture(ColorType::Rgba, BitDepth::Eight, 2, None, &[255, 0, 0, 0, 255, 0, 0, 255]);
        let map = read(&clear).unwrap();
        let names: Vec<_> = map.layers[0].values.values().map(|value| value.name.clone().unwrap()).collect();
        assert_eq!(names, ["transparent", "#ff0000"]);
    }

    #[test]
    fn picture_of_more_pixels_than_a_board_has_cells_is_refused_by_its_header() {
        let mut file = picture(ColorType::Grayscale, BitDepth::Eight, 1, None, &[0]);
        file[16..24].copy_from_slice(&[0, 0, 0x40, 0, 0, 0, 0x40, 0]);
        // The checksum of the header.
        let sum = crc(&file[12..29]);
        file[29..33].copy_from_slice(&sum.to_be_bytes());
        assert!(read(&file).unwrap_err().to_string().contains("expected a board of at most"));
        assert!(read(&file[..40]).is_err());
    }

    fn crc(bytes: &[u8]) -> u32 {
        let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
        !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
    }
}
