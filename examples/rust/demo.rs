//! From a real 2 KiB sector's inputs to a verified proof, with the time of every phase.
//!
//! `cargo run --release --example demo [porep | winning-post | window-post | snap]`. Test parameters are made on the first
//! run, into `target/params` or the folder in `C2PROVER_PARAM_CACHE`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use base64::Engine as _;
use c2prover::engine::{Engine, EngineOptions, Request};
use c2prover::timing;
use c2prover_filecoin::{CircuitId, Kind, SectorSize};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The inputs of all kinds were made with these; see tests/data/README.md.
const SECTOR: u64 = 1;
const RANDOMNESS: [u8; 32] = [3; 32];

fn prover_id() -> [u8; 32] {
    let mut id = [0; 32];
    id[..2].copy_from_slice(&[0xe8, 0x07]);
    id
}

fn data(name: &str) -> Result<Vec<u8>> {
    let folder =
        std::env::var_os("C2PROVER_TEST_DATA").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"), PathBuf::from);
    let path = folder.join(name);
    std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()).into())
}

/// Vanilla proofs and commitments of the update, from its JSON.
struct Update {
    vanilla: Vec<Vec<u8>>,
    comms: [[u8; 32]; 3],
}

fn update() -> Result<Update> {
    let json: serde_json::Value = serde_json::from_slice(&data("update-vanilla.json")?)?;
    let text = |v: &serde_json::Value| v.as_str().unwrap_or_default().to_owned();
    let hex = |name: &str| -> Result<[u8; 32]> {
        let digits = text(&json[name]);
        let bytes: Vec<u8> =
            (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16)).collect::<std::result::Result<_, _>>()?;
        Ok(bytes.as_slice().try_into()?)
    };
    let decode = |v| base64::engine::general_purpose::STANDARD.decode(text(v));
    let vanilla = json["vanilla"].as_array().into_iter().flatten().map(decode).collect::<std::result::Result<_, _>>()?;
    Ok(Update { vanilla, comms: [hex("comm_r_old")?, hex("comm_r_new")?, hex("comm_d_new")?] })
}

fn main() -> Result<()> {
    env_logger::init();
    let name = std::env::args().nth(1).unwrap_or_else(|| "porep".to_owned());
    let kind = match name.as_str() {
        "porep" => Kind::PoRep,
        "winning-post" => Kind::WinningPost,
        "window-post" => Kind::WindowPost,
        "snap" => Kind::Update,
        other => return Err(format!("unknown kind {other}: porep, winning-post, window-post, snap").into()),
    };

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target");
    let folder = std::env::var_os("C2PROVER_PARAM_CACHE").map_or_else(|| target.join("params"), PathBuf::from);
    let began = Instant::now();
    let id = CircuitId { kind, sector_size: SectorSize::KiB2 };
    let files = c2prover_test_setup::ensure_with_progress(id, &folder, &mut |step| println!("parameters: {step}"))?;
    println!("parameters: {} ({:.1} s; TEST PARAMETERS, their trapdoor is known)", files.params.display(), began.elapsed().as_secs_f64());

    let (c1, winning, window, update) = (data("c1-raw.json")?, data("winning-vanilla.bin")?, data("window-vanilla.bin")?, update()?);
    let prover_id = prover_id();
    let [comm_r_old, comm_r_new, comm_d_new] = update.comms;
    let vanilla = update.vanilla.iter().map(|v| v.as_slice().into()).collect();
    let request = match kind {
        Kind::PoRep => Request::PoRep { c1: c1.as_slice().into(), sector_number: SECTOR, prover_id },
        Kind::WinningPost => {
            Request::WinningPost { registered_proof: 0, prover_id, randomness: RANDOMNESS, vanilla: vec![winning.as_slice().into()] }
        }
        Kind::WindowPost => Request::WindowPost {
            registered_proof: 10,
            prover_id,
            randomness: RANDOMNESS,
            vanilla: vec![window.as_slice().into()],
            partition: None,
        },
        Kind::Update => Request::Update { registered_proof: 0, comm_r_old, comm_r_new, comm_d_new, vanilla },
    };

    let engine = Engine::new(EngineOptions { param_cache: Some(folder), ..EngineOptions::default() })?;
    let outcome = engine.prove(&request, &format!("{name}-1000-{SECTOR}"))?;
    println!("\n{}\n", outcome.report);
    // The checkout may be read-only, or not on this machine.
    let target = if std::fs::create_dir_all(&target).is_ok() { target } else { std::env::temp_dir() };
    let trace = target.join(format!("demo-{name}-trace.json"));
    timing::write_trace(&[&outcome.report], &mut std::fs::File::create(&trace)?)?;
    println!("trace: {} (open it in Perfetto or chrome://tracing)", trace.display());
    println!("proof: {}", outcome.proof.iter().map(|b| format!("{b:02x}")).collect::<String>());

    let verified = engine.verify(&request, &outcome.proof)?;
    println!("{name}: {} bytes, verified: {verified}", outcome.proof.len());
    if verified {
        Ok(())
    } else {
        Err("the proof does not verify".into())
    }
}
