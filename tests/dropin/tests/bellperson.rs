//! bellperson through the drop-in, by the calls of both its versions: to the byte what bellperson's own prover made, circuits of
//! any density, from inside a pool, and what is refused.

mod common;

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::{Bls12, Scalar as Fr};
use c2prover_dropin_tests::data;
use c2prover_filecoin::{Job, Kind, PostProof};
use c2prover_test_setup::circuits::Chain;
use c2prover_test_setup::generate;
use common::*;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

/// The same tests for each version of bellperson; the older one hands over densities and sizes once for all circuits.
macro_rules! of_version {
    ($name:ident, $bellperson:ident, $version:literal) => {
        mod $name {
            use super::*;
            use $bellperson::groth16::{
                create_proof_batch, create_random_proof, prepare_verifying_key, verify_proof, Proof, SuprasealParameters, VerifyingKey,
            };

            fn open(path: &std::path::Path) -> SuprasealParameters<Bls12> {
                SuprasealParameters::new(path.to_owned()).unwrap()
            }

            fn uncompressed(proof: &Proof<Bls12>) -> Vec<u8> {
                [&proof.a.to_uncompressed()[..], &proof.b.to_uncompressed()[..], &proof.c.to_uncompressed()[..]].concat()
            }

            #[test]
            fn proofs_are_to_the_byte_those_of_bellpersons_own_prover() {
                for case in Captured::all() {
                    let circuits = (0..case.job.partitions()).map(|k| Partition(&case.job, k)).collect();
                    let params = open(&params(case.job.kind()).params);
                    let (proofs, lines) = logged(|| create_proof_batch(circuits, &params, case.r, case.s).unwrap());
                    assert!(lines.iter().any(|l| l.contains(concat!("Bellperson ", $version, " with SupraSeal is being used!"))));
                    assert!(lines.iter().any(|l| l.contains(&format!("in place of supraseal-c2: circuits={}", proofs.len()))));
                    let proofs: Vec<String> = proofs.iter().map(|proof| hex::encode(uncompressed(proof))).collect();
                    assert_eq!(proofs, case.proofs, "{:?}", case.job);
                }
            }

            /// Tasks of a pool open one file and prove, all at once: the pool has fewer threads than there are tasks, and a thread
            /// that waits for the prover must not begin another task that waits for it.
            #[test]
            fn tasks_of_a_pool_open_parameters_and_prove_at_once() {
                let setup = Setup::new(|| Chain::new(3000, 5, 0).blank());
                let key = VerifyingKey::<Bls12>::read(&std::fs::read(&setup.files.vk).unwrap()[..]).unwrap();
                let key = prepare_verifying_key(&key);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
                pool.install(|| {
                    (0..12u32).into_par_iter().with_max_len(1).for_each(|seed| {
                        let seed = u64::from(seed);
                        let circuit = Chain::new(3000, 5, seed);
                        let mut inputs = circuit.public_inputs();
                        let mut rng = ChaCha20Rng::seed_from_u64(seed);
                        let proof = create_random_proof(circuit, &open(&setup.files.params), &mut rng).unwrap();
                        assert!(verify_proof(&key, &proof, &inputs).unwrap());
                        inputs[0] += Fr::from(1);
                        assert!(!verify_proof(&key, &proof, &inputs).unwrap());
                    });
                });
            }

            #[test]
            fn a_circuit_that_is_not_satisfied_is_refused_by_its_row_and_the_text_survives() {
                let setup = Setup::new(|| Square(None));
                let params = open(&setup.files.params);
                let prove = |x: [u64; 2]| {
                    let circuits = x.map(|x| Square(Some((x, 9)))).into();
                    create_proof_batch(circuits, &params, vec![Fr::from(5); 2], vec![Fr::from(7); 2])
                };
                assert_eq!(prove([3, 3]).unwrap().len(), 2);
                let text = "c2prover: UNSATISFIED: circuit 1: constraint 0 is not satisfied (a.b differs from c) (correct the witness)";
                let (found, lines) = logged(|| panic_text(|| prove([3, 4])));
                assert_eq!(found, text);
                assert!(
                    lines.iter().any(|l| l.contains("ERROR c2prover::error > call=generate_groth16_proofs status=UNSATISFIED")),
                    "{lines:#?}"
                );
                // However often it is said, it takes memory once.
                assert!(std::ptr::eq(found, panic_text(|| prove([3, 4]))));
            }

            #[test]
            fn parameters_of_another_circuit_are_refused_by_name() {
                let setup = Setup::new(|| Chain::new(100, 2, 0).blank());
                let params = open(&setup.files.params);
                let text = panic_text(|| create_random_proof(Chain::new(101, 2, 0), &params, &mut ChaCha20Rng::seed_from_u64(0)));
                let expected =
                    "c2prover: PARAMS_MISMATCH: circuit 0: aux_assignment_size needs 101 points in section l, the parameters hold 100";
                assert!(text.starts_with(expected), "{text}");
            }
        }
    };
}

