//! How every call runs: a panic becomes an error, and no thread of a caller's rayon pool waits for ours.

use std::panic::{catch_unwind, AssertUnwindSafe};

use c2prover::Error;

/// Runs one call's work.
///
/// A thread of a rayon pool that waits for another pool takes tasks of its own meanwhile. Such a task may be a call like
/// this one, and wait for what its own thread, below it on the stack, has begun: for ever. So there the work gets a thread.
pub fn run<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    if rayon::current_thread_index().is_none() {
        return caught(work);
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("c2p-call".to_owned()).spawn_scoped(scope, || caught(work));
        let thread = thread.map_err(|e| Error::Internal(format!("cannot start a thread: {e}")))?;
        thread.join().unwrap_or_else(|payload| Err(Error::from_panic(payload)))
    })
}

fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    // What the work shares with others is behind locks that a panic leaves whole.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(Error::from_panic(payload)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_text_inside_a_pool_and_outside() {
        let panics = || run::<()>(|| panic!("number {}", 7)).unwrap_err().to_string();
        assert_eq!(panics(), "panic: number 7");
        assert_eq!(rayon::scope(|_| panics()), "panic: number 7");
    }

    #[test]
    fn work_of_a_pool_thread_runs_elsewhere() {
        let inside = rayon::scope(|_| run(|| Ok(rayon::current_thread_index())).unwrap());
        assert_eq!(inside, None);
    }
}
