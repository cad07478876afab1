//! Circuits by shape alone: how many inputs, variables and constraints, and which variables the A and B sums touch.

use crate::field::hash;
use rayon::prelude::*;

/// Which real circuit the numbers imitate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Sealing: nearly all variables in A, a quarter in B, 1.6 % of the values full-size.
    PoRep,
    /// Window and winning proofs: three quarters in A and in B, nearly all values full-size.
    PoSt,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::PoRep => "prove",
            Kind::PoSt => "prove_post",
        }
    }
    fn densities(self) -> (f64, f64) {
        match self {
            Kind::PoRep => (0.997, 0.254),
            Kind::PoSt => (0.756, 0.725),
        }
    }
    /// Share of full-size values in the assignment.
    pub fn significant(self) -> f64 {
        match self {
            Kind::PoRep => 0.016,
            Kind::PoSt => 0.99,
        }
    }
}

/// One bit a variable: does the sum of this section touch it?
pub struct Density {
    pub words: Vec<u64>,
    pub ones: usize,
}

impl Density {
    fn new(len: usize, share: f64, seed: u64) -> Density {
        let threshold = (share * u64::MAX as f64) as u64;
        let words: Vec<u64> = (0..len.div_ceil(64))
            .into_par_iter()
            .map(|w| {
                (0..64)
                    .map(|j| (w * 64 + j, j))
                    .fold(0, |word, (i, j)| word | (u64::from(i < len && hash(seed, i as u64) <= threshold) << j))
            })
            .collect();
        let ones = words.par_iter().map(|w| w.count_ones() as usize).sum();
        Density { words, ones }
    }
}

pub struct Shape {
    pub kind: Kind,
    pub lg: u32,
    pub inputs: usize,
    pub aux: usize,
    /// Rows of a, b and c.
    pub rows: usize,
    pub a_aux: Density,
    pub b_inputs: Density,
    pub b_aux: Density,
}

impl Shape {
    /// A domain of 2^lg, 97 % full as the 32 GiB sector's is.
    pub fn new(kind: Kind, lg: u32) -> Shape {
        let n = 1usize << lg;
        let inputs = 328.min(n / 64);
        let aux = (n as f64 * 0.97) as usize;
        let (a, b) = kind.densities();
        Shape {
            kind,
            lg,
            inputs,
            aux,
            rows: aux + inputs,
            a_aux: Density::new(aux, a, 0xA11CE),
            b_inputs: Density::new(inputs, 1.0, 1),
            b_aux: Density::new(aux, b, 0xB0B),
        }
    }
    pub fn h_points(&self) -> usize {
        (1 << self.lg) - 1
    }
    pub fn a_points(&self) -> usize {
        self.inputs + self.a_aux.ones
    }
    pub fn b_points(&self) -> usize {
        self.inputs + self.b_aux.ones
    }
}
