//! Parameter files that are damaged, missing, shared, replaced: a distinct error each, and proofs afterwards.

mod common;

use std::collections::HashSet;
use std::path::Path;

use blstrs::G1Affine;
use c2prover::srs::{OpenOptions, Srs, VerifyingKey};
use c2prover::{Error, Section, Status};
use c2prover_test_setup::circuits::Chain;
use common::*;

fn open(path: &Path) -> Result<Srs, Error> {
    Srs::open(path, OpenOptions::default(), &scope())
}

#[test]
fn nine_damaged_files_give_nine_errors_and_a_good_one_still_proves() {
    let good = TestSrs::of(|| Chain::bits(300, 1).blank(), 5);
    let other = TestSrs::of(|| Chain::bits(200, 1).blank(), 5);
    let bytes = std::fs::read(good.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let mut flipped = bytes.clone();
    // In the fifth point of l: head, ic, h, then l.
    let l = 864 + 4 + 96 * good.srs.key.ic.len() + 4 + 96 * good.srs.h.len() + 4;
    flipped[l + 4 * 96 + 50] ^= 1;
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    type Case = (&'static str, Result<Srs, Error>, Status, Option<Section>);
    let cases: Vec<Case> = vec![
        ("missing", open(&folder.path().join("missing")), Status::ParamsMissing, None),
        ("empty", open(&file("empty", &[])), Status::ParamsEmpty, None),
        ("100 bytes", open(&file("100", &bytes[..100])), Status::ParamsTruncated, Some(Section::BetaG1)),
        ("1,000 bytes", open(&file("1000", &bytes[..1000])), Status::ParamsTruncated, Some(Section::Ic)),
        ("last byte cut", open(&file("cut", &bytes[..bytes.len() - 1])), Status::ParamsTruncated, Some(Section::BG2)),
        ("trailing bytes", open(&file("trailing", &[&bytes[..], &[0; 7]].concat())), Status::ParamsTrailing, None),
        ("one flipped byte", open(&file("flipped", &flipped)), Status::ParamsPoint, Some(Section::L)),
        ("noise", open(&file("noise", &noise)), Status::ParamsPoint, Some(Section::AlphaG1)),
    ];
    let mut seen = HashSet::new();
    for (name, result, status, section) in cases {
        let error = result.expect_err(name);
        assert_eq!((error.status(), error.section()), (status, section), "{name}: {error}");
        assert!(seen.insert((error.status(), error.section())), "{name}");
        if status == Status::ParamsPoint && section == Some(Section::L) {
            assert_eq!((error.index(), error.offset()), (Some(4), Some(l as u64 + 4 * 96)));
        }
    }
    let circuit = || vec![synthesize(Chain::bits(300, 1))];
    let error = ours(&backend(2), &other.srs, &circuit()).unwrap_err();
    assert_eq!(error.status(), Status::ParamsMismatch, "{error}");
    assert!(seen.insert((error.status(), error.section())));
    assert!(ours(&backend(2), &good.srs, &circuit()).is_ok());
}

#[test]
fn a_cut_at_any_edge_names_its_section() {
    let good = TestSrs::of(|| Chain::bits(40, 1).blank(), 5);
    let bytes = std::fs::read(good.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut");
    for len in (1..bytes.len()).step_by(97).chain([95, 96, 97, 863, 864, 865, 867, 868, 869]) {
        std::fs::write(&path, &bytes[..len]).unwrap();
        let error = open(&path).unwrap_err();
        assert_eq!(error.status(), Status::ParamsTruncated, "{len}: {error}");
        assert!(error.offset().unwrap() <= len as u64, "{len}: {error}");
    }
}

#[test]
fn a_count_of_billions_is_refused_before_memory_is_taken() {
    let good = TestSrs::of(|| Chain::bits(40, 1).blank(), 5);
    let mut bytes = std::fs::read(good.path()).unwrap();
    bytes[864..868].copy_from_slice(&u32::MAX.to_be_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge");
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(open(&path).unwrap_err().section(), Some(Section::Ic));
}

#[test]
fn points_off_the_subgroup_or_at_infinity_are_refused() {
    let good = TestSrs::of(|| Chain::bits(40, 1).blank(), 5);
    let bytes = std::fs::read(good.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("point");
    let h = 864 + 4 + 96 * good.srs.key.ic.len() + 4;
    let with = |at: usize, point: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + point.len()].copy_from_slice(point);
        std::fs::write(&path, &changed).unwrap();
        let of = |subgroup_check| Srs::open(&path, OpenOptions { subgroup_check, keep: false }, &scope());
        (of(false), of(true))
    };
    let mut infinity = [0; 96];
    infinity[0] = 0x40;
    assert_eq!(with(h, &infinity).0.unwrap_err().section(), Some(Section::H));
    // delta_g1 and delta_g2 at infinity would make the blinding vanish.
    assert_eq!(with(576, &infinity).0.unwrap_err().section(), Some(Section::DeltaG1));
    // Of the points with a small x, hardly one lies in the subgroup.
    let stray = (1..=u8::MAX).find_map(|x| {
        let mut compressed = [0; 48];
        (compressed[0], compressed[47]) = (0x80, x);
        let point: Option<G1Affine> = Option::from(G1Affine::from_compressed_unchecked(&compressed));
        point.filter(|p| !bool::from(p.is_torsion_free()))
    });
    let (unchecked, checked) = with(h, &stray.unwrap().to_uncompressed());
    assert!(unchecked.is_ok());
    let error = checked.unwrap_err();
    assert_eq!((error.status(), error.index()), (Status::ParamsPoint, Some(0)), "{error}");
}

#[test]
fn one_file_is_shared_read_once_by_many_and_forgotten_on_request() {
    let good = TestSrs::of(|| Chain::bits(2000, 1).blank(), 5);
    good.srs.evict();
    let loads = std::sync::atomic::AtomicUsize::new(0);
    let barrier = std::sync::Barrier::new(8);
    let all: Vec<Srs> = std::thread::scope(|threads| {
        let run = || {
            let scope = scope();
            barrier.wait();
            let srs = Srs::open(&good.path(), OpenOptions::default(), &scope).unwrap();
            let report = scope.report(Status::Ok);
            loads.fetch_add(report.phases.iter().filter(|p| p.phase == "srs.load").count(), std::sync::atomic::Ordering::Relaxed);
            srs
        };
        let handles: Vec<_> = (0..8).map(|_| threads.spawn(run)).collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    assert_eq!(loads.into_inner(), 1);
    assert!(all.windows(2).all(|w| std::ptr::eq(&*w[0], &*w[1])));
    assert!(all[0].evict() && !all[0].evict());
    let again = open(&good.path()).unwrap();
    assert!(!std::ptr::eq(&*again, &*all[0]));
    assert!(ours(&backend(1), &all[0], &[synthesize(Chain::bits(2000, 1))]).is_ok());
}

/// A thread of a pool that waits for a read takes up other tasks of its pool; none of them may wait for that read.
#[test]
fn many_tasks_of_a_small_pool_may_open_one_file() {
    use rayon::prelude::*;
    let good = TestSrs::of(|| Chain::bits(2000, 1).blank(), 5);
    good.srs.evict();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let backend = backend(2);
    for on_backend in [false, true] {
        let opened = pool.install(|| {
            (0..24)
                .into_par_iter()
                .filter(|_| match on_backend {
                    false => open(&good.path()).is_ok(),
                    true => Srs::open_on(&backend, &good.path(), OpenOptions::default(), &scope()).is_ok(),
                })
                .count()
        });
        assert_eq!(opened, 24);
        good.srs.evict();
    }
}

#[test]
fn what_happens_to_the_file_after_loading_has_no_effect() {
    let good = TestSrs::of(|| Chain::bits(100, 1).blank(), 5);
    let circuit = || vec![synthesize(Chain::bits(100, 1))];
    let before = ours(&backend(1), &good.srs, &circuit()).unwrap();
    std::fs::OpenOptions::new().write(true).open(good.path()).unwrap().set_len(10).unwrap();
    assert_eq!(ours(&backend(1), &good.srs, &circuit()).unwrap(), before);
    assert_eq!(open(&good.path()).unwrap_err().status(), Status::ParamsTruncated);
}

#[test]
fn a_verifying_key_is_checked_like_parameters() {
    let good = TestSrs::of(|| Chain::bits(40, 1).blank(), 5);
    let vk = good.path().with_extension("vk");
    assert_eq!(VerifyingKey::open(&vk).unwrap().ic.len(), 3);
    let bytes = std::fs::read(&vk).unwrap();
    std::fs::write(&vk, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(VerifyingKey::open(&vk).unwrap_err().section(), Some(Section::Ic));
    assert_eq!(VerifyingKey::open(&good.path()).unwrap_err().status(), Status::ParamsTrailing);
}
