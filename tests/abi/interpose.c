// A host with its own, different blst: its functions must not be called by the library, nor disturb it.
#include "fixture.h"

static int calls;

// The names of blst's functions; what they do is wrong.
#define WRONG(name) \
    void name(void); \
    void name(void) { calls++; }
WRONG(blst_fr_add)
WRONG(blst_fr_mul)
WRONG(blst_fr_sqr)
WRONG(blst_fr_from_scalar)
WRONG(blst_scalar_from_fr)
WRONG(blst_p1_add)
WRONG(blst_p1_add_or_double)
WRONG(blst_p1_double)
WRONG(blst_p1_mult)
WRONG(blst_p1_to_affine)
WRONG(blst_p1_from_affine)
WRONG(blst_p1_deserialize)
WRONG(blst_p1_compress)
WRONG(blst_p1_affine_compress)
WRONG(blst_p1_affine_on_curve)
WRONG(blst_p1s_tile_pippenger)
WRONG(blst_p2_add_or_double)
WRONG(blst_p2_mult)
WRONG(blst_p2_to_affine)
WRONG(blst_p2_deserialize)
WRONG(blst_p2_affine_compress)
WRONG(blst_p2s_tile_pippenger)
WRONG(blst_miller_loop)
WRONG(blst_final_exp)
WRONG(blst_fp12_mul)
WRONG(mul_mont_sparse_256)

static void the_library_uses_its_own(void) {
    fixture circuit = fixture_load();
    c2p_srs *srs = srs_load(env("C2P_TEST_PARAMS"));
    check_proves(srs, &circuit);
    CHECK(calls == 0);
    blst_p1_mult();
    CHECK(calls == 1);
    c2p_srs_free(srs);
    fixture_free(&circuit);
}

int main(void) {
    RUN(the_library_uses_its_own);
    return finish();
}
