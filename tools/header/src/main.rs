//! Writes the C header: `c2prover-header REPOSITORY OUTPUT`.
//!
//! A program of its own rather than a build script: cbindgen would cost each user of the library a minute, and a build
//! must not write into the sources.

use std::path::PathBuf;
use std::process::ExitCode;

/// The sources of the boundary, in the order in which the header tells them.
const SOURCES: [&str; 13] = [
    "src/error.rs",
    "src/ffi/types.rs",
    "src/ffi/version.rs",
    "src/ffi/error.rs",
    "src/ffi/log.rs",
    "src/ffi/srs.rs",
    "src/ffi/key.rs",
    "src/ffi/circuit.rs",
    "src/ffi/request.rs",
    "src/ffi/engine.rs",
    "src/ffi/params.rs",
    "src/ffi/job.rs",
    "src/ffi/result.rs",
];

fn write(repository: &str, output: &str) -> Result<(), Box<dyn std::error::Error>> {
    let repository = PathBuf::from(repository);
    let config = cbindgen::Config::from_file(repository.join("cbindgen.toml"))?;
    let builder = SOURCES.iter().fold(cbindgen::Builder::new().with_config(config), |b, source| b.with_src(repository.join(source)));
    let mut text = Vec::new();
    builder.generate()?.write(&mut text);
    // cbindgen can put only the name of the enum before its constants; success and errors read better apart.
    let text = String::from_utf8(text)?.replace("C2P_STATUS_OK", "C2P_OK").replace("C2P_STATUS_", "C2P_ERR_");
    std::fs::write(output, text)?;
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repository, output] = arguments.as_slice() else {
        eprintln!("usage: c2prover-header REPOSITORY OUTPUT");
        return ExitCode::from(2);
    };
    match write(repository, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
