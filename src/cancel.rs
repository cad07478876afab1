//! Whether anybody still wants what is computed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

use crate::Error;

/// Shared by all who work on one job; they look at it between steps.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    cancelled: AtomicBool,
    deadline: Option<Instant>,
}

impl Cancel {
    /// Not cancelled; work ends at the deadline, if there is one.
    pub fn by(deadline: Option<Instant>) -> Cancel {
        Cancel(Arc::new(Inner { cancelled: AtomicBool::new(false), deadline }))
    }

    /// Ends the work, at its next look.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// When the time is up.
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
    }

    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed) || self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// As an error.
    ///
    /// # Errors
    /// `Cancelled`, or `TimedOut` if it was the deadline that passed.
    pub fn check(&self) -> Result<(), Error> {
        if self.0.cancelled.load(Ordering::Relaxed) {
            Err(Error::Cancelled)
        } else if self.is_over() {
            Err(Error::TimedOut)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_ends_by_hand_or_by_the_clock() {
        let cancel = Cancel::by(None);
        assert!(cancel.check().is_ok());
        cancel.clone().cancel();
        assert!(matches!(cancel.check(), Err(Error::Cancelled)));
        let soon = Cancel::by(Some(Instant::now() + Duration::from_millis(20)));
        assert!(!soon.is_over());
        std::thread::sleep(Duration::from_millis(25));
        assert!(matches!(soon.check(), Err(Error::TimedOut)));
    }
}
