//! Sector update (SnapDeals): one circuit a partition.

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar as Fr;
use storage_proofs_core::compound_proof::CompoundProof;
use storage_proofs_core::parameter_cache::CacheableParameters;
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_update::constants::h_default;
use storage_proofs_update::{EmptySectorUpdate, EmptySectorUpdateCompound, PartitionProof, PublicInputs, PublicParams};

use crate::merkle::{check_nodes, check_path, domain};
use crate::shape::Tree;
use crate::{Error, Kind, SectorSize};

type Compound<T> = EmptySectorUpdateCompound<T>;
const KIND: Kind = Kind::Update;

/// A request for the proof of a sector update.
pub(crate) struct Update<T: Tree> {
    params: PublicParams,
    inputs: PublicInputs,
    proofs: Vec<PartitionProof<T>>,
}

impl<T: Tree> Update<T> {
    /// Decodes the vanilla proofs, one a partition.
    pub(crate) fn new<V: AsRef<[u8]>>(
        size: SectorSize,
        comm_r_old: &[u8; 32],
        comm_r_new: &[u8; 32],
        comm_d_new: &[u8; 32],
        vanilla: &[V],
    ) -> Result<Self, Error> {
        let params = PublicParams::from_sector_size(size.bytes());
        if vanilla.len() != params.partition_count {
            let expected = format!("{}, one a partition", params.partition_count);
            return Err(Error::VanillaCount { kind: KIND, found: vanilla.len(), expected });
        }
        let inputs = PublicInputs {
            // replaced by the partition wherever it is used
            k: 0,
            comm_r_old: domain(comm_r_old, "comm_r_old", "")?,
            comm_d_new: domain(comm_d_new, "comm_d_new", "")?,
            comm_r_new: domain(comm_r_new, "comm_r_new", "")?,
            h: h_default(params.sector_nodes),
        };
        let decode = |(index, bytes): (usize, &V)| {
            let proof: PartitionProof<T> =
                bincode::deserialize(bytes.as_ref()).map_err(|e| Error::Undecodable { kind: KIND, index, message: e.to_string() })?;
            check(&proof, &params).map_err(|what| Error::Malformed { kind: KIND, index, what })?;
            Ok(proof)
        };
        let proofs = vanilla.iter().enumerate().map(decode).collect::<Result<_, Error>>()?;
        Ok(Self { params, inputs, proofs })
    }

    pub(crate) fn partitions(&self) -> usize {
        self.proofs.len()
    }

    pub(crate) fn synthesize<CS: ConstraintSystem<Fr>>(&self, partition: usize, cs: &mut CS) -> Result<(), Error> {
        let circuit = Compound::<T>::circuit(&self.inputs, (), &self.proofs[partition], &self.params, Some(partition))
            .map_err(|e| Error::circuit(partition, e))?;
        circuit.synthesize(cs).map_err(|source| Error::Synthesis { partition, source })
    }

    pub(crate) fn public_inputs(&self, partition: usize) -> Result<Vec<Fr>, Error> {
        Compound::<T>::generate_public_inputs(&self.inputs, &self.params, Some(partition)).map_err(|e| Error::circuit(partition, e))
    }

    pub(crate) fn verify_vanilla(&self) -> Result<(), Error> {
        let valid = |k: &usize| {
            let inputs = EmptySectorUpdate::<T>::with_partition(self.inputs.clone(), Some(*k));
            EmptySectorUpdate::<T>::verify(&self.params, &inputs, &self.proofs[*k]).unwrap_or(false)
        };
        let partitions: Vec<usize> = (0..self.partitions()).filter(|k| !valid(k)).collect();
        if partitions.is_empty() {
            return Ok(());
        }
        Err(Error::BadPartitions { kind: KIND, partitions })
    }
}

/// Checks numbers and shapes of a partition's vanilla proof.
fn check<T: Tree>(proof: &PartitionProof<T>, params: &PublicParams) -> Result<(), String> {
    check_nodes("comm_c", &[proof.comm_c])?;
    if proof.apex_leafs.len() != params.apex_leaf_count {
        return Err(format!("{} apex leaves, expected {}", proof.apex_leafs.len(), params.apex_leaf_count));
    }
    check_nodes("apex_leafs", &proof.apex_leafs)?;
    if proof.challenge_proofs.len() != params.challenge_count {
        return Err(format!("{} challenges, expected {}", proof.challenge_proofs.len(), params.challenge_count));
    }
    for (i, challenge) in proof.challenge_proofs.iter().enumerate() {
        check_path("proof_r_old", &challenge.proof_r_old, params.sector_nodes)
            .and_then(|()| check_path("proof_d_new", &challenge.proof_d_new, params.sector_nodes))
            .and_then(|()| check_path("proof_r_new", &challenge.proof_r_new, params.sector_nodes))
            .map_err(|what| format!("challenge {i}: {what}"))?;
    }
    Ok(())
}

/// Identifier of the parameter files.
pub(crate) fn cache_id<T: Tree>(size: SectorSize) -> String {
    Compound::<T>::cache_identifier(&PublicParams::from_sector_size(size.bytes()))
}

/// Synthesises the circuit without a witness.
pub(crate) fn blank<T: Tree>(size: SectorSize, cs: &mut impl ConstraintSystem<Fr>) -> Result<(), SynthesisError> {
    Compound::<T>::blank_circuit(&PublicParams::from_sector_size(size.bytes())).synthesize(cs)
}
