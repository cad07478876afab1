// Transforms and the quotient against their definitions.
//   usage: ntt_test [largest lg, default 27]
// Exit code 0: all equal. Device arithmetic first, then every kind at 2^1..2^12 value by value, then at larger sizes one
// random point of each polynomial, which touches all of its coefficients and all of its values.
#include <algorithm>

#include "ntt/ntt.h"
#include "ntt_check.cuh"
#include "quotient/quotient.h"

static int failures = 0;
static void expect(bool ok, const char* what, int lg) {
    if (!ok && failures++ < 40) printf("FAIL %s at 2^%d\n", what, lg);
}

struct Domain {
    c2_ntt_domain d;
    void* tables;
    explicit Domain(int lg) {
        size_t bytes;
        REQUIRE_CUDA(c2_ntt_tables_bytes(lg, &bytes));
        REQUIRE_CUDA(cudaMalloc(&tables, bytes));
        REQUIRE_CUDA(cudaMemset(tables, 0xff, bytes));
        REQUIRE_CUDA(c2_ntt_tables_build(lg, tables, bytes, &d, 0));
    }
    ~Domain() { cudaFree(tables); }
};
static void run(const Domain& d, c2_ntt_kind kind, DeviceVector& dst, const DeviceVector& src, DeviceVector& work) {
    REQUIRE_CUDA(c2_ntt_run(&d.d, kind, dst.p, src.p, work.p, work.n * sizeof(Fr), 0));
}
static Fr over_z(int lg) { return inverse(sub(pow(fr_generator(), (u64)1 << lg), fr_one())); }
static bool is_inverse(int kind) { return kind != C2_NTT_FORWARD && kind != C2_NTT_COSET_FORWARD; }
static bool is_coset(int kind) {
    return kind == C2_NTT_COSET_FORWARD || kind == C2_NTT_COSET_INVERSE || kind == C2_NTT_COSET_INVERSE_OVER_Z;
}

static __global__ void arithmetic_kernel(Fr* out, int n, u64 seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Fr a = random_fr(seed, i), b = random_fr(seed + 1, i);
    store(out + 6 * i, mul(a, b));
    store(out + 6 * i + 1, mul(a, add_lazy(b, fr_modulus())));
    store(out + 6 * i + 2, add(a, b));
    store(out + 6 * i + 3, canonical(add_lazy(a, b)));
    store(out + 6 * i + 4, sub(a, b));
    store(out + 6 * i + 5, canonical(sub_lazy(a, b)));
}
static void test_arithmetic() {
    const int n = 1 << 16;
    DeviceVector out(6 * n);
    arithmetic_kernel<<<n / 256, 256>>>(out.p, n, 5);
    std::vector<Fr> h = out.host();
    for (int i = 0; i < n; i++) {
        Fr a = random_fr(5, i), b = random_fr(6, i);
        const Fr want[6] = {mul(a, b), mul(a, b), add(a, b), add(a, b), sub(a, b), sub(a, b)};
        for (int k = 0; k < 6; k++) expect(same(h[6 * i + k], want[k]), "arithmetic on the device, element", i);
    }
}

// By the definition, on the host. `points` of them, spread over the range.
static void test_definition(int lg) {
    const size_t n = (size_t)1 << lg;
    Domain domain(lg);
    DeviceVector src(n), dst(n), work(n);
    fill(src, lg);
    std::vector<Fr> x = src.host();
    for (int kind = 0; kind < 6; kind++) {
        run(domain, (c2_ntt_kind)kind, dst, src, work);
        std::vector<Fr> got = dst.host();
        Fr w = root_of_unity(lg), scale = fr_one();
        if (is_inverse(kind)) {
            w = inverse(w);
            for (int i = 0; i < lg; i++) scale = mul(fr_from<fr_words::HALF>(), scale);
        }
        if (kind >= C2_NTT_INVERSE_OVER_Z) scale = mul(over_z(lg), scale);
        size_t stride = lg <= 8 ? 1 : 7;
        for (size_t k = 0; k < n; k += stride) {
            Fr z = pow(w, k);
            if (kind == C2_NTT_COSET_FORWARD) z = mul(fr_generator(), z);
            Fr sum = fr_zero();
            for (size_t i = n; i-- > 0;) sum = add(mul(z, sum), x[i]);
            sum = mul(scale, sum);
            if (is_inverse(kind) && is_coset(kind)) sum = mul(pow(inverse(fr_generator()), k), sum);
            if (!same(got[k], sum)) {
                expect(false, is_coset(kind) ? "coset transform" : "transform", lg);
                break;
            }
        }
    }
}

