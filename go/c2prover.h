/*
 * libc2prover: Groth16 proofs over BLS12-381 for Filecoin's Commit Phase 2.
 *
 * Generated from src/ffi by `make header`; do not edit.
 *
 * Arguments come in this order: the object, what goes in, how (options, may be NULL), out, err.
 *
 * Errors. What can fail returns a c2p_status; C2P_OK is 0, and unknown numbers of later versions are errors. *out is
 * written only on success. On failure *err is set to an object with text and figures, unless err is NULL; on success
 * *err is not written, so set it to NULL first. Whatever is NULL, unaligned, freed, of another kind or none of an
 * enumeration is C2P_ERR_INVALID_ARGUMENT as far as a pointer can tell. A panic inside the library is C2P_ERR_PANIC
 * with its text, and the next call works.
 *
 * Ownership. What a call hands out through *out or *err is the caller's, to be freed with the function of its type;
 * freeing NULL is fine. What an accessor returns is borrowed from the object and lives as long. The library keeps no
 * pointer of the caller's after a call. NULL with length 0 is an empty array.
 *
 * Structs that begin with struct_size are set to zero, then struct_size = sizeof. Zero is the default of every field. A
 * caller built against an older header leaves out the later fields; fields that the library does not know must be zero.
 *
 * Threads. Every function may be called from any thread, and on one object from several at once; an object must not be
 * freed while another thread begins to use it. The library starts no thread before the first call that needs one, and
 * works in a child of fork only if it was not used before it: otherwise calls there return C2P_ERR_UNSUPPORTED.
 *
 * Logs. Silent, unless C2PROVER_LOG or RUST_LOG is set to a filter such as "info": then lines go to standard error. A
 * program can pull them as well: c2p_log_subscribe.
 */


#ifndef C2PROVER_H
#define C2PROVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

#if defined(__GNUC__) || defined(__clang__)
#define C2P_MUST_USE __attribute__((warn_unused_result))
#else
#define C2P_MUST_USE
#endif

// The default, which the field states.
#define C2P_DEFAULT 0

// On.
#define C2P_ON 1

// Off.
#define C2P_OFF 2

// The version of the interface this header describes. It changes only with a change that breaks callers.
#define C2P_ABI_VERSION 1

// The version of the library this header belongs to.
#define C2P_VERSION_MAJOR 0

// Its second number.
#define C2P_VERSION_MINOR 1

// Its third number.
#define C2P_VERSION_PATCH 0

// No lines.
#define C2P_LOG_OFF 0

// Failed calls.
#define C2P_LOG_ERROR 1

// What deserves attention.
#define C2P_LOG_WARN 2

// Phase timings, summaries, the configuration.
#define C2P_LOG_INFO 3

// More.
#define C2P_LOG_DEBUG 4

// All there is.
#define C2P_LOG_TRACE 5

// Proof of replication from the JSON of Commit Phase 1, or from Curio's wrapper around it.
#define C2P_KIND_POREP 1

// Sector update (SnapDeals) from one vanilla proof a partition.
#define C2P_KIND_SNAP 2

// WindowPoSt from one vanilla proof a sector, of one partition or of all.
#define C2P_KIND_WINDOW_POST 3

// WinningPoSt from the one vanilla proof of the challenged sector.
#define C2P_KIND_WINNING_POST 4

// A timeout: for ever.
#define C2P_FOREVER UINT64_MAX

// Before all else: WinningPoSt.
#define C2P_PRIORITY_CRITICAL 4

// Before the ordinary: WindowPoSt.
#define C2P_PRIORITY_HIGH 3

// The default.
#define C2P_PRIORITY_NORMAL 2

// After all else.
#define C2P_PRIORITY_LOW 1

// No event any more: the job has ended, and all its events were told.
#define C2P_EVENT_NONE 0

// The job waits.
#define C2P_EVENT_QUEUED 1

// Its input was read and is right; partitions says how many circuits it has.
#define C2P_EVENT_PARSED 2

// The circuit of a partition was synthesised.
#define C2P_EVENT_SYNTHESISED 3

