// One process with another prover's static library, which has a Rust runtime and a blst of its own and exports blst's names: both
// work, in any order and at once.
#include "harness.h"

#include <pthread.h>

int standin_selftest(void);

static c2p_engine *engine;
static c2p_request request;

static int proves(void) {
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    bool holds = false;
    c2p_status status = c2p_prove(engine, &request, &result, &e);
    if (status == C2P_OK) {
        c2p_bytes proof = c2p_result_proof(result);
        status = c2p_verify(engine, &request, proof.ptr, proof.len, &holds, &e);
    }
    show(e);
    c2p_result_free(result);
    return status == C2P_OK && holds;
}

static void the_others_first(void) { CHECK(standin_selftest() == 0); }
static void ours(void) { CHECK(proves()); }

static void *others(void *failures) {
    for (int i = 0; i < 50; i++) {
        *(int *)failures += standin_selftest();
    }
    return NULL;
}

static void both_at_once(void) {
    pthread_t threads[2];
    int failures[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, others, &failures[i]) == 0);
    }
    CHECK(proves());
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(failures[i] == 0);
    }
}

int main(void) {
    char path[4200];
    const char *data = env("C2P_TEST_DATA");
    c2p_bytes vanilla;
    snprintf(path, sizeof path, "%s/window-vanilla.bin", data);
    uint8_t *bytes = read_file(path, &vanilla.len);
    vanilla.ptr = bytes;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = C2P_KIND_WINDOW_POST;
    request.registered_proof = 10;
    request.prover_id[0] = 0xe8;
    request.prover_id[1] = 0x07;
    memset(request.randomness, 3, sizeof request.randomness);
    request.vanilla = &vanilla;
    request.vanilla_len = 1;
    snprintf(path, sizeof path, "%s/params", data);
    c2p_engine_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.param_cache = path;
    RUN(the_others_first);
    CHECK_STATUS(c2p_engine_new(&options, &engine, NULL), C2P_OK);
    RUN(ours);
    RUN(both_at_once);
    c2p_engine_free(engine);
    RUN(the_others_first);
    free(bytes);
    return finish();
}
