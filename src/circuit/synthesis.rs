//! Synthesis of a bellpepper circuit straight into an assignment.

use bellpepper_core::{ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar;
use ff::Field;

use super::{Assignment, BitVec};
use crate::error::try_vec;
use crate::{Cancel, Error};

/// A constraint system that keeps what a prover needs and nothing else: evaluations of the rows, the assignment and
/// the densities. c is not kept: on a satisfied circuit it is a.b.
#[derive(Debug, Default)]
pub struct Synthesis {
    a: Vec<Scalar>,
    b: Vec<Scalar>,
    inputs: Vec<Scalar>,
    aux: Vec<Scalar>,
    a_aux: BitVec,
    b_input: BitVec,
    b_aux: BitVec,
    cancel: Cancel,
}

/// Variables between two looks at whether the circuit is still wanted.
const LOOK: usize = 1 << 14;

/// Synthesises one circuit; `circuit` is handed a system whose input 0 is the constant one. Afterwards each input
/// gets the row x_i * 0 = 0 that makes its polynomial independent, as in bellperson.
///
/// # Errors
/// Those of the circuit.
pub fn synthesize(circuit: impl FnOnce(&mut Synthesis) -> Result<(), SynthesisError>) -> Result<Synthesis, SynthesisError> {
    synthesize_in(Synthesis::new(), circuit)
}

/// As [`synthesize`], into memory that was reserved; also ends, with an error, when the system's owner cancels it.
///
/// # Errors
/// Those of the circuit, and `Unsatisfiable` if it was cancelled.
pub fn synthesize_in(
    mut cs: Synthesis,
    circuit: impl FnOnce(&mut Synthesis) -> Result<(), SynthesisError>,
) -> Result<Synthesis, SynthesisError> {
    cs.alloc_input(|| "", || Ok(Scalar::ONE))?;
    circuit(&mut cs)?;
    for i in 0..cs.inputs.len() {
        cs.enforce(|| "", |lc| lc + Variable::new_unchecked(Index::Input(i)), |lc| lc, |lc| lc);
    }
    Ok(cs)
}

impl Synthesis {
    /// An empty system with room for a circuit, so that growing does not take twice the memory.
    ///
    /// # Errors
    /// `HostOutOfMemory`.
    pub fn reserved(aux: usize, rows: usize, cancel: Cancel) -> Result<Synthesis, Error> {
        let (what, aux) = ("the synthesis", try_vec("the synthesis", aux)?);
        Ok(Synthesis { a: try_vec(what, rows)?, b: try_vec(what, rows)?, aux, cancel, ..Synthesis::default() })
    }

    /// The assignment, for a prover.
    pub fn assignment(&self) -> Assignment<'_> {
        Assignment {
            a: &self.a,
            b: &self.b,
            c: &[],
            inputs: &self.inputs,
            aux: &self.aux,
            a_aux_density: self.a_aux.density(),
            b_input_density: self.b_input.density(),
            b_aux_density: self.b_aux.density(),
        }
    }

    /// The public inputs without the leading one.
    pub fn public_inputs(&self) -> &[Scalar] {
        &self.inputs[1..]
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.a.len()
    }

    fn value(&self, lc: &LinearCombination<Scalar>, mut occurs: impl FnMut(Index)) -> Scalar {
        let mut sum = Scalar::ZERO;
        let mut add = |value: &Scalar, coefficient: &Scalar| {
            if *coefficient == Scalar::ONE {
                sum += value;
            } else {
                sum += *value * coefficient;
            }
        };
        // A zero coefficient is no occurrence: bellperson's densities skip it, and with them the parameters.
        for (i, coefficient) in lc.iter_inputs().filter(|(_, c)| !c.is_zero_vartime()) {
            add(&self.inputs[*i], coefficient);
            occurs(Index::Input(*i));
        }
        for (i, coefficient) in lc.iter_aux().filter(|(_, c)| !c.is_zero_vartime()) {
            add(&self.aux[*i], coefficient);
            occurs(Index::Aux(*i));
        }
        sum
    }
}

impl ConstraintSystem<Scalar> for Synthesis {
    type Root = Self;

    /// Empty: circuits that synthesise parts apart allocate each part's constant one themselves.
    fn new() -> Self {
        Synthesis::default()
    }

    fn alloc<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        if self.aux.len() % LOOK == 0 && self.cancel.is_over() {
            return Err(SynthesisError::Unsatisfiable);
        }
        self.aux.push(value()?);
        self.a_aux.push_zero();
        self.b_aux.push_zero();
        Ok(Variable::new_unchecked(Index::Aux(self.aux.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, value: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Scalar, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.push(value()?);
        self.b_input.push_zero();
        Ok(Variable::new_unchecked(Index::Input(self.inputs.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, _c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LB: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
        LC: FnOnce(LinearCombination<Scalar>) -> LinearCombination<Scalar>,
    {
        let (a, b) = (a(LinearCombination::zero()), b(LinearCombination::zero()));
        let mut a_aux = std::mem::take(&mut self.a_aux);
        let value = self.value(&a, |index| {
            // All inputs count as occurring in A: only the auxiliary variables are marked.
            if let Index::Aux(i) = index {
                a_aux.set(i);
            }
        });
        self.a_aux = a_aux;
        self.a.push(value);
        let (mut b_input, mut b_aux) = (std::mem::take(&mut self.b_input), std::mem::take(&mut self.b_aux));
        let value = self.value(&b, |index| match index {
            Index::Input(i) => b_input.set(i),
            Index::Aux(i) => b_aux.set(i),
        });
        (self.b_input, self.b_aux) = (b_input, b_aux);
        self.b.push(value);
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

    fn is_extensible() -> bool {
        true
    }

    /// Appends a part that was synthesised apart; both have the constant one as input 0, which is taken once.
    fn extend(&mut self, other: &Self) {
        self.a.extend_from_slice(&other.a);
        self.b.extend_from_slice(&other.b);
        self.inputs.extend_from_slice(&other.inputs[1..]);
        self.aux.extend_from_slice(&other.aux);
        self.a_aux.extend_from(&other.a_aux, 0);
        self.b_aux.extend_from(&other.b_aux, 0);
        if other.b_input.get(0) {
            self.b_input.set(0);
        }
        self.b_input.extend_from(&other.b_input, 1);
    }
}