// A partition was proved.
#define C2P_EVENT_PROVEN 4

// Its proof was verified.
#define C2P_EVENT_VERIFIED 5

// The last event: the job ended with the status.
#define C2P_EVENT_DONE 6

// Outcome of a call. The numbers are fixed for ever and never reused; a caller must accept unknown ones.
enum c2p_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done; outputs are written.
  C2P_OK = 0,
  // An argument breaks the contract of the function: null, unknown number, wrong length.
  C2P_ERR_INVALID_ARGUMENT = 1,
  // Known, but not offered by this build or version.
  C2P_ERR_UNSUPPORTED = 2,
  // A C1 output or vanilla proof cannot be read or does not verify.
  C2P_ERR_BAD_INPUT = 3,
  // A size, popcount or density of the assignment is wrong.
  C2P_ERR_BAD_ASSIGNMENT = 4,
  // A scalar of the assignment is not canonical, or the first input is not one.
  C2P_ERR_BAD_SCALAR = 5,
  // The parameter file does not exist.
  C2P_ERR_PARAMS_MISSING = 10,
  // The parameter file cannot be read.
  C2P_ERR_PARAMS_UNREADABLE = 11,
  // The parameter file is empty.
  C2P_ERR_PARAMS_EMPTY = 12,
  // The parameter file ends before its last section does.
  C2P_ERR_PARAMS_TRUNCATED = 13,
  // The parameter file goes on after its last section.
  C2P_ERR_PARAMS_TRAILING = 14,
  // A point of the parameter file is not a usable group element.
  C2P_ERR_PARAMS_POINT = 15,
  // The parameters belong to another circuit.
  C2P_ERR_PARAMS_MISMATCH = 16,
  // The parameter file changed while it was read.
  C2P_ERR_PARAMS_CHANGED = 17,
  // The parameter file is not the official one.
  C2P_ERR_PARAMS_DIGEST = 18,
  // A GPU was demanded and there is none this build can use.
  C2P_ERR_NO_DEVICE = 20,
  // Device memory ran out.
  C2P_ERR_DEVICE_OUT_OF_MEMORY = 23,
  // The GPU or its driver failed; the process should be restarted.
  C2P_ERR_DEVICE_FAULT = 24,
  // Host memory ran out.
  C2P_ERR_HOST_OUT_OF_MEMORY = 30,
  // The kernel gave no randomness.
  C2P_ERR_ENTROPY = 31,
  // The proof failed its own verification: nothing is returned.
  C2P_ERR_PROOF_INVALID = 40,
  // The check of a.b = c found a row that does not hold.
  C2P_ERR_UNSATISFIED = 41,
  // The job was cancelled.
  C2P_ERR_CANCELLED = 50,
  // The job's own time limit passed.
  C2P_ERR_TIMED_OUT = 51,
  // The engine's queue is full.
  C2P_ERR_QUEUE_FULL = 52,
  // The engine is shut down.
  C2P_ERR_CLOSED = 53,
  // The job goes on: the time to wait for it passed.
  C2P_ERR_PENDING = 54,
  // A panic was caught at the boundary: a fault of this library.
  C2P_ERR_PANIC = 90,
  // An internal contract was broken: a fault of this library.
  C2P_ERR_INTERNAL = 99,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum c2p_status c2p_status;
#else
typedef int32_t c2p_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A prover of requests by kind. Owned by the caller: free it with c2p_engine_free. May be used from any number of
// threads at once. Parameters stay in memory between its proofs.
typedef struct c2p_engine c2p_engine;

// Why a call failed. Owned by the caller: free it with c2p_error_free. May be read from any thread.
typedef struct c2p_error c2p_error;

// A request on its way to a proof. Owned by the caller: free it with c2p_job_free. May be used from any number of threads at
// once. It keeps its engine alive.
typedef struct c2p_job c2p_job;

// What a verifier needs of one circuit's parameters. Owned by the caller: free it with c2p_key_free. May be used from
// any number of threads at once.
typedef struct c2p_key c2p_key;

// A finished proof. Owned by the caller: free it with c2p_result_free. May be read from any thread.
typedef struct c2p_result c2p_result;

