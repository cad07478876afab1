// Carry chains of 32-bit words: the only inline assembly of the arithmetic.
//
// On the device each function is one or two PTX instructions that read or write the carry flag, so calls must follow
// one another without anything between them that touches it. On the host the same functions run on a modelled flag, so
// the order of additions and their bounds are tested on any machine.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define C2_HD __host__ __device__ __forceinline__
#else
#define C2_HD inline
#endif

namespace c2 {

using u32 = uint32_t;
using u64 = uint64_t;

#ifdef __CUDA_ARCH__

#define C2_ASM3(op, r, a, b) asm volatile(op " %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b))
C2_HD void add_cc(u32& r, u32 a, u32 b) { C2_ASM3("add.cc.u32", r, a, b); }
C2_HD void addc_cc(u32& r, u32 a, u32 b) { C2_ASM3("addc.cc.u32", r, a, b); }
C2_HD void addc(u32& r, u32 a, u32 b) { C2_ASM3("addc.u32", r, a, b); }
C2_HD void sub_cc(u32& r, u32 a, u32 b) { C2_ASM3("sub.cc.u32", r, a, b); }
C2_HD void subc_cc(u32& r, u32 a, u32 b) { C2_ASM3("subc.cc.u32", r, a, b); }
C2_HD void subc(u32& r, u32 a, u32 b) { C2_ASM3("subc.u32", r, a, b); }
#undef C2_ASM3

// hi:lo = a * b
C2_HD void mul_wide(u32& lo, u32& hi, u32 a, u32 b) {
    asm volatile("mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3;" : "=r"(lo), "=r"(hi) : "r"(a), "r"(b));
}
// hi:lo = a * b + ch:cl, carry out. The pair becomes one IMAD.WIDE.
C2_HD void mad_wide_cc(u32& lo, u32& hi, u32 a, u32 b, u32 cl, u32 ch) {
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.cc.u32 %1, %2, %3, %5;"
                 : "=r"(lo), "=r"(hi)
                 : "r"(a), "r"(b), "r"(cl), "r"(ch));
}
// hi:lo = a * b + ch:cl + carry, carry out.
C2_HD void madc_wide_cc(u32& lo, u32& hi, u32 a, u32 b, u32 cl, u32 ch) {
    asm volatile("madc.lo.cc.u32 %0, %2, %3, %4; madc.hi.cc.u32 %1, %2, %3, %5;"
                 : "=r"(lo), "=r"(hi)
                 : "r"(a), "r"(b), "r"(cl), "r"(ch));
}
// hi:lo = a * b + carry, which cannot overflow.
C2_HD void madc_wide(u32& lo, u32& hi, u32 a, u32 b) {
    asm volatile("madc.lo.cc.u32 %0, %2, %3, 0; madc.hi.u32 %1, %2, %3, 0;" : "=r"(lo), "=r"(hi) : "r"(a), "r"(b));
}

#else

inline u32& carry_flag() {
    static thread_local u32 flag = 0;
    return flag;
}
inline u32 low_set_carry(u64 t) {
    carry_flag() = (u32)(t >> 32) & 1;
    return (u32)t;
}
inline void add_cc(u32& r, u32 a, u32 b) { r = low_set_carry((u64)a + b); }
inline void addc_cc(u32& r, u32 a, u32 b) { r = low_set_carry((u64)a + b + carry_flag()); }
inline void addc(u32& r, u32 a, u32 b) { r = a + b + carry_flag(); }
inline void sub_cc(u32& r, u32 a, u32 b) { r = low_set_carry((u64)a - b); }
inline void subc_cc(u32& r, u32 a, u32 b) { r = low_set_carry((u64)a - b - carry_flag()); }
inline void subc(u32& r, u32 a, u32 b) { r = a - b - carry_flag(); }
inline void mul_wide(u32& lo, u32& hi, u32 a, u32 b) {
    u64 t = (u64)a * b;
    lo = (u32)t;
    hi = (u32)(t >> 32);
}
inline void mad_wide_with(u32& lo, u32& hi, u32 a, u32 b, u32 cl, u32 ch, u32 carry) {
    unsigned __int128 t = (unsigned __int128)((u64)a * b) + (((u64)ch << 32) | cl) + carry;
    carry_flag() = (u32)(t >> 64);
    lo = (u32)t;
    hi = (u32)(t >> 32);
}
inline void mad_wide_cc(u32& lo, u32& hi, u32 a, u32 b, u32 cl, u32 ch) { mad_wide_with(lo, hi, a, b, cl, ch, 0); }
inline void madc_wide_cc(u32& lo, u32& hi, u32 a, u32 b, u32 cl, u32 ch) {
    mad_wide_with(lo, hi, a, b, cl, ch, carry_flag());
}
inline void madc_wide(u32& lo, u32& hi, u32 a, u32 b) { mad_wide_with(lo, hi, a, b, 0, 0, carry_flag()); }

#endif

}  // namespace c2
