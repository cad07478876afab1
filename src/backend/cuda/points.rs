//! The points of an SRS on the device: read from the file straight to it, decoded and checked there.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::device::check;
use super::memory::{Memory, Pool};
use super::plan::Plan;
use super::raw;
use super::staging::{Copied, Staging};
use super::sums::Table;
use crate::srs::{Extent, Holder, Srs, WeakSrs};
use crate::Error;

/// Bytes of a section that are decoded at a time, while the next ones are read.
const SLICE: usize = 768 << 20;

/// See the module's head.
pub struct DevicePoints {
    pub plan: Plan,
    pub h: Section,
    pub l: Section,
    pub a: Section,
    pub b_g1: Section,
    pub b_g2: Section,
}

/// One query's points.
pub struct Section {
    pub extent: Extent,
    /// None if they are streamed.
    memory: Option<Memory>,
}

impl Section {
    /// As the kernels take it, if it is resident.
    pub fn table(&self) -> Option<Table> {
        self.memory.as_ref().map(|memory| Table { points: memory.ptr(), len: self.extent.len() })
    }
}

impl DevicePoints {
    /// Device memory they take.
    pub fn bytes(&self) -> usize {
        [&self.h, &self.l, &self.a, &self.b_g1, &self.b_g2].iter().filter_map(|section| section.memory.as_ref()).map(Memory::bytes).sum()
    }
}

/// Loads the points that the plan keeps on the device, and checks the others as they pass. Out of device memory is an error
/// before anything is read.
pub fn load(staging: &Staging, pool: &Arc<Pool>, srs: &Srs, plan: Plan, subgroup_check: bool) -> Result<DevicePoints, Error> {
    let extents = [srs.h, srs.l, srs.a, srs.b_g1, srs.b_g2];
    let mut sections = Vec::with_capacity(extents.len());
    for (extent, resident) in extents.into_iter().zip(plan.resident) {
        let bytes = extent.len() * extent.point_bytes as usize;
        let memory = resident.then(|| pool.allocate("the points of the parameters", bytes)).transpose()?;
        sections.push(Section { extent, memory });
    }
    let passing = if plan.streams() { Some(pool.allocate("a chunk of points", plan.chunk * 192)?) } else { None };
    let flag = pool.allocate("a flag", std::mem::size_of::<u64>())?;
    // Whatever way the load ends, no copy may be under way when the memory goes back.
    let result = sections.iter().try_for_each(|section| fill(staging, srs, section, passing.as_ref(), &flag, subgroup_check));
    let ended = staging.stream().synchronize("loading the parameters");
    result.and(ended)?;
    srs.unchanged()?;
    let mut sections = sections.into_iter();
    let mut next = || sections.next().ok_or_else(|| Error::Internal("five sections".to_owned()));
    Ok(DevicePoints { plan, h: next()?, l: next()?, a: next()?, b_g1: next()?, b_g2: next()? })
}

fn fill(
    staging: &Staging,
    srs: &Srs,
    section: &Section,
    passing: Option<&Memory>,
    flag: &Memory,
    subgroup_check: bool,
) -> Result<(), Error> {
    let extent = &section.extent;
    if subgroup_check {
        // The check of a subgroup is the CPU's, which decodes on the way.
        return srs.with_decoded(extent, |bytes| match &section.memory {
            Some(memory) => staging.upload(memory, 0, bytes).map(drop),
            None => Ok(()),
        });
    }
    staging.upload(flag, 0, &[u64::MAX])?;
    let point_bytes = extent.point_bytes as usize;
    match (&section.memory, passing) {
        (Some(memory), _) => {
            let slice = SLICE / point_bytes;
            for first in (0..extent.len()).step_by(slice) {
                bring_to(staging, srs, extent, first..(first + slice).min(extent.len()), (memory, first * point_bytes), flag)?;
            }
        }
        (None, Some(buffer)) => {
            let slice = buffer.bytes() / point_bytes;
            for first in (0..extent.len()).step_by(slice) {
                bring(staging, srs, extent, first..(first + slice).min(extent.len()), buffer, flag)?;
            }
        }
        (None, None) => return Err(Error::Internal("points are streamed without a buffer".to_owned())),
    }
    let mut bad = u64::MAX;
    staging.download(flag, &mut bad)?;
    if bad == u64::MAX {
        Ok(())
    } else {
        Err(refused(srs, extent, bad))
    }
}

