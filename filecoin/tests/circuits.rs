//! The circuits of the 2 KiB test sector: their shape, their witness, their public inputs, and proofs of them.

mod common;

use std::fs::File;
use std::io::BufReader;

use bellperson::groth16::{prepare_verifying_key, verify_proof, Proof, VerifyingKey};
use blstrs::{Bls12, Scalar as Fr};
use c2prover_filecoin::{CircuitId, Job, PostProof, SectorSize};
use common::*;
use storage_proofs_core::api_version::ApiVersion;
use storage_proofs_core::compound_proof::CompoundProof;

/// What a 2 KiB circuit must be.
struct Expected {
    /// Constraints, inputs, aux variables.
    shape: (usize, usize, usize),
    /// Aux variables in a, inputs in b, aux variables in b.
    densities: (usize, usize, usize),
}

const POREP: Expected = Expected { shape: (2_687_921, 40, 2_685_673), densities: (2_674_908, 1, 685_521) };
const WINNING: Expected = Expected { shape: (90_750, 133, 91_674), densities: (69_300, 1, 66_792) };
const WINDOW: Expected = Expected { shape: (21_866, 23, 22_128), densities: (16_770, 1, 16_028) };
const UPDATE: Expected = Expected { shape: (1_705_039, 5, 1_703_569), densities: (1_697_189, 1, 444_403) };

/// Synthesises every partition with and without its witness, and verifies the stored proofs against its public inputs.
fn check(job: &Job, expected: &Expected, proofs: &str) {
    job.verify_vanilla().unwrap();

    let mut blank = Checker::blank();
    job.circuit_id().synthesize_blank(&mut blank).unwrap();
    assert_eq!(blank.shape(), expected.shape);
    assert_eq!(blank.densities(), expected.densities);

    let vk = File::open(path("params").join(job.circuit_id().vk_file())).unwrap();
    let vk = prepare_verifying_key(&VerifyingKey::<Bls12>::read(BufReader::new(vk)).unwrap());
    let proofs = data(proofs);
    assert_eq!(proofs.len(), 192 * job.partitions());

    for (partition, proof) in proofs.chunks(192).enumerate() {
        let mut cs = Checker::with_witness();
        job.synthesize(partition, &mut cs).unwrap();
        assert_eq!(cs.shape(), expected.shape);
        assert_eq!(cs.densities(), expected.densities);
        assert_eq!(cs.unsatisfied, None);
        let inputs = job.public_inputs(partition).unwrap();
        assert_eq!(cs.inputs[1..], inputs);
        let proof = Proof::read(proof).unwrap();
        assert!(verify_proof(&vk, &proof, &inputs).unwrap());
    }
}

/// The public inputs of a kind in `public-inputs.json`, and the names of its parameter files.
fn check_listed(job: &Job, kind: &str) {
    let listed = &json("public-inputs.json")[kind];
    let inputs: Vec<Fr> = listed["public_inputs_le_hex"].as_array().unwrap().iter().map(field).collect();
    assert_eq!(job.public_inputs(0).unwrap(), inputs);
    assert_eq!(job.circuit_id().params_file(), listed["params"]);
    assert_eq!(job.circuit_id().vk_file(), listed["vk"]);
}

#[test]
fn porep_circuit() {
    let job = porep();
    check_listed(&job, "porep");
    check(&job, &POREP, "porep-proof.bin");
}

#[test]
fn winning_post_circuit() {
    let job = winning();
    check_listed(&job, "winning");
    check(&job, &WINNING, "winning-proof.bin");
}

#[test]
fn window_post_circuit() {
    let job = window();
    check_listed(&job, "window");
    check(&job, &WINDOW, "window-proof.bin");
}

#[test]
fn window_post_circuits_of_a_deadline() {
    let job = Job::window_post(common::WINDOW, &prover_id(), &RANDOMNESS, &window5_vanilla(), None).unwrap();
    assert_eq!(job.partitions(), 3);
    check(&job, &WINDOW, "window5-proof.bin");
}

#[test]
fn update_circuit() {
    let job = Update::read().job().unwrap();
    check_listed(&job, "update");
    check(&job, &UPDATE, "update-proof.bin");
}

#[test]
fn wrapped_c1_output_gives_the_same_job() {
    let wrapped = Job::porep(&data("c2in.json"), SECTOR, &prover_id()).unwrap();
    assert_eq!(wrapped.public_inputs(0).unwrap(), porep().public_inputs(0).unwrap());
    wrapped.verify_vanilla().unwrap();
}

/// Jobs of single partitions are the partitions of the job of all, in circuits and public inputs.
#[test]
fn single_partition_of_a_window_post() {
    let vanilla = window5_vanilla();
    for proof in [common::WINDOW, PostProof::WindowV1(SectorSize::KiB2)] {
        let all = Job::window_post(proof, &prover_id(), &RANDOMNESS, &vanilla, None).unwrap();
        for (k, vanilla) in vanilla.chunks(2).enumerate() {
            let one = Job::window_post(proof, &prover_id(), &RANDOMNESS, vanilla, Some(k)).unwrap();
            assert_eq!(one.partitions(), 1);
            assert_eq!(one.public_inputs(0).unwrap(), all.public_inputs(k).unwrap());
            let witness = |job: &Job, partition| {
                let mut cs = Checker::with_witness();
                job.synthesize(partition, &mut cs).unwrap();
                cs.aux
            };
            assert_eq!(witness(&one, 0), witness(&all, k));
        }
    }
}

/// Old window proofs have challenges by place in the deadline: the vanilla proofs of the first sector alone fit both.
#[test]
fn public_inputs_of_window_post_are_those_of_the_proofs_crate() {
    use storage_proofs_post::fallback;
    type Tree = storage_proofs_core::merkle::LCTree<
        filecoin_hashers::poseidon::PoseidonHasher,
        generic_array::typenum::U8,
        generic_array::typenum::U0,
        generic_array::typenum::U0,
    >;
    let comm_r = hex(&json("meta.json")["comm_r"]);
    let inputs = fallback::PublicInputs {
        randomness: RANDOMNESS.into(),
        prover_id: prover_id().into(),
        sectors: (1..=5).map(|id: u64| fallback::PublicSector { id: id.into(), comm_r: comm_r.into() }).collect(),
        k: None,
    };
    for (proof, api_version) in [(common::WINDOW, ApiVersion::V1_2_0), (PostProof::WindowV1(SectorSize::KiB2), ApiVersion::V1_0_0)] {
        let params = fallback::PublicParams { sector_size: 2048, challenge_count: 10, sector_count: 2, api_version };
        let job = Job::window_post(proof, &prover_id(), &RANDOMNESS, &window5_vanilla(), None).unwrap();
        for k in 0..3 {
            let expected = fallback::FallbackPoStCompound::<Tree>::generate_public_inputs(&inputs, &params, Some(k)).unwrap();
            assert_eq!(job.public_inputs(k).unwrap(), expected);
        }
    }
}

/// Constraints as published for larger sectors; those with more take minutes.
#[test]
fn blank_circuits_of_other_sizes() {
    for (name, constraints) in [("winning-32g", 370_590), ("wpost-512m", 85_466)] {
        let mut cs = Checker::blank();
        name.parse::<CircuitId>().unwrap().synthesize_blank(&mut cs).unwrap();
        assert_eq!(cs.constraints, constraints, "{name}");
    }
}

#[test]
fn jobs_cross_threads() {
    fn check<T: Send + Sync>() {}
    check::<Job>();
}
