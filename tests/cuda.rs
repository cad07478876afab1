//! The CUDA backend beside the CPU's: the same 192 bytes on any streams, placements, budgets and threads. Needs a GPU:
//! built with the feature `cuda`, it is run on GPU machines from the bundle (`make gpu-bundle`, `run.sh test`).
#![cfg(feature = "cuda")]

mod common;

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use blstrs::Scalar;
use c2prover::backend::cuda::{CudaBackend, CudaOptions};
use c2prover::backend::Backend;
use c2prover::circuit;
use c2prover::config::BG2Choice;
use c2prover::prover::{prove_batch, Blinding, ProveOptions};
use c2prover::srs::{OpenOptions, Srs};
use c2prover::{Section, Status};
use c2prover_test_setup::circuits::{Chain, Class, Classes};
use common::*;

/// Tests run beside one another, but for the one that measures the process's memory.
static RUNNING: RwLock<()> = RwLock::new(());

fn beside_others() -> RwLockReadGuard<'static, ()> {
    RUNNING.read().unwrap_or_else(PoisonError::into_inner)
}

fn gpu(options: CudaOptions) -> CudaBackend {
    CudaBackend::new(Arc::new(backend(4)), options).unwrap()
}

/// All kinds of witness around the words of a density, and larger ones.
#[test]
fn every_class_of_witness_equals_the_cpu() {
    let _running = beside_others();
    let (cpu, gpu) = (backend(4), gpu(CudaOptions::default()));
    for aux in [63, 64, 65, 128, 1000, 5000] {
        let params = TestSrs::of(|| Classes::new(aux, Class::Zeros, 0).blank(), aux as u64);
        for class in Class::ALL {
            let circuits = [synthesize(Classes::new(aux, class, 3))];
            let expected = ours(&cpu, &params.srs, &circuits).unwrap();
            assert_eq!(ours(&gpu, &params.srs, &circuits).unwrap(), expected, "{aux} {class:?}");
        }
    }
}

/// Mostly bits and mostly full-size, on each number of streams and with B_G2 in each place, alone and in a batch.
#[test]
fn streams_placements_and_batches_give_equal_bytes() {
    let _running = beside_others();
    let cpu = backend(4);
    for every in [64, 3, 1] {
        let circuit = |seed| Chain::new(6000, every, seed);
        let params = TestSrs::of(|| circuit(0).blank(), 11);
        let circuits: Vec<_> = (0..10).map(|k| synthesize(circuit(k))).collect();
        let expected = ours(&cpu, &params.srs, &circuits).unwrap();
        for streams in 1..=4 {
            for b_g2 in [BG2Choice::Auto, BG2Choice::Cpu, BG2Choice::Gpu, BG2Choice::Split] {
                let gpu = gpu(CudaOptions { streams: Some(streams), b_g2, ..CudaOptions::default() });
                for batch in [1, 10] {
                    let made = ours(&gpu, &params.srs, &circuits[..batch]).unwrap();
                    assert_eq!(made, expected[..192 * batch], "every={every} streams={streams} {b_g2:?} {batch}");
                }
            }
        }
    }
}

/// Budgets that hold everything, and that let points pass by chunks.
#[test]
fn budgets_give_equal_bytes_and_one_too_small_is_an_error() {
    let _running = beside_others();
    for every in [64, 1] {
        let circuit = |seed| Chain::new(100_000, every, seed);
        let params = TestSrs::of(|| circuit(0).blank(), 11);
        let circuits: Vec<_> = (0..3).map(|k| synthesize(circuit(k))).collect();
        let expected = ours(&backend(4), &params.srs, &circuits).unwrap();
        for mib in [4000, 300, 110] {
            for b_g2 in [BG2Choice::Gpu, BG2Choice::Split] {
                let gpu = gpu(CudaOptions { memory: Some(mib << 20), b_g2, ..CudaOptions::default() });
                assert_eq!(ours(&gpu, &params.srs, &circuits).unwrap(), expected, "every={every} {mib} MiB {b_g2:?}");
                assert!(gpu.peak_memory() <= mib << 20);
            }
        }
        let small = gpu(CudaOptions { memory: Some(60 << 20), ..CudaOptions::default() });
        assert_eq!(ours(&small, &params.srs, &circuits).unwrap_err().status(), Status::DeviceOutOfMemory);
    }
}

/// The points of two circuits do not fit together: each is loaded again in its turn.
#[test]
fn circuits_take_turns_within_a_budget() {
    let _running = beside_others();
    let circuit = || Chain::new(100_000, 64, 1);
    let params: Vec<_> = [11, 12].map(|seed| TestSrs::of(|| circuit().blank(), seed)).into();
    let circuits = [synthesize(circuit())];
    let expected: Vec<_> = params.iter().map(|p| ours(&backend(4), &p.srs, &circuits).unwrap()).collect();
    let gpu = gpu(CudaOptions { memory: Some(200 << 20), ..CudaOptions::default() });
    for _ in 0..3 {
        for (params, expected) in params.iter().zip(&expected) {
            assert_eq!(&ours(&gpu, &params.srs, &circuits).unwrap(), expected);
        }
    }
    assert!(gpu.peak_memory() <= 200 << 20);
}

#[test]
fn proofs_from_eight_threads_equal_the_serial_ones() {
    let _running = beside_others();
    let params = TestSrs::of(|| Chain::bits(3000, 1).blank(), 6);
    let gpu = gpu(CudaOptions::default());
    let circuits: Vec<_> = (0..8).map(|k| vec![synthesize(Chain::bits(3000, k))]).collect();
    let serial: Vec<_> = circuits.iter().map(|c| ours(&gpu, &params.srs, c).unwrap()).collect();
    let cpu = backend(4);
    assert_eq!(serial[3], ours(&cpu, &params.srs, &circuits[3]).unwrap());
    std::thread::scope(|threads| {
        for (circuits, expected) in circuits.iter().zip(&serial) {
            let (gpu, srs) = (&gpu, &params.srs);
            threads.spawn(move || (0..50).for_each(|_| assert_eq!(&ours(gpu, srs, circuits).unwrap(), expected)));
        }
    });
}

