//! The circuit that the Go tests prove, in go/testdata: parameters, witnesses, and bellperson's proofs of them. What is
//! there equals what is made here; `C2PROVER_TEST_WRITE=1` writes it.

mod common;

use std::path::Path;

use blstrs::Scalar;
use c2prover_test_setup::circuits::Chain;
use common::*;
use serde_json::json;

const STEPS: usize = 58;
const EVERY: usize = 8;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The number itself, little-endian.
fn number(x: &Scalar) -> String {
    hex(&x.to_bytes_le())
}

fn equals(name: &str, made: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("go/testdata").join(name);
    if std::env::var_os("C2PROVER_TEST_WRITE").is_some() {
        std::fs::write(&path, made).unwrap();
    }
    assert!(std::fs::read(&path).unwrap() == made, "{} is not what this test makes", path.display());
}

#[test]
fn the_go_tests_have_bellpersons_proofs() {
    let circuit = |seed| Chain::new(STEPS, EVERY, seed);
    let params = TestSrs::of(|| circuit(0).blank(), 21);
    let proofs = bellperson(&params.path(), vec![circuit(1), circuit(2)]);
    let circuits = (1..=2).map(|seed| {
        let cs = synthesize(circuit(seed));
        let (x, k) = (cs.assignment(), seed as usize - 1);
        let (r, s) = blinding(k);
        json!({
            "inputs": x.inputs[1..].iter().map(number).collect::<Vec<_>>(), "aux": x.aux.iter().map(number).collect::<Vec<_>>(),
            "r": number(&r), "s": number(&s), "proof": hex(&proofs[192 * k..192 * (k + 1)]),
        })
    });
    let text = serde_json::to_string_pretty(&json!({"steps": STEPS, "every": EVERY, "circuits": circuits.collect::<Vec<_>>()})).unwrap();
    equals("chain.json", (text + "\n").as_bytes());
    equals("chain.params", &std::fs::read(params.path()).unwrap());
    equals("chain.vk", &std::fs::read(params.path().with_extension("vk")).unwrap());
}
