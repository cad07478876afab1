//! Where B_G2 is computed: on the GPU, on the CPU, or on both so that they end together.
//!
//! A proof takes max(rest + g, c) with g and c the times that the two need for their parts and rest what the GPU has to do
//! besides. The times come from counts and rates; rates are corrected by what was measured.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::sums::{plan_msm, Kernels};
use crate::backend::cpu::CpuBackend;
use crate::config::BG2Choice;
use crate::Error;
use blstrs::{G1Projective, G2Projective};

/// Nanoseconds that the addition of a one takes on the device, G1 and G2: 2^26 points half of which are ones take 10.8 and
/// 31.9 ms on an H200.
const ONE_NS: [f64; 2] = [0.32, 0.95];
/// Nanoseconds of the quotient, an element and bit of the domain's size: 0.185 s at 2^27 on an H200.
const QUOTIENT_NS: f64 = 0.051;
/// Nanoseconds of an addition in G2 on one thread before any was measured: 0.38 s for 2^24 in PoRep's shape on 16 threads.
const CPU_ADDITION_NS: f64 = 2_300.0;
/// Nanoseconds a byte of reading b_g2 to the host, where it is not there yet.
const CPU_LOAD_NS: f64 = 0.6;
/// What must be gained for the CPU to be used, as a share and in nanoseconds: its cores upload and synthesise meanwhile, and
/// what they would gain of a proof of milliseconds their waking takes: at 2^19 22 ms with them were 14 without.
const WORTH: f64 = 0.9;
const WORTH_NS: f64 = 5e6;

/// What a proof consists of, in terms of G1 and G2 sums.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    pub log_n: u32,
    /// Ones and other terms of l, a and b.
    pub ones: [usize; 3],
    pub terms: [usize; 3],
}

/// The part of b that the GPU takes in G2: of the variables, not of the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    pub gpu: f64,
}

/// Measured over predicted time on the device; nanoseconds of an addition on a core.
struct Rates {
    gpu: f64,
    cpu_addition_ns: f64,
}

/// See the module's head.
pub struct Placement {
    choice: BG2Choice,
    rates: Mutex<Rates>,
}

/// Moves a rate towards what was measured.
fn corrected(rate: f64, measured: f64) -> f64 {
    if measured.is_finite() && measured > 0.0 {
        0.7 * rate + 0.3 * measured
    } else {
        rate
    }
}

impl Placement {
    /// By the environment's or the caller's choice.
    pub fn new(choice: BG2Choice) -> Placement {
        Placement { choice, rates: Mutex::new(Rates { gpu: 1.0, cpu_addition_ns: CPU_ADDITION_NS }) }
    }

    fn rates(&self) -> MutexGuard<'_, Rates> {
        // Nothing is left half done under this lock.
        self.rates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides for one proof. `to_read`: bytes of b_g2 that the host would have to read for its part.
    pub fn decide(&self, counts: &Counts, to_read: usize, cores: &CpuBackend) -> Result<Share, Error> {
        let forced = match self.choice {
            BG2Choice::Gpu => Some(1.0),
            BG2Choice::Cpu => Some(0.0),
            BG2Choice::Auto | BG2Choice::Split => None,
        };
        if let Some(gpu) = forced {
            return Ok(Share { gpu });
        }
        let rates = self.rates();
        let g = b_g2_ns(counts)? * rates.gpu;
        let c = cores.b_g2_additions(counts.terms[2], counts.ones[2]) * rates.cpu_addition_ns / cores.threads() as f64;
        let c = c + CPU_LOAD_NS * to_read as f64;
        if self.choice == BG2Choice::Auto && is_beyond_doubt(g, c) {
            log::info!(target: "c2prover::plan", "b_g2 gpu_share=1.00 gpu_ms={:.1} cpu_ms={:.1}", g / 1e6, c / 1e6);
            return Ok(Share { gpu: 1.0 });
        }
        let rest = rest_ns(counts)? * rates.gpu;
        let both = ((c - rest) / (c + g)).clamp(0.0, 1.0);
        let gpu = match self.choice {
            BG2Choice::Split => both,
            _ => cheapest(rest, g, c, both),
        };
        log::info!(target: "c2prover::plan", "b_g2 gpu_share={gpu:.2} rest_ms={:.1} gpu_ms={:.1} cpu_ms={:.1}", rest / 1e6, g / 1e6, c / 1e6);
        Ok(Share { gpu })
    }

