//! Requests that are wrong in one thing, and what is said about it. Malformed vanilla proofs: `malformed.rs`.

mod common;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use bellpepper_core::{ConstraintSystem, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar as Fr;
use c2prover_filecoin::{Error, Job, Kind, PostProof, SectorSize};
use common::*;
use serde_json::json as value;

#[test]
fn malformed_json_has_a_position() {
    let error = porep_error(b"{\n  \"registered_proof\": }");
    assert!(matches!(&error, Error::Json { what: "C1 output", line: 2, column: 23, .. }), "{error:?}");
    assert_eq!(error.to_string(), "C1 output: malformed JSON at line 2, column 23: expected value");

    let whole = data("c1-raw.json");
    let cut = &whole[..whole.len() / 2];
    assert!(matches!(porep_error(cut), Error::Json { what: "C1 output", line: 1, column, .. } if column == cut.len()));
    assert!(matches!(porep_error(b""), Error::Json { .. }));
    assert!(matches!(porep_error(b"[]"), Error::Json { .. }));
    assert!(matches!(porep_error(b"\xff\xfe"), Error::Json { .. }));
    assert!(matches!(porep_error(&[&whole[..], b"x"].concat()), Error::Json { .. }));
    assert!(matches!(error_when(|c1| c1["comm_r"] = value!([1, 2])), Error::Json { .. }));
    assert!(matches!(error_when(|c1| c1["comm_r"][3] = value!(256)), Error::Json { .. }));
    let other_key = error_when(|c1| c1["vanilla_proofs"] = value!({"StackedDrg1KiBV1": []}));
    assert!(other_key.to_string().contains("StackedDrg64GiBV1"), "{other_key}");
}

#[test]
fn missing_fields_are_named() {
    for name in ["registered_proof", "vanilla_proofs", "comm_r", "comm_d", "replica_id", "seed", "ticket"] {
        let error = error_when(|c1| _ = c1.as_object_mut().unwrap().remove(name));
        assert!(matches!(error, Error::MissingField { what: "C1 output", field } if field == name));
    }
    assert!(matches!(porep_error(b"{}"), Error::MissingField { what: "C1 output", field: "registered_proof" }));
    for name in ["SectorNum", "SectorSize"] {
        let mut wrapper = json("c2in.json");
        wrapper.as_object_mut().unwrap().remove(name);
        assert!(matches!(porep_error(&bytes(&wrapper)), Error::MissingField { field, .. } if field == name));
    }
}

#[test]
fn wrapper_must_fit() {
    let wrap = |c1: &[u8], size: u64| value!({"SectorNum": 1, "Phase1Out": STANDARD.encode(c1), "SectorSize": size});
    let c1 = data("c1-raw.json");

    // in any order of keys, and with escapes in the text
    let text = serde_json::to_string(&wrap(&c1, 2048)).unwrap().replace('/', "\\/");
    Job::porep(text.as_bytes(), SECTOR, &prover_id()).unwrap();

    let error = Job::porep(text.as_bytes(), 7, &prover_id()).unwrap_err();
    assert!(matches!(error, Error::SectorNumber { requested: 7, found: 1 }));
    let error = porep_error(&bytes(&wrap(&c1, 8 << 20)));
    assert!(matches!(error, Error::SectorSize { found: 8_388_608, .. }));
    assert!(error.to_string().contains("StackedDrg2KiBV1_1"));
    let error = porep_error(&bytes(&wrap(b"{\"seed\": 1}", 2048)));
    assert!(matches!(error, Error::Json { what: "Phase1Out", line: 1, .. }));
    assert!(matches!(porep_error(&bytes(&wrap(b"{}", 2048))), Error::MissingField { what: "Phase1Out", .. }));
    // a wrapper in a wrapper
    let twice = wrap(&bytes(&wrap(&c1, 2048)), 2048);
    assert!(matches!(porep_error(&bytes(&twice)), Error::MissingField { what: "Phase1Out", .. }));
    let mut broken = wrap(&c1, 2048);
    broken["Phase1Out"] = value!("not base64!");
    assert!(matches!(porep_error(&bytes(&broken)), Error::Base64(_)));
}

#[test]
fn seal_proof_must_be_known_and_fit() {
    let with = |name: &str| error_when(|c1| c1["registered_proof"] = value!(name));
    assert!(matches!(with("StackedDrg2KiBV9"), Error::UnknownName { what: "seal proof", .. }));
    let error = with("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep");
    assert!(matches!(&error, Error::Unsupported { name, .. } if name == "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep"));
    let error = with("StackedDrg32GiBV1_1");
    assert!(matches!(&error, Error::VanillaKind { registered, vanilla: "StackedDrg2KiBV1" } if registered == "StackedDrg32GiBV1_1"));
    // the PoRep id is part of the replica id
    for name in ["StackedDrg2KiBV1", "StackedDrg2KiBV1_1_Feat_SyntheticPoRep"] {
        assert!(matches!(with(name), Error::ReplicaId { .. }), "{name}");
    }
}

#[test]
fn replica_id_binds_miner_sector_ticket_and_data() {
    let c1 = data("c1-raw.json");
    let other_miner = Job::porep(&c1, SECTOR, &[1; 32]).unwrap_err();
    let other_sector = Job::porep(&c1, SECTOR + 1, &prover_id()).unwrap_err();
    let other_ticket = error_when(|c1| c1["ticket"][0] = value!(9));
    let other_data = error_when(|c1| c1["comm_d"][0] = value!(9));
    let other_id = error_when(|c1| c1["replica_id"][0] = value!(9));
    for error in [other_miner, other_sector, other_ticket, other_data, other_id] {
        let Error::ReplicaId { found, derived } = &error else { panic!("{error}") };
        assert_ne!(found, derived);
        assert_eq!((found.len(), derived.len()), (64, 64));
    }
}

#[test]
fn commitments_must_be_in_the_field_and_not_zero() {
    for name in ["comm_r", "comm_d"] {
        let error = error_when(|c1| c1[name] = value!(ABOVE));
        assert!(matches!(error, Error::NotInField { what, .. } if what == name));
    }
    for name in ["comm_r", "comm_d", "seed"] {
        let error = error_when(|c1| c1[name] = value!(vec![0; 32]));
        assert!(matches!(error, Error::Zero(what) if what == name));
    }
    let vanilla = [data("window-vanilla.bin")];
    let error = Job::window_post(WINDOW, &prover_id(), &ABOVE, &vanilla, None).unwrap_err();
    assert!(matches!(error, Error::NotInField { what: "randomness", .. }));
    assert!(error.to_string().contains("clear the two highest bits"), "{error}");
    let error = Job::window_post(WINDOW, &ABOVE, &RANDOMNESS, &vanilla, None).unwrap_err();
    assert!(matches!(error, Error::NotInField { what: "prover_id", .. }));
    for name in ["comm_r_old", "comm_r_new", "comm_d_new"] {
        let mut update = Update::read();
        match name {
            "comm_r_old" => update.comm_r_old = ABOVE,
            "comm_r_new" => update.comm_r_new = ABOVE,
            _ => update.comm_d_new = ABOVE,
        }
        assert!(matches!(update.job().unwrap_err(), Error::NotInField { what, .. } if what == name));
    }
}

#[test]
fn post_kinds_are_not_confused() {
    let error = Job::winning_post(WINDOW, &prover_id(), &RANDOMNESS, &[data("winning-vanilla.bin")]).unwrap_err();
    assert!(matches!(error, Error::WrongKind { expected: Kind::WinningPost, .. }));
    let error = Job::window_post(WINNING, &prover_id(), &RANDOMNESS, &[data("window-vanilla.bin")], None).unwrap_err();
    assert_eq!(error.to_string(), "StackedDrgWinning2KiBV1 is not a WindowPoSt proof");
    // the other kind's vanilla proof has another number of challenges
    let error = Job::window_post(WINDOW, &prover_id(), &RANDOMNESS, &[data("winning-vanilla.bin")], None).unwrap_err();
    assert!(matches!(error, Error::Malformed { kind: Kind::WindowPost, index: 0, what } if what == "66 challenges, expected 10"));
    let error = Job::winning_post(WINNING, &prover_id(), &RANDOMNESS, &[data("window-vanilla.bin")]).unwrap_err();
    assert!(matches!(error, Error::Malformed { kind: Kind::WinningPost, index: 0, .. }));
}

#[test]
fn number_of_vanilla_proofs() {
    let count = |result: Result<Job, Error>| match result.unwrap_err() {
        Error::VanillaCount { found, expected, .. } => (found, expected),
        error => panic!("{error}"),
    };
    let (id, seed) = (prover_id(), RANDOMNESS);
    let none: [Vec<u8>; 0] = [];
    let winning = data("winning-vanilla.bin");
    assert_eq!(count(Job::winning_post(WINNING, &id, &seed, &none)), (0, "1".into()));
    assert_eq!(count(Job::winning_post(WINNING, &id, &seed, &[&winning, &winning])), (2, "1".into()));
    assert_eq!(count(Job::window_post(WINDOW, &id, &seed, &none, None)), (0, "at least 1".into()));
    let three = &window5_vanilla()[..3];
    let expected = "1 to 2, the sectors of one partition".to_owned();
    assert_eq!(count(Job::window_post(WINDOW, &id, &seed, three, Some(0))), (3, expected));

    let mut update = Update::read();
    update.vanilla.push(update.vanilla[0].clone());
    assert_eq!(count(update.job()), (2, "1, one a partition".into()));

    let two_partitions = error_when(|c1| {
        let partitions = c1["vanilla_proofs"]["StackedDrg2KiBV1"].as_array_mut().unwrap();
        partitions.push(partitions[0].clone());
    });
    assert!(matches!(two_partitions, Error::VanillaCount { kind: Kind::PoRep, found: 2, .. }));
}

#[test]
fn undecodable_vanilla_proofs_have_an_index() {
    let mut vanilla = window5_vanilla();
    let whole = vanilla[3].len();
    vanilla[3].truncate(whole - 1);
    let error = Job::window_post(WINDOW, &prover_id(), &RANDOMNESS, &vanilla, None).unwrap_err();
    assert!(matches!(error, Error::Undecodable { kind: Kind::WindowPost, index: 3, .. }));

    let mut update = Update::read();
    update.vanilla[0].truncate(100);
    assert!(matches!(update.job().unwrap_err(), Error::Undecodable { kind: Kind::Update, index: 0, .. }));
    // lengths that promise more than memory holds
    update.vanilla[0] = vec![0xff; 100];
    assert!(matches!(update.job().unwrap_err(), Error::Undecodable { .. }));
}

#[test]
fn bad_sectors_are_named() {
    let (id, vanilla) = (prover_id(), window5_vanilla());
    let mut swapped = vanilla.clone();
    // sector 4's vanilla proof under sector 9's number: its challenges are others
    swapped[3][..8].copy_from_slice(&9_u64.to_le_bytes());
    let job = Job::window_post(WINDOW, &id, &RANDOMNESS, &swapped, None).unwrap();
    assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { kind: Kind::WindowPost, sectors }) if sectors == [9]));

    let job = Job::window_post(WINDOW, &id, &[4; 32], &vanilla, None).unwrap();
    let error = job.verify_vanilla().unwrap_err();
    assert_eq!(error.to_string(), "WindowPoSt: vanilla proofs do not verify for sectors [1, 2, 3, 4, 5]");

    // challenges of old proofs depend on the place in the deadline; these were made for new ones, and place 0 is the same
    let old = PostProof::WindowV1(SectorSize::KiB2);
    let job = Job::window_post(old, &id, &RANDOMNESS, &vanilla, None).unwrap();
    assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { sectors, .. }) if sectors == [2, 3, 4, 5]));
    let job = Job::window_post(old, &id, &RANDOMNESS, &vanilla[..1], Some(0)).unwrap();
    job.verify_vanilla().unwrap();
    let job = Job::window_post(old, &id, &RANDOMNESS, &vanilla[..1], Some(1)).unwrap();
    assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { sectors, .. }) if sectors == [1]));

    let job = Job::winning_post(WINNING, &id, &[4; 32], &[data("winning-vanilla.bin")]).unwrap();
    assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { kind: Kind::WinningPost, sectors }) if sectors == [1]));
}

