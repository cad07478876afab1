//! Proofs of spacetime: WinningPoSt and WindowPoSt share one circuit, a row of slots with a sector and challenges to it.
//!
//! WindowPoSt has one slot a sector, ten challenges each; a partition that is not full repeats its last slot.
//! WinningPoSt has one sector in all of its 66 slots, one challenge each.

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar as Fr;
use filecoin_hashers::poseidon::PoseidonHasher;
use filecoin_hashers::Hasher;
use rayon::prelude::*;
use serde::Deserialize;
use storage_proofs_core::api_version::ApiVersion;
use storage_proofs_core::compound_proof::CompoundProof;
use storage_proofs_core::merkle::MerkleProofTrait;
use storage_proofs_core::parameter_cache::CacheableParameters;
use storage_proofs_core::proof::ProofScheme;
use storage_proofs_core::sector::SectorId;
use storage_proofs_post::fallback::{
    self, generate_leaf_challenge, get_challenge_index, FallbackPoSt, FallbackPoStCircuit, FallbackPoStCompound, PublicInputs,
    PublicParams, PublicSector, SectorProof,
};

use crate::merkle::{check_nodes, check_path, domain};
use crate::shape::Tree;
use crate::{Error, Kind, PostProof, SectorSize};

type Domain = <PoseidonHasher as Hasher>::Domain;
type Compound<T> = FallbackPoStCompound<T>;

/// Partitions of a deadline stay far below this; it keeps the arithmetic on them from overflowing.
const MAX_PARTITIONS: usize = 1 << 20;

/// A request for a proof of spacetime.
pub(crate) struct Post<T: Tree> {
    kind: Kind,
    params: PublicParams,
    randomness: Domain,
    prover_id: Domain,
    /// The slots of all partitions, without the repetitions that fill the last.
    slots: Vec<Slot<T>>,
    /// Place of the first slot in the deadline: old window proofs have challenges that depend on it.
    first_slot: usize,
}

/// A sector and as many challenges to it as a slot of the circuit has.
struct Slot<T: Tree> {
    public: PublicSector<Domain>,
    proof: SectorProof<T::Proof>,
}

/// A sector's vanilla proof, as sealing software makes it.
#[derive(Deserialize)]
#[serde(bound = "")]
struct WireSector<T: Tree> {
    sector_id: SectorId,
    comm_r: Domain,
    vanilla_proof: fallback::Proof<T::Proof>,
}

/// The slots of a circuit and their challenges; window sector counts are the chain's.
fn params(kind: Kind, size: SectorSize, api_version: ApiVersion) -> PublicParams {
    let (sector_count, challenge_count) = match (kind, size) {
        (Kind::WinningPost, _) => (66, 1),
        (_, SectorSize::KiB2 | SectorSize::MiB8 | SectorSize::MiB512) => (2, 10),
        (_, SectorSize::GiB32) => (2349, 10),
        (_, SectorSize::GiB64) => (2300, 10),
    };
    PublicParams { sector_size: size.bytes(), challenge_count, sector_count, api_version }
}

/// How many slots one sector fills.
fn slots_a_sector(kind: Kind, params: &PublicParams) -> usize {
    match kind {
        Kind::WinningPost => params.sector_count,
        _ => 1,
    }
}

