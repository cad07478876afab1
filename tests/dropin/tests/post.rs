//! WindowPoSt and WinningPoSt by filecoin-proofs: proved through the drop-in, verified by the verifier, and the log says who did it.

mod common;

use c2prover_dropin_tests::{data, Post, Statement};
use c2prover_filecoin::Kind;
use common::*;
use filecoin_proofs_api::post::{generate_window_post_with_vanilla, generate_winning_post_with_vanilla};

/// Both names are in the log, ours after bellperson's and before the end of the proof.
fn both_are_named(lines: &[String]) {
    let at = |text: &str| lines.iter().position(|l| l.contains(text)).unwrap_or_else(|| panic!("{text}: not in {lines:#?}"));
    let bellperson = at("INFO bellperson::groth16::prover::supraseal > Bellperson 0.27.0 with SupraSeal is being used!");
    let ours = at("c2prover proves in place of supraseal-c2: circuits=1");
    let report = at("INFO c2prover::summary > job=supraseal-c2-");
    assert!(bellperson < ours && ours < report, "{lines:#?}");
    assert!(lines[report..].iter().any(|l| l.contains("status=OK") && l.contains("backend=cpu")), "{lines:#?}");
}

fn check(statement: Post, proof: &[u8]) {
    assert_eq!(proof.len(), 192);
    assert_eq!(Statement::Post(statement).check(proof).unwrap(), 3 + 3);
}

#[test]
fn a_window_post_verifies_and_the_log_names_both() {
    with_params(Kind::WindowPost);
    let statement = data::window().unwrap();
    let vanilla = [data::read("window-vanilla.bin").unwrap()];
    let (proofs, lines) =
        logged(|| generate_window_post_with_vanilla(statement.proof, &statement.randomness, statement.prover_id, &vanilla).unwrap());
    both_are_named(&lines);
    check(statement, &proofs[0].1);
}

#[test]
fn a_winning_post_verifies_and_the_log_names_both() {
    with_params(Kind::WinningPost);
    let statement = data::winning().unwrap();
    let vanilla = [data::read("winning-vanilla.bin").unwrap()];
    let (proofs, lines) =
        logged(|| generate_winning_post_with_vanilla(statement.proof, &statement.randomness, statement.prover_id, &vanilla).unwrap());
    both_are_named(&lines);
    check(statement, &proofs[0].1);
}
