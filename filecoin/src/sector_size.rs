//! The five sector sizes for which Filecoin publishes parameters.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// Bytes of a node, the leaf of every tree.
const NODE_BYTES: u64 = 32;

/// A sector size with published parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SectorSize {
    /// 2 KiB, for tests.
    KiB2,
    /// 8 MiB, for tests.
    MiB8,
    /// 512 MiB, for tests.
    MiB512,
    /// 32 GiB.
    GiB32,
    /// 64 GiB.
    GiB64,
}

impl SectorSize {
    /// All of them, ascending.
    pub const ALL: [SectorSize; 5] = [Self::KiB2, Self::MiB8, Self::MiB512, Self::GiB32, Self::GiB64];

    /// Size in bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::KiB2 => 2 << 10,
            Self::MiB8 => 8 << 20,
            Self::MiB512 => 512 << 20,
            Self::GiB32 => 32 << 30,
            Self::GiB64 => 64 << 30,
        }
    }

    /// The size with this many bytes, if it is one of the five.
    pub fn from_bytes(bytes: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.bytes() == bytes)
    }

    /// Number of 32-byte nodes.
    pub(crate) const fn nodes(self) -> usize {
        (self.bytes() / NODE_BYTES) as usize
    }

    /// The name inside registered proofs and in messages: `2KiB`, `8MiB`, `512MiB`, `32GiB`, `64GiB`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KiB2 => "2KiB",
            Self::MiB8 => "8MiB",
            Self::MiB512 => "512MiB",
            Self::GiB32 => "32GiB",
            Self::GiB64 => "64GiB",
        }
    }

    /// The suffix of circuit names: `2k`, `8m`, `512m`, `32g`, `64g`.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::KiB2 => "2k",
            Self::MiB8 => "8m",
            Self::MiB512 => "512m",
            Self::GiB32 => "32g",
            Self::GiB64 => "64g",
        }
    }
}

impl fmt::Display for SectorSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SectorSize {
    type Err = Error;

    /// Accepts [`SectorSize::name`] and [`SectorSize::suffix`].
    fn from_str(s: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|size| size.name() == s || size.suffix() == s).ok_or_else(|| Error::UnknownName {
            what: "sector size",
            given: s.to_owned(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
