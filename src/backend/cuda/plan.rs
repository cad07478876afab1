//! What a proof takes of the device's memory, decided from sizes before anything begins.
//!
//! Best is everything resident with a second proof's data beside the first's. Then one proof at a time; then points that do
//! not fit are streamed through two buffers by chunks, and last the quotient makes do with three vectors instead of four.

use crate::srs::Srs;
use crate::Error;

const SCALAR: usize = 32;
const G1: usize = 96;
const G2: usize = 192;
/// Proofs under way at once: one is computed, one waits behind it, one uploads.
const UNDER_WAY: usize = 3;
/// Workspace without which the MSMs of large queries become slow.
const WORKSPACE: usize = 1 << 30;
/// Points of a streamed chunk: below the first the MSM's own steps cost more, above the second nothing is gained.
const CHUNKS: [u32; 2] = [16, 24];

/// Tables, flags and what blocks are rounded up by.
fn slack(limit: usize) -> usize {
    (24 << 20) + limit / 64
}

/// Sizes of a circuit.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub domain: usize,
    /// Points of h, l, a, b_g1, b_g2.
    pub points: [usize; 5],
}

/// See the module's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Which of h, l, a, b_g1, b_g2 stay on the device.
    pub resident: [bool; 5],
    /// Points of a chunk of those that do not.
    pub chunk: usize,
    /// Vectors of the domain's size that the quotient takes.
    pub vectors: usize,
    /// Proofs under way at once, at most.
    pub under_way: usize,
    /// Workspace of the lanes.
    pub caps: [usize; 3],
    /// The least memory that all of this takes: what others keep must leave as much.
    pub needs: usize,
}

impl Shape {
    /// Of an SRS's circuit.
    pub fn of(srs: &Srs) -> Shape {
        Shape { domain: srs.domain(), points: [&srs.h, &srs.l, &srs.a, &srs.b_g1, &srs.b_g2].map(|extent| extent.len()) }
    }

    fn section(&self, k: usize) -> usize {
        self.points[k] * if k == 4 { G2 } else { G1 }
    }

    /// Assignment, bitmaps, prefix sums, and lists at their longest.
    fn witness(&self) -> usize {
        let [_, l, a, b, _] = self.points;
        SCALAR * (l + a + b) + 2 * l
    }

    /// Assignment, bitmaps, and lists as they are where most of it is bits.
    fn sparse_witness(&self) -> usize {
        let [_, l, a, b, _] = self.points;
        SCALAR * l + 2 * l + 6 * (l + a + b)
    }

    /// `k` vectors of the domain's size.
    fn vectors(&self, k: usize) -> usize {
        k * self.domain * SCALAR
    }
}

impl Plan {
    /// For a budget of `limit` bytes, with `lanes` streams. An error says how much would be needed.
    pub fn new(limit: usize, shape: &Shape, lanes: usize) -> Result<Plan, Error> {
        let slack = slack(limit);
        let points: usize = (0..5).map(|k| shape.section(k)).sum();
        let vectors = shape.vectors(3);
        // The quotient's fourth vector is workspace.
        let workspace = shape.vectors(1).max(WORKSPACE.min(points)) + slack;
        let one = points + shape.witness() + vectors;
        if one + workspace <= limit {
            // When the next circuit's vectors come, this one has but its h left.
            let two = limit.checked_sub(one + shape.sparse_witness() + shape.vectors(1)).filter(|left| *left >= workspace);
            let left = two.unwrap_or(limit - one) - slack;
            let caps = match lanes {
                1 => [left; 3],
                2 => [left / 2; 3],
                // h is the largest of all; what does not fit the others is cut.
                _ => [left / 10 * 7, left / 20 * 3, left / 20 * 3],
            };
            // The quotient's fourth vector must find room.
            let fourth = shape.vectors(1);
            let caps = if caps[0] >= fourth { caps } else { [fourth, (left - fourth) / 2, (left - fourth) / 2] };
            let under_way = if two.is_some() { UNDER_WAY } else { 1 };
            return Ok(Plan { resident: [true; 5], chunk: 0, vectors: 4, under_way, caps, needs: one + workspace });
        }
        Plan::streamed(limit, shape)
    }

