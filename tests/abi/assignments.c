// Assignments that are wrong in one place: an error that names it, and no output.
#include "fixture.h"

#include <stddef.h>

static fixture circuit;
static c2p_srs *srs;

// Proves an assignment that must be refused. Field and index as the error has them; -1 for no index.
static void refused_by(const c2p_prove_options *options, const c2p_assignment *x, c2p_status status, const char *field,
                       int64_t index) {
    c2p_result *const untouched = (c2p_result *)&circuit;
    c2p_result *result = untouched;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, x, 1, &circuit.r, &circuit.s, options, &result, &e), status);
    CHECK(result == untouched);
    if (!text_is(c2p_error_field(e), field)) {
        printf("  the error names %s, expected %s\n", c2p_error_field(e) ? c2p_error_field(e) : "no field", field);
        checks_failed++;
    }
    CHECK(c2p_error_index(e) == index);
    CHECK(c2p_error_circuit(e) == 0);
    c2p_error_free(e);
}

static void refused(const c2p_assignment *x, c2p_status status, const char *field, int64_t index) {
    refused_by(NULL, x, status, field, index);
}

// Each size off by one, either way.
static void off_by_one(size_t offset, c2p_status status, const char *field) {
    for (int change = -1; change <= 1; change += 2) {
        c2p_assignment x = circuit.assignment;
        size_t *size = (size_t *)(void *)((char *)&x + offset);
        *size += (size_t)change;
        refused(&x, status, field, -1);
    }
}

#define OFF_BY_ONE(name, status) off_by_one(offsetof(c2p_assignment, name), status, #name)

static void bit_lengths(void) {
    OFF_BY_ONE(a_aux_bit_len, C2P_ERR_BAD_ASSIGNMENT);
    OFF_BY_ONE(b_inp_bit_len, C2P_ERR_BAD_ASSIGNMENT);
    OFF_BY_ONE(b_aux_bit_len, C2P_ERR_BAD_ASSIGNMENT);
}

static void popcounts(void) {
    OFF_BY_ONE(a_aux_popcount, C2P_ERR_BAD_ASSIGNMENT);
    OFF_BY_ONE(b_inp_popcount, C2P_ERR_BAD_ASSIGNMENT);
    OFF_BY_ONE(b_aux_popcount, C2P_ERR_BAD_ASSIGNMENT);
}

static void numbers_of_variables(void) {
    OFF_BY_ONE(inp_assignment_size, C2P_ERR_PARAMS_MISMATCH);
    OFF_BY_ONE(aux_assignment_size, C2P_ERR_PARAMS_MISMATCH);
}

static void rows_of_another_domain(void) {
    const size_t sizes[] = {0, 1, 16384, 32769, (size_t)1 << 40};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        c2p_assignment x = circuit.assignment;
        x.abc_size = sizes[i];
        c2p_result *result = NULL;
        c2p_error *e = NULL;
        c2p_status status = c2p_prove_assignments(srs, &x, 1, NULL, NULL, NULL, &result, &e);
        CHECK(status == C2P_ERR_PARAMS_MISMATCH || status == C2P_ERR_BAD_ASSIGNMENT);
        CHECK(result == NULL);
        CHECK(text_is(c2p_error_field(e), "abc_size"));
        c2p_error_free(e);
    }
}

// One more or one less row of the same domain is another statement, which only the proof's verification can tell.
static void rows_within_the_domain(void) {
    for (int change = -1; change <= 1; change += 2) {
        c2p_assignment x = circuit.assignment;
        x.abc_size += (size_t)change;
        // A row that is not zero, or it would be the same statement.
        circuit.a[circuit.assignment.abc_size] = circuit.inputs[0];
        circuit.b[circuit.assignment.abc_size] = circuit.inputs[0];
        c2p_result *result = NULL;
        c2p_error *e = NULL;
        CHECK_STATUS(c2p_prove_assignments(srs, &x, 1, &circuit.r, &circuit.s, NULL, &result, &e), C2P_ERR_PROOF_INVALID);
        CHECK(result == NULL && c2p_error_circuit(e) == 0);
        c2p_error_free(e);
    }
}

static void bits_beyond_the_end(void) {
    c2p_assignment x = circuit.assignment;
    uint64_t bit = (uint64_t)1 << (x.aux_assignment_size % 64);
    size_t last = x.aux_assignment_size / 64;
    circuit.a_aux[last] |= bit;
    refused(&x, C2P_ERR_BAD_ASSIGNMENT, "a_aux_density bits beyond the end", -1);
    circuit.a_aux[last] &= ~bit;
    circuit.b_aux[last] |= bit;
    refused(&x, C2P_ERR_BAD_ASSIGNMENT, "b_aux_density bits beyond the end", -1);
    circuit.b_aux[last] &= ~bit;
    bit = (uint64_t)1 << (x.inp_assignment_size % 64);
    circuit.b_inp[0] |= bit;
    refused(&x, C2P_ERR_BAD_ASSIGNMENT, "b_inp_density bits beyond the end", -1);
    circuit.b_inp[0] &= ~bit;
}

static void first_input_two(void) {
    c2p_scalar one = circuit.inputs[0];
    // 2 in Montgomery form.
    c2p_scalar two = {{0x00000003fffffffcu, 0xb1096ff400069004u, 0x33189fdfd9789feau, 0x304962b3598a0adfu}};
    circuit.inputs[0] = two;
    refused(&circuit.assignment, C2P_ERR_BAD_SCALAR, "inp_assignment", 0);
    circuit.inputs[0] = one;
}

