// Plans of batch additions.
#include "batch_add/batch_add.h"
#include "batch_add/tree.cuh"

using namespace c2;

extern "C" cudaError_t c2_batch_add_plan_make(c2_batch_add_plan* plan) {
    if ((plan->group != 1 && plan->group != 2) || plan->points + plan->entries >= SIGN) return cudaErrorInvalidValue;
    int device, sms;
    C2_TRY(cudaGetDevice(&device));
    C2_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    const MsmPolicy& policy = msm_policy(plan->group);
    plan->sms = sms;
    plan->sums_bytes = (uint64_t)plan->groups * 4 * 48 * plan->group;
    // what the rounds leave is chunks, whose partial sums one block adds up for each group: that latency weighs
    const double left_ns = policy.xyzz_ns + policy.add_latency_ns / (policy.tree_chunk * policy.sum_threads);
    Reduction reduction = {};
    double left;
    if (plan->groups)
        plan_reduction(policy, sms, plan->groups, (double)plan->entries / plan->groups, -1, left_ns, reduction, left);
    plan->rounds = reduction.rounds;
    plan->chunk = policy.tree_chunk;
    size_t bytes = 0;
    C2_TRY(plan->group == 1 ? batch_add_g1_bytes(*plan, &bytes) : batch_add_g2_bytes(*plan, &bytes));
    plan->workspace_bytes = bytes;
    return cudaSuccess;
}
