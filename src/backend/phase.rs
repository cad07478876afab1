//! What an operation computes, and its name in reports by the processor it ran on.

use super::Query;

/// An operation's phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[cfg_attr(not(feature = "cuda"), allow(dead_code))] // a backend may record parts of a phase instead
pub enum Phase {
    Assignment,
    Split,
    Evaluations,
    Quotient,
    MsmH,
    SumOnes(Query),
    MsmTail(Query),
    SumOnesG2,
    MsmTailG2,
}

macro_rules! names {
    ($processor:literal, $phase:expr) => {
        match $phase {
            Phase::Assignment => "prep.assignment",
            Phase::Split => "prep.split",
            Phase::Evaluations => "prep.evaluations",
            Phase::Quotient => concat!($processor, ".quotient"),
            Phase::MsmH => concat!($processor, ".msm.h"),
            Phase::SumOnes(Query::L) => concat!($processor, ".batch_add.l"),
            Phase::SumOnes(Query::A) => concat!($processor, ".batch_add.a"),
            Phase::SumOnes(Query::BG1) => concat!($processor, ".batch_add.b1"),
            Phase::MsmTail(Query::L) => concat!($processor, ".msm.l"),
            Phase::MsmTail(Query::A) => concat!($processor, ".msm.a"),
            Phase::MsmTail(Query::BG1) => concat!($processor, ".msm.b1"),
            Phase::SumOnesG2 => concat!($processor, ".batch_add.b2"),
            Phase::MsmTailG2 => concat!($processor, ".msm.b2"),
        }
    };
}

impl Phase {
    /// Name of the phase on the CPU.
    pub fn on_cpu(self) -> &'static str {
        names!("cpu", self)
    }

    /// Name of the phase on a GPU.
    #[cfg_attr(not(feature = "cuda"), allow(dead_code))]
    pub fn on_gpu(self) -> &'static str {
        names!("gpu", self)
    }
}