// The checked points of one circuit, shared in memory by all handles of the same file. Owned by the caller: free it
// with c2p_srs_free. May be used from any number of threads at once.
typedef struct c2p_srs c2p_srs;

// A switch of an option struct: C2P_DEFAULT, C2P_ON or C2P_OFF. Other numbers are errors.
typedef int32_t c2p_switch;

// How to load a parameter file. Set struct_size, zero the rest.
typedef struct {
  // sizeof(c2p_srs_options).
  size_t struct_size;
  // Check that each point lies in the subgroup of order r; on the curve it must lie in any case. Default: off.
  c2p_switch subgroup_check;
  // Keep the points in memory after the last handle is freed, until c2p_srs_evict. Default: off.
  c2p_switch keep;
  // Threads that read; 0: as many as a proof has by default.
  uint32_t threads;
  // Zero.
  uint32_t reserved;
} c2p_srs_options;

// What a parameter file holds. Set struct_size before the call that fills it.
typedef struct {
  // sizeof(c2p_srs_shape).
  size_t struct_size;
  // Inputs of the circuit, the constant one among them: points of ic.
  size_t inputs;
  // Auxiliary variables of the circuit: points of l.
  size_t aux;
  // Size of the evaluation domain, a power of two.
  size_t domain;
  // Points of h.
  size_t h;
  // Points of a: inputs and the auxiliary variables that occur in A.
  size_t a;
  // Points of b_g1, and of b_g2: the inputs and auxiliary variables that occur in B.
  size_t b;
  // Bytes of memory the points take.
  size_t bytes;
} c2p_srs_shape;

// An element of the scalar field of BLS12-381 in blst's memory form (blst_fr, blstrs::Scalar): Montgomery, four words,
// the least significant first, below r.
typedef struct {
  // The words.
  uint64_t l[4];
} c2p_scalar;

// One circuit, synthesised: the fields of supraseal-c2's Assignment, in the same order and with the same meaning.
// Everything is borrowed for the time of the call.
//
// A density is a bit vector: bit i of word i / 64, the least significant first, tells whether variable i occurs.
typedef struct {
  // Which auxiliary variables occur in A. (All inputs do.)
  const uint64_t *a_aux_density;
  // Bits of a_aux_density: aux_assignment_size.
  size_t a_aux_bit_len;
  // Bits of it that are set.
  size_t a_aux_popcount;
  // Which inputs occur in B.
  const uint64_t *b_inp_density;
  // Bits of b_inp_density: inp_assignment_size.
  size_t b_inp_bit_len;
  // Bits of it that are set.
  size_t b_inp_popcount;
  // Which auxiliary variables occur in B.
  const uint64_t *b_aux_density;
  // Bits of b_aux_density: aux_assignment_size.
  size_t b_aux_bit_len;
  // Bits of it that are set.
  size_t b_aux_popcount;
  // Rows of A times the assignment: one for each constraint, then one for each input.
  const c2p_scalar *a;
  // Rows of B times the assignment.
  const c2p_scalar *b;
  // Rows of C times the assignment. May be NULL: only check_satisfied looks at it, as c = a b on a satisfied circuit.
  const c2p_scalar *c;
  // Rows of a, of b and of c.
  size_t abc_size;
  // The public inputs, the constant one first.
  const c2p_scalar *inp_assignment_data;
  // Number of inputs, the constant one counted.
  size_t inp_assignment_size;
  // The auxiliary variables.
  const c2p_scalar *aux_assignment_data;
  // Number of auxiliary variables.
  size_t aux_assignment_size;
} c2p_assignment;

// How to prove assignments. Set struct_size, zero the rest.
typedef struct {
  // sizeof(c2p_prove_options).
  size_t struct_size;
  // Threads in all; 0: C2PROVER_CPU_THREADS, or one for each core this process may use. The threads of each number
  // once used stay for later calls.
  uint32_t threads;
  // Verify each proof before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
  c2p_switch self_verify;
  // Look for the first row in which a b differs from c before proving. Needs c. Default: off.
  c2p_switch check_satisfied;
  // Zero.
  uint32_t reserved;
  // Name for log lines and the report, in UTF-8; NULL: one is made up.
  const char *job;
} c2p_prove_options;

