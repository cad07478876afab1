//! The large proofs, on request (`--ignored`): a batch of three circuits, PoRep and sector update of the 2 KiB sector, and an
//! 8 MiB sector sealed here. They make parameters of some gigabytes once, and want 8 GiB of memory.

mod common;
mod seal;

use std::time::Instant;

use c2prover_dropin_tests::{data, Statement};
use c2prover_filecoin::{CircuitId, Kind, SectorSize};
use c2prover_test_setup::{generate, Blank};
use common::*;
use filecoin_proofs_api::post::generate_window_post_with_vanilla;
use filecoin_proofs_api::seal::{seal_commit_phase2, SealCommitPhase1Output};
use filecoin_proofs_api::update::generate_empty_sector_update_proof_with_vanilla;
use filecoin_proofs_api::{PartitionProofBytes, SectorId};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    println!("{what}: {:.1} s", began.elapsed().as_secs_f64());
    result
}

/// Proves while the log is watched.
fn proved<T>(what: &str, circuits: usize, work: impl FnOnce() -> T) -> T {
    let (result, lines) = timed(what, || logged(work));
    let count = |text: &str| lines.iter().filter(|l| l.contains(text)).count();
    assert_eq!(count("Bellperson 0.27.0 with SupraSeal is being used!"), 1, "{lines:#?}");
    assert_eq!(count(&format!("c2prover proves in place of supraseal-c2: circuits={circuits}")), 1, "{lines:#?}");
    result
}

#[test]
#[ignore = "long"]
fn a_window_post_of_three_circuits_in_one_batch() {
    with_params(Kind::WindowPost);
    let statement = data::window5().unwrap();
    let vanilla = data::window5_vanilla().unwrap();
    let prove = || generate_window_post_with_vanilla(statement.proof, &statement.randomness, statement.prover_id, &vanilla).unwrap();
    let proofs = proved("WindowPoSt of five sectors", 3, prove);
    assert_eq!(proofs[0].1.len(), 3 * 192);
    assert_eq!(Statement::Post(statement).check(&proofs[0].1).unwrap(), 1 + 2 * 5 + 3);
}

#[test]
#[ignore = "long"]
fn a_porep_of_2_kib() {
    timed("parameters", || with_params(Kind::PoRep));
    let c1: SealCommitPhase1Output = serde_json::from_slice(&data::read("c1-raw.json").unwrap()).unwrap();
    let output = proved("PoRep of 2 KiB", 1, || seal_commit_phase2(c1, data::PROVER_ID, SectorId::from(data::SECTOR)).unwrap());
    assert_eq!(Statement::PoRep(data::porep().unwrap()).check(&output.proof).unwrap(), 6 + 3);
}

#[test]
#[ignore = "long"]
fn an_update_of_2_kib() {
    timed("parameters", || with_params(Kind::Update));
    let statement = data::update().unwrap();
    let vanilla = data::update_vanilla().unwrap().into_iter().map(PartitionProofBytes).collect();
    let prove = || {
        let x = &statement;
        generate_empty_sector_update_proof_with_vanilla(x.proof, vanilla, x.comm_r_old, x.comm_r_new, x.comm_d_new).unwrap()
    };
    let proof = proved("update of 2 KiB", 1, prove);
    assert_eq!(Statement::Update(statement).check(&proof.0).unwrap(), 3 + 3);
}

#[test]
#[ignore = "long"]
fn a_porep_of_8_mib_sealed_here() {
    let id = CircuitId { kind: Kind::PoRep, sector_size: SectorSize::MiB8 };
    std::fs::create_dir_all(folder()).unwrap();
    let [params, vk] = [id.params_file(), id.vk_file()].map(|name| folder().join(name));
    if !(params.exists() && vk.exists()) {
        // Under other names until they are whole.
        let [new_params, new_vk] = ["new.params", "new.vk"].map(|name| folder().join(name));
        let make = || generate(|| Blank(id), &mut ChaCha20Rng::from_seed([5; 32]), &new_params, &new_vk).unwrap();
        let made = timed("parameters of 8 MiB", make);
        assert_eq!(made.constraints, 3_844_929);
        std::fs::rename(new_vk, vk).unwrap();
        std::fs::rename(new_params, params).unwrap();
    }
    point_to(folder());
    let (c1, statement) = timed("sealing of 8 MiB", || seal::sealed_8_mib().unwrap());
    let output = proved("PoRep of 8 MiB", 1, || seal_commit_phase2(c1, statement.prover_id, SectorId::from(statement.sector)).unwrap());
    assert_eq!(Statement::PoRep(statement).check(&output.proof).unwrap(), 6 + 3);
}