#[test]
fn bad_partitions_are_named() {
    // another seed, other challenges
    let c1 = changed(|c1| c1["seed"][0] = value!(9));
    let job = Job::porep(&c1, SECTOR, &prover_id()).unwrap();
    let error = job.verify_vanilla().unwrap_err();
    assert_eq!(error.to_string(), "PoRep: vanilla proofs do not verify for partitions [0]");
    // a sibling that the proofs crate's own verification does not look at
    for tree in ["comm_d_proofs", "comm_r_last_proof"] {
        let c1 = changed(|c1| {
            let proof = &mut c1["vanilla_proofs"]["StackedDrg2KiBV1"][0][1][tree];
            proof["data"]["Single"]["path"]["path"][0]["hashes"][0][0] = value!(9);
        });
        let job = Job::porep(&c1, SECTOR, &prover_id()).unwrap();
        assert!(matches!(job.verify_vanilla(), Err(Error::BadPartitions { kind: Kind::PoRep, partitions }) if partitions == [0]));
    }

    let mut update = Update::read();
    std::mem::swap(&mut update.comm_r_old, &mut update.comm_r_new);
    let job = update.job().unwrap();
    assert!(matches!(job.verify_vanilla(), Err(Error::BadPartitions { kind: Kind::Update, partitions }) if partitions == [0]));
}

