//! A request, parsed and checked, of any kind and sector size.

use std::fmt;

use bellpepper_core::ConstraintSystem;
use blstrs::Scalar as Fr;

use crate::c1::Phase1;
use crate::porep::PoRep;
use crate::post::Post;
use crate::shape::{self, Base, ByShape, Sub8, Top2, Tree};
use crate::update::Update;
use crate::{CircuitId, Error, Kind, PostProof, SectorSize, UpdateProof};

/// One request for a proof: its circuits, one a partition, and their public inputs.
pub struct Job {
    circuit_id: CircuitId,
    inner: ByShape<Inner<Base>, Inner<Sub8>, Inner<Top2>>,
}

/// The request for one tree shape.
enum Inner<T: Tree> {
    PoRep(PoRep<T>),
    Post(Post<T>),
    Update(Update<T>),
}

/// Evaluates the same expression for whichever request this is.
macro_rules! on_request {
    ($job:expr, $request:ident => $value:expr) => {
        match &$job.inner {
            ByShape::Base(inner) => on_kind!(inner, $request => $value),
            ByShape::Sub8(inner) => on_kind!(inner, $request => $value),
            ByShape::Top2(inner) => on_kind!(inner, $request => $value),
        }
    };
}
macro_rules! on_kind {
    ($inner:expr, $request:ident => $value:expr) => {
        match $inner {
            Inner::PoRep($request) => $value,
            Inner::Post($request) => $value,
            Inner::Update($request) => $value,
        }
    };
}

/// Makes the request for the tree shape of a sector size.
macro_rules! by_shape {
    ($size:expr, $make:expr) => {
        match shape::of($size) {
            ByShape::Base(()) => ByShape::Base($make),
            ByShape::Sub8(()) => ByShape::Sub8($make),
            ByShape::Top2(()) => ByShape::Top2($make),
        }
    };
}

impl Job {
    /// A proof of replication from the output of Commit Phase 1.
    ///
    /// `c1` is filecoin-ffi's JSON, or Curio's wrapper `{"SectorNum", "Phase1Out", "SectorSize"}` around it; they are told
    /// apart by their keys. `prover_id` is the payload of the miner's id address, zero-padded. The replica id in the JSON
    /// must be the one that prover id and sector number give.
    pub fn porep(c1: &[u8], sector_number: u64, prover_id: &[u8; 32]) -> Result<Self, Error> {
        let phase1 = Phase1::read(c1, sector_number)?;
        let (header, partitions) = (phase1.header, phase1.partitions);
        Ok(Self {
            circuit_id: CircuitId { kind: Kind::PoRep, sector_size: header.seal.sector_size },
            inner: match partitions {
                ByShape::Base(proofs) => ByShape::Base(Inner::PoRep(PoRep::new(&header, proofs, sector_number, prover_id)?)),
                ByShape::Sub8(proofs) => ByShape::Sub8(Inner::PoRep(PoRep::new(&header, proofs, sector_number, prover_id)?)),
                ByShape::Top2(proofs) => ByShape::Top2(Inner::PoRep(PoRep::new(&header, proofs, sector_number, prover_id)?)),
            },
        })
    }

    /// A WinningPoSt from the vanilla proof of the one challenged sector.
    ///
    /// `vanilla` holds one bincode `FallbackPoStSectorProof`. `randomness` must be an element of the scalar field, as
    /// filecoin-proofs demands: its callers clear the two highest bits of the last byte.
    pub fn winning_post<V: AsRef<[u8]> + Sync>(
        proof: PostProof,
        prover_id: &[u8; 32],
        randomness: &[u8; 32],
        vanilla: &[V],
    ) -> Result<Self, Error> {
        Self::post(Kind::WinningPost, proof, prover_id, randomness, vanilla, None)
    }

