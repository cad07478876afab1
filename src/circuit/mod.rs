//! The circuit level: assignments, their densities and all checks of them; synthesis into them.

mod assignment;
mod check;
mod density;
mod synthesis;

pub use self::assignment::Assignment;
#[cfg(feature = "cuda")]
pub(crate) use self::check::check_run;
pub use self::check::first_unsatisfied;
pub(crate) use self::check::{check, check_field, check_scalars, is_canonical};
pub use self::density::{BitVec, Density};
pub use self::synthesis::{synthesize, synthesize_in, Synthesis};
