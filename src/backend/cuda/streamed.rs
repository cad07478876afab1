//! Sums over points that the device has no room for: they come up by chunks through two buffers, one filled while the
//! kernels work on the other.

use super::device::check;
use super::lane::{Buffers, Desk, Stretch};
use super::memory::Memory;
use super::points;
use super::raw;
use super::staging::{Copied, Pinned, Staging};
use super::sums::{self, Kernels, Sum, Table, Terms};
use crate::backend::Phase;
use crate::srs::{Extent, Srs};
use crate::timing::Scope;
use crate::Error;

const PLACE: usize = std::mem::size_of::<u32>();
const SCALAR: usize = 32;

/// What is summed over a section.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Places of ones, in order, and how many.
    pub ones: (*const u32, usize),
    /// Other terms: in the order of the points, or with places in order, behind which come those of `inputs`.
    pub terms: Terms,
    pub inputs: usize,
}

/// Where the points are, how many come up at a time, and the workspace of a sum.
pub struct Source<'a> {
    pub staging: &'a Staging,
    pub srs: &'a Srs,
    pub extent: &'a Extent,
    pub chunk: usize,
    pub cap: usize,
}

/// Sums on their way, with what they use.
pub struct Streamed<G> {
    sums: Vec<Sum<G>>,
    stretches: Vec<Stretch>,
    copies: Vec<(Copied, usize)>,
    first_bad: Pinned,
    flag: Memory,
    starts: Memory,
}

/// Entries of a list below each chunk's first point.
struct Cuts(Vec<u32>);

impl Cuts {
    fn range(&self, k: usize) -> (usize, usize) {
        (self.0[k] as usize, (self.0[k + 1] - self.0[k]) as usize)
    }

    /// Waits for the stream: how much a chunk has must be known before its sum is planned.
    fn of(desk: &mut Desk, list: *const u32, n: usize, step: usize, chunks: usize) -> Result<Cuts, Error> {
        let count = chunks + 1;
        if n == 0 || list.is_null() {
            return Ok(Cuts(vec![0; count]));
        }
        let memory = desk.allocate("the cuts of a list", count * PLACE)?;
        let pinned = desk.pinned(count * PLACE)?;
        // SAFETY: the list has n entries, cuts and pinned memory have room for theirs.
        unsafe {
            let stream = desk.stream.raw();
            check("cutting a list", raw::c2_split_cut(list, n as u32, step as u32, chunks as u32, memory.ptr().cast(), stream))?;
            let code = raw::cudaMemcpyAsync(pinned.ptr(), memory.ptr(), chunks * PLACE, raw::DEVICE_TO_HOST, stream);
            check("copying from the GPU", code)?;
        }
        desk.stream.synchronize("cutting a list")?;
        // SAFETY: the copy has ended; any words are numbers.
        let mut cuts = unsafe { std::slice::from_raw_parts(pinned.ptr().cast::<u32>(), chunks) }.to_vec();
        desk.keep(pinned);
        // The end: the last chunk may be shorter than a step, and a step past 32 bits is never asked for.
        cuts.push(n as u32);
        Ok(Cuts(cuts))
    }
}

/// Enqueues a sum, reading the points as it goes.
///
/// # Safety
/// The lists and scalars exist until the stream has come to the end.
pub unsafe fn sum<G: Kernels>(desk: &mut Desk, source: &Source, wanted: Wanted) -> Result<Streamed<G>, Error> {
    let chunk = source.chunk.min(source.extent.len());
    let chunks = source.extent.len().div_ceil(chunk);
    let mut buffers = desk.take_buffers(chunk * source.extent.point_bytes as usize)?;
    let mut made = Streamed {
        sums: Vec::new(),
        stretches: Vec::new(),
        copies: Vec::new(),
        first_bad: desk.pinned(std::mem::size_of::<u64>())?,
        flag: desk.allocate("a flag", std::mem::size_of::<u64>())?,
        starts: desk.allocate("the places of the ones", 2 * chunks * PLACE)?,
    };
    // SAFETY: passed on from this function's contract.
    let result = unsafe { enqueue(desk, source, wanted, (chunk, chunks), &mut buffers, &mut made) };
    if result.is_err() {
        // What was enqueued still uses what goes now.
        let _ = (desk.stream.synchronize("ending a sum"), source.staging.stream().synchronize("ending a sum"));
    }
    desk.put_back_buffers(buffers);
    result.map(|()| made)
}

