// Jobs: submitted, waited for, told of, cancelled; what an engine holds. WindowPoSts of 2 KiB sectors.
#include "harness.h"

#include <pthread.h>

static c2p_engine *engine;
static uint8_t *vanilla;
static c2p_bytes item;

static c2p_request window(void) {
    c2p_request q;
    memset(&q, 0, sizeof q);
    q.struct_size = sizeof q;
    q.kind = C2P_KIND_WINDOW_POST;
    q.registered_proof = 10;
    q.prover_id[0] = 0xe8;
    q.prover_id[1] = 0x07;
    memset(q.randomness, 3, sizeof q.randomness);
    q.vanilla = &item;
    q.vanilla_len = 1;
    return q;
}

static c2p_engine *engine_of(const char *params) {
    c2p_engine_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.param_cache = params;
    options.max_queue = 2;
    options.synthesis_threads = 1;
    c2p_engine *made = NULL;
    CHECK_STATUS(c2p_engine_new(&options, &made, NULL), C2P_OK);
    return made;
}

static c2p_job *submit(const c2p_request *q) {
    c2p_job *job = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_submit(engine, q, &job, &e), C2P_OK);
    show(e);
    return job;
}

static c2p_status status_of(c2p_job *job) {
    c2p_result *result = NULL;
    c2p_status status = c2p_job_wait(job, C2P_FOREVER, &result, NULL);
    CHECK((status == C2P_OK) == (result != NULL));
    c2p_result_free(result);
    return status;
}

static void the_input_is_the_callers_again(void) {
    uint8_t *copy = (uint8_t *)need(malloc(item.len));
    memcpy(copy, item.ptr, item.len);
    c2p_bytes own = {copy, item.len};
    c2p_request q = window();
    q.vanilla = &own;
    c2p_job *job = submit(&q);
    memset(copy, 0xff, item.len);
    free(copy);
    c2p_result *first = NULL, *again = NULL;
    CHECK_STATUS(c2p_job_wait(job, C2P_FOREVER, &first, NULL), C2P_OK);
    CHECK_STATUS(c2p_job_wait(job, 0, &again, NULL), C2P_OK);
    c2p_job_free(job);
    c2p_bytes proof = c2p_result_proof(first), same = c2p_result_proof(again);
    CHECK(proof.len == 192 && same.len == 192 && memcmp(proof.ptr, same.ptr, 192) == 0);
    bool ok = false;
    q = window();
    CHECK_STATUS(c2p_verify(engine, &q, proof.ptr, proof.len, &ok, NULL), C2P_OK);
    CHECK(ok);
    c2p_result_free(first);
    c2p_result_free(again);
}

static void events_come_in_order(void) {
    static const int32_t expected[] = {C2P_EVENT_QUEUED, C2P_EVENT_PARSED,   C2P_EVENT_SYNTHESISED,
                                       C2P_EVENT_PROVEN, C2P_EVENT_VERIFIED, C2P_EVENT_DONE, C2P_EVENT_NONE, C2P_EVENT_NONE};
    c2p_request q = window();
    c2p_job *job = submit(&q);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        c2p_event event;
        memset(&event, 0xff, sizeof event);
        event.struct_size = sizeof event;
        CHECK_STATUS(c2p_job_next_event(job, C2P_FOREVER, &event, NULL), C2P_OK);
        CHECK(event.kind == expected[i]);
        if (event.kind == C2P_EVENT_PARSED || event.kind == C2P_EVENT_PROVEN) {
            CHECK(event.partition == 0 && event.partitions == 1);
        }
        CHECK(event.kind != C2P_EVENT_DONE || event.status == C2P_OK);
    }
    c2p_job_free(job);
}

static void waiting_has_an_end(void) {
    c2p_request q = window();
    c2p_job *job = submit(&q);
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_job_wait(job, 1, &result, &e), C2P_ERR_PENDING);
    CHECK(result == NULL && c2p_error_status(e) == C2P_ERR_PENDING);
    c2p_error_free(e);
    CHECK(status_of(job) == C2P_OK);
    c2p_job_free(job);
    q.timeout_ms = 1;
    job = submit(&q);
    CHECK(status_of(job) == C2P_ERR_TIMED_OUT);
    c2p_job_free(job);
}

static void *cancel_later(void *job) {
    struct timespec a_while = {0, 5000000};
    nanosleep(&a_while, NULL);
    c2p_job_cancel((c2p_job *)job);
    c2p_job_cancel((c2p_job *)job);
    return NULL;
}

