//! The interface by itself: parameters and their errors, assignments and theirs, and that nothing is installed or needed.

mod common;

use std::path::{Path, PathBuf};
use std::ptr::null;

use blstrs::{G1Affine, G2Affine, Scalar as Fr};
use c2prover::circuit::{synthesize, Density, Synthesis};
use c2prover::Status;
use c2prover_filecoin::Kind;
use c2prover_test_setup::circuits::Chain;
use common::*;
use supraseal_c2::{generate_groth16_proof, generate_groth16_proofs, Assignment, SRS};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
struct Proof {
    a: G1Affine,
    b: G2Affine,
    c: G1Affine,
}

const STEPS: usize = 300;

/// A folder with the parameters of a small circuit.
fn setup() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.params");
    let mut rng: rand_chacha::ChaCha20Rng = rand_core::SeedableRng::seed_from_u64(1);
    c2prover_test_setup::generate(|| Chain::new(STEPS, 3, 0).blank(), &mut rng, &path, &folder.path().join("p.vk")).unwrap();
    (folder, path)
}

fn circuit_of(seed: u64) -> Synthesis {
    synthesize(|cs| bellpepper_core::Circuit::synthesize(Chain::new(STEPS, 3, seed), cs)).unwrap()
}

fn words(density: Density) -> *const usize {
    density.words.as_ptr().cast()
}

fn handed_over(circuit: &Synthesis) -> Assignment<Fr> {
    let x = circuit.assignment();
    Assignment {
        a_aux_density: words(x.a_aux_density),
        a_aux_bit_len: x.a_aux_density.bit_len,
        a_aux_popcount: x.a_aux_density.popcount,
        b_inp_density: words(x.b_input_density),
        b_inp_bit_len: x.b_input_density.bit_len,
        b_inp_popcount: x.b_input_density.popcount,
        b_aux_density: words(x.b_aux_density),
        b_aux_bit_len: x.b_aux_density.bit_len,
        b_aux_popcount: x.b_aux_density.popcount,
        a: x.a.as_ptr(),
        b: x.b.as_ptr(),
        // c2prover's own synthesis leaves it out.
        c: null(),
        abc_size: x.a.len(),
        inp_assignment_data: x.inputs.as_ptr(),
        inp_assignment_size: x.inputs.len(),
        aux_assignment_data: x.aux.as_ptr(),
        aux_assignment_size: x.aux.len(),
    }
}

fn prove(provers: &[Assignment<Fr>], srs: &SRS) -> Vec<Proof> {
    let blinding = vec![Fr::from(11); provers.len()];
    let mut proofs = vec![Proof::default(); provers.len()];
    generate_groth16_proofs(provers, &blinding, &blinding, &mut proofs, srs);
    proofs
}

fn open(path: &Path) -> SRS {
    SRS::try_new(path.to_owned(), false).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_handle_is_sent_shared_cloned_and_outlives_eviction() {
    fn assert_bounds<T: Send + Sync + Clone + Default>() {}
    assert_bounds::<SRS>();
    let (_folder, path) = setup();
    let circuit = circuit_of(1);
    let first = SRS::try_new(path.clone(), true).unwrap();
    let clone = first.clone();
    let expected = prove(&[handed_over(&circuit)], &first);
    drop(first);
    clone.evict();
    std::fs::remove_file(&path).unwrap();
    let again = std::thread::scope(|s| s.spawn(|| prove(&[handed_over(&circuit_of(1))], &clone)).join().unwrap());
    assert_eq!(again, expected);
    // Nothing to evict, and nothing to prove with.
    SRS::default().evict();
    let text = panic_text(|| prove(&[handed_over(&circuit)], &SRS::default().clone()));
    assert_eq!(text, "c2prover: INVALID_ARGUMENT: the SRS is empty: SRS::try_new makes one (correct the call)");
}

#[test]
fn a_file_that_is_no_good_is_an_error_with_its_number_and_its_place() {
    let good = std::fs::read(params(Kind::WindowPost).params).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.params");
    let refused = |path: &Path, status: Status, text: &str| {
        let Err(e) = SRS::try_new(path.to_owned(), false) else { panic!("{status:?} expected") };
        assert_eq!(e.code, status.code(), "{e}");
        assert!(e.to_string().starts_with(&format!("c2prover: {}: ", status.name())), "{e}");
        assert!(e.to_string().contains(text), "{e}");
        assert_eq!((String::from(&e), e.to_string()), (String::from(e.clone()), String::from(e)));
    };
    let with = |bytes: &[u8], status, text| {
        std::fs::write(&path, bytes).unwrap();
        refused(&path, status, text);
    };
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    // The head has three points of G1 and three of G2; ic follows.
    let ic = 3 * 96 + 3 * 192;
    refused(&path, Status::ParamsMissing, "damaged.params: no such parameter file");
    refused(folder.path(), Status::ParamsUnreadable, "not a regular file");
    with(b"", Status::ParamsEmpty, "the file is empty");
    with(b"not parameters, and shorter than their head", Status::ParamsTruncated, "section alpha_g1");
    with(&vec![b'x'; 4096], Status::ParamsPoint, "section alpha_g1");
    with(&good[..good.len() - 1], Status::ParamsTruncated, "section b_g2");
    with(&[&good[..], b"!"].concat(), Status::ParamsTrailing, "1 bytes after the last section");
    with(&flipped(ic), Status::ParamsTruncated, "section ic");
    with(&flipped(ic + 4 + 2 * 96 + 95), Status::ParamsPoint, "section ic, point 2");
    with(&flipped(good.len() / 2), Status::ParamsPoint, "at offset");
    // Refused is not remembered: the file under the same name is good now.
    std::fs::write(&path, &good).unwrap();
    open(&path);
}

#[test]
fn a_path_may_have_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let (folder, path) = setup();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe.params"));
    std::fs::rename(path, &odd).unwrap();
    open(&odd);
}

