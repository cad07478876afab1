//! Who may upload, and how many proofs are under way: first come, first served.
//!
//! One proof uploads at a time, as there is one link; before that it waits while as many are under way as its plan allows. A proof leaves when the last of its operations has ended, whether or not anybody waits for it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// See the module's head.
#[derive(Default)]
pub struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    next: u64,
    serving: u64,
    under_way: usize,
}

/// The right to upload.
pub struct Turn(Arc<Gate>);

/// A proof under way.
pub struct Ticket(Arc<Gate>);

impl Gate {
    /// With nobody waiting.
    pub fn new() -> Arc<Gate> {
        Arc::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing is left half done under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for its turn.
    pub fn enter(self: &Arc<Gate>) -> (Turn, Ticket) {
        let mut state = self.state();
        let mine = state.next;
        state.next += 1;
        let waited = self.changed.wait_while(state, |s| s.serving != mine);
        waited.unwrap_or_else(PoisonError::into_inner).under_way += 1;
        (Turn(self.clone()), Ticket(self.clone()))
    }

    /// Waits until at most so many proofs are under way, the caller's among them.
    pub fn at_most(&self, most: usize, _: &Turn) {
        drop(self.changed.wait_while(self.state(), |s| s.under_way > most.max(1)));
    }

    /// Whether the caller's is the only proof under way. While it has its turn no other can begin.
    pub fn alone(&self, _: &Turn) -> bool {
        self.state().under_way <= 1
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.state().serving += 1;
        self.0.changed.notify_all();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.0.state().under_way -= 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn turns_are_taken_in_order_and_proofs_under_way_are_limited() {
        let gate = Gate::new();
        let (first_turn, first) = gate.enter();
        let (sent, entered) = mpsc::channel();
        std::thread::scope(|threads| {
            for k in 1..4 {
                let (gate, sent) = (&gate, sent.clone());
                threads.spawn(move || {
                    let (turn, ticket) = gate.enter();
                    gate.at_most(2, &turn);
                    drop(turn);
                    sent.send((k, ticket)).unwrap();
                });
                // Each asks before the next does.
                while gate.state().next < k + 1 {
                    std::thread::yield_now();
                }
            }
            assert!(entered.try_recv().is_err(), "the first one's turn lasts");
            drop(first_turn);
            let (k, second) = entered.recv().unwrap();
            assert_eq!(k, 1);
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(entered.try_recv().is_err(), "two are under way, and the third waits with its turn");
            drop(first);
            let (k, third) = entered.recv().unwrap();
            assert_eq!(k, 2);
            drop((second, third));
            assert_eq!(entered.recv().unwrap().0, 3);
        });
        assert_eq!(gate.state().under_way, 0);
    }
}
