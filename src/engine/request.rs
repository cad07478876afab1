//! What can be asked of an engine, in the forms in which filecoin-ffi takes it.

use std::borrow::Cow;

use c2prover_filecoin::{Job, PostProof, UpdateProof};

use super::bad_input;
use crate::Error;

/// One proof to make. Registered proofs are numbered as go-state-types numbers them.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are those of Filecoin's interfaces
pub enum Request<'a> {
    /// Proof of replication from the JSON of Commit Phase 1, or from Curio's wrapper around it.
    PoRep { c1: Cow<'a, [u8]>, sector_number: u64, prover_id: [u8; 32] },
    /// The one vanilla proof (bincode) of the challenged sector.
    WinningPost { registered_proof: i64, prover_id: [u8; 32], randomness: [u8; 32], vanilla: Vec<Cow<'a, [u8]>> },
    /// One vanilla proof (bincode) a sector; of all partitions, or of one.
    WindowPost { registered_proof: i64, prover_id: [u8; 32], randomness: [u8; 32], vanilla: Vec<Cow<'a, [u8]>>, partition: Option<usize> },
    /// One vanilla proof (bincode) a partition of a sector update (SnapDeals).
    Update { registered_proof: i64, comm_r_old: [u8; 32], comm_r_new: [u8; 32], comm_d_new: [u8; 32], vanilla: Vec<Cow<'a, [u8]>> },
}

impl Request<'_> {
    /// Name for logs and reports.
    pub fn kind(&self) -> &'static str {
        match self {
            Request::PoRep { .. } => "porep",
            Request::WinningPost { .. } => "winning-post",
            Request::WindowPost { .. } => "window-post",
            Request::Update { .. } => "snap",
        }
    }

    /// Bytes of input.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Request::PoRep { c1, .. } => c1.len(),
            Request::WinningPost { vanilla, .. } | Request::WindowPost { vanilla, .. } | Request::Update { vanilla, .. } => {
                vanilla.iter().map(|v| v.len()).sum()
            }
        }
    }

    /// The same request, with bytes of its own.
    pub fn to_owned(&self) -> Request<'static> {
        fn own(bytes: &[Cow<[u8]>]) -> Vec<Cow<'static, [u8]>> {
            bytes.iter().map(|v| Cow::Owned(v.to_vec())).collect()
        }
        match self {
            Request::PoRep { c1, sector_number, prover_id } => {
                Request::PoRep { c1: Cow::Owned(c1.to_vec()), sector_number: *sector_number, prover_id: *prover_id }
            }
            Request::WinningPost { registered_proof, prover_id, randomness, vanilla } => Request::WinningPost {
                registered_proof: *registered_proof,
                prover_id: *prover_id,
                randomness: *randomness,
                vanilla: own(vanilla),
            },
            Request::WindowPost { registered_proof, prover_id, randomness, vanilla, partition } => Request::WindowPost {
                registered_proof: *registered_proof,
                prover_id: *prover_id,
                randomness: *randomness,
                vanilla: own(vanilla),
                partition: *partition,
            },
            Request::Update { registered_proof, comm_r_old, comm_r_new, comm_d_new, vanilla } => Request::Update {
                registered_proof: *registered_proof,
                comm_r_old: *comm_r_old,
                comm_r_new: *comm_r_new,
                comm_d_new: *comm_d_new,
                vanilla: own(vanilla),
            },
        }
    }

    /// Parses and checks the request.
    pub(super) fn job(&self) -> Result<Job, Error> {
        match self {
            Request::PoRep { c1, sector_number, prover_id } => Job::porep(c1, *sector_number, prover_id),
            Request::WinningPost { registered_proof, prover_id, randomness, vanilla } => PostProof::from_number(*registered_proof)
                .and_then(|proof| Job::winning_post(proof, prover_id, &field_element(randomness), vanilla)),
            Request::WindowPost { registered_proof, prover_id, randomness, vanilla, partition } => {
                PostProof::from_number(*registered_proof)
                    .and_then(|proof| Job::window_post(proof, prover_id, &field_element(randomness), vanilla, *partition))
            }
            Request::Update { registered_proof, comm_r_old, comm_r_new, comm_d_new, vanilla } => {
                UpdateProof::from_number(*registered_proof)
                    .and_then(|proof| Job::update(proof, comm_r_old, comm_r_new, comm_d_new, vanilla))
            }
        }
        .map_err(bad_input)
    }
}

/// The chain's randomness as an element of the scalar field: its two highest bits are cleared, as callers of filecoin-ffi do.
fn field_element(randomness: &[u8; 32]) -> [u8; 32] {
    let mut element = *randomness;
    element[31] &= 0x3f;
    element
}
