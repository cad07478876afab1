//! Real 2 KiB sectors, from Filecoin's inputs to proofs that bellperson's verifier accepts; wrong inputs; the clock.

mod common;

use std::path::PathBuf;
use std::time::Instant;

use bellperson::groth16::{prepare_verifying_key, verify_proof, Proof, VerifyingKey};
use blstrs::{Bls12, Scalar};
use c2prover::engine::{Engine, EngineOptions, Outcome, Request};
use c2prover::Status;
use c2prover_filecoin::{CircuitId, Job, Kind, SectorSize};
use common::*;

fn miner() -> [u8; 32] {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&[0xe8, 0x07]);
    id
}

/// The folder of test parameters, with those of one kind made if they are not there.
fn params(kind: Kind) -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/params");
    let folder = std::env::var_os("C2PROVER_TEST_PARAMS").map_or_else(default, PathBuf::from);
    c2prover_test_setup::ensure(CircuitId { kind, sector_size: SectorSize::KiB2 }, &folder).unwrap();
    folder
}

fn engine(kind: Kind) -> Engine {
    Engine::new(EngineOptions { param_cache: Some(params(kind)), ..EngineOptions::default() }).unwrap()
}

/// Another implementation's verifier, with the key as published beside the parameters.
fn bellperson_accepts(kind: Kind, inputs: &[Scalar], proof: &[u8]) -> bool {
    let id = CircuitId { kind, sector_size: SectorSize::KiB2 };
    let key = VerifyingKey::<Bls12>::read(&std::fs::read(data("params").join(id.vk_file())).unwrap()[..]).unwrap();
    verify_proof(&prepare_verifying_key(&key), &Proof::read(proof).unwrap(), inputs).unwrap()
}

fn window() -> Vec<u8> {
    std::fs::read(data("window-vanilla.bin")).unwrap()
}

fn window_request(vanilla: &[u8]) -> Request<'_> {
    Request::WindowPost { registered_proof: 10, prover_id: miner(), randomness: [3; 32], vanilla: vec![vanilla.into()], partition: None }
}

/// The report says what the stopwatch says, and what belongs to nobody is next to nothing.
fn clock_is_honest(outcome: &Outcome, stopwatch_us: u64) {
    let report = &outcome.report;
    assert!(stopwatch_us.abs_diff(report.wall_us) <= (stopwatch_us / 100).max(2000), "{stopwatch_us} {report}");
    assert!(report.unaccounted_us <= (report.wall_us / 100).max(2000), "{report}");
}

#[test]
fn porep_of_a_c1_output_verifies_and_every_microsecond_has_an_owner() {
    let engine = engine(Kind::PoRep);
    for (name, first) in [("c1-raw.json", true), ("c2in.json", false)] {
        let c1 = std::fs::read(data(name)).unwrap();
        let request = Request::PoRep { c1: c1.as_slice().into(), sector_number: 1, prover_id: miner() };
        let began = Instant::now();
        let outcome = engine.prove(&request, name).unwrap();
        clock_is_honest(&outcome, began.elapsed().as_micros() as u64);
        let report = &outcome.report;
        assert!(report.unaccounted_us <= report.wall_us / 100, "{report}");
        assert_eq!((outcome.partitions, outcome.proof.len(), outcome.srs_was_resident), (1, 192, !first));
        assert_eq!(report.phases.iter().any(|p| p.phase == "srs.load"), first);
        // B_G2 ran beside the other sums.
        assert!(report.overlap.unwrap() < 1.5, "{report}");
        let inputs = Job::porep(&c1, 1, &miner()).unwrap().public_inputs(0).unwrap();
        assert!(bellperson_accepts(Kind::PoRep, &inputs, &outcome.proof));
        let mut tampered = inputs;
        tampered[3] += Scalar::from(1);
        assert!(!bellperson_accepts(Kind::PoRep, &tampered, &outcome.proof));
        assert!(engine.verify(&request, &outcome.proof).unwrap());
    }
}

