//! A circuit's shape by name: parameter files, and the blank circuit from which a setup makes them.

use std::fmt;
use std::str::FromStr;

use bellpepper_core::{ConstraintSystem, SynthesisError};
use blstrs::Scalar as Fr;
use storage_proofs_core::parameter_cache::{parameter_id, verifying_key_id, PARAMETERS};

use crate::porep::{blank as blank_porep, cache_id as porep_cache_id};
use crate::post::{blank as blank_post, cache_id as post_cache_id};
use crate::shape::with_tree;
use crate::update::{blank as blank_update, cache_id as update_cache_id};
use crate::{Error, SectorSize};

/// The four kinds of proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Proof of replication.
    PoRep,
    /// WinningPoSt.
    WinningPost,
    /// WindowPoSt.
    WindowPost,
    /// Sector update (SnapDeals).
    Update,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Self::PoRep, Self::WinningPost, Self::WindowPost, Self::Update];

    /// The prefix of circuit names: `porep`, `winning`, `wpost`, `snap`.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::PoRep => "porep",
            Self::WinningPost => "winning",
            Self::WindowPost => "wpost",
            Self::Update => "snap",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PoRep => "PoRep",
            Self::WinningPost => "WinningPoSt",
            Self::WindowPost => "WindowPoSt",
            Self::Update => "sector update",
        })
    }
}

/// A circuit shape: what parameters are made for. All versions of a seal proof share one, and so do those of WindowPoSt.
///
/// Displayed and parsed as `porep-32g`, `winning-32g`, `wpost-32g`, `snap-32g`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CircuitId {
    /// Kind of proof.
    pub kind: Kind,
    /// Sector size.
    pub sector_size: SectorSize,
}

impl CircuitId {
    /// All twenty.
    pub fn all() -> impl Iterator<Item = CircuitId> {
        Kind::ALL.into_iter().flat_map(|kind| SectorSize::ALL.into_iter().map(move |sector_size| CircuitId { kind, sector_size }))
    }

    /// Name of the parameter file, `v28-….params`.
    pub fn params_file(self) -> String {
        parameter_id(&self.cache_id())
    }

    /// Name of the verifying key's file, `v28-….vk`.
    pub fn vk_file(self) -> String {
        verifying_key_id(&self.cache_id())
    }

    /// The digest of the official parameter file, as Filecoin's list of parameters has it: the first 32
    /// hexadecimal digits of the file's BLAKE2b, or `None` for a circuit that is not listed.
    pub fn official_digest(self) -> Option<&'static str> {
        PARAMETERS.get(&self.params_file()).map(|data| data.digest.as_str())
    }

    /// How Filecoin identifies the shape: the tree's name and a digest of the shape's parameters.
    fn cache_id(self) -> String {
        let Self { kind, sector_size } = self;
        match kind {
            Kind::PoRep => with_tree!(sector_size, porep_cache_id(sector_size)),
            Kind::WinningPost | Kind::WindowPost => with_tree!(sector_size, post_cache_id(kind, sector_size)),
            Kind::Update => with_tree!(sector_size, update_cache_id(sector_size)),
        }
    }

    /// Synthesises the circuit without a witness, as a setup needs it.
    ///
    /// As with every bellpepper circuit, input 0 of `cs` is the constant one and already there. Closures that would give
    /// values fail with [`SynthesisError::AssignmentMissing`]: the constraint system must not call them.
    pub fn synthesize_blank<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        let Self { kind, sector_size } = self;
        match kind {
            Kind::PoRep => with_tree!(sector_size, blank_porep(sector_size, cs)),
            Kind::WinningPost | Kind::WindowPost => with_tree!(sector_size, blank_post(kind, sector_size, cs)),
            Kind::Update => with_tree!(sector_size, blank_update(sector_size, cs)),
        }
    }
}

impl fmt::Display for CircuitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.kind.prefix(), self.sector_size.suffix())
    }
}

impl FromStr for CircuitId {
    type Err = Error;

    fn from_str(s: &str) -> Result<Self, Error> {
        Self::all().find(|id| id.to_string() == s).ok_or_else(|| Error::UnknownName {
            what: "circuit",
            given: s.to_owned(),
            known: Self::all().map(|id| id.to_string()).collect::<Vec<_>>().join(", "),
        })
    }
}
