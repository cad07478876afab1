#!/usr/bin/env bash
# Tests the Go package in every way in which it is built, and the example. "make go-lib" comes first; C2PROVER_TEST_PARAMS
# names the folder of the parameters that are too large for the repository. The last line counts; what is skipped says why.
set -uo pipefail
cd "$(dirname "$0")"
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log

count() { # name, passed, failed, skipped
    passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
    [ "$3" = 0 ] || cat "$log"
    echo "go: $1: $2 passed, $3 failed, $4 skipped"
}

# One thing to check: a command that has to succeed.
check() { # name, command
    if "${@:2}" > "$log" 2>&1; then count "$1" 1 0 0; else count "$1" 0 1 0; fi
}

skip() { # name, reason
    : > "$log"
    echo "go: $1 is not tested: $2"
    count "$1" 0 0 1
}

# A package's tests, or some of them: of the one that $package names, or the first; of the module in $folder, or this one.
tests() { # name, arguments of go test
    local rc=0 successes failures
    (cd "${folder:-.}" && go test -count=1 -timeout 30m -v "${@:2}" "${package:-.}") > "$log" 2>&1 || rc=$?
    successes=$(grep -c '^--- PASS' "$log") failures=$(grep -c '^--- FAIL' "$log")
    # A program that does not build, or dies, fails no single test; and to run none is no success.
    if [ "$failures" = 0 ] && { [ "$rc" != 0 ] || [ "$successes" = 0 ]; }; then failures=1; fi
    grep -B1 '^--- SKIP' "$log" | grep -v -e '^--$' -e '^--- SKIP' | sed 's/^ *[a-z_]*_test.go:[0-9]*: /go: /'
    count "$1" "$successes" "$failures" "$(grep -c '^--- SKIP' "$log")"
}

formatted() { test -z "$("$(go env GOROOT)/bin/gofmt" -l . ../examples/go | tee /dev/stderr)"; }

vet() {
    local tags
    for tags in "" c2prover_dynamic; do go vet -tags "$tags" ./... || return; done
    CGO_ENABLED=0 go vet ./... && (cd ../examples/go && go vet ./...)
}

# The go command caches what pkg-config said, and does not ask again unless the flags of the C compiler change.
ask_again() { # folder of the .pc file, command
    PKG_CONFIG_PATH=$1 CGO_CFLAGS="-O2 -g -DASKED=$1" "${@:2}"
}

# The installed library, found by pkg-config.
installed() {
    LD_LIBRARY_PATH=$work/installed/lib ask_again "$work/installed/lib/pkgconfig" \
        tests "installed library, some tests" -tags c2prover_pkgconfig -run 'Version|Status|Circuits|StoredProofs'
}

# A library of another interface version fails when the program is linked, and by a name that says why.
stale() {
    local folder=$work/stale
    mkdir -p "$folder"
    sed 's|//.*||' c2prover.h | grep -o 'c2p_[a-z0-9_]*(' | tr -d '(' | sort -u | grep -v c2p_abi_v1 |
        sed 's/.*/void &(void) {}/' > "$folder/stale.c"
    gcc -shared -o "$folder/libc2prover.so" "$folder/stale.c" || return
    printf 'Name: c2prover\nDescription: stale\nVersion: 0\nLibs: -L%s -lc2prover\nCflags: -I%s\n' "$folder" "$PWD" > "$folder/c2prover.pc"
    if ask_again "$folder" go test -c -o "$work/stale.test" -tags c2prover_pkgconfig . > "$folder/out" 2>&1; then
        echo "a stale library links"
        return 1
    fi
    cat "$folder/out"
    grep -q 'undefined reference to .c2p_abi_v1' "$folder/out"
}

example() { # folder of the parameters
    (cd ../examples/go && go build -o "$work/example" . && "$work/example" -params "$1" -trace "$work/trace.json") > "$work/out" || return
    grep -qx 'verified: true' "$work/out" && grep -q '"cpu.b_g2"' "$work/trace.json"
}

if [ ! -f lib/libc2prover.a ] || [ ! -f lib/libc2prover.so ]; then
    echo "go: lib/ has no library: run 'make go-lib' first" >&2
    exit 1
fi

long='^(TestPoRep|TestSectorUpdate|TestTwoHundredMegabytesOfGarbage)$'
# The same library linked another way: what takes it time is tested above.
load='TestTwentyJobs|TestCancelAt|TestACriticalJob|TestCloseWhile|TestTimeLimits'
check "gofmt" formatted
check "go vet" vet
tests "static library"
tests "static library, race detector, without the longest" -race -short -skip "$long"
tests "shared library, without the longest" -short -tags c2prover_dynamic -skip "$long|$load"
CGO_ENABLED=0 tests "no cgo"
package=./worker tests "worker, race detector" -race
CGO_ENABLED=0 package=./worker tests "worker, no cgo"
# A module of its own, with modules of others: without a network it cannot be built.
if (cd curio && go mod download) > "$log" 2>&1; then
    folder=curio tests "curio"
    check "curio, go vet" bash -c 'cd curio && go vet ./... && CGO_ENABLED=0 go vet ./...'
else
    skip "curio" "its modules cannot be downloaded: $(tail -n 1 "$log")"
fi
if ! command -v pkg-config > /dev/null; then
    skip "installed library" "there is no pkg-config"
elif ! ../tools/install.sh "$work/installed" > "$log" 2>&1; then
    count "installing" 0 1 0
else
    check "stale library" stale
    installed
fi
porep=("${C2PROVER_TEST_PARAMS:-/nowhere}"/v28-stacked-proof-of-replication-*.params)
if [ -f "${porep[0]}" ]; then
    check "examples/go" example "$(cd "$C2PROVER_TEST_PARAMS" && pwd)"
else
    skip "examples/go" "C2PROVER_TEST_PARAMS has no parameters of the PoRep"
fi

echo "go: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
