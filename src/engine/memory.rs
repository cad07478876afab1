//! The budget of host memory: what circuits, their proofs, inputs and points in host memory may take together.

use std::sync::Arc;

use super::board::Board;

/// Share of the budget that only urgent jobs may use, so that one of them finds memory behind any queue of others.
const FOR_THE_URGENT: usize = 16;
/// Share of the budget that inputs of jobs that wait may have beside the rest.
const FOR_INPUTS: usize = 20;
/// Share of the memory that is free which an engine takes if it is not told.
const OF_WHAT_IS_FREE: f64 = 0.9;

/// What memory is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Copies of inputs.
    Input,
    /// Points in host memory.
    Points,
    /// Circuits and their proofs.
    Circuit,
}

/// Bytes promised and taken.
#[derive(Debug)]
pub(super) struct Ledger {
    pub budget: usize,
    used: [usize; 3],
    pub peak: usize,
}

impl Ledger {
    pub fn new(budget: usize) -> Ledger {
        Ledger { budget, used: [0; 3], peak: 0 }
    }

    pub fn used(&self) -> usize {
        self.used.iter().sum()
    }

    pub fn used_for(&self, purpose: Purpose) -> usize {
        self.used[purpose as usize]
    }

    /// Whether a job's input may be taken in. The first always may.
    pub fn has_for_input(&self, bytes: usize) -> bool {
        let inputs = self.used_for(Purpose::Input);
        inputs == 0 || inputs.saturating_add(bytes) <= self.budget / FOR_INPUTS
    }

    /// Whether so much is free for points or a circuit. An ordinary circuit leaves the urgent their share. The only one always may:
    /// whether it fits at all is looked at before.
    pub fn has(&self, bytes: usize, urgent: bool) -> bool {
        if self.used_for(Purpose::Circuit) == 0 {
            return true;
        }
        let kept = if urgent { 0 } else { self.budget / FOR_THE_URGENT };
        self.used().saturating_add(bytes).saturating_add(kept) <= self.budget
    }

    pub fn take(&mut self, purpose: Purpose, bytes: usize) {
        self.used[purpose as usize] += bytes;
        self.peak = self.peak.max(self.used());
    }

    fn give_back(&mut self, purpose: Purpose, bytes: usize) {
        self.used[purpose as usize] -= bytes;
    }
}

/// Bytes that are taken as long as it lives. Not to be dropped while the board is locked.
pub(super) struct Reservation {
    pub board: Arc<Board>,
    pub purpose: Purpose,
    pub bytes: usize,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.board.lock().ledger.give_back(self.purpose, self.bytes);
        self.board.changed.notify_all();
    }
}

/// The budget where none is given: most of what is free now, of the machine's memory and of the control group's.
pub(super) fn free() -> usize {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:").map(str::to_owned))?;
        line.trim().strip_suffix(" kB")?.parse::<usize>().ok().map(|kib| kib * 1024)
    });
    let number = |path: &str| read(path).and_then(|text| text.trim().parse::<usize>().ok());
    let group = number("/sys/fs/cgroup/memory.max").map(|most| most - number("/sys/fs/cgroup/memory.current").unwrap_or(0).min(most));
    let free = [machine, group].into_iter().flatten().min();
    free.map_or(usize::MAX / 2, |free| (free as f64 * OF_WHAT_IS_FREE) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_urgent_have_a_share_of_their_own() {
        let mut ledger = Ledger::new(1600);
        assert!(ledger.has(5000, false), "the only one always may");
        ledger.take(Purpose::Circuit, 900);
        ledger.take(Purpose::Points, 100);
        assert!(ledger.has(500, false) && !ledger.has(501, false));
        assert!(ledger.has(600, true) && !ledger.has(601, true));
        assert!(!ledger.has(usize::MAX, true));
    }

    #[test]
    fn inputs_have_a_share_beside_the_rest() {
        let mut ledger = Ledger::new(2000);
        assert!(ledger.has_for_input(500), "the first always may");
        ledger.take(Purpose::Input, 60);
        assert!(ledger.has_for_input(40) && !ledger.has_for_input(41));
    }

    #[test]
    fn some_memory_is_free() {
        assert!(free() > 1 << 20);
    }
}