impl<T: Tree> Post<T> {
    /// Decodes the vanilla proofs, one a sector.
    ///
    /// With `partition` the sectors are those of that one partition of the deadline, and at most as many as it holds.
    pub(crate) fn new<V: AsRef<[u8]> + Sync>(
        proof: PostProof,
        prover_id: &[u8; 32],
        randomness: &[u8; 32],
        vanilla: &[V],
        partition: Option<usize>,
    ) -> Result<Self, Error> {
        let kind = proof.kind();
        let api_version = match proof {
            PostProof::Winning(_) | PostProof::WindowV1(_) => ApiVersion::V1_0_0,
            PostProof::WindowV1_1(_) => ApiVersion::V1_2_0,
        };
        let params = params(kind, proof.sector_size(), api_version);

        let sectors_a_partition = params.sector_count / slots_a_sector(kind, &params);
        let one_partition = kind == Kind::WinningPost || partition.is_some();
        if vanilla.is_empty() || (one_partition && vanilla.len() > sectors_a_partition) {
            let expected = match sectors_a_partition {
                _ if !one_partition => "at least 1".to_owned(),
                1 => "1".to_owned(),
                most => format!("1 to {most}, the sectors of one partition"),
            };
            return Err(Error::VanillaCount { kind, found: vanilla.len(), expected });
        }
        let partition = partition.unwrap_or(0);
        if partition >= MAX_PARTITIONS {
            return Err(Error::PartitionOutOfRange { partition, count: MAX_PARTITIONS });
        }

        // filecoin-proofs refuses such randomness too; its callers mask it before they draw challenges from it
        let hint = "; clear the two highest bits of its last byte before challenges are drawn from it";
        let randomness = domain(randomness, "randomness", hint)?;
        let prover_id = domain(prover_id, "prover_id", "")?;
        let slots: Vec<Vec<Slot<T>>> = (0..vanilla.len())
            .into_par_iter()
            .map(|index| read(kind, &params, index, vanilla[index].as_ref()))
            .collect::<Result<_, Error>>()?;
        let first_slot = partition * params.sector_count;
        Ok(Self { kind, params, randomness, prover_id, slots: slots.into_iter().flatten().collect(), first_slot })
    }

    pub(crate) fn partitions(&self) -> usize {
        self.slots.len().div_ceil(self.params.sector_count)
    }

    /// The slots of a partition with their places in the deadline: at least one; fewer than the circuit has in the last.
    fn slots(&self, partition: usize) -> impl Iterator<Item = (usize, &Slot<T>)> {
        let begin = partition * self.params.sector_count;
        let end = self.slots.len().min(begin + self.params.sector_count);
        (begin..end).map(|i| (self.first_slot + i, &self.slots[i]))
    }

    /// Synthesises one partition. The proofs crate's own constructor of the circuit would pad with copies of whole vanilla
    /// proofs and looks sectors up by their partition in the deadline, of which this job may hold one alone.
    pub(crate) fn synthesize<CS: ConstraintSystem<Fr>>(&self, partition: usize, cs: &mut CS) -> Result<(), Error> {
        let mut sectors = self
            .slots(partition)
            .map(|(_, slot)| fallback::Sector::<T>::circuit(&slot.public, &slot.proof))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| Error::circuit(partition, e))?;
        fill(&mut sectors, self.params.sector_count);
        let circuit = FallbackPoStCircuit { prover_id: Some(self.prover_id.into()), sectors };
        circuit.synthesize(cs).map_err(|source| Error::Synthesis { partition, source })
    }

    /// For each slot comm_r and the challenged leaves.
    pub(crate) fn public_inputs(&self, partition: usize) -> Result<Vec<Fr>, Error> {
        let slot_inputs = |(place, slot): (usize, &Slot<T>)| {
            let challenge = |n| {
                let index = get_challenge_index(self.params.api_version, place, self.params.challenge_count, n);
                generate_leaf_challenge(&self.params, self.randomness, slot.public.id.into(), index)
            };
            let leaves = (0..self.params.challenge_count).map(challenge).map(Fr::from);
            std::iter::once(slot.public.comm_r.into()).chain(leaves).collect::<Vec<_>>()
        };
        let mut inputs: Vec<Vec<Fr>> = self.slots(partition).map(slot_inputs).collect();
        fill(&mut inputs, self.params.sector_count);
        Ok(inputs.concat())
    }

    /// Verifies slot by slot, as if each were a partition of its own at its place, so that bad sectors have names.
    pub(crate) fn verify_vanilla(&self) -> Result<(), Error> {
        let params = PublicParams { sector_count: 1, ..self.params.clone() };
        let is_bad = |(i, slot): (usize, &Slot<T>)| {
            let inputs = PublicInputs {
                randomness: self.randomness,
                prover_id: self.prover_id,
                sectors: vec![slot.public.clone()],
                k: Some(self.first_slot + i),
            };
            // the circuit takes this field for the root, which the proofs crate's verification never looks at
            let root = slot.proof.comm_r_last == slot.proof.inclusion_proofs[0].root();
            let proof = fallback::Proof { sectors: vec![slot.proof.clone()] };
            let valid = root && FallbackPoSt::<T>::verify(&params, &inputs, &proof).unwrap_or(false);
            (!valid).then(|| u64::from(slot.public.id))
        };
        let mut sectors: Vec<u64> = self.slots.par_iter().enumerate().filter_map(is_bad).collect();
        if sectors.is_empty() {
            return Ok(());
        }
        sectors.sort_unstable();
        sectors.dedup();
        Err(Error::BadSectors { kind: self.kind, sectors })
    }
}