/// The error for what the kernels left in the flag.
pub fn refused(srs: &Srs, extent: &Extent, bad: u64) -> Error {
    let reason = if bad & 3 == 2 { "the point at infinity" } else { "not the encoding of a point on the curve" };
    srs.bad_point(extent, (bad >> 2) as usize, reason)
}

/// Reads points from the file to the beginning of the memory, where they are decoded; all on the copying stream. A bad one
/// lowers the flag.
pub fn bring(staging: &Staging, srs: &Srs, extent: &Extent, points: Range<usize>, to: &Memory, flag: &Memory) -> Result<Copied, Error> {
    bring_to(staging, srs, extent, points, (to, 0), flag)
}

fn bring_to(
    staging: &Staging,
    srs: &Srs,
    extent: &Extent,
    points: Range<usize>,
    (to, at): (&Memory, usize),
    flag: &Memory,
) -> Result<Copied, Error> {
    let point_bytes = extent.point_bytes as usize;
    let from = points.start * point_bytes;
    let copied = staging.fill(to, at..at + points.len() * point_bytes, |buffer, place| srs.read(extent, from + place, buffer))?;
    let decode = if point_bytes == 96 { raw::c2_srs_decode_g1 } else { raw::c2_srs_decode_g2 };
    let (n, first, stream) = (points.len() as u64, points.start as u64, staging.stream());
    staging.install(|| {
        // SAFETY: n points lie there, in the order of the stream after their copies; the flag is a number on the device.
        check("decoding points", unsafe { decode(to.at(at), n, first, flag.ptr().cast(), stream.raw()) })?;
        Ok(Copied { began: copied.began, ended: stream.event()? })
    })
}

/// Which SRS have points on the device, and when they were last asked for.
pub struct Residency {
    holder: Holder,
    known: Mutex<Vec<(WeakSrs, Instant)>>,
}

impl Residency {
    /// Of the backend with this number.
    pub fn new(number: u64) -> Residency {
        Residency { holder: ("cuda", number), known: Mutex::default() }
    }

    /// Under what name an SRS keeps the points.
    pub fn holder(&self) -> Holder {
        self.holder
    }

    fn known(&self) -> MutexGuard<'_, Vec<(WeakSrs, Instant)>> {
        // Nothing is left half done under this lock.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that an SRS is asked for.
    pub fn touch(&self, srs: &Srs) {
        let mut known = self.known();
        known.retain(|(weak, _)| weak.upgrade().is_some_and(|other| !other.is(srs)));
        known.push((srs.downgrade(), Instant::now()));
    }

    /// Device memory that the points of other SRS take.
    pub fn others(&self, but: &Srs) -> usize {
        let known: Vec<_> = self.known().iter().filter_map(|(weak, _)| weak.upgrade()).collect();
        let points = known.iter().filter(|srs| !srs.is(but)).filter_map(|srs| srs.peek::<DevicePoints>(self.holder));
        points.map(|points| points.bytes()).sum()
    }

    /// Gives up the points of the SRS that was not asked for the longest, `but` this one. False if there is none. Proofs
    /// under way keep theirs until they end.
    pub fn evict_one(&self, but: &Srs) -> bool {
        let mut candidates: Vec<_> = self.known().iter().filter_map(|(weak, used)| Some((weak.upgrade()?, *used))).collect();
        candidates.sort_by_key(|(_, used)| *used);
        let evicted = candidates.iter().find(|(srs, _)| !srs.is(but) && srs.release(self.holder));
        if let Some((srs, _)) = evicted {
            log::info!(target: "c2prover::srs", "{} leaves the device: the memory is needed", srs.path().display());
        }
        evicted.is_some()
    }
}
