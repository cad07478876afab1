#!/usr/bin/env bash
# Runs the bundle on a machine with a GPU and nothing else: no compiler, no network.
#   run.sh test        kernels against their definitions, the backend against the CPU's; exit code 0 if all hold
#   run.sh demo        real 2 KiB sectors, all four kinds, to verified proofs
#   run.sh bench       our figures and the sweep of windows, one JSON line each
#   run.sh sanitize    the small tests, 2^10 to 2^14, under compute-sanitizer's four tools
#   run.sh peer        ours beside the peers, one JSON line a figure
# Sizes are logarithms with commas between them, from the environment:
#   TEST_LG (27)    BENCH_NTT_LGS, BENCH_MSM_LGS, BENCH_SUM_LGS, WINDOW_LGS ("" leaves the sweep out)
#   PEER_NTT_LGS, PEER_QUOTIENT_LGS, PEER_MSM_LGS, PROVE_LGS ("": no proofs) with RUNS (7) and DIR for the SRS files
# and TOOLS, with commas, are those of compute-sanitizer to run.
set -uo pipefail
cd "$(dirname "$0")"
status=0
list() { echo "${1//,/ }"; }
attempt() {
    echo "== $*" >&2
    "$@" || { status=1 && echo "FAILED: $*" >&2; }
}

case ${1:-} in
    test)
        for test in bin/*_test; do
            case $test in
                */ntt_test) attempt "$test" "${TEST_LG:-27}" ;;
                *) attempt "$test" ;;
            esac
        done
        ;;
    demo)
        export C2PROVER_TEST_DATA=$PWD/data C2PROVER_PARAM_CACHE=${DIR:-/dev/shm}/demo-params C2PROVER_BACKEND=cuda
        for kind in porep winning-post window-post snap; do attempt bin/demo $kind; done
        rm -rf "$C2PROVER_PARAM_CACHE"
        ;;
    bench)
        attempt bin/ntt_bench $(list "${BENCH_NTT_LGS:-22,23,24,25,26,27}")
        for group in 1 2; do attempt bin/msm_bench time $group "${BENCH_MSM_LGS:-20,22,24}"; done
        attempt bin/msm_sums_bench "${BENCH_SUM_LGS:-22,26}"
        [ -z "${WINDOW_LGS=22,26}" ] || attempt bin/msm_window_bench "$WINDOW_LGS"
        ;;
    sanitize)
        for tool in $(list "${TOOLS:-memcheck,racecheck,initcheck,synccheck}"); do
            for test in "ntt_test 14" "msm_test few" "msm_sums_test few" "srs_test few"; do
                attempt compute-sanitizer --tool $tool --error-exitcode 1 bin/$test
            done
        done
        ;;
    peer)
        attempt bin/compare fp_mul ntt "${PEER_NTT_LGS:-22,23,24,25,26,27}" quotient "${PEER_QUOTIENT_LGS:-22,24,26,27}"
        attempt bin/compare msm_g1 "${PEER_MSM_LGS:-15,16,17,18,19,20,22,24,26,27}"
        machine=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -1)
        for kind in porep post; do
            for lg in $(list "${PROVE_LGS-18,20}"); do
                for prover in c2prover supraseal; do
                    : >"$prover.jsonl"
                    [ -x "bin/bench-$prover" ] || continue
                    attempt bin/bench-$prover --kind $kind --lg "$lg" --runs "${RUNS:-7}" --dir "${DIR:-/dev/shm}" >"$prover.jsonl"
                done
                attempt python3 join.py c2prover.jsonl supraseal.jsonl "$machine" "run.sh peer: $kind $lg"
                rm -f "${DIR:-/dev/shm}"/prove{,_post}-"$lg".{params,complete}
            done
        done
        rm -f c2prover.jsonl supraseal.jsonl
        ;;
    *)
        sed -n '2,/^set/s/^# //p' "$(basename "$0")"
        exit 2
        ;;
esac
exit $status
