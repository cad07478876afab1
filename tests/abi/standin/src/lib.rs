//! Stands in for filecoin-ffi's library in one process with ours.

use blst::min_pk::SecretKey;
use blst::BLST_ERROR;

/// Signs and verifies, which takes hashing, multiplications in both groups and pairings; panics once and catches that.
/// Returns 0 if all is as it should be.
#[no_mangle]
pub extern "C" fn standin_selftest() -> i32 {
    std::panic::set_hook(Box::new(|_| {}));
    let caught = std::panic::catch_unwind(|| panic!("of the stand-in"));
    let Ok(key) = SecretKey::key_gen(&[7; 32], &[]) else { return 1 };
    let signature = key.sign(b"message", b"domain", b"");
    let verified = |message: &[u8]| signature.verify(true, message, b"domain", b"", &key.sk_to_pk(), true);
    let right = verified(b"message") == BLST_ERROR::BLST_SUCCESS && verified(b"another") == BLST_ERROR::BLST_VERIFY_FAIL;
    i32::from(!(right && caught.is_err()))
}
