// Nine damaged parameter files: each a typed error of its own, and the process proves afterwards.
#include "fixture.h"

#include <unistd.h>

static fixture circuit;
static uint8_t *good;
static size_t good_len;
static char folder[] = "/tmp/c2p-srs-XXXXXX";
static char path[64];

// What tells the nine apart.
typedef struct {
    c2p_status status;
    char section[16];
} outcome;
static outcome outcomes[16];
static int outcome_count;

static const char *write_file(const uint8_t *bytes, size_t len) {
    snprintf(path, sizeof path, "%s/p.params", folder);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, len, f) != len) {
        perror(path);
        exit(2);
    }
    fclose(f);
    return path;
}

static void note(c2p_status status, const char *section) {
    outcome o;
    memset(&o, 0, sizeof o);
    o.status = status;
    snprintf(o.section, sizeof o.section, "%s", section ? section : "");
    for (int i = 0; i < outcome_count; i++) {
        CHECK(memcmp(&outcomes[i], &o, sizeof o) != 0);
    }
    outcomes[outcome_count++] = o;
}

// Loads a file that must be refused; index and offset are -1 where there is none.
static void refused(const char *file, c2p_status status, const char *section, int64_t index, int64_t offset) {
    c2p_srs *const untouched = (c2p_srs *)&circuit;
    c2p_srs *srs = untouched;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_srs_load(file, NULL, &srs, &e), status);
    CHECK(srs == untouched);
    CHECK(c2p_error_status(e) == status);
    CHECK(strstr(c2p_error_message(e), file) != NULL);
    CHECK(text_is(c2p_error_section(e), section));
    CHECK(c2p_error_index(e) == index);
    CHECK(c2p_error_offset(e) == offset);
    note(status, c2p_error_section(e));
    c2p_error_free(e);
}

static size_t count_at(size_t offset) {
    const uint8_t *p = good + offset;
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

// Where a section's first point is; sections: 0 ic, 1 h, 2 l, 3 a, 4 b_g1, 5 b_g2.
static size_t section_at(int section) {
    size_t at = 3 * 96 + 3 * 192;
    for (int i = 0; i < section; i++) {
        at += 4 + count_at(at) * 96;
    }
    return at + 4;
}

static void missing(void) {
    refused("/nonexistent/p.params", C2P_ERR_PARAMS_MISSING, NULL, -1, -1);
}

static void empty(void) {
    refused(write_file(good, 0), C2P_ERR_PARAMS_EMPTY, NULL, -1, -1);
}

static void of_100_bytes(void) {
    refused(write_file(good, 100), C2P_ERR_PARAMS_TRUNCATED, "beta_g1", -1, 96);
}

static void of_1000_bytes(void) {
    refused(write_file(good, 1000), C2P_ERR_PARAMS_TRUNCATED, "ic", -1, (int64_t)section_at(0));
}

static void last_byte_cut(void) {
    refused(write_file(good, good_len - 1), C2P_ERR_PARAMS_TRUNCATED, "b_g2", -1, (int64_t)section_at(5));
}

static void trailing_bytes(void) {
    uint8_t *bytes = (uint8_t *)need(calloc(1, good_len + 3));
    memcpy(bytes, good, good_len);
    refused(write_file(bytes, good_len + 3), C2P_ERR_PARAMS_TRAILING, NULL, -1, (int64_t)good_len);
    free(bytes);
}

static void flipped_byte(void) {
    size_t at = section_at(5) + 5 * 192;
    good[at + 100] ^= 1;
    refused(write_file(good, good_len), C2P_ERR_PARAMS_POINT, "b_g2", 5, (int64_t)at);
    good[at + 100] ^= 1;
}

static void random_bytes(void) {
    size_t len = 100000;
    uint8_t *bytes = (uint8_t *)need(malloc(len));
    uint32_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
    refused(write_file(bytes, len), C2P_ERR_PARAMS_POINT, "alpha_g1", 0, 0);
    free(bytes);
}

// A sound file of a circuit with one auxiliary variable less.
static void of_another_circuit(void) {
    size_t l = section_at(2), count = count_at(l - 4), end = l + count * 96;
    uint8_t *bytes = (uint8_t *)need(malloc(good_len));
    memcpy(bytes, good, end - 96);
    memcpy(bytes + end - 96, good + end, good_len - end);
    for (int i = 0; i < 4; i++) {
        bytes[l - 4 + (size_t)i] = (uint8_t)((count - 1) >> (24 - 8 * i));
    }
    c2p_srs *srs = srs_load(write_file(bytes, good_len - 96));
    free(bytes);
    c2p_result *const untouched = (c2p_result *)&circuit;
    c2p_result *result = untouched;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, NULL, NULL, NULL, &result, &e), C2P_ERR_PARAMS_MISMATCH);
    CHECK(result == untouched);
    CHECK(text_is(c2p_error_section(e), "l"));
    CHECK(text_is(c2p_error_field(e), "aux_assignment_size"));
    note(c2p_error_status(e), c2p_error_section(e));
    c2p_error_free(e);
    c2p_srs_free(srs);
}

static void proves_afterwards(void) {
    CHECK(outcome_count == 9);
    c2p_srs *srs = srs_load(env("C2P_TEST_PARAMS"));
    check_proves(srs, &circuit);
    c2p_srs_free(srs);
}

int main(void) {
    if (!mkdtemp(folder)) {
        perror(folder);
        return 2;
    }
    circuit = fixture_load();
    good = read_file(env("C2P_TEST_PARAMS"), &good_len);
    RUN(missing);
    RUN(empty);
    RUN(of_100_bytes);
    RUN(of_1000_bytes);
    RUN(last_byte_cut);
    RUN(trailing_bytes);
    RUN(flipped_byte);
    RUN(random_bytes);
    RUN(of_another_circuit);
    RUN(proves_afterwards);
    unlink(path);
    rmdir(folder);
    free(good);
    fixture_free(&circuit);
    return finish();
}
