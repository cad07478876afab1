// Points of a parameter file decoded on the device: known points come back, every kind of damage is found where it is.
//
//   srs_test         sizes to 2^16 and beyond
//   srs_test few     to 2^12, for the sanitizer
#include <functional>

#include "msm_cases.cuh"
#include "srs/decode.h"
#include "srs/encoding.cuh"

using namespace cases;
using Bytes = std::vector<unsigned char>;

static int failures = 0;
#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition) && failures++ < 20) printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #condition); \
    } while (0)

static void put(const c2::Fp& a, unsigned char* to) {
    c2::Fp one;
    c2::set_zero(one);
    one.v[0] = 1;  // a product with the plain 1 leaves Montgomery form
    c2::Fp plain = canonical(mul(a, one));
    for (int i = 0; i < 48; i++) to[i] = (unsigned char)(plain.v[(47 - i) / 4] >> (8 * ((47 - i) % 4)));
}
static void put(const c2::Fp2& a, unsigned char* to) {
    put(a.c1, to);
    put(a.c0, to + 48);
}

template <class F>
struct File {
    static constexpr size_t BYTES = 96 * F::FP_COUNT;
    std::vector<c2::Affine<F>> points;
    Bytes bytes;
    explicit File(u64 n) : points(n), bytes(n * BYTES) {
        uint4* table;
        MUST(cudaMalloc(&table, bytes.size()));
        fill_points<F>(MULTIPLES, n, table);
        MUST(cudaMemcpy(points.data(), table, bytes.size(), cudaMemcpyDeviceToHost));
        MUST(cudaFree(table));
        for (u64 i = 0; i < n; i++) {
            put(points[i].x, &bytes[i * BYTES]);
            put(points[i].y, &bytes[i * BYTES + BYTES / 2]);
        }
    }
};

// What the device makes of the bytes, and the first bad point it names.
template <class F>
static Bytes decode(const Bytes& bytes, u64 n, u64 first_index, unsigned long long& first_bad) {
    void* points;
    unsigned long long* bad;
    MUST(cudaMalloc(&points, bytes.size()));
    MUST(cudaMalloc(&bad, sizeof *bad));
    MUST(cudaMemcpy(points, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    MUST(cudaMemset(bad, 0xff, sizeof *bad));
    MUST((F::FP_COUNT == 1 ? c2_srs_decode_g1 : c2_srs_decode_g2)(points, n, first_index, bad, nullptr));
    Bytes out(bytes.size());
    MUST(cudaMemcpy(out.data(), points, out.size(), cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&first_bad, bad, sizeof *bad, cudaMemcpyDeviceToHost));
    MUST(cudaFree(points));
    MUST(cudaFree(bad));
    return out;
}

// The last number of a coordinate pair, y of c0 where there are two, plus p: the same point, not its encoding.
static void add_modulus(unsigned char* number) {
    unsigned carry = 0;
    for (int i = 47; i >= 0; i--) {
        carry += number[i] + (unsigned)((naive::P.m[(47 - i) / 8] >> (8 * ((47 - i) % 8))) & 255);
        number[i] = (unsigned char)carry;
        carry >>= 8;
    }
}

template <class F>
static void check(u64 n) {
    constexpr size_t BYTES = File<F>::BYTES;
    const File<F> file(n);
    unsigned long long bad;
    for (u64 first : {(u64)0, (u64)5 << 32}) {
        Bytes out = decode<F>(file.bytes, n, first, bad);
        CHECK(bad == ~0ull);
        CHECK(!memcmp(out.data(), file.points.data(), out.size()));
    }
    struct Damage {
        u32 reason;
        std::function<void(unsigned char*)> apply;
    };
    const Damage damages[] = {
        {c2::BAD_ENCODING, [](unsigned char* p) { p[BYTES / 2 - 1] ^= 1; }},  // off the curve, by x
        {c2::BAD_ENCODING, [](unsigned char* p) { p[BYTES - 1] ^= 1; }},      // by y
        {c2::BAD_ENCODING, [](unsigned char* p) { p[0] |= 0x80; }},
        {c2::BAD_ENCODING, [](unsigned char* p) { p[0] |= 0x40; }},
        {c2::BAD_ENCODING, [](unsigned char* p) { p[0] |= 0x20; }},
        {c2::BAD_ENCODING, [](unsigned char* p) { add_modulus(p + BYTES - 48); }},
        {c2::BAD_ENCODING, [](unsigned char* p) { memset(p + BYTES - 48, 0xff, 48); }},
        {c2::BAD_ENCODING, [](unsigned char* p) { memset(p, 0, BYTES); }},
        {c2::BAD_ENCODING, [](unsigned char* p) { memset(p, 0, BYTES), p[0] = 0x60; }},
        {c2::BAD_INFINITY, [](unsigned char* p) { memset(p, 0, BYTES), p[0] = 0x40; }},
    };
    for (const Damage& damage : damages)
        for (u64 at : {(u64)0, n / 3, n - 1}) {
            Bytes bytes = file.bytes;
            damage.apply(&bytes[at * BYTES]);
            Bytes out = decode<F>(bytes, n, 7, bad);
            CHECK(bad == ((7 + at) << 2 | damage.reason));
            memcpy(&out[at * BYTES], &file.points[at], BYTES);  // the others are decoded all the same
            CHECK(!memcmp(out.data(), file.points.data(), out.size()));
        }
    if (n < 3) return;
    Bytes bytes = file.bytes;  // of several bad points the first
    damages[0].apply(&bytes[(n - 1) * BYTES]);
    damages[9].apply(&bytes[(n / 2) * BYTES]);
    decode<F>(bytes, n, (u64)1 << 40, bad);
    CHECK(bad == ((((u64)1 << 40) + n / 2) << 2 | c2::BAD_INFINITY));
}

template <class F>
static void run(bool few) {
    for (u64 n : {1, 2, 3, 31, 127, 128, 129, 1001, 4095}) check<F>(n);
    if (!few)
        for (u64 n : {65535, 65536, 65537}) check<F>(n);
    unsigned long long bad;
    decode<F>(Bytes(96), 0, 0, bad);  // nothing to do
    CHECK(bad == ~0ull);
    printf("%s srs points: %d failures\n", Group<F>::name(), failures);
    fflush(stdout);
}

int main(int argc, char** argv) {
    const bool few = argc > 1 && !strcmp(argv[1], "few");
    run<c2::Fp>(few);
    run<c2::Fp2>(few);
    printf("srs_test: %s\n", failures ? "FAIL" : "ok");
    return failures != 0;
}