// How to make an engine. Set struct_size, zero the rest.
typedef struct {
  // sizeof(c2p_engine_options).
  size_t struct_size;
  // Folder of the parameter files; NULL: C2PROVER_PARAM_CACHE, FIL_PROOFS_PARAMETER_CACHE, or
  // /var/tmp/filecoin-proof-parameters.
  const char *param_cache;
  // Threads in all; 0: C2PROVER_CPU_THREADS, or one for each core this process may use.
  uint32_t cpu_threads;
  // Verify each proof before it is returned. Default: C2PROVER_SELF_VERIFY, or on.
  c2p_switch self_verify;
  // Bytes of host memory for inputs, circuits, their proofs, and points that are not on a device; 0:
  // C2PROVER_HOST_MEMORY, or what is free, less a tenth.
  uint64_t host_memory;
  // Jobs that may wait; 0: C2PROVER_MAX_QUEUE, or 256.
  uint32_t max_queue;
  // Circuits of one shape, of one or several jobs, in one call of the prover; 0: C2PROVER_BATCH, or 1.
  uint32_t batch;
  // Milliseconds that a circuit waits for others of its batch; 0: C2PROVER_BATCH_WAIT_MS, or not at all.
  uint32_t batch_wait_ms;
  // Circuits that are synthesised at once; 0: C2PROVER_SYNTHESIS_THREADS, or half the threads.
  uint32_t synthesis_threads;
} c2p_engine_options;

// Bytes owned by someone else.
typedef struct {
  // The first byte; may be NULL if len is 0.
  const uint8_t *ptr;
  // Number of bytes.
  size_t len;
} c2p_bytes;

// One proof to make. Set struct_size, zero the rest, then set what the kind needs. Everything is borrowed for the time
// of the call.
typedef struct {
  // sizeof(c2p_request).
  size_t struct_size;
  // One of C2P_KIND_*.
  int32_t kind;
  // WindowPoSt: C2P_ON proves all partitions of the deadline, cut from vanilla in order. Default: off; vanilla holds
  // the sectors of the one partition.
  c2p_switch all_partitions;
  // PoSt, snap: the number of the proof in go-state-types. PoRep: not looked at, the C1 output names it.
  int64_t registered_proof;
  // PoRep: the output of Commit Phase 1.
  c2p_bytes c1_json;
  // PoSt, snap: the vanilla proofs.
  const c2p_bytes *vanilla;
  // Number of vanilla proofs.
  size_t vanilla_len;
  // PoRep: the sector's number.
  uint64_t sector_number;
  // PoRep, PoSt: the payload of the miner's id address, zero-padded.
  uint8_t prover_id[32];
  // PoSt: the chain's randomness.
  uint8_t randomness[32];
  // Snap: commitment of the old replica.
  uint8_t comm_r_old[32];
  // Snap: commitment of the new replica.
  uint8_t comm_r_new[32];
  // Snap: commitment of the new data.
  uint8_t comm_d_new[32];
  // WindowPoSt: which partition of the deadline.
  uint32_t partition_index;
  // Verify the proof before it is returned. Default: as the engine does.
  c2p_switch self_verify;
  // Name for log lines and the report, in UTF-8; NULL: one is made up.
  const char *request_id;
  // The proof ends with C2P_ERR_TIMED_OUT when so many milliseconds have passed; 0: no limit.
  uint64_t timeout_ms;
  // One of C2P_PRIORITY_*, taken between partitions; 0: normal.
  int32_t priority;
  // Zero.
  uint32_t reserved;
} c2p_request;

// Something that happened to a job. Set struct_size before the call that fills it.
typedef struct {
  // sizeof(c2p_event).
  size_t struct_size;
  // One of C2P_EVENT_*; a caller must accept unknown ones.
  int32_t kind;
  // Of C2P_EVENT_DONE: the job's status.
  int32_t status;
  // Which partition, from 0.
  uint32_t partition;
  // Of how many.
  uint32_t partitions;
} c2p_event;

