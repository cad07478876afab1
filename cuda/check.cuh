// The one place CUDA calls pass through: it stops at the first error and is the fault point of tests.
//
// Built with C2_FAULT_INJECTION, each call asks c2_cuda_fault(name of the call) first; an answer other than cudaSuccess
// is what the call then returns, without being made.
#pragma once

#include <cuda_runtime_api.h>

#ifdef C2_FAULT_INJECTION
extern "C" cudaError_t c2_cuda_fault(const char* call);
#else
static inline cudaError_t c2_cuda_fault(const char*) { return cudaSuccess; }
#endif

// For functions that return cudaError_t: evaluates a CUDA call, returns its error if it has one.
#define C2_TRY(call)                                         \
    do {                                                     \
        cudaError_t c2_error = c2_cuda_fault(#call);         \
        if (c2_error == cudaSuccess) c2_error = (call);      \
        if (c2_error != cudaSuccess) return c2_error;        \
    } while (0)

// After a launch: its configuration errors. Errors of the kernel itself come out at the stream's next synchronisation.
#define C2_TRY_LAUNCH() C2_TRY(cudaPeekAtLastError())
