//! The sector of `tests/data`: its inputs, and the statements that its proofs make.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use filecoin_proofs_api::{RegisteredPoStProof, RegisteredSealProof, RegisteredUpdateProof};

use crate::{PoRep, Post, Statement, Update};

/// Prover id of miner 1000.
pub const PROVER_ID: [u8; 32] = {
    let mut id = [0; 32];
    (id[0], id[1]) = (0xe8, 0x07);
    id
};
pub const SECTOR: u64 = 1;
pub const TICKET: [u8; 32] = [1; 32];
pub const SEED: [u8; 32] = [2; 32];
pub const RANDOMNESS: [u8; 32] = [3; 32];

/// A path of the checkout.
pub fn checkout(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A file of `tests/data`.
pub fn read(name: &str) -> Result<Vec<u8>> {
    let path = checkout("tests/data").join(name);
    std::fs::read(&path).with_context(|| path.display().to_string())
}

fn json(name: &str) -> Result<serde_json::Value> {
    Ok(serde_json::from_slice(&read(name)?)?)
}

fn text<'a>(json: &'a serde_json::Value, field: &str) -> Result<&'a str> {
    json[field].as_str().with_context(|| format!("{field} is missing"))
}

fn digest(json: &serde_json::Value, field: &str) -> Result<[u8; 32]> {
    let bytes = hex::decode(text(json, field)?)?;
    <[u8; 32]>::try_from(bytes.as_slice()).with_context(|| format!("{field} is not 32 bytes"))
}

fn base64_all(json: &serde_json::Value) -> Result<Vec<Vec<u8>>> {
    json.as_array().into_iter().flatten().map(|x| Ok(STANDARD.decode(x.as_str().unwrap_or_default())?)).collect()
}

/// What a proof of the sector's replication says.
pub fn porep() -> Result<PoRep> {
    let meta = json("meta.json")?;
    Ok(PoRep {
        proof: RegisteredSealProof::StackedDrg2KiBV1_1,
        comm_r: digest(&meta, "comm_r")?,
        comm_d: digest(&meta, "comm_d")?,
        prover_id: PROVER_ID,
        sector: SECTOR,
        ticket: TICKET,
        seed: SEED,
    })
}

fn post(proof: RegisteredPoStProof, sectors: u64) -> Result<Post> {
    let comm_r = digest(&json("meta.json")?, "comm_r")?;
    Ok(Post { proof, prover_id: PROVER_ID, randomness: RANDOMNESS, sectors: (1..=sectors).map(|sector| (sector, comm_r)).collect() })
}

pub fn winning() -> Result<Post> {
    post(RegisteredPoStProof::StackedDrgWinning2KiBV1, 1)
}

pub fn window() -> Result<Post> {
    post(RegisteredPoStProof::StackedDrgWindow2KiBV1_2, 1)
}

/// One replica under five numbers: three circuits.
pub fn window5() -> Result<Post> {
    post(RegisteredPoStProof::StackedDrgWindow2KiBV1_2, 5)
}

pub fn window5_vanilla() -> Result<Vec<Vec<u8>>> {
    base64_all(&json("window5-vanilla.json")?)
}

pub fn update() -> Result<Update> {
    let json = json("update-vanilla.json")?;
    Ok(Update {
        proof: RegisteredUpdateProof::StackedDrg2KiBV1,
        comm_r_old: digest(&json, "comm_r_old")?,
        comm_r_new: digest(&json, "comm_r_new")?,
        comm_d_new: digest(&json, "comm_d_new")?,
    })
}

pub fn update_vanilla() -> Result<Vec<Vec<u8>>> {
    base64_all(&json("update-vanilla.json")?["vanilla"])
}

/// The names of proof files, and what the proofs say.
pub fn statements() -> Result<Vec<(&'static str, Statement)>> {
    Ok(vec![
        ("porep", Statement::PoRep(porep()?)),
        ("winning", Statement::Post(winning()?)),
        ("window", Statement::Post(window()?)),
        ("window5", Statement::Post(window5()?)),
        ("update", Statement::Update(update()?)),
    ])
}
