// Points with known logarithms, made on the device; apart, because it takes long to compile.
#include "msm_cases.cuh"

namespace cases {

static constexpr u32 RUN = 16;  // points a thread makes with one inversion

// points[i] = (i + 1) G
template <class F>
__global__ void __launch_bounds__(128) fill_multiples(uint4* points, u64 n, uint4* scratch) {
    constexpr u32 V = F::VECTORS;
    u64 t = blockIdx.x * (u64)128 + threadIdx.x, step = (u64)gridDim.x * 128;
    uint4* mine = scratch + t * RUN * 4 * V;
    c2::Affine<F> g;
    c2::set_generator(g);
#pragma unroll 1
    for (u64 base = t * RUN; base < n; base += step * RUN) {
        c2::Xyzz<F> a;
        c2::set_infinity(a);
        int count = (int)(n - base < RUN ? n - base : RUN);
#pragma unroll 1
        for (int bit = 31; bit >= 0; bit--) {
            c2::double_in_place(a);
            if ((base >> bit) & 1) c2::add_in_place(a, g);
        }
        F product;
        c2::set_one(product);
#pragma unroll 1
        for (int i = 0; i < count; i++) {
            c2::add_in_place(a, g);
            c2::store_xyzz(mine + i * 4 * V, a);
            c2::store_field(points + (base + i) * 2 * V, 1, product);  // of the ones before
            product = mul(product, a.zzz);
        }
        F inverse = c2::inverse(product);
#pragma unroll 1
        for (int i = count - 1; i >= 0; i--) {
            c2::Xyzz<F> p = c2::load_xyzz<F>(mine + i * 4 * V);
            F z = mul(inverse, c2::load_field<F>(points + (base + i) * 2 * V, 1)), zi = sqr(mul(z, p.zz));
            inverse = mul(inverse, p.zzz);
            c2::store_field(points + (base + i) * 2 * V, 1, canonical(mul(p.x, zi)));
            c2::store_field(points + (base + i) * 2 * V + V, 1, canonical(mul(p.y, z)));
        }
    }
}
// points[i] = small[log(i) + 3]
static __global__ void fill_from_few(Points kind, uint4* points, u64 n, const uint4* small, u32 vectors) {
    u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (u32 k = 0; k < vectors; k++) points[i * vectors + k] = small[(logarithm(kind, i) + 3) * vectors + k];
}

template <class F>
void fill_points(Points kind, u64 n, uint4* points) {
    constexpr u32 V = F::VECTORS;
    if (kind == MULTIPLES) {
        uint4* scratch;
        const u32 blocks = 1056;
        MUST(cudaMalloc(&scratch, (size_t)blocks * 128 * RUN * 4 * V * 16));
        fill_multiples<F><<<blocks, 128>>>(points, n, scratch);
        MUST(cudaGetLastError());
        MUST(cudaDeviceSynchronize());
        MUST(cudaFree(scratch));
        return;
    }
    c2::Affine<F> small[7];
    for (int k = -3; k <= 3; k++) {
        naive::Big s = naive::from_u64(k < 0 ? -k : k);
        small[k + 3] = multiple<F>(k < 0 ? naive::neg(s, naive::R) : s);
    }
    uint4* device;
    MUST(cudaMalloc(&device, sizeof small));
    MUST(cudaMemcpy(device, small, sizeof small, cudaMemcpyHostToDevice));
    fill_from_few<<<(u32)((n + 255) / 256), 256>>>(kind, points, n, device, 2 * V);
    MUST(cudaGetLastError());
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(device));
}

template void fill_points<c2::Fp>(Points, u64, uint4*);
template void fill_points<c2::Fp2>(Points, u64, uint4*);

}  // namespace cases
