//! Puts proof files to Filecoin's own verifier: `verify-proofs FOLDER`, with any of porep, winning, window, window5 and update in
//! it, as NAME.bin or NAME-proof.bin, made by any prover from the inputs of `tests/data`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use c2prover_dropin_tests::data;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: verify-proofs FOLDER");
        return ExitCode::from(2);
    };
    // The verifier needs the verifying keys alone.
    std::env::set_var("FIL_PROOFS_PARAMETER_CACHE", data::checkout("tests/data/params"));
    match verify(&folder) {
        Ok(0) => {
            eprintln!("{}: no proof files", folder.display());
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e:#}");
            ExitCode::FAILURE
        }
    }
}

fn verify(folder: &Path) -> Result<usize> {
    let mut verified = 0;
    for (name, statement) in data::statements()? {
        let files = [format!("{name}.bin"), format!("{name}-proof.bin")].map(|file| folder.join(file));
        let Some(path) = files.iter().find(|path| path.exists()) else {
            println!("{name}: no file");
            continue;
        };
        let proof = std::fs::read(path).with_context(|| path.display().to_string())?;
        let refused = statement.check(&proof).with_context(|| path.display().to_string())?;
        println!("{name}: {} bytes, verified; {refused} changes refused", proof.len());
        verified += 1;
    }
    Ok(verified)
}
