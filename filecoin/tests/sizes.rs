//! Sector sizes for which there is no sealed sector at hand: requests of the right shape, filled with made-up numbers.
//!
//! Such a request parses, has the right number of partitions and circuits of the right shape, and does not verify.

mod common;

use c2prover_filecoin::{Error, Job, Kind, PostProof, SealProof, SealVersion, SectorSize, UpdateProof};
use common::{prover_id, Checker, RANDOMNESS};
use filecoin_hashers::poseidon::PoseidonHasher;
use generic_array::typenum::{U0, U2, U8};
use serde::Serialize;
use storage_proofs_core::merkle::MerkleProof;
use storage_proofs_core::sector::SectorId;
use storage_proofs_porep::stacked::generate_replica_id;

/// A node in the field.
const NODE: [u8; 32] = [7; 32];
const TICKET: [u8; 32] = [1; 32];
const SECTOR: u64 = 77;

/// What the trees of a size look like: levels of arity 8, then those above.
fn upper(size: SectorSize) -> (usize, &'static [usize]) {
    match size {
        SectorSize::KiB2 => (2, &[]),
        SectorSize::MiB8 => (6, &[]),
        SectorSize::MiB512 => (8, &[]),
        SectorSize::GiB32 => (9, &[8]),
        SectorSize::GiB64 => (9, &[8, 2]),
    }
}

/// The path of a tree as JSON.
fn path(node: &str, arities: impl IntoIterator<Item = usize>) -> String {
    let element = |arity| format!(r#"{{"hashes":[{}],"index":{}}}"#, vec![node; arity - 1].join(","), arity - 1);
    format!(r#"{{"path":[{}]}}"#, arities.into_iter().map(element).collect::<Vec<_>>().join(","))
}

/// A C1 output whose every node is the same.
fn c1(seal: SealProof) -> String {
    let size = seal.sector_size;
    let node = format!("[{}]", NODE.map(|byte| byte.to_string()).join(","));
    let (base, above) = upper(size);
    let rest = format!(r#""root":{node},"leaf":{node}"#);
    let base = path(&node, vec![8; base]);
    let tree = match *above {
        [] => format!(r#"{{"data":{{"Single":{{{rest},"path":{base}}}}}}}"#),
        [sub] => format!(r#"{{"data":{{"Sub":{{{rest},"base_proof":{base},"sub_proof":{}}}}}}}"#, path(&node, [sub])),
        [sub, top] => format!(
            r#"{{"data":{{"Top":{{{rest},"base_proof":{base},"sub_proof":{},"top_proof":{}}}}}}}"#,
            path(&node, [sub]),
            path(&node, [top])
        ),
        _ => unreachable!(),
    };
    let binary = path(&node, vec![2; (size.bytes() / 32).trailing_zeros() as usize]);
    let (partitions, layers, challenges) = if size >= SectorSize::GiB32 { (10, 11, 18) } else { (1, 2, 2) };
    let list = |element: &str, count| format!("[{}]", vec![element; count].join(","));
    let column = format!(r#"{{"column":{{"index":5,"rows":{},"_h":null}},"inclusion_proof":{tree}}}"#, list(&node, layers));
    let label = format!(r#"{{"parents":{},"layer_index":1,"node":5}}"#, list(&node, 37));
    let challenge = format!(
        r#"{{"comm_d_proofs":{{"data":{{"Single":{{{rest},"path":{binary}}}}}}},"comm_r_last_proof":{tree},
            "replica_column_proofs":{{"c_x":{column},"drg_parents":{},"exp_parents":{}}},
            "labeling_proofs":{},"encoding_proof":{label}}}"#,
        list(&column, 6),
        list(&column, 8),
        list(&label, layers)
    );
    let replica_id = generate_replica_id::<PoseidonHasher, _>(&prover_id(), SECTOR, &TICKET, NODE, &seal.porep_id());
    format!(
        r#"{{"comm_d":{node},"comm_r":{node},"registered_proof":"{seal}","replica_id":{},"seed":{node},"ticket":{:?},
            "vanilla_proofs":{{"StackedDrg{size}V1":{}}}}}"#,
        serde_json::to_string(&replica_id).unwrap(),
        TICKET,
        list(&list(&challenge, challenges), partitions)
    )
}

/// The interactive and synthetic seal proofs of all sizes; the non-interactive ones are refused by name.
#[test]
fn every_seal_proof() {
    for seal in SealProof::all() {
        // a version changes nothing in the text's shape, and the large texts take a second each
        if seal.sector_size >= SectorSize::GiB32 && seal.version != SealVersion::V1_1 {
            continue;
        }
        let result = Job::porep(c1(seal).as_bytes(), SECTOR, &prover_id());
        if seal.version == SealVersion::NonInteractive {
            assert!(matches!(result.unwrap_err(), Error::Unsupported { name, .. } if name == seal.to_string()));
            continue;
        }
        let job = result.unwrap();
        assert_eq!((job.kind(), job.sector_size()), (Kind::PoRep, seal.sector_size));
        let (partitions, inputs) = if seal.sector_size >= SectorSize::GiB32 { (10, 327) } else { (1, 39) };
        assert_eq!(job.partitions(), partitions);
        assert_eq!(job.public_inputs(partitions - 1).unwrap().len(), inputs);
        let all: Vec<usize> = (0..partitions).collect();
        assert!(matches!(job.verify_vanilla(), Err(Error::BadPartitions { partitions, .. }) if partitions == all));
    }
}

/// A path of made-up nodes.
type Path<S, T> = MerkleProof<PoseidonHasher, U8, S, T>;

/// `FallbackPoStSectorProof` as bincode has it.
#[derive(Serialize)]
struct SectorVanilla<P> {
    sector_id: SectorId,
    comm_r: [u8; 32],
    /// One sector: its paths, comm_c, comm_r_last.
    sectors: Vec<(Vec<P>, [u8; 32], [u8; 32])>,
}

/// A sector's vanilla proof with so many challenges.
fn sector(size: SectorSize, sector_id: u64, challenges: usize) -> Vec<u8> {
    let (base, above) = upper(size);
    let arities = std::iter::repeat_n(8, base).chain(above.iter().copied());
    let path: Vec<_> = arities.map(|arity| (vec![NODE.into(); arity - 1], 1)).collect();
    fn encode<P: Serialize + Clone>(sector_id: u64, path: P, challenges: usize) -> Vec<u8> {
        let sectors = vec![(vec![path; challenges], NODE, NODE)];
        bincode::serialize(&SectorVanilla { sector_id: sector_id.into(), comm_r: NODE, sectors }).unwrap()
    }
    let (leaf, root) = (NODE.into(), NODE.into());
    match above.len() {
        0 => encode(sector_id, Path::<U0, U0>::from_parts(leaf, root, path), challenges),
        1 => encode(sector_id, Path::<U8, U0>::from_parts(leaf, root, path), challenges),
        _ => encode(sector_id, Path::<U8, U2>::from_parts(leaf, root, path), challenges),
    }
}

#[test]
fn every_winning_post() {
    for size in SectorSize::ALL {
        let vanilla = [sector(size, 5, 66)];
        let job = Job::winning_post(PostProof::Winning(size), &prover_id(), &RANDOMNESS, &vanilla).unwrap();
        assert_eq!(job.public_inputs(0).unwrap().len(), 66 * 2);
        assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { sectors, .. }) if sectors == [5]));

        let (mut blank, mut cs) = (Checker::blank(), Checker::with_witness());
        job.circuit_id().synthesize_blank(&mut blank).unwrap();
        job.synthesize(0, &mut cs).unwrap();
        assert_eq!((cs.shape(), cs.densities()), (blank.shape(), blank.densities()), "{size}");
    }
}

