// Tuning numbers of the transforms.
#pragma once

namespace c2 {

struct NttPolicy {
    int lg_tile;          // elements a block holds; eight of them per thread, in registers
    int blocks_per_sm;    // what the registers are cut for
    int stages_unrolled;  // radix-8 stages laid out one after another: 1 is a loop, whose code stays in the cache
    int small_lg;         // up to here one block does the whole transform
    int middle_bits;      // width of the middle one of three passes, whose column factors are folded into stage two
};

#ifndef C2_NTT_LG_TILE
#define C2_NTT_LG_TILE 10
#endif
#ifndef C2_NTT_UNROLL
#define C2_NTT_UNROLL 1
#endif
#ifndef C2_NTT_BLOCKS
#define C2_NTT_BLOCKS 4
#endif

// Measured on one H200 (sm_90), forward transform of 2^27 / 2^24, ms, the other numbers as they are. Smaller blocks win
// because one loads while three multiply; the loop wins because 48 KB of code stay in the instruction cache.
//   tile 2^10, 4 blocks  30.5 / 3.46      tile 2^11, 2 blocks  31.9 / 3.63      unrolled (2^11)  32.8 / 4.34
//   tile 2^10, 3 blocks  31.4 / 3.47      tile 2^10, 5 blocks  31.9 / 3.58  (96 registers, 144 bytes spilled)
// Other architectures take the same numbers until someone measures there.
static constexpr NttPolicy NTT_POLICY = {C2_NTT_LG_TILE, C2_NTT_BLOCKS, C2_NTT_UNROLL, 10, 9};
static constexpr int NTT_THREADS = 1 << (NTT_POLICY.lg_tile - 3);

}  // namespace c2