// Where the time of a proof went, in microseconds. Phases that run beside one another overlap: they do not add up to
// total_us. Set struct_size before the call that fills it.
typedef struct {
  // sizeof(c2p_timings).
  size_t struct_size;
  // The whole call, as the caller's own stopwatch shows it.
  uint64_t total_us;
  // Waiting for other proofs.
  uint64_t queue_us;
  // Reading the C1 output, vanilla proofs or assignments.
  uint64_t parse_us;
  // Checking them.
  uint64_t input_verify_us;
  // Reading parameters, or waiting for another call's reading.
  uint64_t srs_load_us;
  // Synthesis of the circuits.
  uint64_t synthesis_us;
  // Bringing evaluations and assignment to the backend.
  uint64_t prep_us;
  // Memory being had from the system.
  uint64_t alloc_us;
  // Waiting for locks.
  uint64_t lock_us;
  // Waiting for a GPU.
  uint64_t gpu_wait_us;
  // A GPU being busy.
  uint64_t gpu_us;
  // The CPU's main lane being busy: transforms and sums in G1.
  uint64_t cpu_us;
  // B_G2 on the CPU, beside the above.
  uint64_t b_g2_us;
  // Assembling the proofs from their sums.
  uint64_t finalize_us;
  // Verifying the proofs.
  uint64_t verify_us;
  // Memory being given back.
  uint64_t free_us;
  // Time that belongs to none of these.
  uint64_t unaccounted_us;
  // Wall time of the proving section over its busiest lane, in thousandths: 1000 if everything else was hidden; 0
  // if nothing ran beside the caller.
  uint64_t overlap_permille;
  // The most memory this process ever had, in bytes.
  uint64_t peak_host_bytes;
  // The most memory of the GPU that was in use, in bytes.
  uint64_t peak_device_bytes;
  // 1 if the parameters were in memory before the call.
  uint32_t srs_was_resident;
  // Circuits proved.
  uint32_t partitions;
} c2p_timings;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Does nothing. A caller that refers to it fails at link time, and by a name that says why, with a library of another
// interface version.
void c2p_abi_v1(void);

// The interface version of the library loaded: compare it with C2P_ABI_VERSION after dlopen.
uint32_t c2p_abi_version(void);

// The version of the library loaded, such as "0.1.0". Static.
const char *c2p_version(void);

// The environment variables of this library, one a line: name, alias, values, default. Static.
const char *c2p_variables(void);

// How the library was built, as one line: version, profile, architecture, features. Static.
const char *c2p_build_info(void);

// The status of an error: C2P_OK for NULL, C2P_ERR_INVALID_ARGUMENT for what is no error.
c2p_status c2p_error_status(const c2p_error *error);

// What went wrong, as a sentence in UTF-8. Never NULL; empty for NULL. Lives as long as the error.
const char *c2p_error_message(const c2p_error *error);

// Everything known of an error as one JSON object: status, name, message, advice, section, field, index, circuit,
// offset; null where it does not apply. Never NULL; "{}" for NULL. Lives as long as the error.
const char *c2p_error_json(const c2p_error *error);

// The section of the parameter file an error is about, such as "b_g2", or NULL. Lives as long as the error.
const char *c2p_error_section(const c2p_error *error);

// The field of the assignment an error is about, such as "aux_assignment_size", or NULL. Lives as long as the error.
const char *c2p_error_field(const c2p_error *error);

// The index of the point, scalar or constraint an error is about, or -1.
int64_t c2p_error_index(const c2p_error *error);

// The circuit of the batch an error is about, or -1.
int64_t c2p_error_circuit(const c2p_error *error);

// The offset in the parameter file, in bytes, that an error is about, or -1.
int64_t c2p_error_offset(const c2p_error *error);

// Frees an error. NULL is fine.
void c2p_error_free(c2p_error *error);

// The name of a status without prefix, such as "PARAMS_MISSING"; "UNKNOWN" for numbers that are none. Static.
const char *c2p_status_name(int32_t status);

// What a caller can do about a status, as a short sentence; may be empty. Static.
const char *c2p_status_advice(int32_t status);

