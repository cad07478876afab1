//! Device memory within a budget: blocks are kept when they are given back, so that proofs of one shape allocate once.

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::device::{check, Device};
use super::raw;
use crate::{fault, Error};

/// Blocks are multiples of this at least, so that circuits whose tails differ a little find one another's. No more than that: a
/// proof has some twenty small blocks, which would fill a small budget.
const GRAIN: usize = 64 << 10;

/// See the module's head.
pub struct Pool {
    device: Device,
    limit: usize,
    blocks: Mutex<Blocks>,
    returned: Condvar,
}

#[derive(Default)]
struct Blocks {
    in_use: usize,
    peak: usize,
    /// Counts what was given back.
    returns: u64,
    free: Vec<Block>,
}

struct Block {
    ptr: *mut c_void,
    bytes: usize,
}

// SAFETY: a device pointer means the same on every thread of the process.
unsafe impl Send for Block {}

/// Memory on the device; goes back to its pool. What was enqueued with it must have ended by then: lanes see to that.
pub struct Memory {
    block: Block,
    bytes: usize,
    pool: Arc<Pool>,
}

// SAFETY: shared memory is only read by kernels, or written in the order of one stream.
unsafe impl Sync for Memory {}

impl Pool {
    /// At most `limit` bytes of the device's memory.
    pub fn new(device: Device, limit: usize) -> Arc<Pool> {
        Arc::new(Pool { device, limit, blocks: Mutex::default(), returned: Condvar::new() })
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        // Nothing is left half done under this lock.
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The budget, in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes that can still be had.
    pub fn available(&self) -> usize {
        self.limit.saturating_sub(self.blocks().in_use)
    }

    /// How often memory was given back; see [`Pool::wait_for_return`].
    pub fn returns(&self) -> u64 {
        self.blocks().returns
    }

    /// Waits until memory has been given back more often than that, or for a moment: who gave back all may still be ending.
    pub fn wait_for_return(&self, returns: u64) {
        let moment = std::time::Duration::from_millis(5);
        drop(self.returned.wait_timeout_while(self.blocks(), moment, |blocks| blocks.returns <= returns));
    }

    /// The most that was in use at any time.
    pub fn peak(&self) -> usize {
        self.blocks().peak
    }

    /// Memory with any content. What does not fit into the budget, or onto the device, is an error with both numbers.
    pub fn allocate(self: &Arc<Pool>, what: &'static str, bytes: usize) -> Result<Memory, Error> {
        fault::point("device.alloc");
        let size = grained(bytes);
        let mut blocks = self.blocks();
        if blocks.in_use + size > self.limit {
            return Err(Error::DeviceOutOfMemory { what, need: bytes, free: self.limit - blocks.in_use });
        }
        // The smallest that is large enough, if not much of it would be lost.
        let fitting = blocks.free.iter().enumerate().filter(|(_, b)| b.bytes >= size && b.bytes - size <= size / 4);
        let found = fitting.min_by_key(|(_, b)| b.bytes).map(|(i, _)| i);
        let block = match found {
            Some(i) => blocks.free.swap_remove(i),
            None => {
                let kept: usize = blocks.free.iter().map(|b| b.bytes).sum();
                let _current = self.device.current()?;
                if blocks.in_use + kept + size > self.limit {
                    blocks.trim();
                }
                match new_block(size)? {
                    Some(block) => block,
                    None => {
                        blocks.trim();
                        new_block(size)?.ok_or_else(|| {
                            let (mut free, mut total) = (0, 0);
                            // SAFETY: the pointers are to locals.
                            unsafe { raw::cudaMemGetInfo(&mut free, &mut total) };
                            Error::DeviceOutOfMemory { what, need: bytes, free }
                        })?
                    }
                }
            }
        };
        blocks.in_use += block.bytes;
        blocks.peak = blocks.peak.max(blocks.in_use);
        Ok(Memory { block, bytes, pool: self.clone() })
    }
}

/// A size as blocks have it.
fn grained(bytes: usize) -> usize {
    // A sixty-fourth of the size or so: what is lost by it stays small.
    let grain = GRAIN.max((bytes / 64).next_power_of_two());
    bytes.max(1).div_ceil(grain) * grain
}

fn new_block(bytes: usize) -> Result<Option<Block>, Error> {
    let mut ptr = ptr::null_mut();
    // SAFETY: the pointer is to a local.
    match unsafe { raw::cudaMalloc(&mut ptr, bytes) } {
        raw::OUT_OF_MEMORY => Ok(None),
        code => check("allocating device memory", code).map(|()| Some(Block { ptr, bytes })),
    }
}

impl Blocks {
    /// Gives kept blocks back to the device.
    fn trim(&mut self) {
        for block in self.free.drain(..) {
            // SAFETY: the block is ours and not in use.
            unsafe { raw::cudaFree(block.ptr) };
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Ok(_current) = self.device.current() {
            self.blocks.get_mut().unwrap_or_else(PoisonError::into_inner).trim();
        }
    }
}

impl Memory {
    /// The device pointer.
    pub fn ptr(&self) -> *mut c_void {
        self.block.ptr
    }

    /// The device pointer `bytes` bytes in.
    pub fn at(&self, bytes: usize) -> *mut c_void {
        assert!(bytes <= self.bytes);
        // SAFETY: inside the block, as just checked.
        unsafe { self.block.ptr.cast::<u8>().add(bytes).cast() }
    }

    /// Its size.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let block = Block { ptr: self.block.ptr, bytes: self.block.bytes };
        let mut blocks = self.pool.blocks();
        blocks.in_use -= block.bytes;
        blocks.free.push(block);
        blocks.returns += 1;
        drop(blocks);
        self.pool.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_near_one_another_share_blocks() {
        let g = super::grained;
        assert_eq!((g(0), g(1), g(2 << 20)), (64 << 10, 64 << 10, 2 << 20));
        assert!(g((1 << 32) - 5) == 1 << 32 && g((1 << 32) + 5) > 1 << 32);
        for bytes in [3_000_000, 100_000_000, 7_000_000_000usize] {
            assert!(g(bytes) >= bytes && g(bytes) <= bytes + bytes / 32 + (64 << 10), "{bytes}");
        }
    }
}
