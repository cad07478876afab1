//! What can be wrong with a request, with the figures that let a person act.

use bellpepper_core::SynthesisError;

use crate::Kind;

/// Why a request cannot become circuits.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not the JSON expected there. `line` and `column` count from one, inside the document that `what` names.
    #[error("{what}: malformed JSON at line {line}, column {column}: {message}")]
    Json {
        /// The document: `C1 output`, or `Phase1Out` for the one inside Curio's wrapper.
        what: &'static str,
        /// Line, from one.
        line: usize,
        /// Column, from one.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// The JSON is well formed but lacks a field.
    #[error("{what}: field `{field}` is missing")]
    MissingField {
        /// The document, as in [`Error::Json`].
        what: &'static str,
        /// Name of the field.
        field: &'static str,
    },
    /// `Phase1Out` of Curio's wrapper is not base64.
    #[error("Phase1Out is not base64: {0}")]
    Base64(#[from] base64::DecodeError),
    /// A name that is not known here.
    #[error("unknown {what} `{given}`; known: {known}")]
    UnknownName {
        /// What is named: `seal proof`, `PoSt proof`, `update proof`, `circuit`, `sector size`.
        what: &'static str,
        /// The name as given.
        given: String,
        /// All that are known.
        known: String,
    },
    /// A registered proof number that is not known here.
    #[error("unknown {what} number {given}; known: {known}")]
    UnknownNumber {
        /// What is numbered: `seal proof`, `PoSt proof`, `update proof`.
        what: &'static str,
        /// The number as given.
        given: i64,
        /// All that are known, with their names.
        known: String,
    },
    /// A registered proof that exists but cannot be made here.
    #[error("{name} is not supported: {reason}")]
    Unsupported {
        /// Name of the registered proof.
        name: String,
        /// Why, and what to use instead.
        reason: &'static str,
    },
    /// A PoSt proof of the other kind.
    #[error("{given} is not a {expected} proof")]
    WrongKind {
        /// The kind that was asked for.
        expected: Kind,
        /// The registered proof that was given.
        given: String,
    },
    /// The vanilla proofs of a C1 output are for another sector size than its registered proof.
    #[error("C1 output: registered proof {registered}, but vanilla proofs of {vanilla}")]
    VanillaKind {
        /// The registered proof.
        registered: String,
        /// The key of the vanilla proofs.
        vanilla: &'static str,
    },
    /// The wrapper is for another sector than the request.
    #[error("the request is for sector {requested}, the C1 output for sector {found}")]
    SectorNumber {
        /// The sector number of the request.
        requested: u64,
        /// `SectorNum` of the wrapper.
        found: u64,
    },
    /// The wrapper is for another sector size than the C1 output inside it.
    #[error("SectorSize {found} does not match {registered}")]
    SectorSize {
        /// `SectorSize` of the wrapper, in bytes.
        found: u64,
        /// The registered proof of the C1 output.
        registered: String,
    },
    /// The replica id does not follow from prover id, sector number, ticket, comm_d and PoRep id: the C1 output belongs to
    /// another miner or sector.
    #[error("replica id mismatch: the C1 output has {found}, miner and sector give {derived}")]
    ReplicaId {
        /// The replica id in the C1 output, little-endian hex.
        found: String,
        /// The one derived from the request, little-endian hex.
        derived: String,
    },
    /// 32 bytes that are no element of the scalar field (little-endian, below the modulus).
    #[error("{what} is not an element of the scalar field{hint}")]
    NotInField {
        /// Which value.
        what: &'static str,
        /// What to do about it, or empty.
        hint: &'static str,
    },
    /// A commitment or seed is all zero, which no honest sector has.
    #[error("{0} is all zero")]
    Zero(&'static str),
    /// Too many or too few vanilla proofs.
    #[error("{kind}: {found} vanilla proofs, expected {expected}")]
    VanillaCount {
        /// The kind of proof.
        kind: Kind,
        /// How many there are.
        found: usize,
        /// How many there must be, in words.
        expected: String,
    },
    /// A vanilla proof is not the bincode it should be.
    #[error("{kind}: vanilla proof {index} cannot be decoded: {message}")]
    Undecodable {
        /// The kind of proof.
        kind: Kind,
        /// Which of the vanilla proofs given, from zero.
        index: usize,
        /// What the decoder says.
        message: String,
    },
    /// A vanilla proof decodes, but its shape is not that of the circuit, or a number in it is outside the field.
    #[error("{kind}: vanilla proof {index} is malformed: {what}")]
    Malformed {
        /// The kind of proof.
        kind: Kind,
        /// Which of the vanilla proofs given (PoRep: which partition), from zero.
        index: usize,
        /// What is wrong with it.
        what: String,
    },
    /// Vanilla proofs of these sectors do not verify: wrong challenge, wrong path or wrong commitment.
    #[error("{kind}: vanilla proofs do not verify for sectors {sectors:?}")]
    BadSectors {
        /// The kind of proof.
        kind: Kind,
        /// Sector numbers, ascending.
        sectors: Vec<u64>,
    },
    /// Vanilla proofs of these partitions do not verify.
    #[error("{kind}: vanilla proofs do not verify for partitions {partitions:?}")]
    BadPartitions {
        /// The kind of proof.
        kind: Kind,
        /// Partitions, from zero, ascending.
        partitions: Vec<usize>,
    },
    /// There is no such partition.
    #[error("partition {partition} does not exist: the job has {count}")]
    PartitionOutOfRange {
        /// The partition asked for.
        partition: usize,
        /// How many there are.
        count: usize,
    },
    /// The circuit cannot be made from the vanilla proof.
    #[error("partition {partition}: {message}")]
    Circuit {
        /// Which partition.
        partition: usize,
        /// What storage-proofs says.
        message: String,
    },
    /// The constraint system refused the circuit.
    #[error("partition {partition}: synthesis failed: {source}")]
    Synthesis {
        /// Which partition.
        partition: usize,
        /// What the constraint system says.
        source: SynthesisError,
    },
}

impl Error {
    /// A circuit that storage-proofs refuses to make.
    pub(crate) fn circuit(partition: usize, e: impl std::fmt::Display) -> Self {
        // the alternate form of its errors has the causes too
        Self::Circuit { partition, message: format!("{e:#}") }
    }
}
