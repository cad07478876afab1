//! Random satisfied circuits: each proof equals bellperson's, byte for byte.
//!
//! `C2PROVER_TEST_CIRCUITS` says how many (40 by default, 1,000 in `make test-long`), `C2PROVER_TEST_SEED` where the seeds
//! begin. A seed that failed is printed and kept in target/failed-seeds.txt; those of the past are in
//! tests/data/random-seeds.txt and run every time.

mod common;
#[path = "common/random_circuit.rs"]
mod random_circuit;

use std::io::Write;

use common::*;
use random_circuit::RandomCircuit;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{name}={v} is no number")))
}

fn equals_bellperson(backend: &c2prover::backend::cpu::CpuBackend, seed: u64) -> bool {
    let circuit = RandomCircuit::new(seed);
    let params = TestSrs::of(|| circuit.blank(), seed);
    let theirs = bellperson(&params.path(), vec![circuit.clone()]);
    ours(backend, &params.srs, &[synthesize(circuit)]).is_ok_and(|bytes| bytes == theirs)
}

#[test]
fn random_circuits_equal_bellperson() {
    let kept = std::fs::read_to_string(data("random-seeds.txt")).unwrap();
    let kept = kept.lines().filter(|l| !l.starts_with('#')).map(|l| l.trim().parse::<u64>().unwrap());
    let first = number("C2PROVER_TEST_SEED", 1);
    let seeds = kept.chain(first..first + number("C2PROVER_TEST_CIRCUITS", 40));
    let backend = backend(2);
    let mut count = 0;
    let failed: Vec<u64> = seeds.inspect(|_| count += 1).filter(|seed| !equals_bellperson(&backend, *seed)).collect();
    if !failed.is_empty() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/target/failed-seeds.txt");
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        failed.iter().for_each(|seed| writeln!(file, "{seed}").unwrap());
        panic!("seeds {failed:?} differ from bellperson; kept in {path}");
    }
    println!("{count} random circuits equal bellperson");
}
