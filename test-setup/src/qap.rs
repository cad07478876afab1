//! A circuit's polynomials u_j, v_j, w_j at tau, straight from its rows and the Lagrange polynomials' values.

use bellpepper_core::{Circuit, ConstraintSystem, Index, LinearCombination, SynthesisError, Variable};
use blstrs::Scalar as Fr;
use ff::{BatchInvert, Field, PrimeField};
use rayon::prelude::*;

/// Values that one thread computes in a row.
const CHUNK: usize = 8192;

/// One polynomial of each kind for each variable, evaluated: u (from a), v (from b), w (from c).
#[derive(Default)]
pub(crate) struct Values {
    pub(crate) u: Vec<Fr>,
    pub(crate) v: Vec<Fr>,
    pub(crate) w: Vec<Fr>,
}

/// The evaluated circuit.
pub(crate) struct Qap {
    /// Constraints of the circuit, without those that bind the inputs.
    pub(crate) constraints: usize,
    /// Size of the domain: constraints and inputs, rounded up to a power of two.
    pub(crate) domain: usize,
    /// The domain's vanishing polynomial at tau, tau^n - 1.
    pub(crate) vanishing: Fr,
    pub(crate) inputs: Values,
    pub(crate) aux: Values,
}

impl Qap {
    /// Synthesises twice: the domain's size is known only after the last constraint.
    pub(crate) fn evaluate<C: Circuit<Fr>>(circuit: impl Fn() -> C, tau: Fr) -> Result<Self, SynthesisError> {
        let mut rows = Rows { lagrange: None, count: 0, inputs: Values::default(), aux: Values::default() };
        rows.run(circuit())?;

        let domain = rows.count.next_power_of_two();
        let vanishing = tau.pow_vartime([domain as u64]) - Fr::ONE;
        rows.lagrange = Some(lagrange(rows.count, domain, vanishing, tau));
        rows.run(circuit())?;

        let Rows { count, inputs, aux, .. } = rows;
        Ok(Self { constraints: count - inputs.u.len(), domain, vanishing, inputs, aux })
    }
}

/// L_i(tau) = (tau^n - 1) / n * w^i / (tau - w^i) for the first `count` rows, w being a primitive n-th root of unity.
fn lagrange(count: usize, domain: usize, vanishing: Fr, tau: Fr) -> Vec<Fr> {
    let log = domain.trailing_zeros();
    assert!(log <= Fr::S, "the field has no domain of 2^{log} rows");
    let root = (log..Fr::S).fold(Fr::ROOT_OF_UNITY, |root, _| root.square());
    let scale = vanishing * Fr::from(domain as u64).invert().expect("the order of the field is odd");
    let mut values = vec![Fr::ZERO; count];
    values.par_chunks_mut(CHUNK).enumerate().for_each(|(i, values)| {
        let first = root.pow_vartime([(i * CHUNK) as u64]);
        let powers = std::iter::successors(Some(first), |power| Some(power * root));
        values.iter_mut().zip(powers.clone()).for_each(|(value, power)| *value = tau - power);
        values.iter_mut().batch_invert();
        values.iter_mut().zip(powers).for_each(|(value, power)| *value *= scale * power);
    });
    values
}

/// Counts rows, or with Lagrange values adds them up.
struct Rows {
    /// The value of each row's Lagrange polynomial; none while counting.
    lagrange: Option<Vec<Fr>>,
    count: usize,
    inputs: Values,
    aux: Values,
}

impl Rows {
    /// Synthesises, with the rows x_i * 0 = 0 that make the inputs' polynomials independent.
    fn run<C: Circuit<Fr>>(&mut self, circuit: C) -> Result<(), SynthesisError> {
        self.count = 0;
        self.inputs = Values::default();
        self.aux = Values::default();
        self.alloc_input(|| "", || Ok(Fr::ONE))?;
        circuit.synthesize(self)?;
        for i in 0..self.inputs.u.len() {
            self.enforce(|| "", |lc| lc + Variable::new_unchecked(Index::Input(i)), |lc| lc, |lc| lc);
        }
        Ok(())
    }

    fn accumulate(&mut self, pick: fn(&mut Values) -> &mut Vec<Fr>, lc: &LinearCombination<Fr>, value: Fr) {
        for (variable, coefficient) in lc.iter() {
            let sum = match variable.get_unchecked() {
                Index::Input(i) => &mut pick(&mut self.inputs)[i],
                Index::Aux(i) => &mut pick(&mut self.aux)[i],
            };
            *sum += if *coefficient == Fr::ONE { value } else { value * coefficient };
        }
    }
}

impl Values {
    /// A further variable, with zero polynomials.
    fn push(&mut self) {
        self.u.push(Fr::ZERO);
        self.v.push(Fr::ZERO);
        self.w.push(Fr::ZERO);
    }
}

impl ConstraintSystem<Fr> for Rows {
    type Root = Self;

    fn alloc<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.aux.push();
        Ok(Variable::new_unchecked(Index::Aux(self.aux.u.len() - 1)))
    }

    fn alloc_input<F, A, AR>(&mut self, _: A, _: F) -> Result<Variable, SynthesisError>
    where
        F: FnOnce() -> Result<Fr, SynthesisError>,
        A: FnOnce() -> AR,
        AR: Into<String>,
    {
        self.inputs.push();
        Ok(Variable::new_unchecked(Index::Input(self.inputs.u.len() - 1)))
    }

    fn enforce<A, AR, LA, LB, LC>(&mut self, _: A, a: LA, b: LB, c: LC)
    where
        A: FnOnce() -> AR,
        AR: Into<String>,
        LA: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LB: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
        LC: FnOnce(LinearCombination<Fr>) -> LinearCombination<Fr>,
    {
        if let Some(value) = self.lagrange.as_ref().map(|lagrange| lagrange[self.count]) {
            self.accumulate(|values| &mut values.u, &a(LinearCombination::zero()), value);
            self.accumulate(|values| &mut values.v, &b(LinearCombination::zero()), value);
            self.accumulate(|values| &mut values.w, &c(LinearCombination::zero()), value);
        }
        self.count += 1;
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