// Begins to keep log lines for c2p_log_next: those of a level (C2P_LOG_ERROR to C2P_LOG_TRACE) and more urgent ones.
// C2P_LOG_OFF ends it, forgets what was not pulled, and wakes a thread that waits in c2p_log_next. Independent of what
// the environment sends to standard error.
//
// Returns C2P_OK, or C2P_ERR_INVALID_ARGUMENT for another number.
C2P_MUST_USE c2p_status c2p_log_subscribe(int32_t level, c2p_error **err);

// The next log line as a JSON object with ts (UTC), level, target and message; message is key=value pairs where the
// line has figures. Waits up to timeout_ms. NULL if there was none, or without c2p_log_subscribe. At most 4,096 lines
// are kept; where older ones were dropped, a line says how many.
//
// The caller frees it with c2p_string_free. Any thread; each line is given once.
C2P_MUST_USE char *c2p_log_next(uint64_t timeout_ms);

// Frees a string that c2p_log_next returned. NULL is fine.
void c2p_string_free(char *string);

// Loads a parameter file (.params), or shares the points already in memory if the same file (by device, inode, size
// and time of modification) is loaded. The file is read, not mapped: afterwards it may change.
//
// path: of the file. options: may be NULL. out: the handle.
//
// Returns C2P_OK; one of C2P_ERR_PARAMS_*, with section, index and offset where the file is damaged;
// C2P_ERR_INVALID_ARGUMENT; C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_UNSUPPORTED in a child of fork.
//
// Threads: any. Callers that ask for the same file at once wait for one read.
C2P_MUST_USE c2p_status c2p_srs_load(const char *path, const c2p_srs_options *options, c2p_srs **out, c2p_error **err);

// Fills *out with the numbers of points.
//
// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_srs_info(const c2p_srs *srs, c2p_srs_shape *out, c2p_error **err);

// Forgets the file, so that the next load reads it again. Handles stay valid, and with them their memory.
//
// Returns C2P_OK, also if the file was forgotten before; C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_srs_evict(const c2p_srs *srs, c2p_error **err);

// Frees a handle; the last one of a file frees its points, unless they are kept. NULL is fine. Proofs under way are
// not disturbed.
void c2p_srs_free(c2p_srs *srs);

// Reads a verifying key (.vk), which is the head of a parameter file.
//
// Returns C2P_OK; one of C2P_ERR_PARAMS_*; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_UNSUPPORTED in a child of fork.
C2P_MUST_USE c2p_status c2p_key_load(const char *path, c2p_key **out, c2p_error **err);

// The verifying key in a parameter file. It is a copy: the file's handle may be freed.
//
// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_srs_key(const c2p_srs *srs, c2p_key **out, c2p_error **err);

// Number of public inputs that c2p_key_verify takes, the leading one not counted; 0 for NULL.
size_t c2p_key_inputs(const c2p_key *key);

// Verifies one circuit's proof.
//
// inputs: the public inputs without the leading one, as many as c2p_key_inputs says, in blst's Montgomery form.
// proof, len: 192 bytes. out: whether the proof holds; bytes that are no proof do not hold.
//
// Returns C2P_OK, whatever *out says; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_SCALAR with an index.
C2P_MUST_USE
c2p_status c2p_key_verify(const c2p_key *key,
                          const c2p_scalar *inputs,
                          size_t inputs_len,
                          const uint8_t *proof,
                          size_t len,
                          bool *out,
                          c2p_error **err);

// Frees a verifying key. NULL is fine.
void c2p_key_free(c2p_key *key);

