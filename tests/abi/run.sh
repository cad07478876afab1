#!/usr/bin/env bash
# Tests of the C interface, in C11 and C++17: against the shared library, the localised static one, under
# AddressSanitizer and UndefinedBehaviorSanitizer, with fault points, from a host that has its own blst, and beside another Rust
# library.
# `tests/abi/run.sh`; with C2PROVER_TEST_PARAMS the proof of replication as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
out=$root/target/abi
prefix=$out/prefix
jobs=${JOBS:-2}
mkdir -p "$out/bin" "$out/faults"
unset C2PROVER_LOG RUST_LOG C2PROVER_TRACE C2PROVER_TIMING C2PROVER_TEST_FAULT

echo "== build"
cargo build --quiet --release -j"$jobs" --example dump_assignment
tools/install.sh "$prefix"
# In a folder of its own, and without Filecoin's circuits: fault points must not get into the library that is shipped.
cargo build --quiet --release -j"$jobs" --lib --no-default-features --features fault-injection --target-dir target/faults
cp target/faults/release/libc2prover.so "$out/faults/libc2prover.so.0"

post=v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0
export C2P_TEST_DATA=$root/tests/data
export C2P_TEST_PARAMS=$C2P_TEST_DATA/params/$post.params C2P_TEST_VK=$C2P_TEST_DATA/params/$post.vk
export C2P_TEST_ASSIGNMENT=$out/window.assignment
dump=target/release/examples/dump_assignment
[ "$C2P_TEST_ASSIGNMENT" -nt "$dump" ] || "$dump" "$C2P_TEST_ASSIGNMENT"

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
warnings="-O1 -g -Wall -Wextra -Werror -pedantic"
c="gcc -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE $warnings"
cxx="g++ -std=c++17 $warnings"
shared="$(pkg-config --cflags --libs c2prover) -pthread"
static="$(pkg-config --cflags c2prover) $prefix/lib/libc2prover.a $(sed -n 's/^Libs.private: //p' "$prefix/lib/pkgconfig/c2prover.pc")"
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
programs="srs_files assignments arguments proofs logs engine jobs"

build() { # COMPILER SOURCE OUTPUT FLAGS...
    local compiler=$1 source=$2 output=$3
    shift 3
    $compiler -o "$out/bin/$output" "tests/abi/$source" "$@"
}
for p in $programs faults; do
    build "$c" $p.c $p $shared
    build "$c" $p.c $p-asan $sanitize $shared
done
build "$cxx" raii.cpp raii $shared
build "$cxx" raii.cpp raii-asan $sanitize $shared
build "$c" proofs.c proofs-static $static
# Another prover's library, as filecoin-ffi's is: no flag that lets names be defined twice.
standin=target/standin
cargo build --quiet --release -j"$jobs" --locked --manifest-path tests/abi/standin/Cargo.toml --target-dir $standin
build "$c" coexist.c coexist $standin/release/libstandin.a -rdynamic $shared -ldl -lm
build "$c" coexist.c coexist-static $standin/release/libstandin.a -rdynamic $static
build "$c" interpose.c interpose -rdynamic $shared
build "$c" interpose.c interpose-static -rdynamic $static

passed=0 failed=0
count() { # NAME, output of a program in $out/output
    local name=$1 status=$2 line
    line=$(tail -n 1 "$out/output")
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        [ "$status" -eq 0 ] || [ "${BASH_REMATCH[2]}" -gt 0 ] || { echo "$name ended with status $status"; failed=$((failed + 1)); }
    else
        echo "$name did not finish: status $status"
        failed=$((failed + 1))
    fi
}
run() { # NAME PROGRAM ARGUMENTS...
    local name=$1 status=0
    shift
    echo "== $name"
    "$out/bin/$1" "${@:2}" 2>&1 | tee "$out/output" || status=$?
    count "$name" "$status"
}
verdict() { # NAME STATUS
    if [ "$2" -eq 0 ]; then echo "ok $1"; passed=$((passed + 1)); else echo "FAILED $1"; failed=$((failed + 1)); fi
}

for p in $programs raii; do
    run $p $p
    run "$p, sanitizers" $p-asan
done
run "proofs, static library" proofs-static
run "beside another prover's library" coexist
run "beside another prover's library, static library" coexist-static
run "interpose" interpose
run "interpose, static library" interpose-static

echo "== faults"
armed() { # POINT FAULT
    C2PROVER_TEST_FAULT=$2 LD_LIBRARY_PATH=$out/faults run "$2" faults "$1"
}
armed bridge bridge=sleep:200
armed alloc alloc=sleep:200
# The first to take that lock is the load of the parameters.
armed lock.backend lock.backend@2=sleep:200
armed c2p_prove_assignments c2p_prove_assignments=sleep:200
text="a text with 100 % of its words"
armed c2p_prove_assignments "c2p_prove_assignments=panic:$text"
armed c2p_srs_load "c2p_srs_load=panic:$text"
armed lane "lane=panic:$text"
C2PROVER_TEST_FAULT="bridge=panic:$text" LD_LIBRARY_PATH=$out/faults run "sanitizers, a panic" faults-asan bridge

echo "== standard error"
line='^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} (ERROR|WARN|INFO) c2prover::[a-z]+ > '
said() { env "$@" "$out/bin/interpose" 2>&1 > /dev/null; }
verdict "silent where no variable asks" "$([ -z "$(said)" ]; echo $?)"
verdict "C2PROVER_LOG beats RUST_LOG" "$([ -z "$(said C2PROVER_LOG=error RUST_LOG=info)" ]; echo $?)"
said RUST_LOG=info > "$out/output" || true
verdict "RUST_LOG=info has the summary" "$(grep -q ' > prover time: ' "$out/output"; echo $?)"
verdict "each line has the shape that log readers know" "$([ "$(grep -cEv "$line" "$out/output")" = 0 ]; echo $?)"
said C2PROVER_LOG=info C2PROVER_TIMING=phases > "$out/output" || true
verdict "C2PROVER_TIMING=phases has spans" "$(grep -q 'c2prover::phase > job=circuit-1 kind=circuit part=0 phase=cpu.ntt lane=cpu.main t0_us=' "$out/output"; echo $?)"

echo "== examples"
porep=("${C2PROVER_TEST_PARAMS:-/nowhere}"/v28-stacked-proof-of-replication-*.params)
build "$c" ../../examples/c/prove.c prove-c $shared
build "$cxx" ../../examples/cpp/prove.cpp prove-cpp $shared
example() { # PROGRAM
    "$out/bin/$1" "$C2P_TEST_DATA/c1-raw.json" 1 1000 "$C2PROVER_TEST_PARAMS" > "$out/output" && grep -qx 'verified: yes' "$out/output"
}
for program in prove-c prove-cpp; do
    if [ -f "${porep[0]}" ]; then
        verdict "$program proves a sector" "$(example $program; echo $?)"
    else
        echo "$program is not run: C2PROVER_TEST_PARAMS has no parameters of the PoRep"
    fi
    "$out/bin/$program" "$C2P_TEST_DATA/c1-raw.json" 2 1000 > "$out/output" 2>&1 || true
    verdict "$program says what is wrong" "$(grep -q '^BAD_INPUT: ' "$out/output"; echo $?)"
done

echo "C and C++: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
