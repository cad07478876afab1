//! Registered proofs by the chain's numbers and by the names that appear in C1 outputs and in Go.
//!
//! Numbers are those of go-state-types (`abi.RegisteredSealProof` and its two sisters). A seal proof's number is also the
//! first eight bytes of its PoRep id, so it must never change.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Kind, SectorSize};

/// Version and features of a seal proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SealVersion {
    /// Before network version 7: other parents in the graph.
    V1,
    /// Interactive PoRep.
    V1_1,
    /// Synthetic PoRep: the challenges are drawn from a smaller set, fixed before the seed is known.
    Synthetic,
    /// Non-interactive PoRep: challenges without a seed, many more partitions, and an aggregated proof.
    NonInteractive,
}

/// A registered seal proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SealProof {
    /// Version and features.
    pub version: SealVersion,
    /// Sector size.
    pub sector_size: SectorSize,
}

/// A registered PoSt proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostProof {
    /// WinningPoSt.
    Winning(SectorSize),
    /// WindowPoSt whose challenges depend on the sector's place in the deadline; no longer in use.
    WindowV1(SectorSize),
    /// WindowPoSt whose challenges do not. Go says `V1_1`, the Rust proofs crates say `V1_2`.
    WindowV1_1(SectorSize),
}

/// A registered update proof (SnapDeals).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UpdateProof(
    /// Sector size.
    pub SectorSize,
);

const SIZES: usize = SectorSize::ALL.len();

/// Number of a proof in a table that lists all sizes of the first family, then of the second, and so on.
fn number(family: usize, size: SectorSize) -> u64 {
    (family * SIZES + size as usize) as u64
}

/// Finds `given` in a table, or says what is known.
fn by_number<P: Copy + fmt::Display>(what: &'static str, all: impl Iterator<Item = P>, given: i64) -> Result<P, Error> {
    let all: Vec<P> = all.collect();
    let found = usize::try_from(given).ok().and_then(|i| all.get(i).copied());
    found.ok_or_else(|| Error::UnknownNumber {
        what,
        given,
        known: all.iter().enumerate().map(|(i, p)| format!("{i} {p}")).collect::<Vec<_>>().join(", "),
    })
}

/// As [`by_number`], by name; `alias` gives further spellings.
fn by_name<P: Copy + fmt::Display>(
    what: &'static str,
    all: impl Iterator<Item = P>,
    alias: impl Fn(P) -> Option<String>,
    given: &str,
) -> Result<P, Error> {
    let all: Vec<P> = all.collect();
    let found = all.iter().copied().find(|&p| p.to_string() == given || alias(p).is_some_and(|name| name == given));
    found.ok_or_else(|| Error::UnknownName {
        what,
        given: given.to_owned(),
        known: all.iter().map(P::to_string).collect::<Vec<_>>().join(", "),
    })
}

impl SealVersion {
    const ALL: [SealVersion; 4] = [Self::V1, Self::V1_1, Self::Synthetic, Self::NonInteractive];
}

impl SealProof {
    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = SealProof> {
        SealVersion::ALL
            .into_iter()
            .flat_map(|version| SectorSize::ALL.into_iter().map(move |sector_size| SealProof { version, sector_size }))
    }

    /// The chain's number.
    pub fn number(self) -> u64 {
        number(self.version as usize, self.sector_size)
    }

    /// The proof with the chain's number `given`.
    pub fn from_number(given: i64) -> Result<Self, Error> {
        by_number("seal proof", Self::all(), given)
    }

    /// The PoRep id, which goes into the replica id and seeds the graph: the number, little-endian, then a nonce of zero.
    pub fn porep_id(self) -> [u8; 32] {
        let mut id = [0; 32];
        id[..8].copy_from_slice(&self.number().to_le_bytes());
        id
    }
}

impl fmt::Display for SealProof {
    /// The name in C1 outputs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = match self.version {
            SealVersion::V1 => "V1",
            SealVersion::V1_1 => "V1_1",
            SealVersion::Synthetic => "V1_1_Feat_SyntheticPoRep",
            SealVersion::NonInteractive => "V1_2_Feat_NonInteractivePoRep",
        };
        write!(f, "StackedDrg{}{version}", self.sector_size)
    }
}

impl FromStr for SealProof {
    type Err = Error;

    /// Accepts the names of C1 outputs and Go's spelling of the non-interactive ones.
    fn from_str(s: &str) -> Result<Self, Error> {
        let go = |p: SealProof| (p.version == SealVersion::NonInteractive).then(|| format!("StackedDrg{}V1_2_Feat_NiPoRep", p.sector_size));
        by_name("seal proof", Self::all(), go, s)
    }
}

impl PostProof {
    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = PostProof> {
        [Self::Winning, Self::WindowV1, Self::WindowV1_1]
            .into_iter()
            .flat_map(|family: fn(SectorSize) -> PostProof| SectorSize::ALL.into_iter().map(family))
    }

    /// The chain's number.
    pub fn number(self) -> u64 {
        let family = match self {
            Self::Winning(_) => 0,
            Self::WindowV1(_) => 1,
            Self::WindowV1_1(_) => 2,
        };
        number(family, self.sector_size())
    }

    /// The proof with the chain's number `given`.
    pub fn from_number(given: i64) -> Result<Self, Error> {
        by_number("PoSt proof", Self::all(), given)
    }

    /// Sector size.
    pub fn sector_size(self) -> SectorSize {
        match self {
            Self::Winning(size) | Self::WindowV1(size) | Self::WindowV1_1(size) => size,
        }
    }

    /// Winning or window.
    pub fn kind(self) -> Kind {
        match self {
            Self::Winning(_) => Kind::WinningPost,
            Self::WindowV1(_) | Self::WindowV1_1(_) => Kind::WindowPost,
        }
    }
}

impl fmt::Display for PostProof {
    /// The name in Go.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.sector_size();
        match self {
            Self::Winning(_) => write!(f, "StackedDrgWinning{size}V1"),
            Self::WindowV1(_) => write!(f, "StackedDrgWindow{size}V1"),
            Self::WindowV1_1(_) => write!(f, "StackedDrgWindow{size}V1_1"),
        }
    }
}

impl FromStr for PostProof {
    type Err = Error;

    /// Accepts Go's names and the Rust proofs crates' `V1_2`.
    fn from_str(s: &str) -> Result<Self, Error> {
        let rust = |p: PostProof| match p {
            Self::WindowV1_1(size) => Some(format!("StackedDrgWindow{size}V1_2")),
            _ => None,
        };
        by_name("PoSt proof", Self::all(), rust, s)
    }
}

impl UpdateProof {
    /// All of them, by number.
    pub fn all() -> impl Iterator<Item = UpdateProof> {
        SectorSize::ALL.into_iter().map(UpdateProof)
    }

    /// The chain's number.
    pub fn number(self) -> u64 {
        number(0, self.0)
    }

    /// The proof with the chain's number `given`.
    pub fn from_number(given: i64) -> Result<Self, Error> {
        by_number("update proof", Self::all(), given)
    }
}

impl fmt::Display for UpdateProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StackedDrg{}V1", self.0)
    }
}

impl FromStr for UpdateProof {
    type Err = Error;

    fn from_str(s: &str) -> Result<Self, Error> {
        by_name("update proof", Self::all(), |_| None, s)
    }
}