    /// What an MSM took that was predicted to take so long.
    pub fn measured_gpu(&self, predicted_ms: f64, measured: Duration) {
        let mut rates = self.rates();
        rates.gpu = corrected(rates.gpu, measured.as_secs_f64() * 1e3 / predicted_ms);
    }

    /// What the CPU's part took.
    pub fn measured_cpu(&self, additions: f64, threads: usize, measured: Duration) {
        let mut rates = self.rates();
        rates.cpu_addition_ns = corrected(rates.cpu_addition_ns, measured.as_secs_f64() * 1e9 * threads as f64 / additions);
    }
}

/// The share that ends first; all on the GPU if nothing is much better.
fn cheapest(rest: f64, g: f64, c: f64, both: f64) -> f64 {
    let ends = |share: f64| (rest + share * g).max((1.0 - share) * c);
    let best = if ends(both) < ends(0.0) { both } else { 0.0 };
    if ends(best) < WORTH * ends(1.0) - WORTH_NS {
        best
    } else {
        1.0
    }
}

/// Whether the device is to do all of it whatever else it has to do, which takes five plans to know: half a millisecond, of a small
/// proof's fifteen. With both busy to the end the cores take g (rest + g) / (c + g) off it, which is worth nothing if they are so much
/// slower, and they cannot take off more than g.
fn is_beyond_doubt(g: f64, c: f64) -> bool {
    g <= WORTH_NS || g < (1.0 - WORTH) * (c + g)
}

fn msm_ns<G: Kernels>(terms: usize) -> Result<f64, Error> {
    if terms == 0 {
        return Ok(0.0);
    }
    Ok(plan_msm::<G>(terms, terms, 0, (None, std::ptr::null_mut()))?.predicted_ms * 1e6)
}

/// Nanoseconds of b_g2 on the device.
fn b_g2_ns(counts: &Counts) -> Result<f64, Error> {
    Ok(ONE_NS[1] * counts.ones[2] as f64 + msm_ns::<G2Projective>(counts.terms[2])?)
}

/// Nanoseconds of all else that the device does.
fn rest_ns(counts: &Counts) -> Result<f64, Error> {
    let n = 1usize << counts.log_n;
    let mut rest = QUOTIENT_NS * (n as f64) * f64::from(counts.log_n) + msm_ns::<G1Projective>(n - 1)?;
    for (ones, terms) in counts.ones.iter().zip(counts.terms) {
        rest += ONE_NS[0] * *ones as f64 + msm_ns::<G1Projective>(terms)?;
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_follows_the_costs() {
        let share = |rest: f64, g: f64, c: f64| {
            let both = ((c - rest) / (c + g)).clamp(0.0, 1.0);
            cheapest(rest * 1e6, g * 1e6, c * 1e6, both)
        };
        // A fast card beside few cores: all of it on the card.
        assert_eq!(share(850.0, 35.0, 1200.0), 1.0);
        // Cores that are done long before the card: none of it.
        assert_eq!(share(1000.0, 400.0, 300.0), 0.0);
        // In between both end together.
        let s = share(100.0, 400.0, 600.0);
        assert!((100.0 + s * 400.0 - (1.0 - s) * 600.0).abs() < 1e-6, "{s}");
        // What is beyond doubt is what the whole model says.
        for (rest, g, c) in [(1.0, 300.0, 2800.0), (5000.0, 300.0, 2800.0), (0.0, 4.9, 1.0), (2000.0, 35.0, 400.0)] {
            assert!(is_beyond_doubt(g * 1e6, c * 1e6) && share(rest, g, c) == 1.0, "{rest} {g} {c}");
        }
        assert!(!is_beyond_doubt(400e6, 600e6) && !is_beyond_doubt(400e6, 300e6));
        // A proof of milliseconds: waking the cores takes longer than they save.
        assert_eq!(share(12.0, 3.5, 14.0), 1.0);
    }
}
