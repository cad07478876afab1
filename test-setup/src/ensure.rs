//! Parameters of Filecoin's 2 KiB circuits, made where they are missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bellpepper_core::{Circuit, ConstraintSystem, SynthesisError};
use blstrs::Scalar as Fr;
use c2prover_filecoin::{CircuitId, Kind, SectorSize};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::setup::{generate_from, Trapdoor};
use crate::{Error, Written};

/// Where a circuit's parameters are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// The parameter file.
    pub params: PathBuf,
    /// The verifying key.
    pub vk: PathBuf,
}

/// What makes a 2 KiB circuit's parameters, and what they must be.
struct Expected {
    /// The generator's seed is 32 times this.
    seed: u8,
    params: File,
    vk: File,
}

/// Size in bytes and SHA-256 in hex.
struct File {
    bytes: u64,
    sha256: &'static str,
}

fn expected(id: CircuitId) -> Result<Expected, Error> {
    let file = |bytes, sha256| File { bytes, sha256 };
    let (seed, params, vk) = match (id.sector_size, id.kind) {
        (SectorSize::KiB2, Kind::PoRep) => (
            1,
            file(1114707768, "d56e6e2edf0b0cd25b5f151d715e80c32feca5e244d14313a6c33a1b64270f6f"),
            file(4708, "a5ad3aef7db8ed243a2aa157824decaed2de5a6b75bc6b13eb5ddc2b566b5679"),
        ),
        (SectorSize::KiB2, Kind::WinningPost) => (
            2,
            file(47299128, "30385e7e0ea7fe01af713c324fe3ef4dd997de4f64604c08907fd16522d3efca"),
            file(13636, "687a2de9e87ed31a9bac1afee911fe261e9119101926886b8a58b47e93c633d8"),
        ),
        (SectorSize::KiB2, Kind::WindowPost) => (
            3,
            file(11501496, "a412f30d99f5446462eca2235df95be565ed11a40553da2e6b38684d7f9a6bce"),
            file(3076, "f8f9a0cb06a3e55f1bdd6a118f297f16f735927fe7e3bc4d094019744683fde8"),
        ),
        (SectorSize::KiB2, Kind::Update) => (
            4,
            file(655789464, "d378d105096d8e041d49260d64a1590b93af60925f6d73db672ac191c192bec7"),
            file(1348, "38cb0b453e3cfa57936189e8b182bc907f3eb6c18805031ed15edce4b6d885f6"),
        ),
        _ => return Err(Error::NoSeed(id)),
    };
    Ok(Expected { seed, params, vk })
}

/// A Filecoin circuit without a witness, as a setup needs it.
#[derive(Clone, Copy, Debug)]
pub struct Blank(
    /// Which circuit.
    pub CircuitId,
);

impl Circuit<Fr> for Blank {
    fn synthesize<CS: ConstraintSystem<Fr>>(self, cs: &mut CS) -> Result<(), SynthesisError> {
        self.0.synthesize_blank(cs)
    }
}

/// Makes a 2 KiB circuit's test parameters in `dir` under Filecoin's file names, unless files of the right size are there.
///
/// The bytes are checked against known digests. Files appear whole or not at all. In one process a second caller waits for
/// the first; two processes at once both make the files, and both are right.
///
/// On two cores: PoRep 40 s and 1,063 MiB of files, update 25 s and 625 MiB, WinningPoSt 2 s and 45 MiB, WindowPoSt under a
/// second and 11 MiB. Memory stays below 1 GiB.
pub fn ensure(id: CircuitId, dir: &Path) -> Result<Files, Error> {
    ensure_with_progress(id, dir, &mut |_| ())
}

/// As [`ensure`], with a line of `progress` for each step; silent if the files are there.
pub fn ensure_with_progress(id: CircuitId, dir: &Path, progress: &mut dyn FnMut(&str)) -> Result<Files, Error> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let expected = expected(id)?;
    let files = Files { params: dir.join(id.params_file()), vk: dir.join(id.vk_file()) };

    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let is_there = |path: &Path, bytes| fs::metadata(path).is_ok_and(|found| found.len() == bytes);
    if is_there(&files.params, expected.params.bytes) && is_there(&files.vk, expected.vk.bytes) {
        return Ok(files);
    }

    fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.to_owned(), source })?;
    let (params, vk) = (Temporary::beside(&files.params), Temporary::beside(&files.vk));
    let trapdoor = Trapdoor::draw(&mut ChaCha20Rng::from_seed([expected.seed; 32]));
    let made = generate_from(|| Blank(id), &trapdoor, &params.0, &vk.0, progress)?;
    check(id.params_file(), &made.params, &expected.params)?;
    check(id.vk_file(), &made.vk, &expected.vk)?;
    vk.rename(&files.vk)?;
    params.rename(&files.params)?;
    Ok(files)
}

fn check(file: String, made: &Written, expected: &File) -> Result<(), Error> {
    if made.sha256 == expected.sha256 {
        return Ok(());
    }
    Err(Error::Digest { file, found: made.sha256.clone(), expected: expected.sha256 })
}

/// A file under a name that nobody else uses, removed unless it is renamed.
struct Temporary(PathBuf);

impl Temporary {
    fn beside(path: &Path) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(path.with_extension(format!("{}.{count}.tmp", std::process::id())))
    }

    fn rename(self, to: &Path) -> Result<(), Error> {
        fs::rename(&self.0, to).map_err(|source| Error::Io { path: to.to_owned(), source })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // renamed or never made: nothing to remove, and no harm in that
        let _ = fs::remove_file(&self.0);
    }
}
