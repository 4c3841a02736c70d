//! Graphs made from a seed.

use super::Vertex;
use crate::digest::splitmix64;

/// Returns edge number `number`, which may be any, of the random graph with `vertices` vertices and this
/// seed. Edges lead to all vertices alike, but the lower a vertex, the more edges lead from it, and none lead
/// from some of the last sixteenth. With ten edges per vertex on average, half of the vertices are won, a
/// twelfth lost, and the others drawn.
///
/// # Panics
/// If there is no vertex.
#[must_use]
#[inline]
pub fn random_edge(vertices: u32, seed: u64, number: u64) -> (Vertex, Vertex) {
    let draw = |salt: u64| splitmix64(splitmix64(seed).wrapping_add(2 * number + salt));
    let of_vertices = |fraction: u64| ((fraction * u64::from(vertices)) >> 32) as Vertex;
    assert!(vertices > 0, "expected a vertex");
    let (first, second) = (draw(0), draw(1));
    let (upper, lower) = (first >> 32, first & 0xFFFF_FFFF);
    // The density of the product of two uniform fractions is the negative logarithm.
    let fraction = if second % 2 == 0 { (upper * lower) >> 32 } else { upper * 15 / 16 };
    (of_vertices(fraction), of_vertices(second >> 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_lead_everywhere_and_low_vertices_have_more() {
        let mut degrees = [0; 100];
        let mut entering = [0; 100];
        for number in 0..100_000 {
            let (from, to) = random_edge(100, 1, number);
            degrees[from as usize] += 1;
            entering[to as usize] += 1;
        }
        assert!(entering.iter().all(|&count| (800..1200).contains(&count)), "{entering:?}");
        assert!(degrees[0] > 1500 && degrees[50] > 500 && degrees[99] < 50, "{degrees:?}");
        // A seed makes the same graph for ever.
        assert_eq!([0, 1, 2].map(|number| random_edge(1000, 7, number)), [(676, 155), (774, 957), (99, 838)]);
    }
}