static void cancelled_and_freed_jobs(void) {
    c2p_request q = window();
    for (int k = 0; k < 20; k++) {
        c2p_job *job = submit(&q);
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, cancel_later, job) == 0);
        CHECK(status_of(job) == C2P_ERR_CANCELLED);
        CHECK(pthread_join(thread, NULL) == 0);
        c2p_job_free(job);
        c2p_job_free(submit(&q));
    }
    c2p_job_cancel(NULL);
    c2p_job_free(NULL);
    c2p_job *job = submit(&q);
    CHECK(status_of(job) == C2P_OK);
    c2p_job_free(job);
}

static void a_queue_has_an_end(void) {
    c2p_request q = window();
    c2p_job *jobs[20];
    int n = 0;
    c2p_error *e = NULL;
    while (n < 20 && c2p_submit(engine, &q, &jobs[n], &e) == C2P_OK) {
        n++;
    }
    CHECK(n < 20 && c2p_error_status(e) == C2P_ERR_QUEUE_FULL);
    c2p_error_free(e);
    while (n > 0) {
        c2p_job_free(jobs[--n]);
    }
}

static void numbers_that_are_none(void) {
    c2p_request q = window();
    c2p_job *job = NULL;
    q.priority = 5;
    CHECK_STATUS(c2p_submit(engine, &q, &job, NULL), C2P_ERR_INVALID_ARGUMENT);
    q.priority = C2P_PRIORITY_CRITICAL;
    q.reserved = 1;
    CHECK_STATUS(c2p_submit(engine, &q, &job, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_submit(NULL, &q, &job, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_submit(engine, NULL, &job, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_submit(engine, &q, NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    c2p_result *result = NULL;
    CHECK_STATUS(c2p_job_wait(NULL, 0, &result, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_job_wait((c2p_job *)(void *)engine, 0, &result, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_job_next_event(NULL, 0, NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_engine_preload(engine, "porep-3k", NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_engine_preload(engine, NULL, NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_engine_evict(engine, "", NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK(job == NULL && result == NULL);
}

static void what_an_engine_holds(void) {
    bool was = false;
    CHECK_STATUS(c2p_engine_preload(engine, "wpost-2k", NULL, NULL), C2P_OK);
    CHECK_STATUS(c2p_engine_preload(engine, "wpost-2k", &was, NULL), C2P_OK);
    CHECK(was);
    char *text = NULL;
    CHECK_STATUS(c2p_engine_status(engine, &text, NULL), C2P_OK);
    CHECK(text && strstr(text, "\"circuit\":\"wpost-2k\"") && strstr(text, "\"budget\":"));
    c2p_string_free(text);
    uint64_t freed = 0;
    CHECK_STATUS(c2p_engine_evict(engine, "wpost-2k", &freed, NULL), C2P_OK);
    CHECK(freed > 0);
    CHECK_STATUS(c2p_engine_evict(engine, "wpost-2k", &freed, NULL), C2P_OK);
    CHECK(freed == 0);
    CHECK_STATUS(c2p_engine_preload(engine, "porep-64g", NULL, NULL), C2P_ERR_PARAMS_MISSING);
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_engine_check_params(engine, "wpost-2k", &e), C2P_ERR_PARAMS_DIGEST);
    CHECK(strstr(c2p_error_message(e), "official") != NULL);
    c2p_error_free(e);
    CHECK_STATUS(c2p_engine_check_params(engine, "wpost-32g", NULL), C2P_ERR_PARAMS_MISSING);
    CHECK(strstr(c2p_variables(), "C2PROVER_HOST_MEMORY") != NULL);
}

static void shutting_down(void) {
    c2p_request q = window();
    c2p_job *job = submit(&q);
    bool ended = false;
    CHECK_STATUS(c2p_engine_shutdown(engine, C2P_FOREVER, &ended, NULL), C2P_OK);
    CHECK(ended && status_of(job) == C2P_OK);
    c2p_job *refused = NULL;
    CHECK_STATUS(c2p_submit(engine, &q, &refused, NULL), C2P_ERR_CLOSED);
    // The job keeps what it needs.
    c2p_engine_free(engine);
    CHECK(refused == NULL && status_of(job) == C2P_OK);
    c2p_job_free(job);
}

int main(void) {
    char path[4200];
    const char *data = env("C2P_TEST_DATA");
    size_t len;
    snprintf(path, sizeof path, "%s/window-vanilla.bin", data);
    vanilla = read_file(path, &len);
    item.ptr = vanilla;
    item.len = len;
    snprintf(path, sizeof path, "%s/params", data);
    engine = engine_of(path);
    RUN(the_input_is_the_callers_again);
    RUN(events_come_in_order);
    RUN(waiting_has_an_end);
    RUN(cancelled_and_freed_jobs);
    RUN(a_queue_has_an_end);
    RUN(numbers_that_are_none);
    RUN(what_an_engine_holds);
    RUN(shutting_down);
    free(vanilla);
    return finish();
}
