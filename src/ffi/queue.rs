//! Log lines on their way to a caller that pulls them: bounded, the oldest dropped first, drops counted.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use log::{Level, LevelFilter};

/// Lines that are kept for a caller who is slow.
const CAPACITY: usize = 4096;

#[derive(Default)]
struct Lines {
    waiting: VecDeque<String>,
    dropped: u64,
}

/// See the module's head.
pub struct Queue {
    level: AtomicUsize,
    lines: Mutex<Lines>,
    changed: Condvar,
}

impl Queue {
    /// A queue that takes nothing yet.
    pub const fn new() -> Queue {
        let lines = Lines { waiting: VecDeque::new(), dropped: 0 };
        Queue { level: AtomicUsize::new(0), lines: Mutex::new(lines), changed: Condvar::new() }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        // Nothing is left half done under this lock, so a panic elsewhere does not spoil it.
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the queue takes.
    pub fn level(&self) -> LevelFilter {
        LevelFilter::iter().nth(self.level.load(Ordering::Relaxed)).unwrap_or(LevelFilter::Off)
    }

    /// Takes lines of this level and above from now on; `Off` forgets those that wait and wakes whoever pulls.
    pub fn set_level(&self, level: LevelFilter) {
        self.level.store(level as usize, Ordering::Relaxed);
        if level == LevelFilter::Off {
            *self.lines() = Lines::default();
            self.changed.notify_all();
        }
    }

    /// Adds a line.
    pub fn push(&self, line: String) {
        let mut lines = self.lines();
        if lines.waiting.len() == CAPACITY {
            lines.waiting.pop_front();
            lines.dropped += 1;
        }
        lines.waiting.push_back(line);
        self.changed.notify_one();
    }

    /// The next line, or what was dropped before it; `None` if there is none in time or nothing is taken.
    pub fn next(&self, timeout: Duration, tell_dropped: impl Fn(u64) -> String) -> Option<String> {
        let end = Instant::now() + timeout;
        let mut lines = self.lines();
        loop {
            if lines.dropped > 0 {
                return Some(tell_dropped(std::mem::take(&mut lines.dropped)));
            }
            if let Some(line) = lines.waiting.pop_front() {
                return Some(line);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || self.level() == LevelFilter::Off {
                return None;
            }
            lines = self.changed.wait_timeout(lines, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether lines of this level are taken.
    pub fn takes(&self, level: Level) -> bool {
        level as usize <= self.level.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_the_oldest_and_says_so() {
        let queue = Queue::new();
        queue.set_level(LevelFilter::Info);
        (0..CAPACITY + 3).for_each(|i| queue.push(i.to_string()));
        let next = || queue.next(Duration::ZERO, |n| format!("{n} dropped"));
        assert_eq!(next().as_deref(), Some("3 dropped"));
        assert_eq!(next().as_deref(), Some("3"));
        queue.set_level(LevelFilter::Off);
        assert_eq!(next(), None);
    }

    #[test]
    fn turning_it_off_wakes_the_reader() {
        let queue = Queue::new();
        queue.set_level(LevelFilter::Info);
        std::thread::scope(|s| {
            let reader = s.spawn(|| queue.next(Duration::from_secs(60), |_| String::new()));
            std::thread::sleep(Duration::from_millis(20));
            queue.set_level(LevelFilter::Off);
            assert_eq!(reader.join().unwrap(), None);
        });
    }
}
