// Pointers, handles, sizes and numbers that are none: C2P_ERR_INVALID_ARGUMENT, and no output.
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static fixture circuit;
static c2p_srs *srs;
static c2p_key *key;
static c2p_engine *engine;
static c2p_result *result;

// The call is refused with an error object whose text has `part` in it.
#define REFUSED(call, part) \
    do { \
        c2p_error *e = NULL; \
        CHECK_STATUS(call, C2P_ERR_INVALID_ARGUMENT); \
        if (!strstr(c2p_error_message(e), part)) { \
            printf("  %s:%d: \"%s\" does not say %s\n", __FILE__, __LINE__, c2p_error_message(e), part); \
            checks_failed++; \
        } \
        c2p_error_free(e); \
    } while (0)

#define PROVE(handle, assignments, n, r, s, options, out) \
    c2p_prove_assignments(handle, assignments, n, r, s, options, out, &e)

static void nulls_of_srs(void) {
    c2p_srs *out = NULL;
    c2p_srs_shape shape = {0};
    shape.struct_size = sizeof shape;
    REFUSED(c2p_srs_load(NULL, NULL, &out, &e), "path is NULL");
    REFUSED(c2p_srs_load(env("C2P_TEST_PARAMS"), NULL, NULL, &e), "out is NULL");
    REFUSED(c2p_srs_info(NULL, &shape, &e), "c2p_srs is NULL");
    REFUSED(c2p_srs_info(srs, NULL, &e), "out is NULL");
    REFUSED(c2p_srs_evict(NULL, &e), "c2p_srs is NULL");
    CHECK(out == NULL && shape.inputs == 0);
    c2p_srs_free(NULL);
}

static void nulls_of_key(void) {
    c2p_key *out = NULL;
    bool ok = false;
    REFUSED(c2p_key_load(NULL, &out, &e), "path is NULL");
    REFUSED(c2p_key_load(env("C2P_TEST_VK"), NULL, &e), "out is NULL");
    REFUSED(c2p_srs_key(NULL, &out, &e), "c2p_srs is NULL");
    REFUSED(c2p_srs_key(srs, NULL, &e), "out is NULL");
    CHECK(c2p_key_inputs(NULL) == 0);
    REFUSED(c2p_key_verify(NULL, circuit.inputs + 1, 22, circuit.proof, 192, &ok, &e), "c2p_key is NULL");
    REFUSED(c2p_key_verify(key, NULL, 22, circuit.proof, 192, &ok, &e), "inputs is NULL");
    REFUSED(c2p_key_verify(key, circuit.inputs + 1, 22, NULL, 192, &ok, &e), "proof is NULL");
    REFUSED(c2p_key_verify(key, circuit.inputs + 1, 22, circuit.proof, 192, NULL, &e), "out is NULL");
    REFUSED(c2p_key_verify(key, circuit.inputs + 1, 21, circuit.proof, 192, &ok, &e), "21 public inputs");
    REFUSED(c2p_key_verify(key, NULL, 0, circuit.proof, 192, &ok, &e), "0 public inputs");
    REFUSED(c2p_key_verify(key, circuit.inputs + 1, 22, circuit.proof, 191, &ok, &e), "191 bytes");
    REFUSED(c2p_key_verify(key, circuit.inputs + 1, 22, NULL, 0, &ok, &e), "0 bytes");
    CHECK(out == NULL && !ok);
    c2p_key_free(NULL);
}

static void nulls_of_prove(void) {
    c2p_result *out = NULL;
    const c2p_assignment *x = &circuit.assignment;
    REFUSED(PROVE(NULL, x, 1, NULL, NULL, NULL, &out), "c2p_srs is NULL");
    REFUSED(PROVE(srs, NULL, 1, NULL, NULL, NULL, &out), "assignments is NULL");
    REFUSED(PROVE(srs, x, 0, NULL, NULL, NULL, &out), "n is 0");
    REFUSED(PROVE(srs, NULL, 0, NULL, NULL, NULL, &out), "n is 0");
    REFUSED(PROVE(srs, x, SIZE_MAX, NULL, NULL, NULL, &out), "more than memory can hold");
    REFUSED(PROVE(srs, x, 1, &circuit.r, NULL, NULL, &out), "s is NULL");
    REFUSED(PROVE(srs, x, 1, NULL, &circuit.s, NULL, &out), "r is NULL");
    REFUSED(PROVE(srs, x, 1, NULL, NULL, NULL, NULL), "out is NULL");
    CHECK(out == NULL);
    // Without an error object as well.
    CHECK_STATUS(c2p_prove_assignments(NULL, x, 1, NULL, NULL, NULL, &out, NULL), C2P_ERR_INVALID_ARGUMENT);
}

static void nulls_of_result(void) {
    c2p_timings t = {0};
    t.struct_size = sizeof t;
    CHECK(c2p_result_proof(NULL).ptr == NULL && c2p_result_proof(NULL).len == 0);
    CHECK(c2p_result_report_json(NULL) == NULL && c2p_result_trace_json(NULL) == NULL);
    REFUSED(c2p_result_timings(NULL, &t, &e), "c2p_result is NULL");
    REFUSED(c2p_result_timings(result, NULL, &e), "out is NULL");
    CHECK(t.total_us == 0);
    c2p_result_free(NULL);
}

