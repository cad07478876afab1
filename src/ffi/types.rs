//! Small types that several nouns share.

use crate::Error;

/// A switch of an option struct: C2P_DEFAULT, C2P_ON or C2P_OFF. Other numbers are errors.
pub type c2p_switch = i32;
/// The default, which the field states.
pub const C2P_DEFAULT: i32 = 0;
/// On.
pub const C2P_ON: i32 = 1;
/// Off.
pub const C2P_OFF: i32 = 2;

/// Bytes owned by someone else.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct c2p_bytes {
    /// The first byte; may be NULL if len is 0.
    pub ptr: *const u8,
    /// Number of bytes.
    pub len: usize,
}

/// The value of a switch.
pub fn switch(value: c2p_switch, default: bool, name: &str) -> Result<bool, Error> {
    match value {
        C2P_DEFAULT => Ok(default),
        C2P_ON => Ok(true),
        C2P_OFF => Ok(false),
        other => Err(Error::InvalidArgument(format!("{name} is {other}: expected C2P_DEFAULT, C2P_ON or C2P_OFF"))),
    }
}

/// A switch whose default somebody else knows.
#[cfg(feature = "filecoin")]
pub fn choice(value: c2p_switch, name: &str) -> Result<Option<bool>, Error> {
    (value != C2P_DEFAULT).then(|| switch(value, true, name)).transpose()
}
