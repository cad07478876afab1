//! Which library this is.
#![allow(dead_code)] // the constants are for the header

use std::ffi::{c_char, CString};

use super::error::c_text;
use super::infallible;

/// The version of the interface this header describes. It changes only with a change that breaks callers.
pub const C2P_ABI_VERSION: u32 = 1;
/// The version of the library this header belongs to.
pub const C2P_VERSION_MAJOR: u32 = 0;
/// Its second number.
pub const C2P_VERSION_MINOR: u32 = 1;
/// Its third number.
pub const C2P_VERSION_PATCH: u32 = 0;

/// Does nothing. A caller that refers to it fails at link time, and by a name that says why, with a library of another
/// interface version.
#[no_mangle]
pub extern "C" fn c2p_abi_v1() {}

/// The interface version of the library loaded: compare it with C2P_ABI_VERSION after dlopen.
#[no_mangle]
pub extern "C" fn c2p_abi_version() -> u32 {
    C2P_ABI_VERSION
}

/// The version of the library loaded, such as "0.1.0". Static.
#[no_mangle]
pub extern "C" fn c2p_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

static VARIABLES: once_cell::sync::Lazy<CString> = once_cell::sync::Lazy::new(|| c_text(&crate::config::Config::table()));

/// The environment variables of this library, one a line: name, alias, values, default. Static.
#[no_mangle]
pub extern "C" fn c2p_variables() -> *const c_char {
    infallible("c2p_variables", c"".as_ptr(), || Ok(VARIABLES.as_ptr()))
}

static BUILD: once_cell::sync::Lazy<CString> = once_cell::sync::Lazy::new(|| {
    let features: Vec<&str> = [
        (cfg!(feature = "filecoin"), "filecoin"),
        (cfg!(feature = "cuda"), "cuda"),
        (cfg!(feature = "fault-injection"), "fault-injection"),
    ]
    .iter()
    .filter_map(|(on, name)| on.then_some(*name))
    .collect();
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let (version, arch, os) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    c_text(&format!("c2prover {version} {profile} {arch}-{os} features={}", features.join(",")))
});

/// How the library was built, as one line: version, profile, architecture, features. Static.
#[no_mangle]
pub extern "C" fn c2p_build_info() -> *const c_char {
    infallible("c2p_build_info", c"".as_ptr(), || Ok(BUILD.as_ptr()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_header_has_the_version_of_the_package() {
        let [major, minor, patch] = [super::C2P_VERSION_MAJOR, super::C2P_VERSION_MINOR, super::C2P_VERSION_PATCH];
        assert_eq!(format!("{major}.{minor}.{patch}"), env!("CARGO_PKG_VERSION"));
    }
}