static void nulls_of_engine(void) {
    c2p_result *out = NULL;
    bool ok = false;
    c2p_request request = {0};
    request.struct_size = sizeof request;
    request.kind = C2P_KIND_POREP;
    REFUSED(c2p_engine_new(NULL, NULL, &e), "out is NULL");
    REFUSED(c2p_prove(NULL, &request, &out, &e), "c2p_engine is NULL");
    REFUSED(c2p_prove(engine, NULL, &out, &e), "request is NULL");
    REFUSED(c2p_prove(engine, &request, NULL, &e), "out is NULL");
    REFUSED(c2p_verify(NULL, &request, circuit.proof, 192, &ok, &e), "c2p_engine is NULL");
    REFUSED(c2p_verify(engine, NULL, circuit.proof, 192, &ok, &e), "request is NULL");
    REFUSED(c2p_verify(engine, &request, NULL, 192, &ok, &e), "proof is NULL");
    REFUSED(c2p_verify(engine, &request, circuit.proof, 192, NULL, &e), "out is NULL");
    request.kind = 5;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.kind is 5");
    request.kind = -1;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.kind is -1");
    request.kind = C2P_KIND_WINDOW_POST;
    request.all_partitions = 3;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.all_partitions is 3");
    request.all_partitions = C2P_DEFAULT;
    request.vanilla_len = 1;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.vanilla is NULL");
    c2p_bytes item = {NULL, 10};
    request.vanilla = &item;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.vanilla[0].ptr is NULL");
    request.vanilla_len = 0;
    request.self_verify = 9;
    REFUSED(c2p_prove(engine, &request, &out, &e), "request.self_verify is 9");
    CHECK(out == NULL && !ok);
    c2p_engine_free(NULL);
}

static void nulls_of_error(void) {
    CHECK(c2p_error_status(NULL) == C2P_OK);
    CHECK(text_is(c2p_error_message(NULL), "") && text_is(c2p_error_json(NULL), "{}"));
    CHECK(c2p_error_section(NULL) == NULL && c2p_error_field(NULL) == NULL);
    CHECK(c2p_error_index(NULL) == -1 && c2p_error_circuit(NULL) == -1 && c2p_error_offset(NULL) == -1);
    c2p_error_free(NULL);
    c2p_string_free(NULL);
    CHECK(text_is(c2p_status_name(C2P_ERR_PARAMS_MISSING), "PARAMS_MISSING") && text_is(c2p_status_name(12345), "UNKNOWN"));
    CHECK(strlen(c2p_status_advice(C2P_ERR_PARAMS_MISSING)) > 0 && text_is(c2p_status_advice(C2P_OK), ""));
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_srs_load("/nonexistent", NULL, NULL, NULL), C2P_ERR_INVALID_ARGUMENT);
    CHECK_STATUS(c2p_srs_evict(NULL, &e), C2P_ERR_INVALID_ARGUMENT);
    CHECK(strstr(c2p_error_json(e), "\"name\":\"INVALID_ARGUMENT\"") != NULL);
    c2p_error_free(e);
}

static void handles_of_another_kind(void) {
    c2p_srs_shape shape = {0};
    shape.struct_size = sizeof shape;
    c2p_result *out = NULL;
    REFUSED(c2p_srs_info((c2p_srs *)key, &shape, &e), "no c2p_srs");
    REFUSED(c2p_srs_evict((c2p_srs *)engine, &e), "no c2p_srs");
    REFUSED(PROVE((c2p_srs *)result, &circuit.assignment, 1, NULL, NULL, NULL, &out), "no c2p_srs");
    CHECK(c2p_key_inputs((c2p_key *)srs) == 0);
    CHECK(c2p_result_proof((c2p_result *)srs).ptr == NULL);
    CHECK(c2p_result_report_json((c2p_result *)srs) == NULL);
    CHECK(c2p_error_status((c2p_error *)srs) == C2P_ERR_INVALID_ARGUMENT);
    CHECK(text_is(c2p_error_message((c2p_error *)srs), ""));
    // Not freed either: they are used below.
    c2p_key_free((c2p_key *)srs);
    c2p_srs_free((c2p_srs *)key);
    c2p_error_free((c2p_error *)engine);
    c2p_engine_free((c2p_engine *)result);
    CHECK_STATUS(c2p_srs_info(srs, &shape, NULL), C2P_OK);
    CHECK(shape.inputs == 23 && c2p_key_inputs(key) == 22);
    REFUSED(c2p_srs_info((c2p_srs *)(void *)((char *)srs + 1), &shape, &e), "not aligned");
}