// r itself, in words.
static const c2p_scalar modulus = {{0xffffffff00000001u, 0x53bda402fffe5bfeu, 0x3339d80809a1d805u, 0x73eda753299d7d48u}};

static void refused_with(c2p_scalar *place, c2p_scalar value, const char *field, int64_t index) {
    c2p_scalar kept = *place;
    *place = value;
    refused(&circuit.assignment, C2P_ERR_BAD_SCALAR, field, index);
    *place = kept;
}

static void scalars_not_below_r(void) {
    const c2p_scalar most = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    refused_with(&circuit.inputs[7], modulus, "inp_assignment", 7);
    refused_with(&circuit.aux[20000], modulus, "aux_assignment", 20000);
    refused_with(&circuit.a[0], most, "a", 0);
    refused_with(&circuit.b[21888], modulus, "b", 21888);
    // Only the check of satisfaction looks at c; it looks at all three.
    c2p_prove_options options = {0};
    options.struct_size = sizeof options;
    options.check_satisfied = C2P_ON;
    struct {
        c2p_scalar *at;
        const char *field;
        int64_t index;
    } rows[] = {{&circuit.a[1], "a", 1}, {&circuit.b[21888], "b", 21888}, {&circuit.c[16384], "c", 16384}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        c2p_scalar kept = *rows[i].at;
        *rows[i].at = most;
        refused_by(&options, &circuit.assignment, C2P_ERR_BAD_SCALAR, rows[i].field, rows[i].index);
        *rows[i].at = kept;
    }
}

static void blinding_not_below_r(void) {
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, &modulus, &circuit.s, NULL, &result, &e), C2P_ERR_BAD_SCALAR);
    CHECK(text_is(c2p_error_field(e), "r") && c2p_error_index(e) == 0 && result == NULL);
    c2p_error_free(e);
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, &circuit.r, &modulus, NULL, &result, &e), C2P_ERR_BAD_SCALAR);
    CHECK(text_is(c2p_error_field(e), "s") && c2p_error_index(e) == 0 && result == NULL);
    c2p_error_free(e);
}

static void the_second_of_two(void) {
    c2p_assignment two[2] = {circuit.assignment, circuit.assignment};
    two[1].b_aux_popcount++;
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, two, 2, NULL, NULL, NULL, &result, &e), C2P_ERR_BAD_ASSIGNMENT);
    CHECK(c2p_error_circuit(e) == 1 && result == NULL);
    c2p_error_free(e);
}

static void unsatisfied(void) {
    c2p_prove_options options = {0};
    options.struct_size = sizeof options;
    options.check_satisfied = C2P_ON;
    c2p_result *result = NULL;
    c2p_error *e = NULL;
    c2p_scalar kept = circuit.c[1234];
    circuit.c[1234] = circuit.r;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, NULL, NULL, &options, &result, &e), C2P_ERR_UNSATISFIED);
    CHECK(c2p_error_index(e) == 1234 && c2p_error_circuit(e) == 0 && result == NULL);
    c2p_error_free(e);
    circuit.c[1234] = kept;

    c2p_assignment x = circuit.assignment;
    x.c = NULL;
    e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &x, 1, NULL, NULL, &options, &result, &e), C2P_ERR_INVALID_ARGUMENT);
    c2p_error_free(e);

    // Without the check, the proof's own verification tells: another value for an auxiliary variable.
    kept = circuit.aux[100];
    circuit.aux[100] = circuit.r;
    e = NULL;
    CHECK_STATUS(c2p_prove_assignments(srs, &circuit.assignment, 1, NULL, NULL, NULL, &result, &e), C2P_ERR_PROOF_INVALID);
    CHECK(result == NULL);
    c2p_error_free(e);
    circuit.aux[100] = kept;
}

static void null_fields(void) {
    const size_t fields[] = {
        offsetof(c2p_assignment, a_aux_density), offsetof(c2p_assignment, b_inp_density), offsetof(c2p_assignment, b_aux_density),
        offsetof(c2p_assignment, a), offsetof(c2p_assignment, b), offsetof(c2p_assignment, inp_assignment_data),
        offsetof(c2p_assignment, aux_assignment_data),
    };
    const char *names[] = {
        "a_aux_density", "b_inp_density", "b_aux_density", "].a is", "].b is", "inp_assignment_data", "aux_assignment_data",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        c2p_assignment x = circuit.assignment;
        memset((char *)&x + fields[i], 0, sizeof(void *));
        c2p_result *result = NULL;
        c2p_error *e = NULL;
        CHECK_STATUS(c2p_prove_assignments(srs, &x, 1, NULL, NULL, NULL, &result, &e), C2P_ERR_INVALID_ARGUMENT);
        CHECK(strstr(c2p_error_message(e), names[i]) != NULL && result == NULL);
        c2p_error_free(e);
    }
}

static void proves_afterwards(void) {
    check_proves(srs, &circuit);
}

int main(void) {
    circuit = fixture_load();
    srs = srs_load(env("C2P_TEST_PARAMS"));
    RUN(bit_lengths);
    RUN(popcounts);
    RUN(numbers_of_variables);
    RUN(rows_of_another_domain);
    RUN(rows_within_the_domain);
    RUN(bits_beyond_the_end);
    RUN(first_input_two);
    RUN(scalars_not_below_r);
    RUN(blinding_not_below_r);
    RUN(the_second_of_two);
    RUN(unsatisfied);
    RUN(null_fields);
    RUN(proves_afterwards);
    c2p_srs_free(srs);
    fixture_free(&circuit);
    return finish();
}
