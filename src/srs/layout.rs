//! Where the sections of a parameter file lie: every length is checked against the file before anything is read.
//!
//! The layout is that of bellperson's `Parameters::write`, uncompressed and big-endian, without padding: alpha_g1,
//! beta_g1, beta_g2, gamma_g2, delta_g1, delta_g2, then the counted sections ic, h, l, a, b_g1 (96 bytes a point)
//! and b_g2 (192 bytes a point), each behind a count of four bytes.

use std::path::Path;

use super::source::Source;
use crate::error::Section;
use crate::Error;

/// Bytes of an uncompressed G1 point.
pub const G1_BYTES: u64 = 96;
/// Bytes of an uncompressed G2 point.
pub const G2_BYTES: u64 = 192;

/// Points of one section: where they begin and how many there are.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Extent {
    pub section: Section,
    pub offset: u64,
    pub count: usize,
    pub point_bytes: u64,
}

impl Extent {
    /// Number of points.
    #[allow(clippy::len_without_is_empty)] // a section of a usable file is not
    pub fn len(&self) -> usize {
        self.count
    }

    /// Offset of the byte after the last point.
    pub fn end(&self) -> u64 {
        self.offset + self.count as u64 * self.point_bytes
    }
}

/// The single points of the head, in the order of the file.
pub(super) const HEAD: [(Section, u64); 6] = [
    (Section::AlphaG1, G1_BYTES),
    (Section::BetaG1, G1_BYTES),
    (Section::BetaG2, G2_BYTES),
    (Section::GammaG2, G2_BYTES),
    (Section::DeltaG1, G1_BYTES),
    (Section::DeltaG2, G2_BYTES),
];

/// The counted sections, in the order of the file.
const COUNTED: [(Section, u64); 6] = [
    (Section::Ic, G1_BYTES),
    (Section::H, G1_BYTES),
    (Section::L, G1_BYTES),
    (Section::A, G1_BYTES),
    (Section::BG1, G1_BYTES),
    (Section::BG2, G2_BYTES),
];

/// Where the counted sections of a parameter file lie.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // the names are those of the file layout
pub struct Layout {
    pub ic: Extent,
    pub h: Extent,
    pub l: Extent,
    pub a: Extent,
    pub b_g1: Extent,
    pub b_g2: Extent,
}

pub(super) fn need(path: &Path, section: Section, offset: u64, bytes: u64, file_bytes: u64) -> Result<(), Error> {
    let have = file_bytes.saturating_sub(offset);
    if bytes > have {
        return Err(Error::ParamsTruncated { path: path.to_owned(), section, offset, need: bytes, have });
    }
    Ok(())
}

/// The extents of the head; what of it the file is too short for is an error.
pub(super) fn head(source: &Source) -> impl Iterator<Item = Result<Extent, Error>> + '_ {
    let mut offset = 0;
    HEAD.iter().map(move |(section, point_bytes)| {
        need(source.path(), *section, offset, *point_bytes, source.bytes())?;
        let extent = Extent { section: *section, offset, count: 1, point_bytes: *point_bytes };
        offset += point_bytes;
        Ok(extent)
    })
}

/// The counted sections: all six, or `ic` alone for a verifying key. What follows the last one is an error.
pub(super) fn counted(source: &Source, sections: usize) -> Result<Vec<Extent>, Error> {
    let mut offset: u64 = HEAD.iter().map(|h| h.1).sum();
    let mut extents = Vec::with_capacity(sections);
    for (section, point_bytes) in COUNTED.into_iter().take(sections) {
        need(source.path(), section, offset, 4, source.bytes())?;
        let mut count = [0; 4];
        source.read_exact_at(&mut count, offset)?;
        offset += 4;
        let count = u32::from_be_bytes(count) as usize;
        let extent = Extent { section, offset, count, point_bytes };
        need(source.path(), section, offset, extent.end() - offset, source.bytes())?;
        offset = extent.end();
        extents.push(extent);
    }
    if source.bytes() > offset {
        return Err(Error::ParamsTrailing { path: source.path().to_owned(), offset, extra: source.bytes() - offset });
    }
    Ok(extents)
}

/// As [`counted`], of a whole parameter file.
pub(super) fn of_queries(source: &Source) -> Result<Layout, Error> {
    match counted(source, COUNTED.len())?[..] {
        [ic, h, l, a, b_g1, b_g2] => Ok(Layout { ic, h, l, a, b_g1, b_g2 }),
        _ => Err(Error::Internal("a parameter file has six counted sections".to_owned())),
    }
}
