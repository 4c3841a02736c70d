//! Systems of linear equations that are known by their products alone.

use super::error::PolicyError;
use rayon::prelude::*;

/// Numbers of one sum, and of one thread at least: sums are the same for any number of threads.
pub(super) const CHUNK: usize = 1 << 12;

/// Returns the largest absolute value; infinite if some number is none.
pub(super) fn largest(numbers: &[f64]) -> f64 {
    let of = |numbers: &[f64]| {
        numbers.iter().fold(
            0.0,
            |most: f64, number| if number.is_nan() { f64::INFINITY } else { most.max(number.abs()) },
        )
    };
    numbers.par_chunks(CHUNK).map(of).reduce(|| 0.0, f64::max)
}

/// Returns the sum of products.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let of = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let sums: Vec<f64> = a.par_chunks(CHUNK).zip(b.par_chunks(CHUNK)).map(of).collect();
    sums.iter().sum()
}

/// Adds `factor` times the other numbers.
pub(super) fn add(to: &mut [f64], factor: f64, numbers: &[f64]) {
    let each = |(to, number): (&mut f64, &f64)| *to += factor * number;
    to.par_iter_mut().zip(numbers).with_min_len(CHUNK).for_each(each);
}

/// Replaces `numbers` by what they are less than the others.
pub(super) fn subtract_from(others: &[f64], numbers: &mut [f64]) {
    let each = |(number, other): (&mut f64, &f64)| *number = other - *number;
    numbers.par_iter_mut().zip(others).with_min_len(CHUNK).for_each(each);
}

/// Solves A *x* = *b* by the stabilised method of biconjugate gradients (van der Vorst 1992). `multiply`
/// computes A *y* for the *y* given, and returns whether to go on. The work ends when no component of the
/// rest *b* - A *x* is larger than `target`, and when the method breaks down. Returns *x*, which may be far
/// from a solution then.
pub(super) fn solve(
    b: Vec<f64>,
    target: f64,
    mut multiply: impl FnMut(&[f64], &mut [f64]) -> Result<bool, PolicyError>,
) -> Result<Vec<f64>, PolicyError> {
    let mut x = vec![0.0; b.len()];
    let limit = largest(&b) * BLOW_UP;
    let (shadow, mut rest) = (b.clone(), b);
    let (mut along, mut image, mut image_of_rest) = (rest.clone(), x.clone(), x.clone());
    // The smallest rest so far, and the steps since it has become half as large as that.
    let (mut least, mut idle) = (limit, 0);
    let mut weight = product(&shadow, &rest);
    loop {
        if !multiply(&along, &mut image)? {
            return Ok(x);
        }
        let step = weight / product(&shadow, &image);
        if !step.is_finite() {
            return Ok(x);
        }
        add(&mut rest, -step, &image);
        add(&mut x, step, &along);
        if largest(&rest) <= target || !multiply(&rest, &mut image_of_rest)? {
            return Ok(x);
        }
        let damping = product(&image_of_rest, &rest) / product(&image_of_rest, &image_of_rest);
        if !damping.is_finite() || damping == 0.0 {
            return Ok(x);
        }
        add(&mut x, damping, &rest);
        add(&mut rest, -damping, &image_of_rest);
        let before = weight;
        weight = product(&shadow, &rest);
        let turn = weight / before * (step / damping);
        let size = largest(&rest);
        idle += 1;
        if size < least / 2.0 {
            (least, idle) = (size, 0);
        }
        if size <= target || size > limit || idle == PATIENCE || !turn.is_finite() || turn == 0.0 {
            return Ok(x);
        }
        let each = |((along, rest), image): ((&mut f64, &f64), &f64)| {
            *along = rest + turn * (*along - damping * image);
        };
        along.par_iter_mut().zip(&rest).zip(&image).with_min_len(CHUNK).for_each(each);
    }
}

/// How many times larger than at first the rest becomes before the method counts as broken down.
const BLOW_UP: f64 = 1e4;

/// How many steps may not halve the rest before the method counts as broken down.
const PATIENCE: u32 = 1 << 9;
