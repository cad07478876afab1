#!/bin/sh
# Makes a static library whose only global symbols are c2p_*: `tools/static-archive.sh IN OUT`.
#
# The archive that cargo makes has blst's and Rust's symbols in it. A program that links another such archive then
# fails to link, or silently runs the other one's blst. So all members become one object, and its symbols local.
set -eu
in=${1:?usage: static-archive.sh IN OUT}
out=${2:?usage: static-archive.sh IN OUT}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# readelf, not nm: members hold LLVM bitcode, which nm hands to a plugin that may be of another version.
readelf -sW "$in" 2> /dev/null | awk '$5 == "GLOBAL" && $7 != "UND" && $8 ~ /^c2p_/ {print $8}' | sort -u > "$work/keep"
[ -s "$work/keep" ] || { echo "$in: no c2p_ symbols" >&2; exit 1; }
# Groups are merged, or a section that another archive has as well is dropped together with what we refer to in it.
# No --gc-sections here: it makes weak undefined symbols of the standard library strong. The final link may use it.
ld -r --force-group-allocation $(sed 's/^/-u /' "$work/keep") "$in" -o "$work/all.o"
objcopy --remove-section=.llvmbc --remove-section=.llvmcmd --strip-debug --keep-global-symbols="$work/keep" "$work/all.o" "$work/c2prover.o"
rm -f "$out"
ar rcsD "$out" "$work/c2prover.o"

others=$(readelf -sW "$out" | awk '($5 == "GLOBAL" || $5 == "WEAK") && $7 != "UND" && $8 !~ /^c2p_/ {print $8}' | sort -u)
if [ -n "$others" ]; then
    echo "$out: global symbols that are not ours:" $others >&2
    exit 1
fi
echo "$out: $(wc -l < "$work/keep") global symbols, all c2p_*, $(wc -c < "$out") bytes"