    /// A WindowPoSt from vanilla proofs, one bincode `FallbackPoStSectorProof` a sector, in the order of the deadline.
    ///
    /// Without `partition` all partitions of the deadline are proved, cut from `vanilla` in order. With `partition` the
    /// vanilla proofs are those of that partition alone, and the job has the one circuit; the index, below 2^20, matters only to
    /// old proofs, whose challenges depend on it. `randomness` is as for [`Job::winning_post`].
    pub fn window_post<V: AsRef<[u8]> + Sync>(
        proof: PostProof,
        prover_id: &[u8; 32],
        randomness: &[u8; 32],
        vanilla: &[V],
        partition: Option<usize>,
    ) -> Result<Self, Error> {
        Self::post(Kind::WindowPost, proof, prover_id, randomness, vanilla, partition)
    }

    fn post<V: AsRef<[u8]> + Sync>(
        kind: Kind,
        proof: PostProof,
        prover_id: &[u8; 32],
        randomness: &[u8; 32],
        vanilla: &[V],
        partition: Option<usize>,
    ) -> Result<Self, Error> {
        if proof.kind() != kind {
            return Err(Error::WrongKind { expected: kind, given: proof.to_string() });
        }
        let sector_size = proof.sector_size();
        Ok(Self {
            circuit_id: CircuitId { kind, sector_size },
            inner: by_shape!(sector_size, Inner::Post(Post::new(proof, prover_id, randomness, vanilla, partition)?)),
        })
    }

    /// A sector update from vanilla proofs, one bincode `PartitionProof` a partition, in order.
    ///
    /// The commitments are raw 32 bytes: of the old replica, the new replica, and the new data.
    pub fn update<V: AsRef<[u8]>>(
        proof: UpdateProof,
        comm_r_old: &[u8; 32],
        comm_r_new: &[u8; 32],
        comm_d_new: &[u8; 32],
        vanilla: &[V],
    ) -> Result<Self, Error> {
        let UpdateProof(sector_size) = proof;
        Ok(Self {
            circuit_id: CircuitId { kind: Kind::Update, sector_size },
            inner: by_shape!(sector_size, Inner::Update(Update::new(sector_size, comm_r_old, comm_r_new, comm_d_new, vanilla)?)),
        })
    }

    /// Kind of proof.
    pub fn kind(&self) -> Kind {
        self.circuit_id.kind
    }

    /// Sector size.
    pub fn sector_size(&self) -> SectorSize {
        self.circuit_id.sector_size
    }

    /// The shape that all circuits of this job have: which parameters prove it.
    pub fn circuit_id(&self) -> CircuitId {
        self.circuit_id
    }

    /// Number of circuits, at least one. The proof is theirs, 192 bytes each, in order.
    pub fn partitions(&self) -> usize {
        on_request!(self, request => request.partitions())
    }

    /// Synthesises the circuit of one partition.
    ///
    /// As with every bellpepper circuit, input 0 of `cs` is the constant one and already there, and rows that bind the
    /// inputs are added by the prover. Partitions may be synthesised at the same time. PoSt circuits synthesise their
    /// sectors in parallel when `cs` is extensible.
    pub fn synthesize<CS: ConstraintSystem<Fr>>(&self, partition: usize, cs: &mut CS) -> Result<(), Error> {
        self.in_range(partition)?;
        on_request!(self, request => request.synthesize(partition, cs))
    }

    /// The public inputs of one partition as a verifier has them, without the leading one.
    pub fn public_inputs(&self, partition: usize) -> Result<Vec<Fr>, Error> {
        self.in_range(partition)?;
        on_request!(self, request => request.public_inputs(partition))
    }

    /// Verifies the vanilla proofs themselves: a bad one makes an unsatisfied circuit, and minutes pass before that shows.
    ///
    /// The error names the sectors (PoSt) or partitions that are bad.
    pub fn verify_vanilla(&self) -> Result<(), Error> {
        on_request!(self, request => request.verify_vanilla())
    }

    fn in_range(&self, partition: usize) -> Result<(), Error> {
        let count = self.partitions();
        if partition < count {
            return Ok(());
        }
        Err(Error::PartitionOutOfRange { partition, count })
    }
}

impl fmt::Debug for Job {
    /// Leaves the vanilla proofs out: they are megabytes, and the witness.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("circuit_id", &self.circuit_id).field("partitions", &self.partitions()).finish_non_exhaustive()
    }
}
