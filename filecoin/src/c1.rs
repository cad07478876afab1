//! The output of Commit Phase 1 as JSON: filecoin-ffi's own form, and Curio's wrapper around it.
//!
//! The text of a 32 GiB sector is some 50 MB. It is read once and in place; only the wrapper's base64 is decoded into a
//! buffer first.

use std::borrow::Cow;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use serde::Deserialize;

use crate::shape::{Base, Sub8, Top2};
use crate::vanilla::{self, Partitions, WireProof};
use crate::{Error, SealProof, SealVersion, SectorSize};

/// A C1 output, its vanilla proofs checked for shape.
pub(crate) struct Phase1 {
    pub(crate) header: Header,
    pub(crate) partitions: Partitions,
}

/// All of a C1 output but the vanilla proofs.
pub(crate) struct Header {
    pub(crate) seal: SealProof,
    pub(crate) comm_r: [u8; 32],
    pub(crate) comm_d: [u8; 32],
    pub(crate) replica_id: [u8; 32],
    pub(crate) seed: [u8; 32],
    pub(crate) ticket: [u8; 32],
}

impl Phase1 {
    /// Reads either form; in the wrapper the sector number must be the one asked for.
    pub(crate) fn read(json: &[u8], sector_number: u64) -> Result<Self, Error> {
        const OUTER: &str = "C1 output";
        const INNER: &str = "Phase1Out";
        let document = Document::read(OUTER, json)?;
        let Some(Text(phase1_out)) = document.phase1_out else {
            return document.into_phase1(OUTER);
        };

        let found = required(OUTER, "SectorNum", document.sector_num)?;
        if found != sector_number {
            return Err(Error::SectorNumber { requested: sector_number, found });
        }
        let sector_size = required(OUTER, "SectorSize", document.sector_size)?;
        let json = STANDARD.decode(phase1_out.as_bytes())?;
        let phase1 = Document::read(INNER, &json)?.into_phase1(INNER)?;
        if phase1.header.seal.sector_size.bytes() != sector_size {
            return Err(Error::SectorSize { found: sector_size, registered: phase1.header.seal.to_string() });
        }
        Ok(phase1)
    }
}

/// The fields of both forms: which form it is can only be told by the fields that are there, and in any order.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(rename = "SectorNum")]
    sector_num: Option<u64>,
    #[serde(rename = "SectorSize")]
    sector_size: Option<u64>,
    #[serde(rename = "Phase1Out", borrow)]
    phase1_out: Option<Text<'a>>,

    #[serde(borrow)]
    registered_proof: Option<Text<'a>>,
    vanilla_proofs: Option<VanillaProofs>,
    comm_r: Option<[u8; 32]>,
    comm_d: Option<[u8; 32]>,
    replica_id: Option<[u8; 32]>,
    seed: Option<[u8; 32]>,
    ticket: Option<[u8; 32]>,
}

/// Text that is borrowed from the document unless it holds escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Vanilla proofs under the first seal proof of their sector size, whatever the registered proof.
#[derive(Deserialize)]
enum VanillaProofs {
    StackedDrg2KiBV1(Vec<Vec<WireProof<Base>>>),
    StackedDrg8MiBV1(Vec<Vec<WireProof<Base>>>),
    StackedDrg512MiBV1(Vec<Vec<WireProof<Base>>>),
    StackedDrg32GiBV1(Vec<Vec<WireProof<Sub8>>>),
    StackedDrg64GiBV1(Vec<Vec<WireProof<Top2>>>),
}

impl VanillaProofs {
    fn key(&self) -> (&'static str, SectorSize) {
        match self {
            Self::StackedDrg2KiBV1(_) => ("StackedDrg2KiBV1", SectorSize::KiB2),
            Self::StackedDrg8MiBV1(_) => ("StackedDrg8MiBV1", SectorSize::MiB8),
            Self::StackedDrg512MiBV1(_) => ("StackedDrg512MiBV1", SectorSize::MiB512),
            Self::StackedDrg32GiBV1(_) => ("StackedDrg32GiBV1", SectorSize::GiB32),
            Self::StackedDrg64GiBV1(_) => ("StackedDrg64GiBV1", SectorSize::GiB64),
        }
    }

    /// The proofs as the proofs crates have them, if they are what `seal` asks for.
    fn check(self, seal: SealProof) -> Result<Partitions, Error> {
        let (key, size) = self.key();
        if size != seal.sector_size {
            return Err(Error::VanillaKind { registered: seal.to_string(), vanilla: key });
        }
        Ok(match self {
            Self::StackedDrg2KiBV1(proofs) | Self::StackedDrg8MiBV1(proofs) | Self::StackedDrg512MiBV1(proofs) => {
                Partitions::Base(vanilla::check(proofs, size)?)
            }
            Self::StackedDrg32GiBV1(proofs) => Partitions::Sub8(vanilla::check(proofs, size)?),
            Self::StackedDrg64GiBV1(proofs) => Partitions::Top2(vanilla::check(proofs, size)?),
        })
    }
}

impl<'a> Document<'a> {
    fn read(what: &'static str, json: &'a [u8]) -> Result<Self, Error> {
        serde_json::from_slice(json).map_err(|e| {
            let (line, column) = (e.line(), e.column());
            let text = e.to_string();
            let place = format!(" at line {line} column {column}");
            let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
            Error::Json { what, line, column, message }
        })
    }

    fn into_phase1(self, what: &'static str) -> Result<Phase1, Error> {
        let seal: SealProof = required(what, "registered_proof", self.registered_proof)?.0.parse()?;
        if seal.version == SealVersion::NonInteractive {
            return Err(Error::Unsupported {
                name: seal.to_string(),
                reason: "a non-interactive proof is an aggregate of its partitions' proofs, which this library does not make",
            });
        }
        Ok(Phase1 {
            header: Header {
                seal,
                comm_r: required(what, "comm_r", self.comm_r)?,
                comm_d: required(what, "comm_d", self.comm_d)?,
                replica_id: required(what, "replica_id", self.replica_id)?,
                seed: required(what, "seed", self.seed)?,
                ticket: required(what, "ticket", self.ticket)?,
            },
            partitions: required(what, "vanilla_proofs", self.vanilla_proofs)?.check(seal)?,
        })
    }
}

fn required<T>(what: &'static str, field: &'static str, value: Option<T>) -> Result<T, Error> {
    value.ok_or(Error::MissingField { what, field })
}
