//! Proofs checked by the SRS's known logarithms: A and B exactly. C holds the quotient, whose logarithm would take the
//! transforms themselves; it is compared between provers, as with one (r, s) all 192 bytes must agree.

use crate::batch::Batch;
use crate::field::Fr;
use crate::shape::{Density, Shape};
use crate::srs::{key_logs, logarithm, Section};
use blst::*;
use rayon::prelude::*;

/// A in G1, B in G2, C in G1: affine, Montgomery form, as the provers leave them.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Proof {
    pub a: blst_p1_affine,
    pub b: blst_p2_affine,
    pub c: blst_p1_affine,
}

impl Default for Proof {
    fn default() -> Self {
        Proof { a: Default::default(), b: Default::default(), c: Default::default() }
    }
}

/// FNV over the words of all proofs: equal digests, equal proofs.
pub fn digest(proofs: &[Proof]) -> u64 {
    let words = |p: &Proof| {
        let g2 = [p.b.x.fp[0], p.b.x.fp[1], p.b.y.fp[0], p.b.y.fp[1]];
        [p.a.x, p.a.y].into_iter().chain(g2).chain([p.c.x, p.c.y]).flat_map(|f| f.l)
    };
    proofs
        .iter()
        .flat_map(words)
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |h, byte| (h ^ byte as u64).wrapping_mul(0x100_0000_01b3))
}

/// Sum of value times logarithm over the variables a density selects; inputs come first, all of them.
fn dense_sum(inputs: &[Fr], aux: &[Fr], density: &Density, section: Section) -> Fr {
    let head = inputs.iter().enumerate().fold(Fr::ZERO, |sum, (i, x)| sum.add(x.mul(logarithm(section, i))));
    let ranks: Vec<usize> = density
        .words
        .iter()
        .scan(inputs.len(), |rank, w| {
            let here = *rank;
            *rank += w.count_ones() as usize;
            Some(here)
        })
        .collect();
    let tail = density
        .words
        .par_iter()
        .zip(&ranks)
        .enumerate()
        .map(|(w, (word, rank))| {
            let selected = (0..64).filter(|j| word >> j & 1 == 1);
            selected.enumerate().fold(Fr::ZERO, |sum, (k, j)| {
                let value = aux[w * 64 + j];
                if value == Fr::ZERO {
                    sum
                } else {
                    sum.add(value.mul(logarithm(section, rank + k)))
                }
            })
        })
        .reduce(|| Fr::ZERO, Fr::add);
    head.add(tail)
}

/// Are A and B of circuit `k` what their definition says?
pub fn a_and_b(shape: &Shape, batch: &Batch, k: usize, proof: &Proof) -> bool {
    let key = key_logs();
    let log = |v: u64| Fr::from_u128(v as u128);
    let (inputs, aux) = (&batch.inputs[k], &batch.aux[k]);
    let a = dense_sum(inputs, aux, &shape.a_aux, Section::A).add(log(key.alpha)).add(batch.r[k].mul(log(key.delta)));
    let b = dense_sum(inputs, aux, &shape.b_aux, Section::B2).add(log(key.beta)).add(batch.s[k].mul(log(key.delta)));
    let (mut a1, mut a_affine) = (blst_p1::default(), blst_p1_affine::default());
    let (mut b2, mut b_affine) = (blst_p2::default(), blst_p2_affine::default());
    // SAFETY: scalars of 32 bytes, of which 255 bits are read; plain values otherwise.
    unsafe {
        blst_p1_mult(&mut a1, blst_p1_generator(), a.to_bytes().as_ptr(), 255);
        blst_p1_to_affine(&mut a_affine, &a1);
        blst_p2_mult(&mut b2, blst_p2_generator(), b.to_bytes().as_ptr(), 255);
        blst_p2_to_affine(&mut b_affine, &b2);
    }
    proof.a == a_affine && proof.b == b_affine
}
