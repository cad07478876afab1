//! The 2 KiB sector of `tests/data`, and a constraint system that checks what is synthesised into it.
// each test binary uses a part of it
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use bellpepper_core::{ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar as Fr;
use c2prover_filecoin::{Error, Job, PostProof, SectorSize, UpdateProof};
use ff::{Field, PrimeField};
use serde_json::Value;

pub const SECTOR: u64 = 1;
pub const RANDOMNESS: [u8; 32] = [3; 32];
pub const WINDOW: PostProof = PostProof::WindowV1_1(SectorSize::KiB2);
pub const WINNING: PostProof = PostProof::Winning(SectorSize::KiB2);

/// Miner 1000's id address, zero-padded.
pub fn prover_id() -> [u8; 32] {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&[0xe8, 0x07]);
    id
}

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

pub fn data(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap()
}

pub fn json(name: &str) -> Value {
    serde_json::from_slice(&data(name)).unwrap()
}

pub fn base64s(list: &Value) -> Vec<Vec<u8>> {
    list.as_array().unwrap().iter().map(|text| STANDARD.decode(text.as_str().unwrap()).unwrap()).collect()
}

pub fn hex(text: &Value) -> [u8; 32] {
    let text = text.as_str().unwrap();
    std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap())
}

pub fn porep() -> Job {
    Job::porep(&data("c1-raw.json"), SECTOR, &prover_id()).unwrap()
}

pub fn winning() -> Job {
    Job::winning_post(WINNING, &prover_id(), &RANDOMNESS, &[data("winning-vanilla.bin")]).unwrap()
}

pub fn window() -> Job {
    Job::window_post(WINDOW, &prover_id(), &RANDOMNESS, &[data("window-vanilla.bin")], None).unwrap()
}

/// Vanilla proofs of five sectors, three partitions.
pub fn window5_vanilla() -> Vec<Vec<u8>> {
    base64s(&json("window5-vanilla.json"))
}

/// Commitments and vanilla proofs of the update.
pub struct Update {
    pub comm_r_old: [u8; 32],
    pub comm_r_new: [u8; 32],
    pub comm_d_new: [u8; 32],
    pub vanilla: Vec<Vec<u8>>,
}

impl Update {
    pub fn read() -> Self {
        let json = json("update-vanilla.json");
        Self {
            comm_r_old: hex(&json["comm_r_old"]),
            comm_r_new: hex(&json["comm_r_new"]),
            comm_d_new: hex(&json["comm_d_new"]),
            vanilla: base64s(&json["vanilla"]),
        }
    }

    pub fn job(&self) -> Result<Job, Error> {
        let Self { comm_r_old, comm_r_new, comm_d_new, vanilla } = self;
        Job::update(UpdateProof(SectorSize::KiB2), comm_r_old, comm_r_new, comm_d_new, vanilla)
    }
}

/// 32 bytes above the field's modulus.
pub const ABOVE: [u8; 32] = [0xff; 32];

pub fn bytes(json: &Value) -> Vec<u8> {
    serde_json::to_vec(json).unwrap()
}

/// The C1 output after a change to it.
pub fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut c1 = json("c1-raw.json");
    change(&mut c1);
    bytes(&c1)
}

pub fn porep_error(c1: &[u8]) -> Error {
    Job::porep(c1, SECTOR, &prover_id()).unwrap_err()
}

/// The error for the C1 output after a change to it.
pub fn error_when(change: impl FnOnce(&mut Value)) -> Error {
    porep_error(&changed(change))
}

/// Counts, densities and values of a synthesised circuit; without values, only the former.
#[derive(Default)]
pub struct Checker {
    has_witness: bool,
    pub constraints: usize,
    pub inputs: Vec<Fr>,
    pub aux: Vec<Fr>,
    pub a_aux: Vec<bool>,
    pub b_inputs: Vec<bool>,
    pub b_aux: Vec<bool>,
    /// The first row whose a b is not c.
    pub unsatisfied: Option<usize>,
}

impl Checker {
    pub fn with_witness() -> Self {
        Self { has_witness: true, inputs: vec![Fr::ONE], b_inputs: vec![false], ..Self::default() }
    }

    pub fn blank() -> Self {
        Self { has_witness: false, ..Self::with_witness() }
    }

    /// Constraints, inputs with the constant one, aux variables.
    pub fn shape(&self) -> (usize, usize, usize) {
        (self.constraints, self.inputs.len(), self.aux.len())
    }

    /// How many aux variables occur in a, inputs in b, and aux variables in b.
    pub fn densities(&self) -> (usize, usize, usize) {
        let count = |bits: &[bool]| bits.iter().filter(|bit| **bit).count();
        (count(&self.a_aux), count(&self.b_inputs), count(&self.b_aux))
    }

    fn value(&self, f: impl FnOnce() -> Result<Fr, SynthesisError>) -> Result<Fr, SynthesisError> {
        if self.has_witness {
            f()
        } else {
            Ok(Fr::ZERO)
        }
    }

    fn evaluate(&self, lc: &LinearCombination<Fr>) -> Fr {
        lc.iter()
            .map(|(variable, coefficient)| match variable.get_unchecked() {
                Index::Input(i) => self.inputs[i] * coefficient,
                Index::Aux(i) => self.aux[i] * coefficient,
            })
            .sum()
    }
}

impl ConstraintSystem<Fr> for Checker {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, f: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.aux.push(self.value(f)?);
        self.a_aux.push(false);
        self.b_aux.push(false);
        Ok(Variable::new_unchecked(Index::Aux(self.aux.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, f: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.push(self.value(f)?);
        self.b_inputs.push(false);
        Ok(Variable::new_unchecked(Index::Input(self.inputs.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
        let zero = LinearCombination::zero;
        let (a, b, c) = (a(zero()), b(zero()), c(zero()));
        let occurs = |lc: &LinearCombination<Fr>| -> Vec<Index> {
            lc.iter().filter(|(_, k)| !k.is_zero_vartime()).map(|(v, _)| v.get_unchecked()).collect()
        };
        for index in occurs(&a) {
            if let Index::Aux(i) = index {
                self.a_aux[i] = true;
            }
        }
        for index in occurs(&b) {
            match index {
                Index::Input(i) => self.b_inputs[i] = true,
                Index::Aux(i) => self.b_aux[i] = true,
            }
        }
        if self.has_witness && self.evaluate(&a) * self.evaluate(&b) != self.evaluate(&c) {
            self.unsatisfied.get_or_insert(self.constraints);
        }
        self.constraints += 1;
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

/// A field element from its canonical bytes, little-endian, in hex.
pub fn field(text: &Value) -> Fr {
    Fr::from_repr(hex(text)).unwrap()
}
