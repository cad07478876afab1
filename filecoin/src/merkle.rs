//! Checks on what vanilla proofs are made of, before the proofs crates see it.
//!
//! Those crates index and unwrap: a path that is too short or a number outside the field would panic far from its cause.

use blstrs::Scalar as Fr;
use ff::PrimeField;
use filecoin_hashers::{Domain, Hasher};
use generic_array::typenum::Unsigned;
use storage_proofs_core::merkle::{base_path_length, MerkleProofTrait};

use crate::Error;

/// Whether 32 bytes, little-endian, are below the modulus of the scalar field.
pub(crate) fn in_field(bytes: &[u8]) -> bool {
    bytes.try_into().is_ok_and(|bytes| Fr::from_repr_vartime(bytes).is_some())
}

/// The domain element with these bytes, or an error that names it.
pub(crate) fn domain<D: Domain>(bytes: &[u8; 32], what: &'static str, hint: &'static str) -> Result<D, Error> {
    if !in_field(bytes) {
        return Err(Error::NotInField { what, hint });
    }
    Ok(D::from(*bytes))
}

/// Checks that a list of nodes is in the field.
pub(crate) fn check_nodes<D: Domain>(what: &str, nodes: &[D]) -> Result<(), String> {
    match nodes.iter().position(|node| !in_field(node.as_ref())) {
        Some(i) => Err(format!("{what}: node {i} is not in the field")),
        None => Ok(()),
    }
}

/// Checks that a Merkle proof is a path from one of `leaves` leaves to the root of a tree of its type: so many levels,
/// at each all siblings and a position among them, and all nodes in the field. Says nothing about the hashes.
pub(crate) fn check_path<P: MerkleProofTrait>(what: &str, proof: &P, leaves: usize) -> Result<(), String> {
    let base = base_path_length::<P::Arity, P::SubTreeArity, P::TopTreeArity>(leaves);
    let upper = [P::SubTreeArity::to_usize(), P::TopTreeArity::to_usize()];
    let arities: Vec<usize> = std::iter::repeat_n(P::Arity::to_usize(), base).chain(upper.into_iter().filter(|&arity| arity > 0)).collect();

    let path: Vec<(Vec<<P::Hasher as Hasher>::Domain>, usize)> = proof.path();
    if path.len() != arities.len() {
        return Err(format!("{what}: path of {} levels, expected {}", path.len(), arities.len()));
    }
    for (level, ((siblings, index), arity)) in path.iter().zip(arities).enumerate() {
        if siblings.len() + 1 != arity {
            return Err(format!("{what}: level {level} has {} siblings, expected {}", siblings.len(), arity - 1));
        }
        if *index >= arity {
            return Err(format!("{what}: level {level} has position {index}, expected below {arity}"));
        }
        check_nodes(what, siblings)?;
    }
    check_nodes(what, &[proof.leaf(), proof.root()])
}