/// # Safety
/// As for [`sum`].
unsafe fn enqueue<G: Kernels>(
    desk: &mut Desk,
    source: &Source,
    wanted: Wanted,
    (chunk, chunks): (usize, usize),
    buffers: &mut Buffers,
    made: &mut Streamed<G>,
) -> Result<(), Error> {
    let (extent, len) = (source.extent, source.extent.len());
    let point_bytes = extent.point_bytes as usize;
    let in_list = wanted.terms.n - wanted.inputs;
    let ones = Cuts::of(desk, wanted.ones.0, wanted.ones.1, chunk, chunks)?;
    let terms = Cuts::of(desk, wanted.terms.places, in_list, chunk, chunks)?;
    let starts: Vec<u32> = (0..chunks).flat_map(|k| [0, ones.range(k).1 as u32]).collect();
    source.staging.upload(&made.starts, 0, &starts)?;
    source.staging.upload(&made.flag, 0, &[u64::MAX])?;
    for k in 0..chunks {
        let (first, (buffer, used)) = (k * chunk, &mut buffers[k % 2]);
        let n = chunk.min(len - first);
        if let Some(used) = used.take() {
            source.staging.stream().wait_for(&used)?;
        }
        let copied = points::bring(source.staging, source.srs, extent, first..first + n, buffer, &made.flag)?;
        desk.stream.wait_for(&copied.ended)?;
        made.copies.push((copied, n * point_bytes));
        // Places count from the first point of the section, so the table begins where that would lie.
        let whole = Table { points: buffer.ptr().cast::<u8>().wrapping_sub(first * point_bytes).cast(), len: first + n };
        let here = Table { points: buffer.ptr(), len: n };
        let (sums, starts) = (&mut made.sums, made.starts.at(2 * k * PLACE).cast_const().cast());
        made.stretches.push(desk.stretch(|desk| {
            let (at, count) = ones.range(k);
            let places = wanted.ones.0.wrapping_add(at);
            // SAFETY: sublists of the caller's; the buffers are kept with what this returns.
            unsafe {
                sums.push(sums::ones(desk, whole, places, starts, count)?);
                if wanted.terms.places.is_null() {
                    let scalars = wanted.terms.scalars.cast::<u8>().wrapping_add(first * SCALAR).cast();
                    let n = n.min(wanted.terms.n.saturating_sub(first));
                    sums.push(sums::msm(desk, here, Terms { scalars, places: std::ptr::null(), n }, source.cap)?);
                } else {
                    let (at, n) = terms.range(k);
                    let part = |at: usize, n| Terms {
                        scalars: wanted.terms.scalars.cast::<u8>().wrapping_add(at * SCALAR).cast(),
                        places: wanted.terms.places.wrapping_add(at),
                        n,
                    };
                    sums.push(sums::msm(desk, whole, part(at, n), source.cap)?);
                    if k == 0 {
                        sums.push(sums::msm(desk, whole, part(in_list, wanted.inputs), source.cap)?);
                    }
                }
            }
            Ok(())
        })?);
        *used = Some(desk.stream.event()?);
    }
    let (to, from) = (made.first_bad.ptr(), made.flag.ptr());
    // SAFETY: both have room for the flag, and both are kept.
    check("copying from the GPU", unsafe { raw::cudaMemcpyAsync(to, from, 8, raw::DEVICE_TO_HOST, desk.stream.raw()) })
}

impl<G: Kernels> Streamed<G> {
    /// Records the kernels' and the copies' times. The stream has come to the end.
    pub fn record(&self, desk: &Desk, scope: &Scope, phase: Phase) {
        for stretch in &self.stretches {
            desk.record(scope, phase.on_gpu(), stretch, vec![]);
        }
        for (copied, bytes) in &self.copies {
            desk.record_copy(scope, "prep.points", copied, *bytes);
        }
    }

    /// The sum. The stream has come to the end.
    pub fn finish(self, desk: &mut Desk, srs: &Srs, extent: &Extent) -> Result<G, Error> {
        // SAFETY: the copy has ended; any word is a number.
        let bad = unsafe { *self.first_bad.ptr().cast::<u64>() };
        desk.keep(self.first_bad);
        if bad != u64::MAX {
            return Err(points::refused(srs, extent, bad));
        }
        srs.unchanged()?;
        Ok(self.sums.into_iter().fold(G::identity(), |sum, part| sum + part.finish(desk)))
    }
}
