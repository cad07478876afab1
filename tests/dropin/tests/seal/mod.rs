//! A sector of 8 MiB, sealed from nothing up to Commit Phase 1.

use std::fs::File;
use std::path::Path;

use anyhow::Result;
use c2prover_dropin_tests::{data, PoRep};
use filecoin_proofs_api::seal::{add_piece, seal_commit_phase1, seal_pre_commit_phase1, seal_pre_commit_phase2, SealCommitPhase1Output};
use filecoin_proofs_api::{PieceInfo, RegisteredSealProof, SectorId, UnpaddedBytesAmount};

const PROOF: RegisteredSealProof = RegisteredSealProof::StackedDrg8MiBV1_1;
const BYTES: u64 = 8 << 20;

/// The output of Commit Phase 1, and what a proof from it will say.
pub fn sealed_8_mib() -> Result<(SealCommitPhase1Output, PoRep)> {
    let folder = tempfile::tempdir()?;
    std::env::set_var("FIL_PROOFS_PARENT_CACHE", folder.path().join("parents"));
    let [cache, sealed, staged] = ["cache", "sealed", "staged"].map(|name| folder.path().join(name));
    std::fs::create_dir(&cache)?;
    File::create(&sealed)?;
    let pieces = [stage(&staged)?];
    let sector = SectorId::from(data::SECTOR);
    let phase1 = seal_pre_commit_phase1(PROOF, &cache, &staged, &sealed, data::PROVER_ID, sector, data::TICKET, &pieces)?;
    let phase2 = seal_pre_commit_phase2(phase1, &cache, &sealed)?;
    let (comm_r, comm_d) = (phase2.comm_r, phase2.comm_d);
    let c1 = seal_commit_phase1(&cache, &sealed, data::PROVER_ID, sector, data::TICKET, data::SEED, phase2, &pieces)?;
    let (prover_id, sector, ticket, seed) = (data::PROVER_ID, data::SECTOR, data::TICKET, data::SEED);
    Ok((c1, PoRep { proof: PROOF, comm_r, comm_d, prover_id, sector, ticket, seed }))
}

/// Fills a staged sector with one piece of pseudo-random bytes.
fn stage(path: &Path) -> Result<PieceInfo> {
    // Of 128 bytes 127 are data.
    let unpadded = BYTES / 128 * 127;
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    let piece: Vec<u8> = (0..unpadded).map(|_| next()).collect();
    let mut file = File::create(path)?;
    let (info, _) = add_piece(PROOF, &piece[..], &mut file, UnpaddedBytesAmount(unpadded), &[])?;
    Ok(info)
}
