// Proofs by kind. A WindowPoSt always; the other kinds where their parameters are, in C2PROVER_TEST_PARAMS: what is not
// proved is named. Proofs are written to the folder C2PROVER_TEST_PROOFS, if it is set, for other verifiers.
#include "harness.h"

static char data[4096];
static c2p_engine *engine;

static uint8_t *read_data(const char *name, size_t *len) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", data, name);
    return read_file(path, len);
}

static c2p_request request(int32_t kind) {
    c2p_request q;
    memset(&q, 0, sizeof q);
    q.struct_size = sizeof q;
    q.kind = kind;
    // Miner 1000.
    q.prover_id[0] = 0xe8;
    q.prover_id[1] = 0x07;
    memset(q.randomness, 3, sizeof q.randomness);
    q.sector_number = 1;
    return q;
}

static void keep(const char *name, c2p_bytes proof) {
    const char *folder = getenv("C2PROVER_TEST_PROOFS");
    if (!folder) {
        return;
    }
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.bin", folder, name);
    FILE *f = (FILE *)need(fopen(path, "wb"));
    CHECK(fwrite(proof.ptr, 1, proof.len, f) == proof.len);
    CHECK(fclose(f) == 0);
}

// Proves, compares the clocks, verifies, and verifies that a changed proof does not hold.
static void proves(c2p_engine *with, const c2p_request *q, size_t partitions, const char *name) {
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    uint64_t began = now_us();
    CHECK_STATUS(c2p_prove(with, q, &result, &e), C2P_OK);
    uint64_t took = now_us() - began;
    show(e);
    e = NULL;
    if (!result) {
        return;
    }
    c2p_bytes proof = c2p_result_proof(result);
    CHECK(proof.len == 192 * partitions);
    keep(name, proof);
    bool ok = false;
    CHECK_STATUS(c2p_verify(with, q, proof.ptr, proof.len, &ok, &e), C2P_OK);
    show(e);
    CHECK(ok);
    uint8_t *other = (uint8_t *)need(malloc(proof.len));
    memcpy(other, proof.ptr, proof.len);
    other[proof.len - 1] ^= 1;
    CHECK_STATUS(c2p_verify(with, q, other, proof.len, &ok, NULL), C2P_OK);
    CHECK(!ok);
    CHECK_STATUS(c2p_verify(with, q, other, proof.len - 1, &ok, NULL), C2P_ERR_INVALID_ARGUMENT);
    free(other);
    c2p_timings t;
    memset(&t, 0, sizeof t);
    t.struct_size = sizeof t;
    CHECK_STATUS(c2p_result_timings(result, &t, NULL), C2P_OK);
    printf("  stopwatch %llu us, report %llu us, unaccounted %llu us\n", (unsigned long long)took, (unsigned long long)t.total_us,
           (unsigned long long)t.unaccounted_us);
    CHECK(close_to(t.total_us, took));
    CHECK(close_to(t.total_us - t.unaccounted_us, t.total_us));
    CHECK(t.synthesis_us > 0 && t.partitions == partitions);
    CHECK(strstr(c2p_result_report_json(result), "\"job\":\"engine-test\"") != NULL);
    c2p_result_free(result);
}

static void window_post(void) {
    size_t len;
    uint8_t *vanilla = read_data("window-vanilla.bin", &len);
    c2p_bytes item = {vanilla, len};
    c2p_request q = request(C2P_KIND_WINDOW_POST);
    q.registered_proof = 10;
    q.vanilla = &item;
    q.vanilla_len = 1;
    q.request_id = "engine-test";
    proves(engine, &q, 1, "window");
    q.all_partitions = C2P_ON;
    proves(engine, &q, 1, "window");
    free(vanilla);
}

static void input_that_is_none(void) {
    c2p_request q = request(C2P_KIND_POREP);
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove(engine, &q, &result, &e), C2P_ERR_BAD_INPUT);
    c2p_error_free(e);
    e = NULL;
    q.c1_json.ptr = (const uint8_t *)"{\"registered_proof\": 1}";
    q.c1_json.len = 23;
    CHECK_STATUS(c2p_prove(engine, &q, &result, &e), C2P_ERR_BAD_INPUT);
    CHECK(strlen(c2p_error_message(e)) > 0);
    c2p_error_free(e);
    e = NULL;
    q = request(C2P_KIND_WINDOW_POST);
    q.registered_proof = 99;
    CHECK_STATUS(c2p_prove(engine, &q, &result, &e), C2P_ERR_BAD_INPUT);
    CHECK(strstr(c2p_error_message(e), "99") != NULL);
    c2p_error_free(e);
    CHECK(result == NULL);
}

