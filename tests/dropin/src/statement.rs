//! What a proof says, put to Filecoin's own verifier: as it is, and with each public input changed.

use std::collections::BTreeMap;

use anyhow::{ensure, Context, Result};
use filecoin_proofs_api::post::{verify_window_post, verify_winning_post};
use filecoin_proofs_api::seal::verify_seal;
use filecoin_proofs_api::update::verify_empty_sector_update_proof;
use filecoin_proofs_api::{PoStType, PublicReplicaInfo, RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof, SectorId};

type Bytes32 = [u8; 32];

/// A sector is sealed.
#[derive(Clone, Debug)]
pub struct PoRep {
    pub proof: RegisteredSealProof,
    pub comm_r: Bytes32,
    pub comm_d: Bytes32,
    pub prover_id: Bytes32,
    pub sector: u64,
    pub ticket: Bytes32,
    pub seed: Bytes32,
}

/// Sectors, by number, with their comm_r, are still there.
#[derive(Clone, Debug)]
pub struct Post {
    pub proof: RegisteredPoStProof,
    pub prover_id: Bytes32,
    pub randomness: Bytes32,
    pub sectors: BTreeMap<u64, Bytes32>,
}

/// An empty sector was filled with data.
#[derive(Clone, Debug)]
pub struct Update {
    pub proof: RegisteredUpdateProof,
    pub comm_r_old: Bytes32,
    pub comm_r_new: Bytes32,
    pub comm_d_new: Bytes32,
}

#[derive(Clone, Debug)]
pub enum Statement {
    PoRep(PoRep),
    Post(Post),
    Update(Update),
}

/// Changed in its lowest bit, it is still a number of the field: refused for its value, not for its form.
fn other(bytes: &Bytes32) -> Bytes32 {
    let mut other = *bytes;
    other[0] ^= 1;
    other
}

/// The name of a public input, and the statement with that one changed.
type Changed = (&'static str, Statement);

/// The statement once for each of the named fields, with that one changed.
macro_rules! changed {
    ($kind:path, $x:expr, $($field:ident),+) => {
        vec![$((stringify!($field), { let mut x = $x.clone(); x.$field = other(&x.$field); $kind(x) })),+]
    };
}

impl Statement {
    /// What the verifier says.
    pub fn verify(&self, proof: &[u8]) -> Result<bool> {
        match self {
            Statement::PoRep(x) => verify_seal(x.proof, x.comm_r, x.comm_d, x.prover_id, SectorId::from(x.sector), x.ticket, x.seed, proof),
            Statement::Post(x) => {
                let info = |(sector, comm_r): (&u64, &Bytes32)| (SectorId::from(*sector), PublicReplicaInfo::new(x.proof, *comm_r));
                let replicas = x.sectors.iter().map(info).collect();
                match x.proof.typ() {
                    PoStType::Winning => verify_winning_post(&x.randomness, proof, &replicas, x.prover_id),
                    PoStType::Window => verify_window_post(&x.randomness, &[(x.proof, proof)], &replicas, x.prover_id),
                }
            }
            Statement::Update(x) => verify_empty_sector_update_proof(x.proof, proof, x.comm_r_old, x.comm_r_new, x.comm_d_new),
        }
    }

    /// The statement with each public input changed, one at a time.
    fn changed(&self) -> Vec<Changed> {
        match self {
            Statement::PoRep(x) => {
                let mut changed = changed!(Statement::PoRep, x, comm_r, comm_d, prover_id, ticket, seed);
                changed.push(("sector", Statement::PoRep(PoRep { sector: x.sector + 1, ..x.clone() })));
                changed
            }
            // Not the prover's id: a PoSt's challenges come from the randomness and the sector's number alone.
            Statement::Post(x) => {
                let mut changed = changed!(Statement::Post, x, randomness);
                for (sector, comm_r) in &x.sectors {
                    let with = |sector, comm_r| {
                        let mut sectors = x.sectors.clone();
                        sectors.remove(sector);
                        sectors.extend([comm_r]);
                        Statement::Post(Post { sectors, ..x.clone() })
                    };
                    changed.push(("comm_r of a sector", with(sector, (*sector, other(comm_r)))));
                    changed.push(("number of a sector", with(sector, (sector + 100, *comm_r))));
                }
                changed
            }
            Statement::Update(x) => changed!(Statement::Update, x, comm_r_old, comm_r_new, comm_d_new),
        }
    }

    /// Demands that the verifier accepts the proof, and refuses it for the statement with any one public input changed, and
    /// refuses the proof with a bit of each point changed. Returns the number of refusals.
    pub fn check(&self, proof: &[u8]) -> Result<usize> {
        ensure!(self.verify(proof).context("the verifier fails")?, "the proof does not verify");
        let changed = self.changed();
        for (name, statement) in &changed {
            ensure!(
                !statement.verify(proof).with_context(|| format!("{name} changed: the verifier fails"))?,
                "{name} is changed, and yet the proof verifies"
            );
        }
        // The last byte of A, of B, of C: another x, mostly of no point at all, which is an error of the reader.
        let points = [47, 143, 191];
        for at in points {
            let mut proof = proof.to_vec();
            proof[at] ^= 1;
            ensure!(!self.verify(&proof).unwrap_or(false), "byte {at} is changed, and yet the proof verifies");
        }
        Ok(changed.len() + points.len())
    }
}
