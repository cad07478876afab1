// The assignment of a real WindowPoSt, as examples/rust/dump_assignment.rs writes it, and the parameters of its circuit.
#ifndef FIXTURE_H
#define FIXTURE_H

#include "harness.h"

typedef struct {
    c2p_assignment assignment;
    // Each vector with room for one more at its end, which is zero.
    c2p_scalar *inputs, *aux, *a, *b, *c;
    uint64_t *a_aux, *b_inp, *b_aux;
    c2p_scalar r, s;
    // What bellperson proves with r and s.
    uint8_t proof[192];
} fixture;

static inline void *take(const uint8_t **at, size_t bytes, size_t room) {
    uint8_t *copy = (uint8_t *)need(calloc(1, bytes + room));
    memcpy(copy, *at, bytes);
    *at += bytes;
    return copy;
}

static inline fixture fixture_load(void) {
    size_t len;
    uint8_t *file = read_file(env("C2P_TEST_ASSIGNMENT"), &len);
    const uint8_t *at = file + 8;
    uint64_t n[6];
    memcpy(n, at, sizeof n);
    at += sizeof n;
    fixture f;
    memset(&f, 0, sizeof f);
    const size_t scalar = sizeof(c2p_scalar), word = sizeof(uint64_t);
    f.inputs = (c2p_scalar *)take(&at, n[1] * scalar, scalar);
    f.aux = (c2p_scalar *)take(&at, n[2] * scalar, scalar);
    f.a = (c2p_scalar *)take(&at, n[0] * scalar, scalar);
    f.b = (c2p_scalar *)take(&at, n[0] * scalar, scalar);
    f.c = (c2p_scalar *)take(&at, n[0] * scalar, scalar);
    memcpy(&f.r, at, scalar);
    memcpy(&f.s, at + scalar, scalar);
    at += 2 * scalar;
    f.a_aux = (uint64_t *)take(&at, (n[2] + 63) / 64 * word, word);
    f.b_inp = (uint64_t *)take(&at, (n[1] + 63) / 64 * word, word);
    f.b_aux = (uint64_t *)take(&at, (n[2] + 63) / 64 * word, word);
    memcpy(f.proof, at, sizeof f.proof);
    at += sizeof f.proof;
    if (memcmp(file, "C2PASGN1", 8) != 0 || at != file + len) {
        fprintf(stderr, "not an assignment file\n");
        exit(2);
    }
    free(file);
    c2p_assignment x = {
        f.a_aux, n[2], n[3], f.b_inp, n[1], n[4], f.b_aux, n[2], n[5], f.a, f.b, f.c, n[0], f.inputs, n[1], f.aux, n[2],
    };
    f.assignment = x;
    return f;
}

static inline void fixture_free(fixture *f) {
    free(f->inputs);
    free(f->aux);
    free(f->a);
    free(f->b);
    free(f->c);
    free(f->a_aux);
    free(f->b_inp);
    free(f->b_aux);
}

static inline c2p_srs *srs_load(const char *path) {
    c2p_srs *srs = NULL;
    c2p_error *e = NULL;
    if (c2p_srs_load(path, NULL, &srs, &e) != C2P_OK) {
        show(e);
        exit(2);
    }
    return srs;
}

// Proves with the fixture's r and s, and checks the bytes; afterwards the library is known to be well.
static inline void check_proves(const c2p_srs *srs, const fixture *f) {
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &f->assignment, 1, &f->r, &f->s, NULL, &result, &e), C2P_OK);
    show(e);
    c2p_bytes proof = c2p_result_proof(result);
    CHECK(proof.len == 192 && memcmp(proof.ptr, f->proof, 192) == 0);
    c2p_result_free(result);
}

#endif
