// C++17 over c2prover.h: handles that free themselves, errors as exceptions. Nothing here is exported by the library.
#ifndef C2PROVER_HPP
#define C2PROVER_HPP

#include "c2prover.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace c2p {

// A failed call: what() says what went wrong; the accessors have the figures.
class Error : public std::runtime_error {
public:
    Error(c2p_status status, const c2p_error *e)
        : std::runtime_error(e ? c2p_error_message(e) : c2p_status_name(status)), status_(status),
          json_(c2p_error_json(e)), section_(text(c2p_error_section(e))), field_(text(c2p_error_field(e))),
          index_(c2p_error_index(e)), circuit_(c2p_error_circuit(e)), offset_(c2p_error_offset(e)) {}

    c2p_status status() const noexcept { return status_; }
    // The whole error as JSON.
    const std::string &json() const noexcept { return json_; }
    // Section of the parameter file, field of the assignment; empty where it does not apply.
    const std::string &section() const noexcept { return section_; }
    const std::string &field() const noexcept { return field_; }
    // -1 where it does not apply.
    std::int64_t index() const noexcept { return index_; }
    std::int64_t circuit() const noexcept { return circuit_; }
    std::int64_t offset() const noexcept { return offset_; }

private:
    static std::string text(const char *s) { return s ? s : ""; }

    c2p_status status_;
    std::string json_, section_, field_;
    std::int64_t index_, circuit_, offset_;
};

namespace detail {

struct Free {
    void operator()(c2p_error *p) const noexcept { c2p_error_free(p); }
    void operator()(c2p_srs *p) const noexcept { c2p_srs_free(p); }
    void operator()(c2p_key *p) const noexcept { c2p_key_free(p); }
    void operator()(c2p_result *p) const noexcept { c2p_result_free(p); }
    void operator()(c2p_engine *p) const noexcept { c2p_engine_free(p); }
    void operator()(c2p_job *p) const noexcept { c2p_job_free(p); }
    void operator()(char *p) const noexcept { c2p_string_free(p); }
};

template <class T> using Handle = std::unique_ptr<T, Free>;

// Makes a call, handing it where the error goes; throws if it fails.
template <class Call> void check(Call call) {
    c2p_error *e = nullptr;
    c2p_status status = call(&e);
    Handle<c2p_error> owned(e);
    if (status != C2P_OK) {
        throw Error(status, e);
    }
}

// Makes a call that hands out an object.
template <class T, class Call> Handle<T> make(Call call) {
    T *object = nullptr;
    check([&](c2p_error **e) { return call(&object, e); });
    return Handle<T>(object);
}

} // namespace detail

// An option or request struct with all defaults.
template <class T> T defaults() {
    T value = {};
    value.struct_size = sizeof(T);
    return value;
}

// A finished proof.
class Result {
public:
    explicit Result(detail::Handle<c2p_result> handle) : handle_(std::move(handle)) {}

    // 192 bytes for each circuit.
    std::vector<std::uint8_t> proof() const {
        c2p_bytes b = c2p_result_proof(get());
        return std::vector<std::uint8_t>(b.ptr, b.ptr + b.len);
    }
    c2p_timings timings() const {
        auto t = defaults<c2p_timings>();
        detail::check([&](c2p_error **e) { return c2p_result_timings(get(), &t, e); });
        return t;
    }
    std::string report_json() const { return c2p_result_report_json(get()); }
    std::string trace_json() const { return c2p_result_trace_json(get()); }
    const c2p_result *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<c2p_result> handle_;
};

// A verifying key.
class Key {
public:
    explicit Key(detail::Handle<c2p_key> handle) : handle_(std::move(handle)) {}
    explicit Key(const std::string &path)
        : handle_(detail::make<c2p_key>([&](c2p_key **k, c2p_error **e) { return c2p_key_load(path.c_str(), k, e); })) {}

    std::size_t inputs() const noexcept { return c2p_key_inputs(get()); }
    bool verify(const std::vector<c2p_scalar> &inputs, const std::vector<std::uint8_t> &proof) const {
        bool ok = false;
        detail::check([&](c2p_error **e) {
            return c2p_key_verify(get(), inputs.data(), inputs.size(), proof.data(), proof.size(), &ok, e);
        });
        return ok;
    }
    const c2p_key *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<c2p_key> handle_;
};

// The parameters of one circuit.
class Srs {
public:
    explicit Srs(const std::string &path, c2p_srs_options options = defaults<c2p_srs_options>())
        : handle_(detail::make<c2p_srs>(
              [&](c2p_srs **s, c2p_error **e) { return c2p_srs_load(path.c_str(), &options, s, e); })) {}

