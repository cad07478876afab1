//! What is proven: assignments with the shape's share of full-size values, and a, b, c with c = a b, so that provers
//! which derive c and those which take it agree to the byte.

use crate::field::{hash, Fr};
use crate::shape::Shape;
use rayon::prelude::*;

pub struct Batch {
    pub circuits: usize,
    /// One for all circuits: memory, not time, would be what a copy costs.
    pub a: Vec<Fr>,
    pub b: Vec<Fr>,
    pub c: Vec<Fr>,
    pub inputs: Vec<Vec<Fr>>,
    pub aux: Vec<Vec<Fr>>,
    pub r: Vec<Fr>,
    pub s: Vec<Fr>,
}

fn fill(len: usize, value: impl Fn(usize) -> Fr + Sync + Send) -> Vec<Fr> {
    (0..len).into_par_iter().with_min_len(1 << 12).map(value).collect()
}

/// Full-size where a pattern shared by all circuits says so, else 0 or 1 with equal odds.
fn aux_value(circuit: u64, i: usize, significant: f64) -> Fr {
    if (hash(0x516, i as u64) as f64) < significant * u64::MAX as f64 {
        Fr::random(0xA_0000 + circuit, i as u64)
    } else if hash(0xB_0000 + circuit, i as u64) & 1 == 1 {
        Fr::ONE
    } else {
        Fr::ZERO
    }
}

impl Batch {
    pub fn new(shape: &Shape, circuits: usize, significant: f64) -> Batch {
        let a = fill(shape.rows, |i| Fr::random(0x1_0000, i as u64));
        let b = fill(shape.rows, |i| Fr::random(0x2_0000, i as u64));
        let c = fill(shape.rows, |i| a[i].mul(b[i]));
        let each = || 0..circuits as u64;
        Batch {
            circuits,
            inputs: each().map(|k| fill(shape.inputs, |i| if i == 0 { Fr::ONE } else { Fr::random(0x4_0000 + k, i as u64) })).collect(),
            aux: each().map(|k| fill(shape.aux, |i| aux_value(k, i, significant))).collect(),
            r: each().map(|k| Fr::random(0x5_0000, k)).collect(),
            s: each().map(|k| Fr::random(0x6_0000, k)).collect(),
            a,
            b,
            c,
        }
    }
}