#[test]
fn partitions_are_bounded() {
    let job = window();
    for error in [job.public_inputs(1).unwrap_err(), job.synthesize(1, &mut Checker::blank()).unwrap_err()] {
        assert!(matches!(error, Error::PartitionOutOfRange { partition: 1, count: 1 }));
    }
    let vanilla = [data("window-vanilla.bin")];
    let error = Job::window_post(WINDOW, &prover_id(), &RANDOMNESS, &vanilla, Some(usize::MAX)).unwrap_err();
    assert!(matches!(error, Error::PartitionOutOfRange { partition: usize::MAX, .. }));
}

#[test]
fn circuit_refused_by_the_proofs_crate() {
    // challenges that disagree about the root
    let c1 = changed(|c1| {
        c1["vanilla_proofs"]["StackedDrg2KiBV1"][0][1]["comm_r_last_proof"]["data"]["Single"]["root"][0] = value!(9);
    });
    let job = Job::porep(&c1, SECTOR, &prover_id()).unwrap();
    let error = job.synthesize(0, &mut Checker::with_witness()).unwrap_err();
    assert!(matches!(&error, Error::Circuit { partition: 0, message } if message.contains("comm_r_last")), "{error}");
}

/// A constraint system that takes no variables.
struct Full;

impl ConstraintSystem<Fr> for Full {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Err(SynthesisError::PolynomialDegreeTooLarge)
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        Err(SynthesisError::PolynomialDegreeTooLarge)
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, _: LA, _: LB, _: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
    }

    fn push_namespace<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn pop_namespace(&mut self) {}

    fn get_root(&mut self) -> &mut Self {
        self
    }
}

#[test]
fn refusal_of_the_constraint_system_comes_back() {
    for job in [porep(), window(), winning(), Update::read().job().unwrap()] {
        let error = job.synthesize(0, &mut Full).unwrap_err();
        let refused = |e: &Error| matches!(e, Error::Synthesis { partition: 0, source: SynthesisError::PolynomialDegreeTooLarge });
        assert!(refused(&error), "{error:?}");
    }
}

#[test]
fn debug_output_hides_the_witness() {
    assert!(format!("{:?}", porep()).len() < 200);
}
