//! Satisfied circuits drawn from a seed: any number of inputs, variables of every kind, occurring in A, in B, in both.

use bellpepper_core::{Circuit, ConstraintSystem, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;
use ff::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};

/// The circuit of a seed. Its shape depends on the seed alone; the witness is left out for a setup.
#[derive(Clone, Debug)]
pub struct RandomCircuit {
    pub seed: u64,
    pub with_witness: bool,
}

/// A variable and its value.
#[derive(Clone, Copy)]
struct Known {
    variable: Variable,
    value: Scalar,
}

/// Draws of one circuit. Shape and values come from generators apart, so that a blank circuit has the same shape.
struct Draw {
    shape: ChaCha20Rng,
    values: ChaCha20Rng,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        (self.shape.next_u64() % n as u64) as usize
    }

    /// Uniform in the logarithm, from 1 to 2^bits.
    fn size(&mut self, bits: usize) -> usize {
        let bits = self.below(bits + 1);
        1 + self.below(1 << bits)
    }

    /// Zero, one, small or full-size; `fullness` of 8 are full-size.
    fn value(&mut self, fullness: u64) -> Scalar {
        match self.values.next_u64() % 8 {
            k if k < fullness => Scalar::random(&mut self.values),
            k if k % 3 == 0 => Scalar::ZERO,
            k if k % 3 == 1 => Scalar::ONE,
            _ => Scalar::from(self.values.next_u64() % 1000),
        }
    }

    fn coefficient(&mut self) -> Scalar {
        match self.below(6) {
            0 => Scalar::ZERO,
            1 => -Scalar::ONE,
            2 => Scalar::random(&mut self.shape),
            _ => Scalar::ONE,
        }
    }

    /// A combination of a few of the known variables, and its value.
    fn combination(&mut self, known: &[Known]) -> (LinearCombination<Scalar>, Scalar) {
        let terms = 1 + self.below(4);
        (0..terms).fold((LinearCombination::zero(), Scalar::ZERO), |(lc, sum), _| {
            let (k, coefficient) = (known[self.below(known.len())], self.coefficient());
            (lc + (coefficient, k.variable), sum + coefficient * k.value)
        })
    }
}

impl RandomCircuit {
    pub fn new(seed: u64) -> RandomCircuit {
        RandomCircuit { seed, with_witness: true }
    }

    pub fn blank(&self) -> RandomCircuit {
        RandomCircuit { with_witness: false, ..self.clone() }
    }

    fn given(&self, value: Scalar) -> Result<Scalar, SynthesisError> {
        if self.with_witness {
            Ok(value)
        } else {
            Err(SynthesisError::AssignmentMissing)
        }
    }
}

impl Circuit<Scalar> for RandomCircuit {
    fn synthesize<CS: ConstraintSystem<Scalar>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let mut draw = Draw { shape: ChaCha20Rng::seed_from_u64(self.seed), values: ChaCha20Rng::seed_from_u64(!self.seed) };
        let (inputs, constraints) = (draw.below(200), draw.size(14));
        let fullness = draw.below(9) as u64;
        // B draws from a part of the variables alone, down to the constant one.
        let b_share = 1 + draw.below(8);
        let mut known = vec![Known { variable: CS::one(), value: Scalar::ONE }];
        for i in 0..inputs {
            let value = draw.value(fullness);
            let variable = cs.alloc_input(|| format!("input {i}"), || self.given(value))?;
            // A third of the inputs occurs nowhere.
            if draw.below(3) > 0 {
                known.push(Known { variable, value });
            }
        }
        for i in 0..constraints {
            // A free variable, bound by its occurrence in A, then a product.
            let value = draw.value(fullness);
            let free = Known { variable: cs.alloc(|| format!("free {i}"), || self.given(value))?, value };
            let (a, a_value) = draw.combination(&known);
            let (a, a_value) = (a + free.variable, a_value + free.value);
            let b_from = &known[..(known.len() * b_share / 8).max(1)];
            let (b, b_value) = draw.combination(b_from);
            let value = a_value * b_value;
            let product = Known { variable: cs.alloc(|| format!("product {i}"), || self.given(value))?, value };
            cs.enforce(|| format!("constraint {i}"), |_| a, |_| b, |lc| lc + product.variable);
            known.extend([free, product]);
        }
        Ok(())
    }
}