/// Repeats the last element until there are `count`.
fn fill<E: Clone>(elements: &mut Vec<E>, count: usize) {
    let last = elements.last().expect("a partition has at least one slot").clone();
    elements.resize(count, last);
}

/// Decodes and checks a sector's vanilla proof, and deals it out to its slots.
fn read<T: Tree>(kind: Kind, params: &PublicParams, index: usize, bytes: &[u8]) -> Result<Vec<Slot<T>>, Error> {
    let wire: WireSector<T> = bincode::deserialize(bytes).map_err(|e| Error::Undecodable { kind, index, message: e.to_string() })?;
    check(&wire, kind, params).map_err(|what| Error::Malformed { kind, index, what })?;
    let WireSector { sector_id: id, comm_r, vanilla_proof } = wire;
    let public = PublicSector { id, comm_r };
    let mut slots = Vec::with_capacity(slots_a_sector(kind, params));
    for SectorProof { inclusion_proofs, comm_c, comm_r_last } in vanilla_proof.sectors {
        let mut inclusion_proofs = inclusion_proofs.into_iter();
        while inclusion_proofs.len() > 0 {
            let inclusion_proofs = inclusion_proofs.by_ref().take(params.challenge_count).collect();
            slots.push(Slot { public: public.clone(), proof: SectorProof { inclusion_proofs, comm_c, comm_r_last } });
        }
    }
    Ok(slots)
}

/// Checks numbers and shapes of a sector's vanilla proof.
fn check<T: Tree>(wire: &WireSector<T>, kind: Kind, params: &PublicParams) -> Result<(), String> {
    check_nodes("comm_r", &[wire.comm_r])?;
    let [sector] = &wire.vanilla_proof.sectors[..] else {
        return Err(format!("{} sectors, expected 1", wire.vanilla_proof.sectors.len()));
    };
    check_nodes("comm_c, comm_r_last", &[sector.comm_c, sector.comm_r_last])?;
    let challenges = slots_a_sector(kind, params) * params.challenge_count;
    if sector.inclusion_proofs.len() != challenges {
        return Err(format!("{} challenges, expected {challenges}", sector.inclusion_proofs.len()));
    }
    let leaves = params.sector_size as usize / 32;
    for (i, proof) in sector.inclusion_proofs.iter().enumerate() {
        check_path("inclusion proof", proof, leaves).map_err(|what| format!("challenge {i}: {what}"))?;
    }
    Ok(())
}

/// Identifier of the parameter files.
pub(crate) fn cache_id<T: Tree>(kind: Kind, size: SectorSize) -> String {
    let params = params(kind, size, ApiVersion::V1_2_0);
    <Compound<T> as CacheableParameters<FallbackPoStCircuit<T>, _>>::cache_identifier(&params)
}

/// Synthesises the circuit without a witness.
pub(crate) fn blank<T: Tree>(kind: Kind, size: SectorSize, cs: &mut impl ConstraintSystem<Fr>) -> Result<(), SynthesisError> {
    Compound::<T>::blank_circuit(&params(kind, size, ApiVersion::V1_2_0)).synthesize(cs)
}
