//! Makes test parameters of Filecoin's 2 KiB circuits: `c2prover-test-params KIND... --dir DIR`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use c2prover_filecoin::{CircuitId, Kind, SectorSize};
use c2prover_test_setup::ensure_with_progress;

const USAGE: &str = "usage: c2prover-test-params KIND... --dir DIR
KIND is porep, winning-post, window-post, snap, or all.
Makes parameters with a KNOWN trapdoor, for tests only; files that are there already are left alone.";

fn main() -> ExitCode {
    let (kinds, dir) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    for kind in kinds {
        let id = CircuitId { kind, sector_size: SectorSize::KiB2 };
        let start = Instant::now();
        let mut progress = |line: &str| println!("{id} {:6.1} s  {line}", start.elapsed().as_secs_f64());
        match ensure_with_progress(id, &dir, &mut progress) {
            Ok(files) => progress(&format!("{}", files.params.display())),
            Err(error) => {
                eprintln!("{id}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<(Vec<Kind>, PathBuf), String> {
    let (mut kinds, mut dir) = (Vec::new(), None);
    while let Some(argument) = given.next() {
        match argument.as_str() {
            "porep" => kinds.push(Kind::PoRep),
            "winning-post" => kinds.push(Kind::WinningPost),
            "window-post" => kinds.push(Kind::WindowPost),
            "snap" => kinds.push(Kind::Update),
            "all" => kinds.extend(Kind::ALL),
            "--dir" => dir = Some(PathBuf::from(given.next().ok_or("--dir needs a folder")?)),
            _ => return Err(format!("unknown argument `{argument}`")),
        }
    }
    if kinds.is_empty() {
        return Err("no kind given".to_owned());
    }
    Ok((kinds, dir.ok_or("no folder given")?))
}