// A point on neither the domain nor the coset, where the barycentric formula divides by zero.
static Fr random_point(u64 seed, int lg) {
    for (u64 i = 0;; i++) {
        Fr z = random_fr(seed, 100 * i + lg), zn = pow(z, (u64)1 << lg);
        if (!same(zn, fr_one()) && !same(zn, pow(fr_generator(), (u64)1 << lg))) return z;
    }
}

static void test_large(int lg, bool all_points) {
    const size_t n = (size_t)1 << lg;
    Domain domain(lg);
    DeviceVector src(n), there(n), work(n);
    fill(src, 1000 + lg);
    const Fr z = random_point(77, lg);
    for (int coset = 0; coset < 2; coset++) {
        Fr g = coset ? fr_generator() : fr_one();
        run(domain, coset ? C2_NTT_COSET_FORWARD : C2_NTT_FORWARD, there, src, work);
        if (all_points)
            expect(same(value_from_coefficients(src.p, n, z), value_from_values(there.p, lg, z, g)),
                   coset ? "coset forward at a random point" : "forward at a random point", lg);
        for (u64 k : {(u64)1, splitmix(lg) % n, splitmix(lg + 50) % n, (u64)n - 1}) {
            Fr got;
            REQUIRE_CUDA(cudaMemcpy(&got, there.p + k, sizeof got, cudaMemcpyDeviceToHost));
            expect(same(got, value_from_coefficients(src.p, n, mul(g, pow(root_of_unity(lg), k)))),
                   coset ? "coset forward" : "forward", lg);
        }
        run(domain, coset ? C2_NTT_COSET_INVERSE : C2_NTT_INVERSE, there, there, work);
        expect(differences(there, src) == 0, coset ? "coset inverse of coset forward" : "inverse of forward", lg);
    }
}

// H (x^n - 1) = A B - C as polynomials, by school multiplication and division.
static void test_quotient_definition(int lg) {
    const size_t n = (size_t)1 << lg;
    Domain domain(lg);
    DeviceVector a(n), b(n), c(n), work(2 * n);
    for (int given = 0; given < 2; given++) {
        fill(a, 3 * lg), fill(b, 3 * lg + 1);
        product_kernel<<<64, 256>>>(c.p, a.p, b.p, n);
        std::vector<Fr> polynomials[3];
        Fr w = inverse(root_of_unity(lg)), scale = fr_one();
        for (int i = 0; i < lg; i++) scale = mul(fr_from<fr_words::HALF>(), scale);
        const DeviceVector* vectors[3] = {&a, &b, &c};
        for (int v = 0; v < 3; v++) {
            std::vector<Fr> x = vectors[v]->host();
            for (size_t k = 0; k < n; k++) {
                Fr sum = fr_zero(), z = pow(w, k);
                for (size_t i = n; i-- > 0;) sum = add(mul(z, sum), x[i]);
                polynomials[v].push_back(mul(scale, sum));
            }
        }
        std::vector<Fr> product(2 * n, fr_zero());
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                product[i + j] = add(product[i + j], mul(polynomials[0][i], polynomials[1][j]));
        for (size_t i = 0; i < n; i++) product[i] = sub(product[i], polynomials[2][i]);
        REQUIRE_CUDA(c2_quotient_run(&domain.d, a.p, b.p, given ? c.p : nullptr, work.p, 2 * n * sizeof(Fr), 0));
        std::vector<Fr> h = a.host();
        bool ok = true;
        for (size_t i = 0; i < n; i++) {  // the remainder vanishes, so H is the upper half and minus the lower one
            ok = ok && same(h[i], product[n + i]);
            ok = ok && same(sub(fr_zero(), product[i]), h[i]);
        }
        expect(ok, given ? "quotient with c" : "quotient", lg);
        expect(same(h[n - 1], fr_zero()), "top coefficient", lg);
    }
}