// Proves circuits of one shape, which the caller synthesised.
//
// srs: the parameters of the shape. assignments, n: the circuits, at least one. r, s: n scalars each for the blinding
// of each proof, used as given, or both NULL for fresh ones from the kernel's entropy; equal r and s give equal proofs,
// and proofs of one witness with r or s that others can guess give it away. options: may be NULL. out: the result,
// with 192 bytes of proof for each circuit, in order.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_ASSIGNMENT with the field; C2P_ERR_BAD_SCALAR with field and
// index; C2P_ERR_PARAMS_MISMATCH if the parameters are not of this shape; C2P_ERR_PROOF_INVALID if a proof does not
// verify, as when the circuit is not satisfied; C2P_ERR_UNSATISFIED with the row; C2P_ERR_HOST_OUT_OF_MEMORY;
// C2P_ERR_ENTROPY; C2P_ERR_UNSUPPORTED in a child of fork. All but the scalars is checked before the first proof begins.
//
// Memory: nothing of the caller's is kept after the call. Threads: any number of calls at once.
C2P_MUST_USE
c2p_status c2p_prove_assignments(const c2p_srs *srs,
                                 const c2p_assignment *assignments,
                                 size_t n,
                                 const c2p_scalar *r,
                                 const c2p_scalar *s,
                                 const c2p_prove_options *options,
                                 c2p_result **out,
                                 c2p_error **err);

// Makes an engine: reads the environment and starts threads.
//
// options: may be NULL. out: the handle.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT, also for a variable with a value that is none of its own;
// C2P_ERR_NO_DEVICE if CUDA is demanded and there is none; C2P_ERR_UNSUPPORTED in a child of fork.
C2P_MUST_USE c2p_status c2p_engine_new(const c2p_engine_options *options, c2p_engine **out, c2p_error **err);

// Proves a request, from the C1 output or vanilla proofs to proof bytes: parameters are found in the engine's folder,
// loaded and kept.
//
// out: the result, with 192 bytes of proof for each partition, in order.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_INPUT if the input cannot be read, names a proof type that is
// not known, or does not verify as a vanilla proof; C2P_ERR_UNSUPPORTED for a proof type that is known and not offered,
// and in a child of fork; one of C2P_ERR_PARAMS_*; C2P_ERR_QUEUE_FULL; C2P_ERR_CLOSED; C2P_ERR_TIMED_OUT;
// C2P_ERR_PROOF_INVALID; C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_ENTROPY.
//
// Memory: nothing of the caller's is kept after the call. Threads: any number of calls at once.
C2P_MUST_USE
c2p_status c2p_prove(const c2p_engine *engine,
                     const c2p_request *request,
                     c2p_result **out,
                     c2p_error **err);

// Verifies a proof against the public inputs that a request gives. Needs the verifying key (.vk), or the parameters, in
// the engine's folder.
//
// proof, len: 192 bytes for each partition. out: whether the proof holds.
//
// Returns C2P_OK, whatever *out says; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_BAD_INPUT; C2P_ERR_UNSUPPORTED; one of
// C2P_ERR_PARAMS_*.
C2P_MUST_USE
c2p_status c2p_verify(const c2p_engine *engine,
                      const c2p_request *request,
                      const uint8_t *proof,
                      size_t len,
                      bool *out,
                      c2p_error **err);

// What an engine does and holds, as one JSON object: queue, jobs, parameters, memory of the host and of the device.
//
// out: the text; free it with c2p_string_free.
//
// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_engine_status(const c2p_engine *engine, char **out, c2p_error **err);

// Refuses new jobs and waits for those there are; what has not ended after timeout_ms is cancelled. The engine must be
// freed all the same.
//
// ended: whether all ended by themselves; may be NULL.
//
// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE
c2p_status c2p_engine_shutdown(const c2p_engine *engine,
                               uint64_t timeout_ms,
                               bool *ended,
                               c2p_error **err);

// Frees an engine. NULL is fine. Proofs under way are not disturbed: the last of them, or of the jobs that were submitted
// and not freed, ends its threads.
void c2p_engine_free(c2p_engine *engine);

// Makes the parameters of a circuit resident, so that its first proof does not wait for them.
//
// circuit: such as "porep-32g", "winning-32g", "wpost-32g", "snap-32g"; the sizes are 2k, 8m, 512m, 32g, 64g.
// was_resident: whether they were; may be NULL.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT for a circuit that is none; one of C2P_ERR_PARAMS_*;
// C2P_ERR_HOST_OUT_OF_MEMORY; C2P_ERR_DEVICE_OUT_OF_MEMORY; C2P_ERR_UNSUPPORTED in a child of fork.
C2P_MUST_USE
c2p_status c2p_engine_preload(const c2p_engine *engine,
                              const char *circuit,
                              bool *was_resident,
                              c2p_error **err);

