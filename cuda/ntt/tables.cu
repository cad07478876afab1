// Fills a domain's tables; plan.h says which factor lies where. Once per size, so by plain exponentiation.
#include "check.cuh"
#include "ntt/enqueue.h"
#include "ntt/memory.cuh"
#include "ntt/tile.cuh"

namespace c2 {

// table[i][j] = scale * base^(i j) * by_row^i * by_column^j
struct ProductTable {
    Fr scale, base, by_row, by_column;
};
static __global__ void ntt_product_table(Fr* table, int lg_rows, int lg_columns, ProductTable t) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >> (lg_rows + lg_columns)) return;
    u32 i = at >> lg_columns, j = at & ((1u << lg_columns) - 1);
    Fr value = mul(pow(t.base, (u64)i * j), t.scale);
    value = mul(pow(t.by_row, i), value);
    store(table + at, mul(pow(t.by_column, j), value));
}

// table[d][p] = w^(d k(p)), where p has `digits` octal digits and k(p) has them reversed
static __global__ void ntt_inner_table(Fr* table, int lg_radix, int digits, Fr w) {
    u32 at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >> (lg_radix + 3 * digits)) return;
    u32 p = at & ((1u << (3 * digits)) - 1), d = at >> (3 * digits), k = 0;
    for (int i = 0; i < digits; i++, p >>= 3) k = (k << 3) | (p & 7);
    store(table + at, pow(w, (u64)d * k));
}

static cudaError_t product_table(Fr* table, int lg_rows, int lg_columns, const ProductTable& t, cudaStream_t stream) {
    size_t count = (size_t)1 << (lg_rows + lg_columns);
    ntt_product_table<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(table, lg_rows, lg_columns, t);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}

static cudaError_t inner_table(Fr* table, int bits, bool inverse_direction, cudaStream_t stream) {
    for (int done = 3; done < bits; done += 3) {
        int lg_radix = bits - done < 3 ? bits - done : 3;
        size_t count = (size_t)1 << (done + lg_radix);
        ntt_inner_table<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(
            table, lg_radix, done / 3, ntt_root(done + lg_radix, inverse_direction));
        C2_TRY_LAUNCH();
        table += count;
    }
    return cudaSuccess;
}

static cudaError_t direction_tables(const NttPlan& plan, const NttTables& at, int d, Fr* tables, cudaStream_t stream) {
    const Fr one = fr_one();
    if (plan.passes == 1)
        return product_table(tables + at.inner[d][0], 0, plan.lg - 1, {one, one, one, ntt_root(plan.lg, d)}, stream);
    for (int p = 0; p < plan.passes; p++)
        C2_TRY(inner_table(tables + at.inner[d][p], plan.bits[p], d, stream));
    if (plan.passes == 3)
        C2_TRY(product_table(tables + at.column[d], plan.bits[0], plan.bits[2],
                             {one, ntt_root(plan.lg, d), one, one}, stream));
    return cudaSuccess;
}

static cudaError_t kind_tables(const NttPlan& plan, const NttTables& at, c2_ntt_kind kind, Fr* tables,
                               cudaStream_t stream) {
    const Fr one = fr_one();
    const bool inverse_direction = ntt_is_inverse(kind), coset = ntt_is_coset(kind);
    const int lg = plan.lg, a = plan.bits[0], b = plan.bits[1], c = plan.bits[2];
    // what one more in the input index (forward) or in the output index (inverse) multiplies by
    const Fr in = coset && !inverse_direction ? fr_generator() : one;
    const Fr out = coset && inverse_direction ? inverse(fr_generator()) : one;
    Fr scale = one;
    if (inverse_direction)
        for (int i = 0; i < lg; i++) scale = mul(fr_from<fr_words::HALF>(), scale);
    if (ntt_is_over_z(kind))
        scale = mul(inverse(sub(pow(fr_generator(), (u64)1 << lg), one)), scale);

    if (plan.passes == 1) {
        C2_TRY(product_table(tables + at.pre[kind], 0, lg, {one, one, one, in}, stream));
        return product_table(tables + at.post[kind], 0, lg, {scale, one, one, out}, stream);
    }
    C2_TRY(product_table(tables + at.pre[kind], 0, a, {one, one, one, pow(in, (u64)1 << (lg - a))}, stream));
    int last_bits = plan.bits[plan.passes - 1];
    C2_TRY(product_table(tables + at.post[kind], 0, last_bits,
                         {one, one, one, pow(out, (u64)1 << (lg - last_bits))}, stream));
    if (plan.passes == 2)
        return product_table(tables + at.last[kind], a, b, {scale, ntt_root(lg, inverse_direction), out, in}, stream);
    C2_TRY(product_table(tables + at.middle[kind], a, b,
                         {one, ntt_root(a + b, inverse_direction), out, pow(in, (u64)1 << c)}, stream));
    return product_table(tables + at.last[kind], b, c,
                         {scale, ntt_root(b + c, inverse_direction), pow(out, (u64)1 << a), in}, stream);
}

}  // namespace c2

using namespace c2;

extern "C" cudaError_t c2_ntt_tables_bytes(uint32_t lg, size_t* bytes) {
    if (lg < 1 || lg > C2_NTT_MAX_LG || !bytes) return cudaErrorInvalidValue;
    *bytes = ntt_tables(ntt_plan((int)lg)).entries * sizeof(Fr);
    return cudaSuccess;
}

extern "C" cudaError_t c2_ntt_tables_build(uint32_t lg, void* tables, size_t bytes, c2_ntt_domain* domain,
                                           cudaStream_t stream) {
    size_t needed;
    C2_TRY(c2_ntt_tables_bytes(lg, &needed));
    if (!tables || !domain || bytes < needed) return cudaErrorInvalidValue;
    NttPlan plan = ntt_plan((int)lg);
    NttTables at = ntt_tables(plan);
    for (int d = 0; d < 2; d++) C2_TRY(direction_tables(plan, at, d, (Fr*)tables, stream));
    for (int k = 0; k < NTT_KINDS; k++) C2_TRY(kind_tables(plan, at, (c2_ntt_kind)k, (Fr*)tables, stream));
    *domain = {lg, tables};
    return cudaSuccess;
}
