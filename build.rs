//! Link arguments of the shared library: its SONAME, and no exported symbol of a dependency. With the feature `cuda`,
//! the kernels.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libc2prover.so.0");
    // rustc's own version script keeps C symbols local; this also hides `#[no_mangle]` items of dependency crates.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
    #[cfg(feature = "cuda")]
    kernels::build();
}

#[cfg(feature = "cuda")]
mod kernels {
    use std::path::{Path, PathBuf};
    use std::process::Command;
    use std::sync::Mutex;

    /// Folders whose .cu files are the kernels.
    const FOLDERS: [&str; 6] = ["cuda/ntt", "cuda/quotient", "cuda/msm", "cuda/batch_add", "cuda/split", "cuda/srs"];
    /// Data centre and consumer cards from Ampere on; PTX of the newest for what comes after.
    const ARCHITECTURES: &str = "80,86,89,90,100,120";

    fn sources() -> Vec<PathBuf> {
        let mut files = Vec::new();
        for folder in FOLDERS {
            println!("cargo:rerun-if-changed={folder}");
            let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder}: {e}"));
            files.extend(entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.extension().is_some_and(|x| x == "cu")));
        }
        files.sort();
        files
    }

    /// The folder of the toolkit's static runtime: `CUDA_HOME`, or two above nvcc.
    fn runtime() -> PathBuf {
        println!("cargo:rerun-if-env-changed=CUDA_HOME");
        println!("cargo:rerun-if-env-changed=NVCC");
        let home = std::env::var_os("CUDA_HOME").map(PathBuf::from).or_else(|| {
            let path = std::env::var_os("PATH")?;
            let nvcc = std::env::split_paths(&path).map(|p| p.join("nvcc")).find(|p| p.is_file())?;
            Some(nvcc.canonicalize().ok()?.parent()?.parent()?.to_owned())
        });
        let home = home.unwrap_or_else(|| panic!("feature cuda needs nvcc: set CUDA_HOME, put nvcc into PATH, or run `make cuda-toolkit`"));
        ["lib64", "lib", "targets/x86_64-linux/lib"]
            .iter()
            .map(|l| home.join(l))
            .find(|l| l.join("libcudart_static.a").is_file())
            .unwrap_or_else(|| panic!("no libcudart_static.a below {}", home.display()))
    }

    pub fn build() {
        println!("cargo:rerun-if-env-changed=C2PROVER_CUDA_ARCH");
        println!("cargo:rerun-if-env-changed=C2PROVER_CUDA_OBJECTS");
        println!("cargo:rerun-if-changed=cuda");
        let runtime = runtime();
        let list = std::env::var("C2PROVER_CUDA_ARCH").unwrap_or_else(|_| ARCHITECTURES.to_owned());
        let list: Vec<&str> = list.split(',').map(str::trim).filter(|a| !a.is_empty()).collect();
        let objects = match std::env::var_os("C2PROVER_CUDA_OBJECTS") {
            Some(folder) => compiled(Path::new(&folder)),
            None => compile_all(&list),
        };
        cc::Build::new().objects(objects).compile("c2kernels");
        println!("cargo:rustc-link-search=native={}", runtime.display());
        println!("cargo:rustc-link-lib=static=cudart_static");
        let found = Command::new("g++").arg("-print-file-name=libstdc++.a").output().expect("g++ is needed beside nvcc");
        let found = String::from_utf8_lossy(&found.stdout).trim().to_owned();
        if let Some(folder) = Path::new(&found).parent().filter(|f| f.is_dir()) {
            println!("cargo:rustc-link-search=native={}", folder.display());
        }
        println!("cargo:rustc-link-lib=static:-bundle=stdc++");
        for library in ["dl", "rt", "pthread"] {
            println!("cargo:rustc-link-lib=dylib={library}");
        }
    }

    /// Objects that tools/kernels.mk has made: `cuda/msm/msm.cu` is `FOLDER/msm/msm.o`.
    fn compiled(folder: &Path) -> Vec<PathBuf> {
        let object = |source: PathBuf| folder.join(source.strip_prefix("cuda").unwrap_or(&source)).with_extension("o");
        let objects: Vec<PathBuf> = sources().into_iter().map(object).collect();
        for object in &objects {
            assert!(object.is_file(), "C2PROVER_CUDA_OBJECTS: no {}", object.display());
        }
        objects
    }

    fn compile_all(list: &[&str]) -> Vec<PathBuf> {
        // Each file by itself: cc gives several files of one build separate device linking, in which a kernel's limit on
        // registers would have to hold for every function it calls.
        let compile = |file: PathBuf| {
            let mut nvcc = cc::Build::new();
            // cc would look for cudart in one place only, and link libstdc++ as a shared library.
            nvcc.cuda(true).cudart("none").cpp_link_stdlib(None).debug(false).opt_level(3).include("cuda").warnings(false);
            // The host compiler does not know the loops' pragmas.
            nvcc.flag("-std=c++17").flag("-Xcompiler=-Wno-unknown-pragmas").flag("-Xcompiler=-fvisibility=hidden");
            nvcc.flag("-Xfatbin=-compress-all");
            for arch in list {
                nvcc.flag("-gencode").flag(format!("arch=compute_{arch},code=sm_{arch}"));
            }
            if let Some(newest) = list.last() {
                nvcc.flag("-gencode").flag(format!("arch=compute_{newest},code=compute_{newest}"));
            }
            nvcc.file(file).compile_intermediates()
        };
        let jobs = std::env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
        let (left, objects) = (Mutex::new(sources()), Mutex::new(Vec::new()));
        std::thread::scope(|threads| {
            for _ in 0..jobs {
                threads.spawn(|| loop {
                    let Some(file) = left.lock().expect("another file did not compile").pop() else { break };
                    let compiled = compile(file);
                    objects.lock().expect("another file did not compile").extend(compiled);
                });
            }
        });
        objects.into_inner().expect("a file did not compile")
    }
}
