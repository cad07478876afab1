//! filecoin-proofs with parameters that are missing, damaged or of another circuit: an error or a panic with a text that
//! survives, and none of it for ever. In a process of its own, as filecoin-proofs keeps its folder of parameters.

mod common;

use c2prover_dropin_tests::{data, Statement};
use c2prover_filecoin::Kind;
use common::*;
use filecoin_proofs_api::post::{generate_window_post_with_vanilla, generate_winning_post_with_vanilla};

#[test]
fn parameters_that_are_wrong_are_errors_until_they_are_right() {
    let folder = tempfile::tempdir().unwrap();
    point_to(folder.path().to_owned());
    let good = params(Kind::WindowPost);
    let window = folder.path().join(circuit(Kind::WindowPost).params_file());
    std::fs::copy(&good.vk, folder.path().join(circuit(Kind::WindowPost).vk_file())).unwrap();

    let statement = data::window().unwrap();
    let vanilla = [data::read("window-vanilla.bin").unwrap()];
    let prove = || generate_window_post_with_vanilla(statement.proof, &statement.randomness, statement.prover_id, &vanilla);
    let refused = |expected: &str| {
        let text = format!("{:#}", prove().unwrap_err());
        assert!(text.contains(expected), "{text}");
        assert!(text.contains(&circuit(Kind::WindowPost).params_file()), "{text}");
    };

    // filecoin-proofs itself looks for the file.
    refused("failure finding");
    std::fs::write(&window, []).unwrap();
    refused("PARAMS_EMPTY");
    let mut bytes = std::fs::read(&good.params).unwrap();
    std::fs::write(&window, &bytes[..bytes.len() - 1]).unwrap();
    refused("PARAMS_TRUNCATED");
    let at = bytes.len() - 100;
    bytes[at] ^= 1;
    std::fs::write(&window, &bytes).unwrap();
    refused("section b_g2, point 16028");

    // Another circuit's parameters under the name: good points, and found out only when there is a circuit.
    std::fs::copy(&good.params, folder.path().join(circuit(Kind::WinningPost).params_file())).unwrap();
    let winning = data::winning().unwrap();
    let winning_vanilla = [data::read("winning-vanilla.bin").unwrap()];
    let text = panic_text(|| generate_winning_post_with_vanilla(winning.proof, &winning.randomness, winning.prover_id, &winning_vanilla));
    assert!(text.starts_with("c2prover: PARAMS_MISMATCH: circuit 0: inp_assignment_size needs 133 points in section ic"), "{text}");

    // The same process proves as soon as the file is right.
    bytes[at] ^= 1;
    std::fs::write(&window, &bytes).unwrap();
    let proofs = prove().unwrap();
    Statement::Post(statement.clone()).check(&proofs[0].1).unwrap();
}