#[test]
fn every_window_post() {
    for (size, sectors) in SectorSize::ALL.into_iter().zip([2, 2, 2, 2349, 2300]) {
        let vanilla: Vec<_> = (0..3).map(|id| sector(size, id, 10)).collect();
        for proof in [PostProof::WindowV1(size), PostProof::WindowV1_1(size)] {
            let job = Job::window_post(proof, &prover_id(), &RANDOMNESS, &vanilla, None).unwrap();
            assert_eq!(job.partitions(), if sectors == 2 { 2 } else { 1 });
            assert_eq!(job.public_inputs(0).unwrap().len(), sectors * 11);
            assert!(matches!(job.verify_vanilla(), Err(Error::BadSectors { sectors, .. }) if sectors == [0, 1, 2]));
        }
        if sectors == 2 {
            let job = Job::window_post(PostProof::WindowV1_1(size), &prover_id(), &RANDOMNESS, &vanilla, None).unwrap();
            let (mut blank, mut cs) = (Checker::blank(), Checker::with_witness());
            job.circuit_id().synthesize_blank(&mut blank).unwrap();
            job.synthesize(1, &mut cs).unwrap();
            assert_eq!((cs.shape(), cs.densities()), (blank.shape(), blank.densities()), "{size}");
        }
    }
}

/// The number of partitions, by what is said about a wrong one.
#[test]
fn every_update() {
    for (size, partitions) in SectorSize::ALL.into_iter().zip([1, 4, 16, 16, 16]) {
        let none: [Vec<u8>; 0] = [];
        let error = Job::update(UpdateProof(size), &NODE, &NODE, &NODE, &none).unwrap_err();
        assert!(matches!(error, Error::VanillaCount { found: 0, expected, .. } if expected == format!("{partitions}, one a partition")));
    }
}