// Compares the digest of a circuit's parameter file with that of the official one. Reads all of the file: a minute for
// 44 GiB. With C2PROVER_PARAM_CHECK=full an engine does so before it uses a file.
//
// Returns C2P_OK; C2P_ERR_PARAMS_DIGEST if they differ; C2P_ERR_INVALID_ARGUMENT for a circuit that is none; one of
// C2P_ERR_PARAMS_*.
C2P_MUST_USE c2p_status c2p_engine_check_params(const c2p_engine *engine, const char *circuit, c2p_error **err);

// Gives up the parameters of a circuit; proofs under way keep them until they end.
//
// freed: bytes of the points that were resident, 0 if none were; may be NULL.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT for a circuit that is none.
C2P_MUST_USE
c2p_status c2p_engine_evict(const c2p_engine *engine,
                            const char *circuit,
                            uint64_t *freed,
                            c2p_error **err);

// Puts a request into the engine's queue, with a copy of its bytes, and returns at once.
//
// out: the job.
//
// Returns C2P_OK; C2P_ERR_INVALID_ARGUMENT; C2P_ERR_QUEUE_FULL if as many jobs wait as may, or the budget of host memory
// has no room for the input; C2P_ERR_CLOSED after c2p_engine_shutdown; C2P_ERR_UNSUPPORTED in a child of fork. What is
// wrong with the input c2p_job_wait returns.
//
// Memory: nothing of the caller's is kept after the call. Threads: any.
C2P_MUST_USE
c2p_status c2p_submit(const c2p_engine *engine,
                      const c2p_request *request,
                      c2p_job **out,
                      c2p_error **err);

// Waits for a job's proof.
//
// timeout_ms: how long; 0 looks once, C2P_FOREVER waits without end. out: the result, with 192 bytes of proof for each
// partition, in order.
//
// Returns C2P_OK; C2P_ERR_PENDING if the time passed, and the job goes on; else what c2p_prove returns;
// C2P_ERR_CANCELLED; C2P_ERR_TIMED_OUT if its own time limit passed. May be called again: each call gives a result.
C2P_MUST_USE c2p_status c2p_job_wait(const c2p_job *job, uint64_t timeout_ms, c2p_result **out, c2p_error **err);

// The next event of a job, to show its progress. Waits up to timeout_ms (C2P_FOREVER: without end). Each is given once,
// the last one is C2P_EVENT_DONE; after it C2P_EVENT_NONE comes at once.
//
// Returns C2P_OK; C2P_ERR_PENDING if none came in time; C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_job_next_event(const c2p_job *job, uint64_t timeout_ms, c2p_event *out, c2p_error **err);

// Ends a job, if it has not ended: whoever waits for it gets C2P_ERR_CANCELLED at once, and what is under way for it stops
// at its next step. NULL is fine. Any thread, any number of times.
void c2p_job_cancel(const c2p_job *job);

// Frees a job; one that has not ended is cancelled. NULL is fine.
void c2p_job_free(c2p_job *job);

// The proof: 192 bytes for each circuit, in order. They live as long as the result. NULL and 0 for NULL.
c2p_bytes c2p_result_proof(const c2p_result *result);

// Fills *out with the time of each phase.
//
// Returns C2P_OK or C2P_ERR_INVALID_ARGUMENT.
C2P_MUST_USE c2p_status c2p_result_timings(const c2p_result *result, c2p_timings *out, c2p_error **err);

// The report as one JSON object: phases, lanes, unaccounted time, overlap, critical path. Lives as long as the result.
// NULL for NULL.
const char *c2p_result_report_json(const c2p_result *result);

// All spans as a Chrome trace, for Perfetto or chrome://tracing. Lives as long as the result. NULL for NULL.
const char *c2p_result_trace_json(const c2p_result *result);

// Frees a result and its bytes. NULL is fine.
void c2p_result_free(c2p_result *result);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* C2PROVER_H */
