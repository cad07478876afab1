//! Vanilla proofs whose shape or numbers the proofs crates would trip over: refused by name, and nothing panics.

mod common;

use c2prover_filecoin::{Error, Job, Kind};
use common::*;
use serde_json::{json as value, Value};

/// What is done to a challenge of the C1 output.
type Change = Box<dyn FnOnce(&mut Value)>;

/// The error for the C1 output after a change to its first challenge.
fn malformed_when(change: impl FnOnce(&mut Value)) -> String {
    match error_when(|c1| change(&mut c1["vanilla_proofs"]["StackedDrg2KiBV1"][0][0])) {
        Error::Malformed { kind: Kind::PoRep, index: 0, what } => what,
        error => panic!("{error}"),
    }
}

/// Every shape and every number that the circuits would trip over.
#[test]
fn malformed_porep_proofs() {
    let single = |proof: &mut Value| proof["data"]["Single"].take();
    let cases: [(&str, Change); 13] = [
        (
            "comm_d_proofs: path of 5 levels, expected 6",
            Box::new(|c| _ = c["comm_d_proofs"]["data"]["Single"]["path"]["path"].as_array_mut().unwrap().pop()),
        ),
        (
            "comm_r_last_proof: level 1 has 6 siblings, expected 7",
            Box::new(|c| _ = c["comm_r_last_proof"]["data"]["Single"]["path"]["path"][1]["hashes"].as_array_mut().unwrap().pop()),
        ),
        (
            "comm_r_last_proof: level 0 has position 8, expected below 8",
            Box::new(|c| c["comm_r_last_proof"]["data"]["Single"]["path"]["path"][0]["index"] = value!(8)),
        ),
        (
            "comm_r_last_proof: node 2 is not in the field",
            Box::new(|c| c["comm_r_last_proof"]["data"]["Single"]["path"]["path"][0]["hashes"][2] = value!(ABOVE)),
        ),
        ("comm_d_proofs: node 0 is not in the field", Box::new(|c| c["comm_d_proofs"]["data"]["Single"]["leaf"] = value!(ABOVE))),
        ("comm_d_proofs: node 1 is not in the field", Box::new(|c| c["comm_d_proofs"]["data"]["Single"]["root"] = value!(ABOVE))),
        ("1 labeling proofs, expected 2", Box::new(|c| _ = c["labeling_proofs"].as_array_mut().unwrap().pop())),
        ("5 drg_parents, expected 6", Box::new(|c| _ = c["replica_column_proofs"]["drg_parents"].as_array_mut().unwrap().pop())),
        ("7 exp_parents, expected 8", Box::new(|c| _ = c["replica_column_proofs"]["exp_parents"].as_array_mut().unwrap().pop())),
        (
            "c_x: column of 1 rows, expected 2",
            Box::new(|c| _ = c["replica_column_proofs"]["c_x"]["column"]["rows"].as_array_mut().unwrap().pop()),
        ),
        (
            "drg_parents: node 1 is not in the field",
            Box::new(|c| c["replica_column_proofs"]["drg_parents"][3]["column"]["rows"][1] = value!(ABOVE)),
        ),
        (
            "exp_parents: path of 0 levels, expected 2",
            Box::new(|c| c["replica_column_proofs"]["exp_parents"][3]["inclusion_proof"]["data"]["Single"]["path"]["path"] = value!([])),
        ),
        // another variant of path, and no levels in it
        (
            "comm_r_last_proof: path of 0 levels, expected 2",
            Box::new(move |c| {
                let proof = single(&mut c["comm_r_last_proof"]);
                let empty = value!({"path": []});
                let sub = value!({"base_proof": empty, "sub_proof": empty, "root": proof["root"], "leaf": proof["leaf"]});
                c["comm_r_last_proof"] = value!({"data": {"Sub": sub}});
            }),
        ),
    ];
    for (expected, change) in cases {
        assert_eq!(malformed_when(change), format!("challenge 0: {expected}"));
    }
    let one_challenge = error_when(|c1| {
        _ = c1["vanilla_proofs"]["StackedDrg2KiBV1"][0].as_array_mut().unwrap().pop();
    });
    assert!(matches!(one_challenge, Error::Malformed { what, .. } if what == "1 challenges, expected 2"));
}

/// Byte by byte: whatever is changed, the answer is an error or a job whose vanilla proofs are refused or unchanged in
/// meaning; nothing panics.
#[test]
fn damaged_vanilla_proofs_never_panic() {
    let whole = data("window-vanilla.bin");
    for at in (0..whole.len()).step_by(97) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x80;
        if let Ok(job) = Job::window_post(WINDOW, &prover_id(), &RANDOMNESS, &[damaged], None) {
            assert!(job.verify_vanilla().is_err(), "byte {at}");
            job.public_inputs(0).unwrap();
            job.synthesize(0, &mut Checker::with_witness()).unwrap();
        }
    }
    let update = Update::read();
    for at in (0..update.vanilla[0].len()).step_by(499) {
        let mut damaged = Update::read();
        damaged.vanilla[0][at] ^= 0x80;
        if let Ok(job) = damaged.job() {
            assert!(job.verify_vanilla().is_err(), "byte {at}");
        }
    }
}