static void sizes_of_structs(void) {
    c2p_result *out = NULL;
    // What a caller built against a later header may pass.
    struct {
        c2p_prove_options known;
        uint64_t later;
    } options;
    memset(&options, 0, sizeof options);
    const c2p_prove_options *given = &options.known;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), "options.struct_size is 0");
    options.known.struct_size = sizeof(size_t) - 1;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), "options.struct_size is 7");
    options.known.struct_size = SIZE_MAX;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), "options.struct_size is");
    options.known.struct_size = sizeof options;
    options.later = 1;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), "does not know");
    CHECK(out == NULL);
    options.later = 0;
    c2p_error *e = NULL;
    CHECK_STATUS(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), C2P_OK);
    show(e);
    c2p_result_free(out);
    out = NULL;
    // A caller built against an earlier header: what lies behind the size is not looked at.
    options.known.struct_size = sizeof(size_t);
    options.known.self_verify = 77;
    options.known.job = (const char *)1;
    CHECK_STATUS(PROVE(srs, &circuit.assignment, 1, NULL, NULL, given, &out), C2P_OK);
    show(e);
    // Outputs, likewise, get no more than there is room for.
    c2p_timings t;
    memset(&t, 0xee, sizeof t);
    t.struct_size = 2 * sizeof(uint64_t);
    CHECK_STATUS(c2p_result_timings(out, &t, NULL), C2P_OK);
    CHECK(t.struct_size == 2 * sizeof(uint64_t) && t.total_us > 0 && t.queue_us == 0xeeeeeeeeeeeeeeeeu);
    c2p_result_free(out);
}

static void numbers_that_are_none(void) {
    c2p_result *out = NULL;
    c2p_prove_options options = {0};
    options.struct_size = sizeof options;
    options.self_verify = 3;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, &options, &out), "options.self_verify is 3");
    options.self_verify = C2P_DEFAULT;
    options.check_satisfied = -1;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, &options, &out), "options.check_satisfied is -1");
    options.check_satisfied = C2P_DEFAULT;
    options.reserved = 9;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, &options, &out), "options.reserved is 9");
    options.reserved = 0;
    options.threads = UINT32_MAX;
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, &options, &out), "options.threads is");
    options.threads = 0;
    options.job = "\xff\xfe";
    REFUSED(PROVE(srs, &circuit.assignment, 1, NULL, NULL, &options, &out), "options.job is not UTF-8");
    c2p_srs_options load = {0};
    load.struct_size = sizeof load;
    load.subgroup_check = 7;
    c2p_srs *loaded = NULL;
    REFUSED(c2p_srs_load(env("C2P_TEST_PARAMS"), &load, &loaded, &e), "options.subgroup_check is 7");
    REFUSED(c2p_log_subscribe(6, &e), "level is 6");
    REFUSED(c2p_log_subscribe(-1, &e), "level is -1");
    CHECK(out == NULL && loaded == NULL);
}

static void a_child_of_fork_is_refused(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        c2p_result *out = NULL;
        c2p_srs *loaded = NULL;
        int wrong = c2p_prove_assignments(srs, &circuit.assignment, 1, NULL, NULL, NULL, &out, NULL) != C2P_ERR_UNSUPPORTED;
        wrong |= c2p_srs_load(env("C2P_TEST_PARAMS"), NULL, &loaded, NULL) != C2P_ERR_UNSUPPORTED;
        c2p_engine_free(engine);
        c2p_srs_free(srs);
        _exit(wrong);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void fork_before_use(void) {
    // Nothing of the library has run: the child may use it, and the parent afterwards as well.
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        c2p_srs *loaded = NULL;
        _exit(c2p_srs_load(env("C2P_TEST_PARAMS"), NULL, &loaded, NULL) != C2P_OK);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void versions(void) {
    c2p_abi_v1();
    CHECK(c2p_abi_version() == C2P_ABI_VERSION);
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", C2P_VERSION_MAJOR, C2P_VERSION_MINOR, C2P_VERSION_PATCH);
    CHECK(text_is(c2p_version(), expected));
    CHECK(strstr(c2p_build_info(), expected) != NULL);
}

int main(void) {
    circuit = fixture_load();
    RUN(fork_before_use);
    srs = srs_load(env("C2P_TEST_PARAMS"));
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_srs_key(srs, &key, &e), C2P_OK);
    CHECK_STATUS(c2p_engine_new(NULL, &engine, &e), C2P_OK);
    CHECK_STATUS(PROVE(srs, &circuit.assignment, 1, NULL, NULL, NULL, &result), C2P_OK);
    if (!key || !engine || !result) {
        show(e);
        return 2;
    }
    RUN(versions);
    RUN(nulls_of_srs);
    RUN(nulls_of_key);
    RUN(nulls_of_prove);
    RUN(nulls_of_result);
    RUN(nulls_of_engine);
    RUN(nulls_of_error);
    RUN(handles_of_another_kind);
    RUN(sizes_of_structs);
    RUN(numbers_that_are_none);
    RUN(a_child_of_fork_is_refused);
    c2p_result_free(result);
    c2p_key_free(key);
    c2p_engine_free(engine);
    c2p_srs_free(srs);
    fixture_free(&circuit);
    return finish();
}
