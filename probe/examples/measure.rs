//! How quick is a table that is read safely, beside the same table in a memory map?
//!
//!     cargo run --release -p dragnet-probe --example measure -- TABLE [CACHE_MIB]
//!
//! Asks random positions of a pursuit table, one after the other, and prints the nanoseconds that one takes
//! in each way: medians of many rounds. *Warm* are positions whose blocks have all been asked before; *cold*
//! is one position of each block, in a table just opened, with the file in the system's memory. *Batch* asks
//! for many positions at once. The ways take turns, so that what else the machine does falls on all of them
//! alike. Answers are compared.

#[cfg(feature = "mmap")]
#[allow(unsafe_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use dragnet_probe::{Cache, Cell, Open, Pieces, Position, ProbeError, Side, Table};
    use std::{collections::HashSet, hint::black_box, time::Instant};

    const ROUNDS: usize = 101;
    const POSITIONS: usize = 20_000;

    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("expected a table")?;
    let mib: u64 = arguments.next().map_or(Ok(1 << 20), |mib| mib.parse())?;
    let cache = Cache::new(mib << 20);
    let safe = || Open::path(&path).cache(&cache).pursuit();
    // SAFETY: whoever measures a table does not change it meanwhile.
    let mapped = || unsafe { Open::mapped(&path).cache(&cache).pursuit() };

    let tables = [safe()?, mapped()?];
    tables[0].check_sums(|_| ())?;
    let cells: Vec<Cell> = tables[0].board().open_cells().collect();
    let mut state = 1u64;
    let mut draw = || {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        cells[((state >> 33) % cells.len() as u64) as usize]
    };
    let officers = usize::from(tables[0].officers());
    let mut positions = |turn| -> Result<Vec<Position>, Box<dyn std::error::Error>> {
        let one = |_| {
            let team: Vec<Cell> = (0..officers).map(|_| draw()).collect();
            Ok(Position::new(Pieces::new(&team)?, draw(), turn))
        };
        (0..POSITIONS).map(one).collect()
    };
    let (police, thief) = (positions(Side::Police)?, positions(Side::Thief)?);
    let mut seen = HashSet::new();
    let block =
        |at: &Position| tables[0].numbering().locate(at.world, at.police, at.thief).map(|at| at.block);
    let ends = |at: &&Position| tables[0].winner(**at).is_ok_and(|winner| winner.is_none());
    let firsts: Vec<Position> =
        police.iter().filter(ends).filter(|at| seen.insert(block(at))).take(2000).copied().collect();

    let time = |table: &Table, positions: &[Position]| -> Result<f64, ProbeError> {
        let begin = Instant::now();
        for &position in positions {
            black_box(table.value(position)?);
        }
        Ok(begin.elapsed().as_nanos() as f64 / positions.len() as f64)
    };
    for positions in [&police, &thief] {
        assert_eq!(tables[0].values(positions)?, tables[1].values(positions)?);
        for table in &tables {
            time(table, positions)?;
        }
    }
    let time_batch = |table: &Table, positions: &[Position], len: usize| -> Result<f64, ProbeError> {
        let begin = Instant::now();
        for some in positions.chunks(len) {
            black_box(table.values(some)?);
        }
        Ok(begin.elapsed().as_nanos() as f64 / positions.len() as f64)
    };
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let mut sorted = police.clone();
    sorted.sort_by_key(&block);
    // What positions are called, and how many of them a batch has; 0 asks for all in a table just opened.
    let kinds = [
        ("warm, police to move", &police, police.len()),
        ("warm, thief to move", &thief, thief.len()),
        ("warm, block by block", &sorted, sorted.len()),
        ("warm, ten at once", &police, 10),
        ("warm, two at once", &police, 2),
        ("cold, police to move", &firsts, 0),
    ];
    let mut times: Vec<[Vec<f64>; 4]> = vec![Default::default(); kinds.len()];
    for _ in 0..ROUNDS {
        for (&(_, positions, at_once), times) in kinds.iter().zip(&mut times) {
            for way in 0..2 {
                let fresh = || if way == 0 { safe() } else { mapped() };
                if at_once > 0 {
                    times[way].push(time(&tables[way], positions)?);
                    times[way + 2].push(time_batch(&tables[way], positions, at_once)?);
                } else {
                    times[way].push(time(&fresh()?, positions)?);
                    times[way + 2].push(time_batch(&fresh()?, positions, positions.len())?);
                }
            }
        }
    }
    println!("{} positions, {} first ones of blocks, {path}", POSITIONS, firsts.len());
    for ((what, ..), times) in kinds.iter().zip(times) {
        let [safe, mapped, safe_batch, mapped_batch] = times.map(median);
        println!(
            "{what}: read {safe:.0} ns, mapped {mapped:.0} ns, ratio {:.2}; batch {safe_batch:.0} ns and \
             {mapped_batch:.0} ns",
            safe / mapped
        );
    }
    Ok(())
}

#[cfg(not(feature = "mmap"))]
fn main() {
    println!("expected the feature mmap, which maps tables");
}