/// More proofs started than the device has room for, by one thread and before any is finished: the device ends them by itself.
#[test]
fn proofs_dropped_or_finished_late_hold_nothing_up() {
    let _running = beside_others();
    let params = TestSrs::of(|| Chain::bits(3000, 1).blank(), 6);
    let gpu = gpu(CudaOptions::default());
    let circuit = synthesize(Chain::bits(3000, 1));
    let expected = ours(&gpu, &params.srs, std::slice::from_ref(&circuit)).unwrap();
    let start = || {
        let (r, s) = blinding(0);
        c2prover::prover::start(&gpu, &params.srs, &circuit.assignment(), Blinding::given(r, s), &scope()).unwrap()
    };
    let mut pending: Vec<_> = (0..20).map(|_| start()).collect();
    pending.truncate(7);
    for proof in pending {
        assert_eq!(proof.finish().unwrap().to_bytes()[..], expected[..]);
    }
}

#[test]
fn damaged_points_are_named_and_a_scalar_out_of_range_is_refused() {
    let _running = beside_others();
    let good = TestSrs::of(|| Chain::bits(2000, 1).blank(), 5);
    let gpu = gpu(CudaOptions::default());
    let bytes = std::fs::read(good.path()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.params");
    let head = 864 + 4 + 96 * good.srs.key.ic.len();
    let h = head + 4;
    let b_g2 = bytes.len() - 192 * good.srs.b_g2.len();
    let mut infinity = [0; 192];
    infinity[0] = 0x40;
    let mut above = bytes[h..h + 96].to_vec();
    above[..48].fill(0x1f);
    let flipped = |at: usize| [bytes[at] ^ 1];
    let cases: [(usize, &[u8], Section, usize); 5] = [
        (h + 96 * 17 + 50, &flipped(h + 96 * 17 + 50), Section::H, 17),
        (h + 96 * 1999, &infinity[..96], Section::H, 1999),
        (h + 96 * 3, &above, Section::H, 3),
        (b_g2 + 192 * 7 + 100, &flipped(b_g2 + 192 * 7 + 100), Section::BG2, 7),
        (b_g2, &infinity, Section::BG2, 0),
    ];
    for (at, change, section, index) in cases {
        let mut changed = bytes.clone();
        changed[at..at + change.len()].copy_from_slice(change);
        std::fs::write(&path, &changed).unwrap();
        let (on_gpu, on_cpu) =
            (Srs::open_on(&gpu, &path, OpenOptions::default(), &scope()), Srs::open(&path, OpenOptions::default(), &scope()));
        let (on_gpu, on_cpu) = (on_gpu.unwrap_err(), on_cpu.unwrap_err());
        assert_eq!((on_gpu.status(), on_gpu.section(), on_gpu.index()), (Status::ParamsPoint, Some(section), Some(index)), "{on_gpu}");
        assert_eq!(on_gpu.to_string(), on_cpu.to_string());
    }
    let circuit = synthesize(Chain::bits(2000, 1));
    let x = circuit.assignment();
    let mut aux = x.aux.to_vec();
    // SAFETY: any words are a scalar's; these are above r.
    aux[777] = unsafe { std::mem::transmute::<[u64; 4], Scalar>([u64::MAX; 4]) };
    let bad = circuit::Assignment { aux: &aux, ..x };
    let error = prove_batch(&gpu, &good.srs, &[bad], None, ProveOptions::default(), &scope()).unwrap_err();
    assert_eq!((error.status(), error.field(), error.index()), (Status::BadScalar, Some("aux_assignment"), Some(777)));
    assert!(prove_batch(&gpu, &good.srs, &[circuit.assignment()], None, ProveOptions::default(), &scope()).is_ok());
}

/// A subgroup check is made where it was asked for, and the points are then the same.
#[test]
fn a_subgroup_check_leaves_the_same_points() {
    let _running = beside_others();
    let params = TestSrs::of(|| Chain::bits(1000, 1).blank(), 6);
    let circuits = [synthesize(Chain::bits(1000, 1))];
    let gpu = gpu(CudaOptions::default());
    let (srs, was) = Srs::open_on(&gpu, &params.path(), OpenOptions { subgroup_check: true, keep: false }, &scope()).unwrap();
    assert!(!was && gpu.load(&srs, true, &scope()).unwrap());
    assert_eq!(ours(&gpu, &srs, &circuits).unwrap(), ours(&backend(4), &srs, &circuits).unwrap());
}

#[test]
fn memory_stays_flat() {
    let _alone = RUNNING.write().unwrap_or_else(PoisonError::into_inner);
    let params = TestSrs::of(|| Chain::bits(2000, 1).blank(), 6);
    let gpu = gpu(CudaOptions::default());
    let circuits = [synthesize(Chain::bits(2000, 1))];
    let expected = ours(&gpu, &params.srs, &circuits).unwrap();
    (0..20).for_each(|_| drop(ours(&gpu, &params.srs, &circuits)));
    let (device, host) = (gpu.memory_in_use(), resident_bytes());
    (0..500).for_each(|_| assert_eq!(ours(&gpu, &params.srs, &circuits).unwrap(), expected));
    assert_eq!(gpu.memory_in_use(), device);
    assert!(resident_bytes() < host + (16 << 20), "{host} {}", resident_bytes());
}

fn resident_bytes() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 4096
}
