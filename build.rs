//! Link arguments of the shared library: its SONAME, and no exported symbol of a dependency.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libc2prover.so.0");
    // rustc's own version script keeps C symbols local; this also hides `#[no_mangle]` items of dependency crates.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
}
