// The pull queue. What goes to standard error is looked at by run.sh.
#include "fixture.h"

static fixture circuit;
static c2p_srs *srs;

static int pull_until(const char *part) {
    for (int i = 0; i < 1000; i++) {
        char *line = c2p_log_next(0);
        if (!line) {
            return 0;
        }
        int found = line[0] == '{' && strstr(line, "\"target\":\"c2prover::") && strstr(line, "\"ts\":\"2") && strstr(line, part);
        c2p_string_free(line);
        if (found) {
            return 1;
        }
    }
    return 0;
}

static void nothing_without_subscription(void) {
    check_proves(srs, &circuit);
    CHECK(c2p_log_next(0) == NULL);
    uint64_t began = now_us();
    CHECK(c2p_log_next(10000) == NULL);
    CHECK(now_us() - began < 1000000);
}

static void a_proof_has_lines(void) {
    CHECK_STATUS(c2p_log_subscribe(C2P_LOG_INFO, NULL), C2P_OK);
    check_proves(srs, &circuit);
    CHECK(pull_until("phase=cpu.msm.b2"));
    CHECK(pull_until("status=OK total_ms="));
    CHECK(pull_until("prover time: "));
}

static void an_error_has_a_line(void) {
    while (pull_until("")) {
    }
    CHECK_STATUS(c2p_srs_evict(NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK(pull_until("call=c2p_srs_evict status=INVALID_ARGUMENT"));
}

static void waiting_ends(void) {
    uint64_t began = now_us();
    CHECK(c2p_log_next(50) == NULL);
    uint64_t took = now_us() - began;
    CHECK(took >= 45000 && took < 5000000);
}

static void off_forgets(void) {
    check_proves(srs, &circuit);
    CHECK_STATUS(c2p_log_subscribe(C2P_LOG_OFF, NULL), C2P_OK);
    CHECK(c2p_log_next(0) == NULL);
}

int main(void) {
    circuit = fixture_load();
    srs = srs_load(env("C2P_TEST_PARAMS"));
    RUN(nothing_without_subscription);
    RUN(a_proof_has_lines);
    RUN(an_error_has_a_line);
    RUN(waiting_ends);
    RUN(off_forgets);
    c2p_srs_free(srs);
    fixture_free(&circuit);
    return finish();
}
