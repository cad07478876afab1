//! Small satisfiable circuits with the witnesses that provers treat differently: zeros and ones, or full-size numbers.

use bellpepper_core::{Circuit, ConstraintSystem, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar as Fr;
use ff::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};

/// A chain of products with bits in between: x' = (x + 7)(x + i + 1) at every `every`-th step i, x' = x + bit at the others.
///
/// Public inputs are the first x and the last. One constraint and one aux variable a step, and one constraint more.
#[derive(Clone, Debug)]
pub struct Chain {
    steps: usize,
    every: usize,
    seed: Option<u64>,
}

impl Chain {
    /// Any mixture: one product in `every` steps.
    pub fn new(steps: usize, every: usize, seed: u64) -> Self {
        assert!(every > 0);
        Self { steps, every, seed: Some(seed) }
    }

    /// Nearly all bits, like a PoRep: one step in 64 is a product.
    pub fn bits(steps: usize, seed: u64) -> Self {
        Self::new(steps, 64, seed)
    }

    /// Nearly all full-size, like a PoSt: every step is a product.
    pub fn products(steps: usize, seed: u64) -> Self {
        Self::new(steps, 1, seed)
    }

    /// The same circuit without its witness, for a setup.
    pub fn blank(&self) -> Self {
        Self { seed: None, ..self.clone() }
    }

    /// The public inputs, without the leading one. Only with a witness.
    pub fn public_inputs(&self) -> Vec<Fr> {
        let (ends, _) = self.witness().expect("a blank circuit has no public inputs");
        ends.to_vec()
    }

    fn is_product(&self, step: usize) -> bool {
        step % self.every == 0
    }

    /// First x and last, and the value of each step's variable.
    fn witness(&self) -> Option<([Fr; 2], Vec<Fr>)> {
        let seed = self.seed?;
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let first = Fr::random(&mut rng);
        let mut x = first;
        let step = |i: usize| {
            if self.is_product(i) {
                x = (x + Fr::from(7)) * (x + Fr::from(i as u64 + 1));
                return x;
            }
            let bit = Fr::from(u64::from(rng.next_u32() & 1));
            x += bit;
            bit
        };
        let values: Vec<Fr> = (0..self.steps).map(step).collect();
        Some(([first, x], values))
    }
}

impl Circuit<Fr> for Chain {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let witness = self.witness();
        let end = |i: usize| witness.as_ref().map(|(ends, _)| ends[i]).ok_or(SynthesisError::AssignmentMissing);
        let value = |i: usize| witness.as_ref().map(|(_, v)| v[i]).ok_or(SynthesisError::AssignmentMissing);

        let first = cs.alloc_input(|| "first", || end(0))?;
        let last = cs.alloc_input(|| "last", || end(1))?;
        // x is the latest product and the bits since
        let mut x = LinearCombination::zero() + first;
        for i in 0..self.steps {
            let variable = cs.alloc(|| format!("step {i}"), || value(i))?;
            if self.is_product(i) {
                let factor = |constant: u64| x.clone() + (Fr::from(constant), CS::one());
                cs.enforce(|| format!("product {i}"), |_| factor(7), |_| factor(i as u64 + 1), |lc| lc + variable);
                x = LinearCombination::zero() + variable;
            } else {
                cs.enforce(|| format!("bit {i}"), |lc| lc + variable, |lc| lc + CS::one() - variable, |lc| lc);
                x = x + variable;
            }
        }
        cs.enforce(|| "last step", |_| x, |lc| lc + CS::one(), |lc| lc + last);
        Ok(())
    }
}

/// What the aux variables of [`Classes`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// All zero.
    Zeros,
    /// All one.
    Ones,
    /// Zeros and ones: nothing significant.
    Bits,
    /// Zeros and ones, and one in 64 full-size.
    Mixed,
    /// All full-size: everything significant.
    Significant,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 5] = [Self::Zeros, Self::Ones, Self::Bits, Self::Mixed, Self::Significant];
}

/// A circuit of exactly so many aux variables, all of one [`Class`].
///
/// Every second variable is the product of its two free neighbours before it, so each class is closed under the circuit, and
/// all classes share one shape: one parameter file proves them all. The public input is the sum of the last two variables.
#[derive(Clone, Debug)]
pub struct Classes {
    aux: usize,
    values: Option<Vec<Fr>>,
}

impl Classes {
    /// A circuit of `aux` variables, at least one.
    pub fn new(aux: usize, class: Class, seed: u64) -> Self {
        assert!(aux > 0);
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut free = || match class {
            Class::Zeros => Fr::ZERO,
            Class::Ones => Fr::ONE,
            Class::Mixed if rng.next_u32() % 64 == 0 => Fr::random(&mut rng),
            Class::Bits | Class::Mixed => Fr::from(u64::from(rng.next_u32() & 1)),
            Class::Significant => Fr::random(&mut rng),
        };
        let mut values: Vec<Fr> = Vec::with_capacity(aux);
        for i in 0..aux {
            let value = match factors(i) {
                Some((j, k)) => values[j] * values[k],
                None => free(),
            };
            values.push(value);
        }
        Self { aux, values: Some(values) }
    }

    /// The same circuit without its witness, for a setup.
    pub fn blank(&self) -> Self {
        Self { values: None, ..*self }
    }

    /// The public inputs, without the leading one. Only with a witness.
    pub fn public_inputs(&self) -> Vec<Fr> {
        let values = self.values.as_ref().expect("a blank circuit has no public inputs");
        vec![values.iter().rev().take(2).sum()]
    }
}

/// The variables whose product the i-th is, if it is not free.
fn factors(i: usize) -> Option<(usize, usize)> {
    (i % 2 == 1).then(|| (i - 1, i.saturating_sub(3)))
}

impl Circuit<Fr> for Classes {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let value = |i: usize| self.values.as_ref().map(|v| v[i]).ok_or(SynthesisError::AssignmentMissing);
        let sum = || match &self.values {
            Some(_) => Ok(self.public_inputs()[0]),
            None => Err(SynthesisError::AssignmentMissing),
        };
        let sum = cs.alloc_input(|| "sum", sum)?;
        let mut variables: Vec<Variable> = Vec::with_capacity(self.aux);
        for i in 0..self.aux {
            let variable = cs.alloc(|| format!("variable {i}"), || value(i))?;
            if let Some((j, k)) = factors(i) {
                let (a, b) = (variables[j], variables[k]);
                cs.enforce(|| format!("product {i}"), |lc| lc + a, |lc| lc + b, |lc| lc + variable);
            }
            variables.push(variable);
        }
        let last_two = variables.iter().rev().take(2);
        cs.enforce(|| "last two", |lc| last_two.fold(lc, |lc, v| lc + *v), |lc| lc + CS::one(), |lc| lc + sum);
        Ok(())
    }
}