    fn streamed(limit: usize, shape: &Shape) -> Result<Plan, Error> {
        let slack = slack(limit);
        let vectors = if shape.vectors(4) + slack <= limit { 4 } else { 3 };
        let largest = shape.points.into_iter().max().unwrap_or(1).next_power_of_two().trailing_zeros();
        // Two buffers, and a workspace as large as they are.
        let chunks = |log: u32| 2 * ((2 * G2) << log);
        let peak = |log: u32| {
            let sums = shape.witness() + chunks(log);
            let h = shape.vectors(1) + chunks(log);
            sums.max(h).max(shape.vectors(vectors)) + slack
        };
        let [least, most] = CHUNKS;
        let least = least.min(largest);
        let fitting = (least..=most.min(largest)).rev().find(|log| peak(*log) <= limit);
        let log = fitting.ok_or(Error::DeviceOutOfMemory { what: "a proof with these parameters", need: peak(least), free: limit })?;
        // What is left keeps the sections that fit, the small ones first: each saves its bytes on the link.
        let mut room = limit - peak(log);
        let mut resident = [false; 5];
        let mut by_size: Vec<usize> = (0..5).collect();
        by_size.sort_by_key(|k| shape.section(*k));
        for k in by_size {
            if shape.section(k) + slack / 8 <= room {
                room -= shape.section(k) + slack / 8;
                resident[k] = true;
            }
        }
        Ok(Plan { resident, chunk: 1 << log, vectors, under_way: 1, caps: [chunks(log) / 2 + room; 3], needs: limit })
    }

    /// Whether points come up with each proof.
    pub fn streams(&self) -> bool {
        self.resident.contains(&false)
    }
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = ["h", "l", "a", "b_g1", "b_g2"];
        let of =
            |wanted: bool| -> Vec<&str> { names.iter().zip(self.resident).filter(|(_, r)| *r == wanted).map(|(name, _)| *name).collect() };
        write!(f, "resident={} streamed={} chunk={}", of(true).join(","), of(false).join(","), self.chunk)?;
        write!(f, " vectors={} under_way={} workspaces={:?}", self.vectors, self.under_way, self.caps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PO_REP: Shape = Shape { domain: 1 << 27, points: [(1 << 27) - 1, 130_169_893, 129_800_000, 33_100_000, 33_100_000] };

    fn plan(gib: usize) -> Plan {
        Plan::new(gib << 30, &PO_REP, 3).unwrap()
    }

    #[test]
    fn a_large_card_holds_everything_and_two_proofs() {
        let plan = plan(125);
        assert_eq!((plan.streams(), plan.vectors, plan.under_way), (false, 4, UNDER_WAY));
        assert!(plan.caps[0] > 10 << 30);
    }

    #[test]
    fn an_80_gib_card_holds_everything_and_one_proof() {
        let plan = plan(76);
        assert_eq!((plan.streams(), plan.under_way), (false, 1));
    }

    #[test]
    fn smaller_cards_stream_what_does_not_fit() {
        let of = |gib| (plan(gib).resident.iter().filter(|r| **r).count(), plan(gib).vectors, plan(gib).chunk);
        assert_eq!(of(16), (0, 3, 1 << 23));
        assert_eq!(of(24).1, 4);
        assert!(of(48).0 >= 2 && of(48).0 < 5);
    }

    #[test]
    fn too_small_a_card_is_an_error_with_both_numbers() {
        match Plan::new(8 << 30, &PO_REP, 3) {
            Err(Error::DeviceOutOfMemory { need, free, .. }) => assert!(need > free && free == 8 << 30),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_tiny_circuit_fits_anywhere() {
        let shape = Shape { domain: 1 << 11, points: [2047, 1500, 1400, 700, 700] };
        assert!(!Plan::new(2 << 30, &shape, 3).unwrap().streams());
        assert!(Plan::new(160 << 20, &shape, 3).is_ok());
    }
}