of_version!(version_0_27, bellperson, "0.27.0");
of_version!(version_0_26, bellperson_026, "0.26.0");

/// One partition of a request.
struct Partition<'a>(&'a Job, usize);

impl Circuit<Fr> for Partition<'_> {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        self.0.synthesize(self.1, cs).map_err(|_| SynthesisError::Unsatisfiable)
    }
}

/// A request of `tests/data`, and what bellperson's CPU prover once made of its circuits.
struct Captured {
    job: Job,
    r: Vec<Fr>,
    s: Vec<Fr>,
    /// A, B, C, uncompressed, in hex.
    proofs: Vec<String>,
}

impl Captured {
    fn new(job: Job, case: &str) -> Captured {
        let vectors: Vec<serde_json::Value> = serde_json::from_slice(&data::read("vectors.json").unwrap()).unwrap();
        let vectors: Vec<_> = vectors.iter().filter(|v| v["case"].as_str().unwrap().trim_end_matches(char::is_numeric) == case).collect();
        assert_eq!(vectors.len(), job.partitions());
        let field = |name: &str| vectors.iter().map(|v| v[name].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        let scalar = |text: String| Fr::from_bytes_le(hex::decode(text).unwrap().as_slice().try_into().unwrap()).unwrap();
        let scalars = |name| field(name).into_iter().map(scalar).collect();
        Captured { r: scalars("r"), s: scalars("s"), proofs: field("proof"), job }
    }

    fn all() -> [Captured; 3] {
        let post = |number| PostProof::from_number(number).unwrap();
        let window = |vanilla: &[Vec<u8>]| Job::window_post(post(10), &data::PROVER_ID, &data::RANDOMNESS, vanilla, None).unwrap();
        let read = |name| vec![data::read(name).unwrap()];
        let winning = Job::winning_post(post(0), &data::PROVER_ID, &data::RANDOMNESS, &read("winning-vanilla.bin")).unwrap();
        assert_eq!(winning.kind(), Kind::WinningPost);
        [
            Captured::new(winning, "winning"),
            Captured::new(window(&read("window-vanilla.bin")), "window"),
            Captured::new(window(&data::window5_vanilla().unwrap()), "window5-"),
        ]
    }
}

/// Parameters of a small circuit, in a folder that goes with it.
struct Setup {
    files: c2prover_test_setup::Files,
    _folder: tempfile::TempDir,
}

impl Setup {
    fn new<C: Circuit<Fr>>(circuit: impl Fn() -> C) -> Setup {
        let folder = tempfile::tempdir().unwrap();
        let files = c2prover_test_setup::Files { params: folder.path().join("p.params"), vk: folder.path().join("p.vk") };
        generate(circuit, &mut ChaCha20Rng::seed_from_u64(1), &files.params, &files.vk).unwrap();
        Setup { files, _folder: folder }
    }
}

/// The square of x, which is not told, is this.
struct Square(Option<(u64, u64)>);

impl Circuit<Fr> for Square {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let known = || self.0.ok_or(SynthesisError::AssignmentMissing);
        let square = cs.alloc_input(|| "square", || Ok(Fr::from(known()?.1)))?;
        let x = cs.alloc(|| "x", || Ok(Fr::from(known()?.0)))?;
        cs.enforce(|| "x x = square", |lc| lc + x, |lc| lc + x, |lc| lc + square);
        Ok(())
    }
}
