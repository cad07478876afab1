// The numbers of Fr: r, Montgomery constants (radix 2^256) and the two generators.
#pragma once

#include "field/carry.cuh"

namespace c2 {

// Little-endian words. Each is a function with the table inside, which both sides can read and which folds into
// immediates once loops are unrolled; on the device a namespace-scope array would not be visible.
namespace fr_words {
#define C2_FR_WORDS(name, count, ...)                \
    C2_HD constexpr u32 name(int i) {                \
        constexpr u32 words[count] = {__VA_ARGS__};  \
        return words[i];                             \
    }
// r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001
C2_FR_WORDS(R, 8, 0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402,
            0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753)
// 2^256 mod r, which is one in Montgomery form, and its square, which brings a value there
C2_FR_WORDS(ONE, 8, 0xfffffffe, 0x00000001, 0x00034802, 0x5884b7fa,
            0xecbc4ff5, 0x998c4fef, 0xacc5056f, 0x1824b159)
C2_FR_WORDS(RADIX_SQUARED, 8, 0xf3f29c6d, 0xc999e990, 0x87925c23, 0x2b6cedcb,
            0x7254398f, 0x05d31496, 0x9f59ff11, 0x0748d9d9)
// 7 generates the multiplicative group; 7^((r-1) / 2^32) the roots of unity of order 2^32. Montgomery form.
C2_FR_WORDS(GENERATOR, 8, 0xfffffff1, 0x0000000e, 0x00189c0f, 0x17e363d3,
            0x6f8457b0, 0xff9c5787, 0x8fc5a8c4, 0x35133220)
C2_FR_WORDS(ROOT_2_32, 8, 0x5f0e466a, 0xb9b58d8c, 0x1819d7ec, 0x5b1b4c80,
            0x52a31e64, 0x0af53ae3, 0x19e9b27b, 0x5bf3adda)
C2_FR_WORDS(HALF, 8, 0xffffffff, 0x00000000, 0x0001a401, 0xac425bfd,
            0xf65e27fa, 0xccc627f7, 0xd66282b7, 0x0c1258ac)
// 2^192 - ((r >> 64) + 1), the words of the reduction: r = 1 - 2^32 + 2^64 (2^192 - S)
C2_FR_WORDS(S, 6, 0x0001a401, 0xac425bfd, 0xf65e27fa, 0xccc627f7,
            0xd66282b7, 0x8c1258ac)
#undef C2_FR_WORDS
}  // namespace fr_words
static constexpr int FR_TWO_ADICITY = 32;

}  // namespace c2
