//! Names and numbers of registered proofs, circuits and parameter files.

use std::collections::BTreeSet;

use c2prover_filecoin::{CircuitId, Error, Kind, PostProof, SealProof, SealVersion, SectorSize, UpdateProof};
use storage_proofs_core::parameter_cache::PARAMETERS;

/// filecoin-proofs-api's `RegisteredSealProof`, in the order of the chain's numbers.
const SEAL_PROOFS: [&str; 20] = [
    "StackedDrg2KiBV1",
    "StackedDrg8MiBV1",
    "StackedDrg512MiBV1",
    "StackedDrg32GiBV1",
    "StackedDrg64GiBV1",
    "StackedDrg2KiBV1_1",
    "StackedDrg8MiBV1_1",
    "StackedDrg512MiBV1_1",
    "StackedDrg32GiBV1_1",
    "StackedDrg64GiBV1_1",
    "StackedDrg2KiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg8MiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg512MiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg32GiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg64GiBV1_1_Feat_SyntheticPoRep",
    "StackedDrg2KiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg8MiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg512MiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg32GiBV1_2_Feat_NonInteractivePoRep",
    "StackedDrg64GiBV1_2_Feat_NonInteractivePoRep",
];

/// go-state-types' `RegisteredPoStProof`, in the order of its numbers.
const POST_PROOFS: [&str; 15] = [
    "StackedDrgWinning2KiBV1",
    "StackedDrgWinning8MiBV1",
    "StackedDrgWinning512MiBV1",
    "StackedDrgWinning32GiBV1",
    "StackedDrgWinning64GiBV1",
    "StackedDrgWindow2KiBV1",
    "StackedDrgWindow8MiBV1",
    "StackedDrgWindow512MiBV1",
    "StackedDrgWindow32GiBV1",
    "StackedDrgWindow64GiBV1",
    "StackedDrgWindow2KiBV1_1",
    "StackedDrgWindow8MiBV1_1",
    "StackedDrgWindow512MiBV1_1",
    "StackedDrgWindow32GiBV1_1",
    "StackedDrgWindow64GiBV1_1",
];

/// go-state-types' `RegisteredUpdateProof`, in the order of its numbers.
const UPDATE_PROOFS: [&str; 5] = ["StackedDrg2KiBV1", "StackedDrg8MiBV1", "StackedDrg512MiBV1", "StackedDrg32GiBV1", "StackedDrg64GiBV1"];

#[test]
fn seal_proofs() {
    assert!(SealProof::all().map(|p| p.to_string()).eq(SEAL_PROOFS));
    for (number, (proof, name)) in SealProof::all().zip(SEAL_PROOFS).enumerate() {
        assert_eq!(proof.number(), number as u64);
        assert_eq!(SealProof::from_number(number as i64).unwrap(), proof);
        assert_eq!(name.parse::<SealProof>().unwrap(), proof);
        let mut id = [0; 32];
        id[0] = number as u8;
        assert_eq!(proof.porep_id(), id);
    }
    let go = "StackedDrg32GiBV1_2_Feat_NiPoRep".parse::<SealProof>().unwrap();
    assert_eq!(go, SealProof { version: SealVersion::NonInteractive, sector_size: SectorSize::GiB32 });
}

#[test]
fn post_proofs() {
    assert!(PostProof::all().map(|p| p.to_string()).eq(POST_PROOFS));
    for (number, (proof, name)) in PostProof::all().zip(POST_PROOFS).enumerate() {
        assert_eq!(proof.number(), number as u64);
        assert_eq!(PostProof::from_number(number as i64).unwrap(), proof);
        assert_eq!(name.parse::<PostProof>().unwrap(), proof);
        assert_eq!(proof.kind(), if number < 5 { Kind::WinningPost } else { Kind::WindowPost });
    }
    let rust = "StackedDrgWindow32GiBV1_2".parse::<PostProof>().unwrap();
    assert_eq!(rust, PostProof::WindowV1_1(SectorSize::GiB32));
}

#[test]
fn update_proofs() {
    assert!(UpdateProof::all().map(|p| p.to_string()).eq(UPDATE_PROOFS));
    for (number, (proof, name)) in UpdateProof::all().zip(UPDATE_PROOFS).enumerate() {
        assert_eq!(proof.number(), number as u64);
        assert_eq!(UpdateProof::from_number(number as i64).unwrap(), proof);
        assert_eq!(name.parse::<UpdateProof>().unwrap(), proof);
    }
}

#[test]
fn unknown_proofs_say_what_is_known() {
    let error = "StackedDrg1GiBV1".parse::<SealProof>().unwrap_err();
    assert!(matches!(&error, Error::UnknownName { what: "seal proof", .. }));
    assert!(SEAL_PROOFS.iter().all(|name| error.to_string().contains(name)), "{error}");
    assert!(matches!("".parse::<PostProof>(), Err(Error::UnknownName { what: "PoSt proof", .. })));
    assert!(matches!("x".parse::<UpdateProof>(), Err(Error::UnknownName { what: "update proof", .. })));
    assert!(matches!("porep-1g".parse::<CircuitId>(), Err(Error::UnknownName { what: "circuit", .. })));
    assert!(matches!("1GiB".parse::<SectorSize>(), Err(Error::UnknownName { what: "sector size", .. })));

    for number in [-1, 20, i64::MAX, i64::MIN] {
        let error = SealProof::from_number(number).unwrap_err();
        assert!(matches!(&error, Error::UnknownNumber { given, .. } if *given == number));
        assert!(error.to_string().contains("8 StackedDrg32GiBV1_1"), "{error}");
    }
    assert!(matches!(PostProof::from_number(15), Err(Error::UnknownNumber { what: "PoSt proof", given: 15, .. })));
    assert!(matches!(UpdateProof::from_number(5), Err(Error::UnknownNumber { what: "update proof", given: 5, .. })));
}

#[test]
fn sector_sizes() {
    for size in SectorSize::ALL {
        assert_eq!(SectorSize::from_bytes(size.bytes()), Some(size));
        assert_eq!(size.to_string().parse::<SectorSize>().unwrap(), size);
        assert_eq!(size.suffix().parse::<SectorSize>().unwrap(), size);
    }
    assert_eq!(SectorSize::GiB32.bytes(), 34_359_738_368);
    assert_eq!(SectorSize::from_bytes(1 << 30), None);
}

#[test]
fn circuits() {
    let names: Vec<String> = CircuitId::all().map(|id| id.to_string()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 20);
    for name in ["porep-2k", "porep-32g", "winning-32g", "wpost-32g", "snap-32g", "snap-512m", "wpost-8m", "porep-64g"] {
        assert!(names.iter().any(|known| known == name));
        assert_eq!(name.parse::<CircuitId>().unwrap().to_string(), name);
    }
}

/// Every circuit's files are among those that Filecoin publishes, for the same sector size, and no two circuits share any.
#[test]
fn parameter_files_are_published() {
    let mut files = BTreeSet::new();
    for id in CircuitId::all() {
        for file in [id.params_file(), id.vk_file()] {
            let published = PARAMETERS.get(&file).unwrap_or_else(|| panic!("{id}: {file} is not published"));
            assert_eq!(published.sector_size, id.sector_size.bytes(), "{id}");
            assert!(files.insert(file));
        }
    }
}
