// What enqueueing needs: checked launches with marks for whoever times them, and one buffer cut into pieces.
#pragma once

#include <cuda_runtime.h>

#include "check.cuh"
#include "field/carry.cuh"

namespace c2 {

// A launch has no return value; its error is read, and the phase it ends is marked for whoever times the run.
struct Phases {
    void (*mark)(void*, const char*, cudaStream_t);
    void* context;
    cudaStream_t stream;
    cudaError_t end(const char* phase) const {
        C2_TRY_LAUNCH();
        if (mark) mark(context, phase, stream);
        return cudaSuccess;
    }
};

inline u32 blocks_for(u64 items, u32 block) { return (u32)((items + block - 1) / block); }

// Hands out aligned pieces of one buffer. Over a null base it is the dry run: the same calls give the size.
class Arena {
  public:
    Arena(void* base, size_t bytes) : base_((char*)base), bytes_(bytes) {}
    template <class T>
    T* take(u64 count) {
        size_t at = used_;
        used_ += (count * sizeof(T) + 255) & ~(size_t)255;
        return base_ ? (T*)(base_ + at) : nullptr;
    }
    void rewind(size_t to) { used_ = to; }
    size_t used() const { return used_; }
    bool fits() const { return used_ <= bytes_; }

  private:
    char* base_;
    size_t bytes_, used_ = 0;
};

}  // namespace c2
