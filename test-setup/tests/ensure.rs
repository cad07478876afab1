//! Parameters of the 2 KiB WindowPoSt, the one circuit small enough to be set up in every run of the tests.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use c2prover_filecoin::{CircuitId, Kind, SectorSize};
use c2prover_test_setup::{ensure, ensure_with_progress, Error};

const WINDOW: CircuitId = CircuitId { kind: Kind::WindowPost, sector_size: SectorSize::KiB2 };

/// The file of `tests/data`, which bellperson made.
fn committed(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/params").join(name)).unwrap()
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn makes_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("made/as/needed");
    let files = ensure(WINDOW, &folder).unwrap();
    assert_eq!(files.params, folder.join(WINDOW.params_file()));
    assert_eq!(files.vk, folder.join(WINDOW.vk_file()));
    assert!(fs::read(&files.params).unwrap() == committed(&WINDOW.params_file()));
    assert!(fs::read(&files.vk).unwrap() == committed(&WINDOW.vk_file()));
    assert_eq!(names(&folder), [WINDOW.params_file(), WINDOW.vk_file()]);

    // there: left alone, without a word
    let before = fs::metadata(&files.params).unwrap().modified().unwrap();
    ensure_with_progress(WINDOW, &folder, &mut |line| panic!("{line}")).unwrap();
    assert_eq!(fs::metadata(&files.params).unwrap().modified().unwrap(), before);

    // cut short: made again
    fs::File::options().write(true).open(&files.params).unwrap().set_len(1000).unwrap();
    let mut lines = 0;
    ensure_with_progress(WINDOW, &folder, &mut |_| lines += 1).unwrap();
    assert!(lines > 0);
    assert!(fs::read(&files.params).unwrap() == committed(&WINDOW.params_file()));
}

#[test]
fn one_folder_for_many_threads_and_processes() {
    let dir = tempfile::tempdir().unwrap();
    let start = |_| program().args(["window-post", "--dir"]).arg(dir.path()).stdout(Stdio::null()).spawn().unwrap();
    let mut processes: Vec<_> = (0..2).map(start).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| ensure(WINDOW, dir.path()).unwrap());
        }
    });
    assert!(processes.iter_mut().all(|process| process.wait().unwrap().success()));
    assert_eq!(names(dir.path()), [WINDOW.params_file(), WINDOW.vk_file()]);
    assert!(fs::read(dir.path().join(WINDOW.params_file())).unwrap() == committed(&WINDOW.params_file()));
}

#[test]
fn only_test_circuits() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["porep-32g", "snap-8m"] {
        let id = name.parse().unwrap();
        assert!(matches!(ensure(id, dir.path()), Err(Error::NoSeed(found)) if found == id));
    }
    assert!(names(dir.path()).is_empty());
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_c2prover-test-params"))
}

#[test]
fn program_says_what_it_does() {
    let dir = tempfile::tempdir().unwrap();
    let output = program().args(["window-post", "--dir"]).arg(dir.path()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("wpost-2k") && text.contains("21866 constraints") && text.contains(&WINDOW.params_file()), "{text}");
}

#[test]
fn program_refuses_what_it_does_not_know() {
    for arguments in [&[][..], &["porep"], &["porep", "--dir"], &["--dir", "x"], &["seal", "--dir", "x"]] {
        let output = program().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("usage:"));
    }
}