#[test]
fn both_calls_make_the_same_proofs_and_use_the_blinding_as_given() {
    let (_folder, path) = setup();
    let srs = open(&path);
    let circuits = [circuit_of(1), circuit_of(2)];
    let given: Vec<_> = circuits.iter().map(handed_over).collect();
    let (r, s) = ([Fr::from(5), Fr::from(6)], [Fr::from(7), Fr::from(8)]);
    let mut proofs = [Proof::default(); 2];
    generate_groth16_proofs(&given, &r, &s, &mut proofs, &srs);

    let x = circuits[0].assignment();
    let column = |f: fn(&Assignment<Fr>) -> *const Fr| given.iter().map(f).collect::<Vec<_>>();
    let old = |num_circuits, b_aux_words: &[u64]| {
        let mut proofs = [Proof::default(); 2];
        generate_groth16_proof(
            &column(|x| x.a),
            &column(|x| x.b),
            &column(|x| x.c),
            x.a.len(),
            &column(|x| x.inp_assignment_data),
            &column(|x| x.aux_assignment_data),
            x.inputs.len(),
            x.aux.len(),
            x.a_aux_density.words,
            x.b_input_density.words,
            b_aux_words,
            x.a_aux_density.popcount,
            x.b_input_density.popcount,
            x.b_aux_density.popcount,
            num_circuits,
            &r,
            &s,
            &mut proofs,
            &srs,
        );
        proofs
    };
    assert_eq!(old(2, x.b_aux_density.words), proofs);
    assert!(panic_text(|| old(1, x.b_aux_density.words)).contains("ntt_a_scalars has 2 elements, expected 1"));
    assert!(panic_text(|| old(2, &x.b_aux_density.words[1..])).contains("b_g1_aux_density_bv has 4 elements, expected 5"));

    // Zero is what bellperson gives for a proof without randomness.
    let mut plain = [Proof::default(); 2];
    generate_groth16_proofs(&given, &[Fr::from(0); 2], &[Fr::from(0); 2], &mut plain, &srs);
    assert!(plain[0].a != proofs[0].a && plain[0].b != proofs[0].b);
    // No circuits, no proofs.
    generate_groth16_proofs::<Fr, Proof>(&[], &[], &[], &mut [], &srs);
}

