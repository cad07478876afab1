// Tests in C: CHECK in functions that RUN runs; `finish` prints how many passed.
#ifndef HARNESS_H
#define HARNESS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "c2prover.h"

static int tests_passed, tests_failed, checks_failed;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition); \
            checks_failed++; \
        } \
    } while (0)

// A status, an error whose object is looked at and freed by the caller's next line, or NULL.
#define CHECK_STATUS(call, expected) \
    do { \
        c2p_status status_ = (call); \
        if (status_ != (expected)) { \
            printf("  %s:%d: %s is %s, expected %s\n", __FILE__, __LINE__, #call, c2p_status_name(status_), \
                   c2p_status_name(expected)); \
            checks_failed++; \
        } \
    } while (0)

#define RUN(test) run_test(#test, test)

static inline void run_test(const char *name, void (*test)(void)) {
    checks_failed = 0;
    test();
    printf("%s %s\n", checks_failed ? "FAILED" : "ok", name);
    fflush(stdout);
    *(checks_failed ? &tests_failed : &tests_passed) += 1;
}

static inline int finish(void) {
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed > 0;
}

static inline uint64_t now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

// Whether two times differ by at most 1 % or 2 ms.
static inline int close_to(uint64_t us, uint64_t expected) {
    uint64_t difference = us > expected ? us - expected : expected - us;
    return difference <= expected / 100 || difference <= 2000;
}

static inline int text_is(const char *text, const char *expected) {
    return text && expected ? strcmp(text, expected) == 0 : text == expected;
}

// Prints an error that was not expected, and frees it.
static inline void show(c2p_error *e) {
    if (e) {
        printf("  %s\n", c2p_error_json(e));
        c2p_error_free(e);
    }
}

static inline void *need(void *memory) {
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return memory;
}

static inline uint8_t *read_file(const char *path, size_t *len) {
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(2);
    }
    fseek(f, 0, SEEK_END);
    *len = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = (uint8_t *)need(malloc(*len + 1));
    if (fread(bytes, 1, *len, f) != *len) {
        perror(path);
        exit(2);
    }
    fclose(f);
    return bytes;
}

static inline const char *env(const char *name) {
    const char *value = getenv(name);
    if (!value) {
        fprintf(stderr, "%s is not set: run tests/abi/run.sh\n", name);
        exit(2);
    }
    return value;
}

#endif
