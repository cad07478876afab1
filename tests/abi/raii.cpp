// The C++ header: handles free themselves, errors are exceptions, and the C header is C++ as well.
#include "c2prover.hpp"
#include "fixture.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

static_assert(sizeof(c2p_status) == 4, "a status has 32 bits in C++ as in C");
static_assert(std::is_nothrow_move_constructible<c2p::Result>::value, "results move");
static_assert(!std::is_copy_constructible<c2p::Srs>::value, "handles have one owner");

static fixture circuit;

static void proves_and_verifies() {
    c2p::Srs srs(env("C2P_TEST_PARAMS"));
    CHECK(srs.info().inputs == circuit.assignment.inp_assignment_size);
    c2p::Result result = srs.prove({circuit.assignment}, &circuit.r, &circuit.s);
    c2p::Result moved = std::move(result);
    std::vector<std::uint8_t> proof = moved.proof();
    CHECK(proof.size() == 192 && std::memcmp(proof.data(), circuit.proof, 192) == 0);
    CHECK(moved.timings().total_us > 0);
    CHECK(moved.report_json().find("critical_path") != std::string::npos);
    CHECK(moved.trace_json().find("cpu.main") != std::string::npos);
    std::vector<c2p_scalar> inputs(circuit.inputs + 1, circuit.inputs + circuit.assignment.inp_assignment_size);
    CHECK(srs.key().verify(inputs, proof));
    CHECK(c2p::Key(env("C2P_TEST_VK")).verify(inputs, proof));
    inputs[0] = circuit.r;
    CHECK(!srs.key().verify(inputs, proof));
    srs.evict();
}

static void errors_are_exceptions() {
    try {
        c2p::Srs srs("/nonexistent/p.params");
        CHECK(!"thrown");
    } catch (const c2p::Error &e) {
        CHECK(e.status() == C2P_ERR_PARAMS_MISSING);
        CHECK(std::string(e.what()).find("/nonexistent/p.params") != std::string::npos);
        CHECK(e.json().find("PARAMS_MISSING") != std::string::npos && e.index() == -1);
    }
    c2p::Srs srs(env("C2P_TEST_PARAMS"));
    c2p_assignment wrong = circuit.assignment;
    wrong.a_aux_popcount++;
    try {
        srs.prove({circuit.assignment, wrong});
        CHECK(!"thrown");
    } catch (const c2p::Error &e) {
        CHECK(e.status() == C2P_ERR_BAD_ASSIGNMENT && e.field() == "a_aux_popcount" && e.circuit() == 1);
    }
    try {
        srs.prove({});
        CHECK(!"thrown");
    } catch (const c2p::Error &e) {
        CHECK(e.status() == C2P_ERR_INVALID_ARGUMENT);
    }
}

static void an_engine_proves() {
    std::string data = env("C2P_TEST_DATA"), params = data + "/params";
    auto options = c2p::defaults<c2p_engine_options>();
    options.param_cache = params.c_str();
    c2p::Engine engine(options);
    size_t len;
    std::unique_ptr<std::uint8_t, decltype(&std::free)> vanilla(read_file((data + "/window-vanilla.bin").c_str(), &len), std::free);
    c2p_bytes item = {vanilla.get(), len};
    auto request = c2p::defaults<c2p_request>();
    request.kind = C2P_KIND_WINDOW_POST;
    request.registered_proof = 10;
    request.vanilla = &item;
    request.vanilla_len = 1;
    request.prover_id[0] = 0xe8;
    request.prover_id[1] = 0x07;
    std::memset(request.randomness, 3, sizeof request.randomness);
    c2p::Result result = engine.prove(request);
    CHECK(engine.verify(request, result.proof()));
}

int main() {
    circuit = fixture_load();
    RUN(proves_and_verifies);
    RUN(errors_are_exceptions);
    RUN(an_engine_proves);
    fixture_free(&circuit);
    return finish();
}
