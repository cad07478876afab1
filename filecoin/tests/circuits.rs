//! The circuits of the 2 KiB test sector.
use c2prover_filecoin::*;
use std::fs;

fn data(name: &str) -> Vec<u8> {
    fs::read(format!("{}/../tests/data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}
#[test]
fn smoke() {
    let mut prover_id = [0; 32];
    prover_id[..2].copy_from_slice(&[0xe8, 7]);
    let job = Job::porep(&data("c1-raw.json"), 1, &prover_id).unwrap();
    job.verify_vanilla().unwrap();
    println!("{job:?} {}", job.public_inputs(0).unwrap().len());
    let job = Job::porep(&data("c2in.json"), 1, &prover_id).unwrap();
    job.verify_vanilla().unwrap();
    let job = Job::window_post(PostProof::WindowV1_1(SectorSize::KiB2), &prover_id, &[3; 32], &[data("window-vanilla.bin")], None).unwrap();
    job.verify_vanilla().unwrap();
    println!("{job:?} {}", job.public_inputs(0).unwrap().len());
    let job = Job::winning_post(PostProof::Winning(SectorSize::KiB2), &prover_id, &[3; 32], &[data("winning-vanilla.bin")]).unwrap();
    job.verify_vanilla().unwrap();
    println!("{job:?} {}", job.public_inputs(0).unwrap().len());
    for id in CircuitId::all() {
        println!("{id} {}", id.params_file());
    }
}
