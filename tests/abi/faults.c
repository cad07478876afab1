// A library with fault points: delays show in the report where they are, or as nobody's time; panics are errors.
// `faults POINT` for a fault that run.sh armed in C2PROVER_TEST_FAULT.
#include "fixture.h"

static fixture circuit;
static c2p_srs *srs;
static const char *point;

enum { AT_LEAST_US = 190000 };

// A number of the report's JSON: the first `name` after `after`.
static uint64_t number(const char *json, const char *after, const char *name) {
    const char *at = strstr(json, after);
    at = at ? strstr(at, name) : NULL;
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static void a_delay_shows(void) {
    uint64_t began = now_us();
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, &circuit.r, &circuit.s, NULL, &result, &e), C2P_OK);
    uint64_t took = now_us() - began;
    show(e);
    c2p_timings t = {0};
    t.struct_size = sizeof t;
    CHECK_STATUS(c2p_result_timings(result, &t, NULL), C2P_OK);
    CHECK(took >= AT_LEAST_US);
    CHECK(close_to(t.total_us, took));
    const char *report = c2p_result_report_json(result);
    // Where other lanes were busy meanwhile, the caller's lane has a gap and the time is on no lane's account.
    uint64_t nobodys = t.unaccounted_us, gap = number(report, "\"lane\":\"caller\",\"work_us\"", "\"gap_us\":");
    if (strcmp(point, "alloc") == 0) {
        CHECK(t.alloc_us >= AT_LEAST_US);
    } else if (strcmp(point, "lock.backend") == 0) {
        CHECK(t.lock_us >= AT_LEAST_US);
    } else {
        CHECK(nobodys >= AT_LEAST_US || gap >= AT_LEAST_US);
    }
    printf("  %s: total %llu us, unaccounted %llu, gap %llu, alloc %llu, lock %llu\n", point, (unsigned long long)t.total_us,
           (unsigned long long)nobodys, (unsigned long long)gap, (unsigned long long)t.alloc_us, (unsigned long long)t.lock_us);
    c2p_result_free(result);
}

static void a_panic_is_an_error(void) {
    c2p_result *const untouched = (c2p_result *)&circuit;
    c2p_result *result = untouched;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, &circuit.r, &circuit.s, NULL, &result, &e), C2P_ERR_PANIC);
    CHECK(result == untouched);
    CHECK(strstr(c2p_error_message(e), "a text with 100 % of its words") != NULL);
    printf("  %s\n", c2p_error_message(e));
    c2p_error_free(e);
}

static void a_panic_while_loading_is_an_error(void) {
    c2p_error *e = NULL;
    srs = NULL;
    CHECK_STATUS(c2p_srs_load(env("C2P_TEST_PARAMS"), NULL, &srs, &e), C2P_ERR_PANIC);
    CHECK(srs == NULL && strstr(c2p_error_message(e), "a text with 100 % of its words") != NULL);
    c2p_error_free(e);
}

static void the_next_call_works(void) {
    check_proves(srs, &circuit);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        return 2;
    }
    point = argv[1];
    int panics = strstr(env("C2PROVER_TEST_FAULT"), "panic") != NULL;
    circuit = fixture_load();
    if (strcmp(point, "c2p_srs_load") == 0) {
        RUN(a_panic_while_loading_is_an_error);
        srs = srs_load(env("C2P_TEST_PARAMS"));
    } else {
        srs = srs_load(env("C2P_TEST_PARAMS"));
        if (panics) {
            RUN(a_panic_is_an_error);
        } else {
            RUN(a_delay_shows);
        }
    }
    RUN(the_next_call_works);
    c2p_srs_free(srs);
    fixture_free(&circuit);
    return finish();
}
