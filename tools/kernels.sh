#!/usr/bin/env bash
# Compiles every kernel for the given architectures and holds what ptxas says of spills against cuda/spills.txt: a kernel
# that spills more than its line allows is an error, and so is a line without a kernel.
#   usage: tools/kernels.sh [ARCH ..]        80 90 if none is named; SPILLS=file, JOBS=2
# Objects stay under target/kernels/ARCH, so that a second run compiles what changed; kernels.txt there lists registers
# and spills. Where there is no nvcc it lays out one (tools/cuda-toolkit.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- 80 90
. tools/find-nvcc.sh 2>/dev/null || { tools/cuda-toolkit.sh >/dev/null && . tools/find-nvcc.sh; }
make -s --no-print-directory -j"${JOBS:-2}" -f tools/kernels.mk ARCHS="$*"

# ptxas's log as lines of: registers, bytes of stack, spilled, reloaded, name. Functions that are not inlined come after
# the kernel that calls them, without a number of registers.
table() {
    awk '
        function flush() { if (name != "") print registers, stack, stored, loaded, name; name = "" }
        /Compiling entry function/ { flush() }
        /Function properties for/  { flush(); name = $NF; registers = "-" }
        /bytes stack frame/        { stack = $1; stored = $5; loaded = $9 }
        / Used [0-9]+ registers/   { registers = $5 }
        END { flush() }' "$@" | c++filt | sed -E '
        # the name without its types: no arguments, no namespace of ours, an enumerator as its number
        s/\(anonymous namespace\):://g; s/\([A-Za-z0-9_:]+\)([0-9])/\1/g; s/, /,/g; s/unsigned int/u32/g
        s/\(.*//; s/(cub|thrust)::[^<]*::/\1::/; s/((cub|thrust)::[A-Za-z0-9_]+)<.*/\1/; s/c2:://g
        s/^((\S+ ){4})(.* )?(\S+)$/\1\4/' | sort -k5,5 -k3,3nr | awk '!seen[$5]++'  # of one name the worst
}

status=0
for arch; do
    logs=()
    for source in cuda/*/*.cu; do
        log=${source#cuda/}
        logs+=("target/kernels/$arch/${log%.cu}.log")
    done
    list=target/kernels/$arch/kernels.txt
    { echo "registers stack spilled reloaded kernel" && table "${logs[@]}"; } |
        awk '{ printf "%-9s %6s %7s %8s  %s\n", $1, $2, $3, $4, $5 }' >"$list"
    awk -v arch="$arch" -v list="$list" '
        # Policy: a pattern, a column an architecture, the reason.
        FNR == NR && (/^#/ || NF == 0) { next }
        FNR == NR && column == 0 {
            for (i = 2; i <= NF; i++) if ($i == arch) column = i
            if (!column) { print FILENAME ": no column for sm_" arch; failed = 1; exit 1 }
            next
        }
        FNR == NR {
            pattern = $1
            gsub(/[][().+?^$|\\{}]/, "\\\\&", pattern)
            gsub(/\*/, ".*", pattern)
            line[++lines] = $1; regex[lines] = "^" pattern "$"; allowed[lines] = $column
            next
        }
        FNR == 1 { next }
        {
            kernels++
            for (i = 1; i <= lines && $5 !~ regex[i]; i++);
            used[i] = 1
            if ($3 > 0) spilling++
            if ($3 > most) most = $3
            if ($3 > (i <= lines ? allowed[i] : 0)) {
                print "sm_" arch ": " $5 " spills " $3 " bytes, " (i <= lines ? allowed[i] " are" : "none is") " allowed"
                failed = 1
            }
        }
        END {
            for (i = 1; i <= lines; i++)
                if (!used[i]) { print "sm_" arch ": no kernel is called " line[i]; failed = 1 }
            if (!failed)
                print "sm_" arch ": " kernels " kernels and functions, " spilling + 0 " spill, " most + 0 " bytes at most, as the policy allows: " list
            exit failed
        }' "${SPILLS:-cuda/spills.txt}" "$list" || status=1
done
[ $status -eq 0 ] || echo "spills: see cuda/spills.txt; $(nvcc --version | grep release)" >&2
exit $status
