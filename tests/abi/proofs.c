// Proofs from assignments: the bytes, their verification, batches, threads, the clock.
#include "fixture.h"

#include <pthread.h>

static fixture circuit;
static c2p_srs *srs;

// The 17 fields of supraseal-c2's Assignment, one word each, without gaps.
_Static_assert(sizeof(c2p_assignment) == 17 * sizeof(void *), "assignment");
_Static_assert(offsetof(c2p_assignment, b_inp_density) == 3 * sizeof(void *), "b_inp_density");
_Static_assert(offsetof(c2p_assignment, b_aux_density) == 6 * sizeof(void *), "b_aux_density");
_Static_assert(offsetof(c2p_assignment, a) == 9 * sizeof(void *), "a");
_Static_assert(offsetof(c2p_assignment, abc_size) == 12 * sizeof(void *), "abc_size");
_Static_assert(offsetof(c2p_assignment, inp_assignment_data) == 13 * sizeof(void *), "inp_assignment_data");
_Static_assert(offsetof(c2p_assignment, aux_assignment_size) == 16 * sizeof(void *), "aux_assignment_size");
_Static_assert(sizeof(c2p_scalar) == 32 && sizeof(c2p_status) == 4, "scalar, status");

static c2p_result *prove(const c2p_assignment *x, size_t n, const c2p_scalar *r, const c2p_scalar *s, uint32_t threads) {
    c2p_prove_options options = {0};
    options.struct_size = sizeof options;
    options.threads = threads;
    options.job = "proofs-test";
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, x, n, r, s, &options, &result, &e), C2P_OK);
    show(e);
    return result;
}

static void shape(void) {
    c2p_srs_shape s = {0};
    s.struct_size = sizeof s;
    CHECK_STATUS(c2p_srs_info(srs, &s, NULL), C2P_OK);
    const c2p_assignment *x = &circuit.assignment;
    CHECK(s.inputs == x->inp_assignment_size && s.aux == x->aux_assignment_size && s.domain == 32768);
    CHECK(s.a == x->inp_assignment_size + x->a_aux_popcount && s.b == x->b_inp_popcount + x->b_aux_popcount);
    CHECK(s.h == 32767 && s.bytes > 10000000);
}

static void equal_blinding_gives_bellpersons_bytes(void) {
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        c2p_result *result = prove(&circuit.assignment, 1, &circuit.r, &circuit.s, threads);
        c2p_bytes proof = c2p_result_proof(result);
        CHECK(proof.len == 192 && memcmp(proof.ptr, circuit.proof, 192) == 0);
        c2p_result_free(result);
    }
}

static void a_batch_in_order(void) {
    c2p_assignment two[2] = {circuit.assignment, circuit.assignment};
    two[1].c = NULL;
    c2p_scalar r[2] = {circuit.s, circuit.r}, s[2] = {circuit.r, circuit.s};
    c2p_result *result = prove(two, 2, r, s, 0);
    c2p_bytes proof = c2p_result_proof(result);
    CHECK(proof.len == 384 && memcmp(proof.ptr + 192, circuit.proof, 192) == 0 && memcmp(proof.ptr, circuit.proof, 192) != 0);
    c2p_result_free(result);
}

static void fresh_blinding_verifies_and_differs(void) {
    c2p_key *from_file = NULL, *from_srs = NULL;
    CHECK_STATUS(c2p_key_load(env("C2P_TEST_VK"), &from_file, NULL), C2P_OK);
    CHECK_STATUS(c2p_srs_key(srs, &from_srs, NULL), C2P_OK);
    size_t n = c2p_key_inputs(from_file);
    CHECK(n == circuit.assignment.inp_assignment_size - 1 && n == c2p_key_inputs(from_srs));
    uint8_t first[192] = {0};
    for (int i = 0; i < 2; i++) {
        c2p_result *result = prove(&circuit.assignment, 1, NULL, NULL, 0);
        c2p_bytes proof = c2p_result_proof(result);
        bool ok = false;
        CHECK_STATUS(c2p_key_verify(from_file, circuit.inputs + 1, n, proof.ptr, proof.len, &ok, NULL), C2P_OK);
        CHECK(ok);
        ok = false;
        CHECK_STATUS(c2p_key_verify(from_srs, circuit.inputs + 1, n, proof.ptr, proof.len, &ok, NULL), C2P_OK);
        CHECK(ok && memcmp(proof.ptr, first, 192) != 0);
        memcpy(first, proof.ptr, 192);
        c2p_result_free(result);
    }
    // The same proof for other inputs, another proof, and what is no proof.
    bool ok = true;
    c2p_scalar kept = circuit.inputs[5];
    circuit.inputs[5] = circuit.r;
    CHECK_STATUS(c2p_key_verify(from_file, circuit.inputs + 1, n, first, 192, &ok, NULL), C2P_OK);
    CHECK(!ok);
    circuit.inputs[5] = kept;
    ok = true;
    memcpy(first, circuit.proof, 48);
    CHECK_STATUS(c2p_key_verify(from_file, circuit.inputs + 1, n, first, 192, &ok, NULL), C2P_OK);
    CHECK(!ok);
    ok = true;
    memset(first, 0, 192);
    CHECK_STATUS(c2p_key_verify(from_file, circuit.inputs + 1, n, first, 192, &ok, NULL), C2P_OK);
    CHECK(!ok);
    c2p_error *e = NULL;
    memset(&circuit.inputs[5], 0xff, sizeof kept);
    CHECK_STATUS(c2p_key_verify(from_file, circuit.inputs + 1, n, first, 192, &ok, &e), C2P_ERR_BAD_SCALAR);
    CHECK(c2p_error_index(e) == 4 && text_is(c2p_error_field(e), "inputs"));
    c2p_error_free(e);
    circuit.inputs[5] = kept;
    c2p_key_free(from_file);
    c2p_key_free(from_srs);
}

