//! The test circuits are satisfied, and their witnesses are what their names say.

use bellpepper_core::test_cs::TestConstraintSystem;
use bellpepper_core::{Circuit, ConstraintSystem, Index, SynthesisError};
use blstrs::Scalar as Fr;
use c2prover_test_setup::circuits::{Chain, Class, Classes};
use ff::Field;

/// Synthesises, checks, and gives the aux variables' values.
fn aux<C: Circuit<Fr>>(circuit: C, public_inputs: &[Fr], constraints: usize) -> Vec<Fr> {
    let mut cs = TestConstraintSystem::<Fr>::new();
    circuit.synthesize(&mut cs).unwrap();
    assert_eq!(cs.which_is_unsatisfied(), None);
    assert!(cs.verify(public_inputs));
    assert_eq!(cs.num_inputs(), 1 + public_inputs.len());
    assert_eq!(cs.num_constraints(), constraints);
    cs.scalar_aux()
}

fn significant(values: &[Fr]) -> usize {
    values.iter().filter(|value| **value != Fr::ZERO && **value != Fr::ONE).count()
}

#[test]
fn chains() {
    for steps in [1, 63, 64, 65, 1000] {
        for seed in [0, 1, u64::MAX] {
            let chain = Chain::bits(steps, seed);
            let values = aux(chain.clone(), &chain.public_inputs(), steps + 1);
            assert_eq!(values.len(), steps);
            assert_eq!(significant(&values), steps.div_ceil(64));
            let chain = Chain::products(steps, seed);
            assert_eq!(significant(&aux(chain.clone(), &chain.public_inputs(), steps + 1)), steps);
            let chain = Chain::new(steps, 5, seed);
            assert_eq!(significant(&aux(chain.clone(), &chain.public_inputs(), steps + 1)), steps.div_ceil(5));
        }
    }
    assert_ne!(Chain::bits(9, 1).public_inputs(), Chain::bits(9, 2).public_inputs());
}

#[test]
fn classes() {
    for count in [1, 2, 3, 4, 5, 100, 1001] {
        for class in Class::ALL {
            let circuit = Classes::new(count, class, 9);
            let values = aux(circuit.clone(), &circuit.public_inputs(), count / 2 + 1);
            assert_eq!(values.len(), count);
            let ones = values.iter().filter(|value| **value == Fr::ONE).count();
            match class {
                Class::Zeros => assert_eq!((significant(&values), ones), (0, 0)),
                Class::Ones => assert_eq!((significant(&values), ones), (0, count)),
                Class::Bits => assert_eq!(significant(&values), 0),
                Class::Significant => assert_eq!(significant(&values), count),
                Class::Mixed if count > 1000 => assert!((1..count / 10).contains(&significant(&values))),
                Class::Mixed => {}
            }
        }
    }
}

#[test]
fn blank_circuits_have_no_witness() {
    fn refused(circuit: impl Circuit<Fr>) -> bool {
        let result = circuit.synthesize(&mut TestConstraintSystem::<Fr>::new());
        matches!(result, Err(SynthesisError::AssignmentMissing))
    }
    assert!(refused(Chain::bits(5, 1).blank()));
    assert!(refused(Classes::new(5, Class::Ones, 1).blank()));
    // variables of the one input and the constant are there in every system
    assert_eq!(TestConstraintSystem::<Fr>::one().get_unchecked(), Index::Input(0));
}