static void test_quotient_large(int lg) {
    const size_t n = (size_t)1 << lg;
    Domain domain(lg);
    DeviceVector a(n), b(n), work(2 * n);
    fill(a, 500 + lg), fill(b, 600 + lg);
    product_kernel<<<1024, 256>>>(work.p, a.p, b.p, n);
    const Fr z = random_point(78, lg), one = fr_one();
    Fr A = value_from_values(a.p, lg, z, one), B = value_from_values(b.p, lg, z, one);
    Fr C = value_from_values(work.p, lg, z, one);
    REQUIRE_CUDA(cudaMemset(work.p, 0xff, 2 * n * sizeof(Fr)));
    REQUIRE_CUDA(c2_quotient_run(&domain.d, a.p, b.p, nullptr, work.p, 2 * n * sizeof(Fr), 0));
    Fr H = value_from_coefficients(a.p, n - 1, z);
    Fr left = mul(H, sub(pow(z, n), one)), right = sub(mul(A, B), C);
    expect(same(left, right), "quotient at a random point", lg);
    Fr top;
    REQUIRE_CUDA(cudaMemcpy(&top, a.p + n - 1, sizeof top, cudaMemcpyDeviceToHost));
    expect(same(top, fr_zero()), "top coefficient", lg);
}

static void test_arguments() {
    size_t bytes;
    c2_ntt_domain d = {5, nullptr};
    expect(c2_ntt_tables_bytes(0, &bytes) != cudaSuccess, "size 2^0 refused", 0);
    expect(c2_ntt_tables_bytes(29, &bytes) != cudaSuccess, "size 2^29 refused", 29);
    expect(c2_ntt_run(&d, C2_NTT_FORWARD, nullptr, nullptr, nullptr, 0, 0) != cudaSuccess, "null refused", 5);
    Domain domain(5);
    DeviceVector x(32), work(32);
    expect(c2_ntt_run(&domain.d, C2_NTT_FORWARD, x.p, x.p, work.p, 31 * 32, 0) != cudaSuccess, "short workspace", 5);
    expect(c2_ntt_run(&domain.d, C2_NTT_FORWARD, x.p, x.p, x.p, 32 * 32, 0) != cudaSuccess, "dst as workspace", 5);
}

int main(int argc, char** argv) {
    const int largest = argc > 1 ? atoi(argv[1]) : 27;
    printf("%s\n", c2_ntt_policy());
    test_arithmetic();
    test_arguments();
    for (int lg = 1; lg <= std::min(largest, 12); lg++) test_definition(lg);
    for (int lg = 1; lg <= std::min(largest, 8); lg++) test_quotient_definition(lg);
    printf("definitions: %s\n", failures ? "FAIL" : "ok"), fflush(stdout);
    for (int lg = 11; lg <= largest; lg++) {
        test_large(lg, lg <= 22 || lg == 24 || lg == largest);
        if (lg <= 20 || lg == largest) test_quotient_large(lg);
        printf("2^%d: %s\n", lg, failures ? "FAIL" : "ok"), fflush(stdout);
    }
    REQUIRE_CUDA(cudaDeviceSynchronize());
    printf("ntt_test: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