    c2p_srs_shape info() const {
        auto shape = defaults<c2p_srs_shape>();
        detail::check([&](c2p_error **e) { return c2p_srs_info(get(), &shape, e); });
        return shape;
    }
    void evict() const {
        detail::check([&](c2p_error **e) { return c2p_srs_evict(get(), e); });
    }
    Key key() const {
        return Key(detail::make<c2p_key>([&](c2p_key **k, c2p_error **e) { return c2p_srs_key(get(), k, e); }));
    }
    // Proves circuits that the caller synthesised, with fresh blinding.
    Result prove(const std::vector<c2p_assignment> &circuits,
                 c2p_prove_options options = defaults<c2p_prove_options>()) const {
        return prove(circuits, nullptr, nullptr, options);
    }
    // As above with r and s of each circuit, as many as circuits.
    Result prove(const std::vector<c2p_assignment> &circuits, const c2p_scalar *r, const c2p_scalar *s,
                 c2p_prove_options options = defaults<c2p_prove_options>()) const {
        return Result(detail::make<c2p_result>([&](c2p_result **out, c2p_error **e) {
            return c2p_prove_assignments(get(), circuits.data(), circuits.size(), r, s, &options, out, e);
        }));
    }
    const c2p_srs *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<c2p_srs> handle_;
};

// A request on its way to a proof. Cancelled when it is destroyed before its end.
class Job {
public:
    explicit Job(detail::Handle<c2p_job> handle) : handle_(std::move(handle)) {}

    // Waits for the proof; throws what made it fail, or C2P_ERR_PENDING when the time passed.
    Result wait(std::uint64_t timeout_ms = C2P_FOREVER) const {
        return Result(detail::make<c2p_result>(
            [&](c2p_result **out, c2p_error **e) { return c2p_job_wait(get(), timeout_ms, out, e); }));
    }
    // The next event; C2P_EVENT_NONE after the last one.
    c2p_event next_event(std::uint64_t timeout_ms = C2P_FOREVER) const {
        auto event = defaults<c2p_event>();
        detail::check([&](c2p_error **e) { return c2p_job_next_event(get(), timeout_ms, &event, e); });
        return event;
    }
    void cancel() const noexcept { c2p_job_cancel(get()); }
    const c2p_job *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<c2p_job> handle_;
};

// A prover of requests by kind.
class Engine {
public:
    explicit Engine(c2p_engine_options options = defaults<c2p_engine_options>())
        : handle_(detail::make<c2p_engine>(
              [&](c2p_engine **engine, c2p_error **e) { return c2p_engine_new(&options, engine, e); })) {}

    Result prove(const c2p_request &request) const {
        return Result(detail::make<c2p_result>(
            [&](c2p_result **out, c2p_error **e) { return c2p_prove(get(), &request, out, e); }));
    }
    // Returns at once; the request's bytes have been copied.
    Job submit(const c2p_request &request) const {
        return Job(detail::make<c2p_job>([&](c2p_job **out, c2p_error **e) { return c2p_submit(get(), &request, out, e); }));
    }
    // Circuits are named like "porep-32g". Returns whether they were resident.
    bool preload(const std::string &circuit) const {
        bool was = false;
        detail::check([&](c2p_error **e) { return c2p_engine_preload(get(), circuit.c_str(), &was, e); });
        return was;
    }
    // Returns the bytes that their points took.
    std::uint64_t evict(const std::string &circuit) const {
        std::uint64_t freed = 0;
        detail::check([&](c2p_error **e) { return c2p_engine_evict(get(), circuit.c_str(), &freed, e); });
        return freed;
    }
    // Queue, jobs, parameters and memory as JSON.
    std::string status() const {
        return detail::make<char>([&](char **text, c2p_error **e) { return c2p_engine_status(get(), text, e); }).get();
    }
    // Returns whether all jobs ended by themselves in time; the rest was cancelled.
    bool shutdown(std::uint64_t timeout_ms = C2P_FOREVER) const {
        bool ended = false;
        detail::check([&](c2p_error **e) { return c2p_engine_shutdown(get(), timeout_ms, &ended, e); });
        return ended;
    }
    bool verify(const c2p_request &request, const std::vector<std::uint8_t> &proof) const {
        bool ok = false;
        detail::check(
            [&](c2p_error **e) { return c2p_verify(get(), &request, proof.data(), proof.size(), &ok, e); });
        return ok;
    }
    const c2p_engine *get() const noexcept { return handle_.get(); }

private:
    detail::Handle<c2p_engine> handle_;
};

} // namespace c2p

#endif