#[test]
fn window_post_verifies_twice_and_keeps_its_parameters() {
    let (engine, vanilla) = (engine(Kind::WindowPost), window());
    let request = window_request(&vanilla);
    for round in 0..2 {
        let began = Instant::now();
        let outcome = engine.prove(&request, "window").unwrap();
        clock_is_honest(&outcome, began.elapsed().as_micros() as u64);
        assert!(round == 0 || outcome.srs_was_resident);
        let job = Job::window_post(c2prover_filecoin::PostProof::from_number(10).unwrap(), &miner(), &[3; 32], &[&vanilla], None).unwrap();
        assert!(bellperson_accepts(Kind::WindowPost, &job.public_inputs(0).unwrap(), &outcome.proof));
        assert!(engine.verify(&request, &outcome.proof).unwrap());
        let mut tampered = outcome.proof.clone();
        tampered[20] ^= 1;
        assert!(!engine.verify(&request, &tampered).unwrap());
        assert_eq!(engine.verify(&request, &tampered[1..]).unwrap_err().status(), Status::InvalidArgument);
    }
}

#[test]
fn five_sectors_make_three_circuits() {
    use base64::Engine as _;
    let engine = engine(Kind::WindowPost);
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(data("window5-vanilla.json")).unwrap()).unwrap();
    let vanilla: Vec<Vec<u8>> = texts.iter().map(|t| base64::engine::general_purpose::STANDARD.decode(t).unwrap()).collect();
    let vanilla = vanilla.iter().map(|v| v.as_slice().into()).collect();
    let request = Request::WindowPost { registered_proof: 10, prover_id: miner(), randomness: [3; 32], vanilla, partition: None };
    let outcome = engine.prove(&request, "window5").unwrap();
    assert_eq!((outcome.partitions, outcome.proof.len()), (3, 576));
    assert!(engine.verify(&request, &outcome.proof).unwrap());
    assert_eq!(outcome.report.phases.iter().find(|p| p.phase == "synthesis").unwrap().spans, 3);
}

#[test]
fn wrong_inputs_are_bad_input_with_a_reason_and_missing_parameters_name_the_file() {
    let engine = engine(Kind::WindowPost);
    let c1 = std::fs::read(data("c1-raw.json")).unwrap();
    let vanilla = window();
    let fails = |request: Request, reason: &str| {
        let failure = engine.prove(&request, "wrong").unwrap_err();
        assert_eq!(failure.error.status(), Status::BadInput, "{failure}");
        assert!(failure.to_string().contains(reason), "{failure}");
        assert_eq!(failure.report.status, "BAD_INPUT");
    };
    fn porep(c1: &[u8], sector_number: u64, prover_id: [u8; 32]) -> Request<'_> {
        Request::PoRep { c1: c1.into(), sector_number, prover_id }
    }
    fails(porep(&c1[..c1.len() / 2], 1, miner()), "JSON");
    fails(porep(b"", 1, miner()), "JSON");
    fails(porep(&c1, 2, miner()), "replica id");
    fails(porep(&c1, 1, [1; 32]), "replica id");
    fails(window_request(&vanilla[..100]), "vanilla");
    let other = Request::WindowPost {
        registered_proof: 10,
        prover_id: miner(),
        randomness: [4; 32],
        vanilla: vec![vanilla.as_slice().into()],
        partition: None,
    };
    fails(other, "sector");
    let wrong_kind = Request::WindowPost {
        registered_proof: 0,
        prover_id: miner(),
        randomness: [3; 32],
        vanilla: vec![vanilla.as_slice().into()],
        partition: None,
    };
    fails(wrong_kind, "Winning");
    let unknown = Request::WindowPost {
        registered_proof: 99,
        prover_id: miner(),
        randomness: [3; 32],
        vanilla: vec![vanilla.as_slice().into()],
        partition: None,
    };
    fails(unknown, "known");

    let empty = tempfile::tempdir().unwrap();
    let engine = Engine::new(EngineOptions { param_cache: Some(empty.path().to_owned()), ..EngineOptions::default() }).unwrap();
    let failure = engine.prove(&window_request(&vanilla), "missing").unwrap_err();
    assert_eq!(failure.error.status(), Status::ParamsMissing);
    assert!(failure.to_string().contains("v28-proof-of-spacetime-fallback"), "{failure}");
}