static void parameters_that_are_missing(void) {
    c2p_engine_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.param_cache = "/nonexistent";
    options.cpu_threads = 1;
    c2p_engine *other = NULL;
    CHECK_STATUS(c2p_engine_new(&options, &other, NULL), C2P_OK);
    size_t len;
    uint8_t *c1 = read_data("c1-raw.json", &len);
    c2p_request q = request(C2P_KIND_POREP);
    q.c1_json.ptr = c1;
    q.c1_json.len = len;
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove(other, &q, &result, &e), C2P_ERR_PARAMS_MISSING);
    CHECK(result == NULL && strstr(c2p_error_message(e), "/nonexistent") != NULL);
    c2p_error_free(e);
    free(c1);
    c2p_engine_free(other);
}

static c2p_engine *with_test_params(void) {
    c2p_engine_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.param_cache = env("C2PROVER_TEST_PARAMS");
    c2p_engine *other = NULL;
    CHECK_STATUS(c2p_engine_new(&options, &other, NULL), C2P_OK);
    return other;
}

static void porep(void) {
    c2p_engine *other = with_test_params();
    const char *files[] = {"c1-raw.json", "c2in.json"};
    for (int i = 0; i < 2; i++) {
        size_t len;
        uint8_t *c1 = read_data(files[i], &len);
        c2p_request q = request(C2P_KIND_POREP);
        q.c1_json.ptr = c1;
        q.c1_json.len = len;
        q.request_id = "engine-test";
        proves(other, &q, 1, "porep");
        free(c1);
    }
    c2p_engine_free(other);
}

// A kind whose input is one vanilla proof.
static void one_vanilla(c2p_request q, const char *file, const char *name) {
    c2p_engine *other = with_test_params();
    size_t len;
    uint8_t *vanilla = read_data(file, &len);
    c2p_bytes item = {vanilla, len};
    q.vanilla = &item;
    q.vanilla_len = 1;
    q.request_id = "engine-test";
    proves(other, &q, 1, name);
    free(vanilla);
    c2p_engine_free(other);
}

static void winning_post(void) { one_vanilla(request(C2P_KIND_WINNING_POST), "winning-vanilla.bin", "winning"); }

static void from_hex(const char *hex, uint8_t *out) {
    for (int i = 0; i < 32; i++) {
        unsigned byte;
        CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1);
        out[i] = (uint8_t)byte;
    }
}

static void sector_update(void) {
    // The commitments of tests/data/update-vanilla.json.
    c2p_request q = request(C2P_KIND_SNAP);
    from_hex("142452b6a3e5b0a2913eb532625be8a4fc0bdbfaebfaf539afa71e264826343d", q.comm_r_old);
    from_hex("d7dccd634b98ca817f588cb55e6c2695b7379fad049d1256110ce6b0c3c30855", q.comm_r_new);
    from_hex("01f9a4319238200deb61e3834fac9a068fc5112d2cfe3d8adf326ea7c0fb023c", q.comm_d_new);
    one_vanilla(q, "update-vanilla.bin", "update");
}

// Whether the parameters of a circuit are in C2PROVER_TEST_PARAMS; says so if not.
static bool has_params(const char *kind, const char *file) {
    const char *folder = getenv("C2PROVER_TEST_PARAMS");
    char path[4500];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "", file);
    FILE *f = folder ? fopen(path, "rb") : NULL;
    if (f) {
        fclose(f);
    } else {
        printf("not proved: %s, its parameters are not in C2PROVER_TEST_PARAMS\n", kind);
    }
    return f != NULL;
}

int main(void) {
    snprintf(data, sizeof data, "%s", env("C2P_TEST_DATA"));
    char params[4200];
    snprintf(params, sizeof params, "%s/params", data);
    c2p_engine_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.param_cache = params;
    c2p_error *e = NULL;
    if (c2p_engine_new(&options, &engine, &e) != C2P_OK) {
        show(e);
        return 2;
    }
    RUN(window_post);
    RUN(input_that_is_none);
    RUN(parameters_that_are_missing);
    if (has_params("porep", "v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f.params")) {
        RUN(porep);
    }
    if (has_params("winning-post", "v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e.params")) {
        RUN(winning_post);
    }
    if (has_params("snap", "v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194.params")) {
        RUN(sector_update);
    }
    c2p_engine_free(engine);
    return finish();
}
