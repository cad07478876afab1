// Counts and gathers of an assignment.
#include "split/split.h"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "msm/launch.cuh"

using namespace c2;

namespace {

// Bits a query keeps of word w, those of them in `bits` (all when NULL), and none past the end.
struct Kept {
    const u32 *bits, *density;
    u64 n;
    __host__ __device__ u32 word(u64 w) const {
        u32 b = density ? density[w] : ~0u;
        if (bits) b &= bits[w];
        if (32 * w + 32 > n) b &= 32 * w < n ? ~0u >> (32 * w + 32 - n) : 0;
        return b;
    }
};
struct KeptCount {
    Kept kept;
    u64 words;
    __device__ u32 operator()(u32 w) const { return w < words ? __popc(kept.word(w)) : 0; }
};

cudaError_t scan_kept(void* temp, size_t& bytes, const Kept& kept, u64 words, u32* out, cudaStream_t stream) {
    auto counts = thrust::make_transform_iterator(thrust::counting_iterator<u32>(0), KeptCount{kept, words});
    return cub::DeviceScan::ExclusiveSum(temp, bytes, counts, out, words + 1, stream);
}

// One thread an element. Lists may be null; before[] count the kept bits of the words before. packed_before is not null where
// the scalars are only those that are neither zero nor one, of all elements.
__global__ void __launch_bounds__(256)
    gather(const uint4* __restrict__ scalars, Kept dense, Kept one, Kept tail, const u32* __restrict__ dense_before,
           const u32* __restrict__ ones_before, const u32* __restrict__ tail_before, u32 first_point, u32* __restrict__ ones,
           u32* __restrict__ tail_points, uint4* __restrict__ tail_scalars, uint4* __restrict__ dense_scalars,
           const u32* __restrict__ packed_before, const u32* __restrict__ other_bits) {
    u64 i = (u64)blockIdx.x * 256 + threadIdx.x, w = i / 32;
    if (i >= dense.n) return;
    u32 bit = 1u << (i % 32), below = bit - 1;
    u32 dense_word = dense.word(w);
    if (!(dense_word & bit)) return;
    u32 rank = dense_before[w] + __popc(dense_word & below);
    if (dense_scalars) {
        dense_scalars[2 * (size_t)rank] = scalars[2 * i];
        dense_scalars[2 * (size_t)rank + 1] = scalars[2 * i + 1];
    }
    u32 one_word = one.word(w), tail_word = tail.word(w);
    if (one_word & bit) {
        if (ones) ones[ones_before[w] + __popc(one_word & below)] = first_point + rank;
        return;
    }
    if (!(tail_word & bit)) return;
    u32 to = tail_before[w] + __popc(tail_word & below);
    if (tail_points) tail_points[to] = first_point + rank;
    if (tail_scalars) {
        u64 from = packed_before ? packed_before[w] + __popc(other_bits[w] & below) : i;
        tail_scalars[2 * (size_t)to] = scalars[2 * from];
        tail_scalars[2 * (size_t)to + 1] = scalars[2 * from + 1];
    }
}

struct Scans {
    u32 *dense = nullptr, *ones = nullptr, *tail = nullptr;
    void* temp = nullptr;
    size_t temp_bytes = 0;
    cudaError_t lay_out(Arena& arena, u64 words) {
        dense = arena.take<u32>(words + 1);
        ones = arena.take<u32>(words + 1);
        tail = arena.take<u32>(words + 1);
        C2_TRY(scan_kept(nullptr, temp_bytes, {}, words, nullptr, nullptr));
        temp = arena.take<char>(temp_bytes);
        return cudaSuccess;
    }
};

cudaError_t scans_in(void* workspace, size_t bytes, u64 n, Scans& scans) {
    if (n == 0 || n >= (1ull << 32)) return cudaErrorInvalidValue;
    Arena arena(workspace, bytes);
    C2_TRY(scans.lay_out(arena, (n + 31) / 32));
    return arena.fits() ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" cudaError_t c2_split_count_bytes(uint64_t n, size_t* bytes) {
    Scans scans;
    Arena arena(nullptr, 0);
    C2_TRY(scans.lay_out(arena, (n + 31) / 32));
    *bytes = arena.used();
    return cudaSuccess;
}

extern "C" cudaError_t c2_split_count(uint64_t n, const uint32_t* one_bits, const uint32_t* other_bits,
                                      const uint32_t* density, void* workspace, size_t workspace_bytes,
                                      c2_split_counts* counts, cudaStream_t stream) {
    Scans scans;
    C2_TRY(scans_in(workspace, workspace_bytes, n, scans));
    const u64 words = (n + 31) / 32;
    const Kept dense = {nullptr, density, n}, one = {one_bits, density, n}, other = {other_bits, density, n};
    C2_TRY(scan_kept(scans.temp, scans.temp_bytes, dense, words, scans.dense, stream));
    C2_TRY(scan_kept(scans.temp, scans.temp_bytes, one, words, scans.ones, stream));
    C2_TRY(scan_kept(scans.temp, scans.temp_bytes, other, words, scans.tail, stream));
    if (!counts) return cudaSuccess;
    C2_TRY(cudaMemcpyAsync(&counts->dense, scans.dense + words, 4, cudaMemcpyDeviceToHost, stream));
    C2_TRY(cudaMemcpyAsync(&counts->ones, scans.ones + words, 4, cudaMemcpyDeviceToHost, stream));
    return cudaMemcpyAsync(&counts->tail, scans.tail + words, 4, cudaMemcpyDeviceToHost, stream);
}

extern "C" cudaError_t c2_split_gather(const void* scalars, uint64_t n, const uint32_t* one_bits,
                                       const uint32_t* other_bits, const uint32_t* density, uint32_t first_point,
                                       void* workspace, void* packed_workspace, size_t workspace_bytes, uint32_t* ones,
                                       uint32_t* tail, void* tail_scalars, void* dense_scalars, cudaStream_t stream) {
    Scans scans, of_all = {};
    C2_TRY(scans_in(workspace, workspace_bytes, n, scans));
    if (packed_workspace) C2_TRY(scans_in(packed_workspace, workspace_bytes, n, of_all));
    if (packed_workspace && dense_scalars) return cudaErrorInvalidValue;
    const Kept dense = {nullptr, density, n}, one = {one_bits, density, n}, other = {other_bits, density, n};
    gather<<<blocks_for(n, 256), 256, 0, stream>>>((const uint4*)scalars, dense, one, other, scans.dense, scans.ones,
                                                  scans.tail, first_point, ones, tail, (uint4*)tail_scalars,
                                                  (uint4*)dense_scalars, of_all.tail, other_bits);
    C2_TRY_LAUNCH();
    return cudaSuccess;
}