static void all_rows_are_satisfied(void) {
    c2p_prove_options options = {0};
    options.struct_size = sizeof options;
    options.check_satisfied = C2P_ON;
    options.self_verify = C2P_OFF;
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, NULL, NULL, &options, &result, &e), C2P_OK);
    show(e);
    c2p_timings t = {0};
    t.struct_size = sizeof t;
    CHECK_STATUS(c2p_result_timings(result, &t, NULL), C2P_OK);
    CHECK(t.verify_us == 0);
    c2p_result_free(result);
}

static void the_clock_is_the_callers(void) {
    uint64_t began = now_us();
    c2p_result *result = prove(&circuit.assignment, 1, NULL, NULL, 0);
    uint64_t took = now_us() - began;
    c2p_timings t = {0};
    t.struct_size = sizeof t;
    CHECK_STATUS(c2p_result_timings(result, &t, NULL), C2P_OK);
    printf("  stopwatch %llu us, report %llu us, unaccounted %llu us\n", (unsigned long long)took, (unsigned long long)t.total_us,
           (unsigned long long)t.unaccounted_us);
    CHECK(close_to(t.total_us, took));
    CHECK(close_to(t.total_us - t.unaccounted_us, t.total_us));
    CHECK(t.cpu_us > 0 && t.b_g2_us > 0 && t.verify_us > 0 && t.partitions == 1 && t.peak_host_bytes > 0);
    const char *report = c2p_result_report_json(result), *trace = c2p_result_trace_json(result);
    CHECK(strstr(report, "\"job\":\"proofs-test\"") && strstr(report, "\"critical_path\"") && strstr(report, "cpu.msm.b2"));
    CHECK(trace[0] == '[' && strstr(trace, "\"ph\":\"X\"") && strstr(trace, "cpu.b_g2"));
    CHECK(report == c2p_result_report_json(result));
    c2p_result_free(result);
}

static void *prove_on_thread(void *bytes) {
    c2p_srs *own = NULL;
    c2p_result *result = NULL;
    if (c2p_srs_load(env("C2P_TEST_PARAMS"), NULL, &own, NULL) == C2P_OK
        && c2p_prove_assignments(own, &circuit.assignment, 1, &circuit.r, &circuit.s, NULL, &result, NULL) == C2P_OK) {
        memcpy(bytes, c2p_result_proof(result).ptr, 192);
    }
    c2p_result_free(result);
    c2p_srs_free(own);
    return NULL;
}

static void two_threads_at_once(void) {
    // Evicted, so that both ask for a file that is not in memory.
    CHECK_STATUS(c2p_srs_evict(srs, NULL), C2P_OK);
    uint8_t bytes[2][192] = {{0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, prove_on_thread, bytes[i]) == 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        CHECK(memcmp(bytes[i], circuit.proof, 192) == 0);
    }
    check_proves(srs, &circuit);
}

static void a_checked_and_kept_file(void) {
    c2p_srs_options options = {0};
    options.struct_size = sizeof options;
    options.subgroup_check = C2P_ON;
    options.keep = C2P_ON;
    options.threads = 2;
    c2p_srs *checked = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_srs_load(env("C2P_TEST_PARAMS"), &options, &checked, &e), C2P_OK);
    show(e);
    c2p_srs_free(checked);
    // Kept: the next load reads nothing.
    uint64_t began = now_us();
    checked = srs_load(env("C2P_TEST_PARAMS"));
    CHECK(now_us() - began < 20000);
    CHECK_STATUS(c2p_srs_evict(checked, NULL), C2P_OK);
    CHECK_STATUS(c2p_srs_evict(checked, NULL), C2P_OK);
    check_proves(checked, &circuit);
    c2p_srs_free(checked);
}

int main(void) {
    circuit = fixture_load();
    srs = srs_load(env("C2P_TEST_PARAMS"));
    RUN(shape);
    RUN(equal_blinding_gives_bellpersons_bytes);
    RUN(a_batch_in_order);
    RUN(fresh_blinding_verifies_and_differs);
    RUN(all_rows_are_satisfied);
    RUN(the_clock_is_the_callers);
    RUN(two_threads_at_once);
    RUN(a_checked_and_kept_file);
    c2p_srs_free(srs);
    fixture_free(&circuit);
    return finish();
}
