//! Vanilla proofs of the PoRep as they are written, and their check.
//!
//! The proofs crates' own types keep their fields to themselves, and what they do with a wrong number of rows or parents is
//! to panic. So the text is read into types of the same layout, checked, and moved into theirs.

use filecoin_hashers::poseidon::PoseidonHasher;
use filecoin_hashers::sha256::Sha256Hasher;
use filecoin_hashers::Hasher;
use generic_array::typenum::U2;
use serde::Deserialize;
use storage_proofs_core::drgraph::BASE_DEGREE;
use storage_proofs_core::merkle::MerkleProof;
use storage_proofs_porep::stacked::{ColumnProof, EncodingProof, LabelingProof, Proof, ReplicaColumnProof, EXP_DEGREE};

use crate::merkle::{check_nodes, check_path};
use crate::porep::{table, Table};
use crate::shape::{Base, ByShape, Sub8, Top2, Tree};
use crate::{Error, Kind, SectorSize};

type Domain = <PoseidonHasher as Hasher>::Domain;
/// A path in the tree of replica or columns.
type TreeProof<T> = MerkleProof<
    PoseidonHasher,
    <T as storage_proofs_core::merkle::MerkleTreeTrait>::Arity,
    <T as storage_proofs_core::merkle::MerkleTreeTrait>::SubTreeArity,
    <T as storage_proofs_core::merkle::MerkleTreeTrait>::TopTreeArity,
>;

/// For each partition, for each challenge.
pub(crate) type Proofs<T> = Vec<Vec<Proof<T, Sha256Hasher>>>;
/// [`Proofs`] of any sector size.
pub(crate) type Partitions = ByShape<Proofs<Base>, Proofs<Sub8>, Proofs<Top2>>;

/// One challenge.
#[derive(Deserialize)]
#[serde(bound = "")]
pub(crate) struct WireProof<T: Tree> {
    comm_d_proofs: MerkleProof<Sha256Hasher, U2>,
    comm_r_last_proof: TreeProof<T>,
    replica_column_proofs: WireColumns<T>,
    labeling_proofs: Vec<WireLabel>,
    encoding_proof: WireLabel,
}

/// The challenged column and those of its parents.
#[derive(Deserialize)]
#[serde(bound = "")]
struct WireColumns<T: Tree> {
    c_x: WireColumnProof<T>,
    drg_parents: Vec<WireColumnProof<T>>,
    exp_parents: Vec<WireColumnProof<T>>,
}

/// A column and its path.
#[derive(Deserialize)]
#[serde(bound = "")]
struct WireColumnProof<T: Tree> {
    column: WireColumn,
    inclusion_proof: TreeProof<T>,
}

/// The labels of one node in all layers.
#[derive(Deserialize)]
struct WireColumn {
    index: u32,
    rows: Vec<Domain>,
}

/// What a label, or the encoding key, is hashed from.
#[derive(Deserialize)]
struct WireLabel {
    parents: Vec<Domain>,
    layer_index: u32,
    node: u64,
}

/// Checks numbers and shapes and hands over.
pub(crate) fn check<T: Tree>(proofs: Vec<Vec<WireProof<T>>>, size: SectorSize) -> Result<Proofs<T>, Error> {
    let Table { partitions, challenges, .. } = table(size);
    if proofs.len() != partitions {
        let expected = format!("{partitions} partitions");
        return Err(Error::VanillaCount { kind: Kind::PoRep, found: proofs.len(), expected });
    }
    let malformed = |index, what| Error::Malformed { kind: Kind::PoRep, index, what };
    let mut checked = Vec::with_capacity(partitions);
    for (index, partition) in proofs.into_iter().enumerate() {
        if partition.len() != challenges {
            return Err(malformed(index, format!("{} challenges, expected {challenges}", partition.len())));
        }
        let mut proofs = Vec::with_capacity(challenges);
        for (challenge, proof) in partition.into_iter().enumerate() {
            proofs.push(proof.check(size).map_err(|what| malformed(index, format!("challenge {challenge}: {what}")))?);
        }
        checked.push(proofs);
    }
    Ok(checked)
}

impl<T: Tree> WireProof<T> {
    fn check(self, size: SectorSize) -> Result<Proof<T, Sha256Hasher>, String> {
        check_path("comm_d_proofs", &self.comm_d_proofs, size.nodes())?;
        check_path("comm_r_last_proof", &self.comm_r_last_proof, size.nodes())?;
        let layers = table(size).layers;
        if self.labeling_proofs.len() != layers {
            return Err(format!("{} labeling proofs, expected {layers}", self.labeling_proofs.len()));
        }
        let WireLabel { parents, layer_index, node } = self.encoding_proof;
        Ok(Proof {
            comm_d_proofs: self.comm_d_proofs,
            comm_r_last_proof: self.comm_r_last_proof,
            replica_column_proofs: self.replica_column_proofs.check(size)?,
            labeling_proofs: self
                .labeling_proofs
                .into_iter()
                .map(|WireLabel { parents, layer_index, node }| LabelingProof::new(layer_index, node, parents))
                .collect(),
            encoding_proof: EncodingProof::new(layer_index, node, parents),
        })
    }
}

impl<T: Tree> WireColumns<T> {
    fn check(self, size: SectorSize) -> Result<ReplicaColumnProof<TreeProof<T>>, String> {
        let all = |what, proofs: Vec<WireColumnProof<T>>, expected| {
            if proofs.len() != expected {
                return Err(format!("{} {what}, expected {expected}", proofs.len()));
            }
            proofs.into_iter().map(|proof| proof.check(what, size)).collect()
        };
        Ok(ReplicaColumnProof {
            c_x: self.c_x.check("c_x", size)?,
            drg_parents: all("drg_parents", self.drg_parents, BASE_DEGREE)?,
            exp_parents: all("exp_parents", self.exp_parents, EXP_DEGREE)?,
        })
    }
}

impl<T: Tree> WireColumnProof<T> {
    fn check(self, what: &str, size: SectorSize) -> Result<ColumnProof<TreeProof<T>>, String> {
        let (rows, layers) = (self.column.rows, table(size).layers);
        if rows.len() != layers {
            return Err(format!("{what}: column of {} rows, expected {layers}", rows.len()));
        }
        check_nodes(what, &rows)?;
        check_path(what, &self.inclusion_proof, size.nodes())?;
        Ok(ColumnProof::new(self.column.index, rows, self.inclusion_proof))
    }
}
