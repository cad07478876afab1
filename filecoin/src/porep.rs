//! Proof of replication: one circuit a partition, from the vanilla proofs of Commit Phase 1.

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar as Fr;
use filecoin_hashers::poseidon::PoseidonHasher;
use filecoin_hashers::sha256::{Sha256Domain, Sha256Hasher};
use filecoin_hashers::{HashFunction, Hasher};
use rayon::prelude::*;
use storage_proofs_core::api_version::{ApiFeature, ApiVersion};
use storage_proofs_core::compound_proof::CompoundProof;
use storage_proofs_core::drgraph::{Graph, BASE_DEGREE};
use storage_proofs_core::merkle::MerkleProofTrait;
use storage_proofs_core::parameter_cache::CacheableParameters;
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_porep::stacked::{self, generate_replica_id, Challenges, StackedCircuit, StackedCompound, StackedDrg, EXP_DEGREE};

use crate::c1::Header;
use crate::merkle::domain;
use crate::shape::Tree;
use crate::{Error, Kind, SealProof, SealVersion, SectorSize};

type Domain = <PoseidonHasher as Hasher>::Domain;
type Compound<T> = StackedCompound<T, Sha256Hasher>;
type Scheme<T> = StackedDrg<'static, T, Sha256Hasher>;

/// Partitions, layers and challenges of a sector size, as filecoin-proofs has them.
pub(crate) struct Table {
    /// Partitions of the interactive and the synthetic PoRep.
    pub(crate) partitions: usize,
    /// Label layers.
    pub(crate) layers: usize,
    /// Challenges a partition: the minimum over the whole proof (2, or 176) divided among the partitions, rounded up.
    pub(crate) challenges: usize,
}

/// The row of a sector size.
pub(crate) fn table(size: SectorSize) -> Table {
    match size {
        SectorSize::KiB2 | SectorSize::MiB8 | SectorSize::MiB512 => Table { partitions: 1, layers: 2, challenges: 2 },
        SectorSize::GiB32 | SectorSize::GiB64 => Table { partitions: 10, layers: 11, challenges: 18 },
    }
}

/// A PoRep request.
pub(crate) struct PoRep<T: Tree> {
    params: stacked::PublicParams<T>,
    inputs: stacked::PublicInputs<Domain, Sha256Domain>,
    /// For each partition, for each challenge.
    proofs: Vec<Vec<stacked::Proof<T, Sha256Hasher>>>,
}

impl<T: Tree> PoRep<T> {
    /// Checks a C1 output against the sector it is for.
    pub(crate) fn new(
        c1: &Header,
        proofs: Vec<Vec<stacked::Proof<T, Sha256Hasher>>>,
        sector_number: u64,
        prover_id: &[u8; 32],
    ) -> Result<Self, Error> {
        // as filecoin-proofs refuses them before proving
        for (what, value) in [("comm_d", &c1.comm_d), ("comm_r", &c1.comm_r), ("seed", &c1.seed)] {
            if *value == [0; 32] {
                return Err(Error::Zero(what));
            }
        }
        let comm_d = domain(&c1.comm_d, "comm_d", "")?;
        let comm_r = domain(&c1.comm_r, "comm_r", "")?;
        let replica_id: Domain =
            generate_replica_id::<PoseidonHasher, _>(prover_id, sector_number, &c1.ticket, c1.comm_d, &c1.seal.porep_id());
        if AsRef::<[u8]>::as_ref(&replica_id) != c1.replica_id {
            return Err(Error::ReplicaId { found: hex(&c1.replica_id), derived: hex(replica_id.as_ref()) });
        }
        Ok(Self {
            params: params(c1.seal),
            inputs: stacked::PublicInputs { replica_id, tau: Some(stacked::Tau { comm_d, comm_r }), k: None, seed: Some(c1.seed) },
            proofs,
        })
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
        let partitions: Vec<usize> = (0..self.partitions()).into_par_iter().filter(|&k| !self.is_valid(k)).collect();
        if partitions.is_empty() {
            return Ok(());
        }
        Err(Error::BadPartitions { kind: Kind::PoRep, partitions })
    }

    /// Whether the vanilla proofs of one partition hold: what the proofs crate verifies, and beyond that the paths of data
    /// and replica, of which it compares the position alone.
    fn is_valid(&self, partition: usize) -> bool {
        let Some(tau) = &self.inputs.tau else { return false };
        let graph = &self.params.graph;
        let challenges = self.inputs.challenges(&self.params.challenges, graph.size(), Some(partition));
        self.proofs[partition].par_iter().zip(challenges).all(|(proof, challenge)| {
            let comm_r = <PoseidonHasher as Hasher>::Function::hash2(&proof.comm_c(), &proof.comm_r_last());
            let paths = proof.comm_d_proofs.verify() && proof.comm_r_last_proof.verify();
            comm_r == tau.comm_r && paths && proof.verify(&self.params, &self.inputs, challenge, graph)
        })
    }
}

/// The public parameters of a seal proof.
fn params<T: Tree>(seal: SealProof) -> stacked::PublicParams<T> {
    let Table { layers, challenges, .. } = table(seal.sector_size);
    let (api_version, challenges, api_features) = match seal.version {
        SealVersion::V1 => (ApiVersion::V1_0_0, Challenges::new_interactive(challenges), vec![]),
        SealVersion::V1_1 => (ApiVersion::V1_1_0, Challenges::new_interactive(challenges), vec![]),
        SealVersion::Synthetic => (ApiVersion::V1_2_0, Challenges::new_synthetic(challenges), vec![ApiFeature::SyntheticPoRep]),
        SealVersion::NonInteractive => unreachable!("refused where the C1 output is read"),
    };
    Scheme::<T>::setup(&stacked::SetupParams {
        nodes: seal.sector_size.nodes(),
        degree: BASE_DEGREE,
        expansion_degree: EXP_DEGREE,
        porep_id: seal.porep_id(),
        challenges,
        num_layers: layers,
        api_version,
        api_features,
    })
    .expect("the graphs of the known sector sizes are valid")
}

/// Neither version nor features change the circuit: any seal proof of the size stands for all.
fn shape<T: Tree>(sector_size: SectorSize) -> stacked::PublicParams<T> {
    params(SealProof { version: SealVersion::V1_1, sector_size })
}

/// Identifier of the parameter files.
pub(crate) fn cache_id<T: Tree>(size: SectorSize) -> String {
    <Compound<T> as CacheableParameters<StackedCircuit<T, Sha256Hasher>, _>>::cache_identifier(&shape::<T>(size))
}

/// Synthesises the circuit without a witness.
pub(crate) fn blank<T: Tree>(size: SectorSize, cs: &mut impl ConstraintSystem<Fr>) -> Result<(), SynthesisError> {
    Compound::<T>::blank_circuit(&shape::<T>(size)).synthesize(cs)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