#[test]
fn every_field_of_an_assignment_is_checked_and_named() {
    type Change<'a> = &'a dyn Fn(&mut Assignment<Fr>);
    let (_folder, path) = setup();
    let srs = open(&path);
    let circuit = circuit_of(3);
    let text = |change: Change| {
        let mut x = handed_over(&circuit);
        change(&mut x);
        panic_text(|| prove(&[handed_over(&circuit), x], &srs))
    };
    let cases: &[(&str, Change)] = &[
        ("INVALID_ARGUMENT: circuit 1: a is null", &|x| x.a = null()),
        ("INVALID_ARGUMENT: circuit 1: b is null", &|x| x.b = null()),
        ("INVALID_ARGUMENT: circuit 1: inp_assignment_data is null", &|x| x.inp_assignment_data = null()),
        ("INVALID_ARGUMENT: circuit 1: aux_assignment_data is not aligned", &|x| {
            x.aux_assignment_data = x.aux_assignment_data.wrapping_byte_add(1);
        }),
        ("INVALID_ARGUMENT: circuit 1: a_aux_density is null", &|x| x.a_aux_density = null()),
        ("BAD_ASSIGNMENT: circuit 1: a_aux_popcount is ", &|x| x.a_aux_popcount += 1),
        ("BAD_ASSIGNMENT: circuit 1: b_inp_popcount is ", &|x| x.b_inp_popcount += 1),
        ("BAD_ASSIGNMENT: circuit 1: b_aux_popcount is ", &|x| x.b_aux_popcount -= 1),
        ("BAD_ASSIGNMENT: circuit 1: a_aux_bit_len is ", &|x| x.a_aux_bit_len -= 1),
        ("BAD_ASSIGNMENT: circuit 1: b_aux_bit_len is ", &|x| x.b_aux_bit_len = usize::MAX),
        ("PARAMS_MISMATCH: circuit 1: abc_size needs ", &|x| x.abc_size = 200),
        ("PARAMS_MISMATCH: circuit 1: inp_assignment_size needs 2 points", &|x| x.inp_assignment_size = 2),
        ("PARAMS_MISMATCH: circuit 1: aux_assignment_size needs 299 points", &|x| x.aux_assignment_size = 299),
        ("BAD_SCALAR: circuit 1: inp_assignment[0] is not one", &|x| x.inp_assignment_data = x.aux_assignment_data),
    ];
    for (expected, change) in cases {
        let text = text(change);
        assert!(text.starts_with(&format!("c2prover: {expected}")), "{expected}: {text}");
    }

    let (one, none) = ([Fr::from(1)], []);
    let given = [handed_over(&circuit)];
    let mut proofs = [Proof::default()];
    assert!(panic_text(|| generate_groth16_proofs(&given, &none, &one, &mut proofs, &srs)).contains("r_s has 0 elements, expected 1"));
    assert!(panic_text(|| generate_groth16_proofs(&given, &one, &none, &mut proofs, &srs)).contains("s_s has 0 elements, expected 1"));
    assert!(panic_text(|| generate_groth16_proofs::<_, Proof>(&given, &one, &one, &mut [], &srs)).contains("proofs has 0 elements"));
    assert_eq!(proofs, [Proof::default()], "written only if all is well");
    let not_below = [unreduced()];
    assert!(panic_text(|| generate_groth16_proofs(&given, &not_below, &one, &mut proofs, &srs))
        .contains("BAD_SCALAR: circuit 0: r_s[0] is not below r"));
}

/// The modulus itself, in memory form.
fn unreduced() -> Fr {
    Fr::from(blst::blst_fr { l: [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48] })
}

#[test]
fn c_may_be_given_or_not_and_bits_behind_a_density_may_be_anything() {
    let (_folder, path) = setup();
    let srs = open(&path);
    let circuit = circuit_of(4);
    let expected = prove(&[handed_over(&circuit)], &srs);
    let of = circuit.assignment();
    let c: Vec<Fr> = of.a.iter().zip(of.b).map(|(a, b)| a * b).collect();
    assert_eq!(prove(&[Assignment { c: c.as_ptr(), ..handed_over(&circuit) }], &srs), expected);
    let mut dirty: Vec<usize> = of.b_aux_density.words.iter().map(|w| *w as usize).collect();
    *dirty.last_mut().unwrap() |= !0 << (STEPS % 64);
    assert_eq!(prove(&[Assignment { b_aux_density: dirty.as_ptr(), ..handed_over(&circuit) }], &srs), expected);
}

#[test]
fn no_logger_is_installed_and_no_variable_needed() {
    let (_folder, path) = setup();
    let ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("C2PROVER_");
    let set: Vec<_> = std::env::vars_os().filter(|(name, _)| ours(name) && name != "C2PROVER_TEST_PARAMS").collect();
    assert!(set.is_empty(), "run the tests without {set:?}");
    prove(&[handed_over(&circuit_of(5))], &open(&path));
    let (_, lines) = logged(|| prove(&[handed_over(&circuit_of(5))], &open(&path)));
    assert!(
        lines.iter().any(|l| l.contains("c2prover proves in place of supraseal-c2")),
        "the slot for a logger was free, and ours is in it"
    );
}
