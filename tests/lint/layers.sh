#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Layers only look down: a file includes nothing of a later line of runtime/LAYERS than its own, and
# of its line only its own folder. Each folder of the runtime is in a line, or within one that is, with code of a
# processor. Tools include the pure layers only, and the header of arch/, which alone knows processors.
#
# Tools have layers, too: tools/README lists the folders, lowest first. The other headers of tools/ are for all of them.
# Only job/ knows of mpi/, which is above it: --mpi is a way to run any job.
set -eu
cd "$(dirname "$0")/../.."
bad=0
declare -A rank
n=0
while read -ra row; do
	n=$((n + 1))
	for layer in "${row[@]}"; do rank[$layer]=$n; done
done <runtime/LAYERS

for folder in runtime/*/ runtime/*/*/; do
	folder=${folder#runtime/} folder=${folder%/}
	[ -n "${rank[$folder]-}" ] || [[ $folder = tsan || $folder = cxx || $folder = flight || $folder = */x86_64 || $folder = */aarch64 ]] ||
		{ echo "runtime/$folder is not in runtime/LAYERS" && bad=1; }
done

# The layer of a file, given by its path in runtime/: the innermost folder that is one.
layer_of() {
	layer=${1%/*}
	while [ -z "${rank[$layer]-}" ] && [[ $layer = */* ]]; do layer=${layer%/*}; done
}

complain() {
	echo "$1 includes \"$2\": $3"
	bad=1
}

# FILE HEADER of each #include "..." in these files.
includes() {
	grep -oE '^#include "[^"]+"' /dev/null "$@" | sed 's/:#include "/ /; s/"$//'
}

while read -r file header; do
	layer_of "${file#runtime/}" && own=$layer && layer_of "$header" && other=$layer
	[ -n "${rank[$own]-}" ] || continue # tsan, cxx, flight: see runtime/README
	[ -n "${rank[$other]-}" ] || continue
	[ "${rank[$other]}" -le "${rank[$own]}" ] || complain "$file" "$header" "layers look down only"
	[ "$other" = "$own" ] || [ "${rank[$other]}" != "${rank[$own]}" ] || complain "$file" "$header" "these two are siblings"
done < <(includes runtime/*/*.[ch] runtime/*/*/*.[ch])

while read -r file header; do
	case ${header%%/*} in
	base | event | cat | model | verify | arch | report | repair) ;;
	*) [ -z "${rank[${header%%/*}]-}" ] || complain "$file" "$header" "outside the tested process" ;;
	esac
done < <(includes tools/*.[ch] tools/*/*.[ch] instrument/*.[ch] instrument/*.cc examples/*.c)

declare -A story
n=0
for room in $(sed -nE 's/^  ([a-z]+) {2,}.*/\1/p' tools/README); do story[$room]=$((n += 1)); done
for folder in tools/*/; do
	folder=${folder#tools/} folder=${folder%/}
	[ -n "${story[$folder]-}" ] || [ "$folder" = debian ] || { echo "tools/$folder is not in tools/README" && bad=1; }
done
while read -r file header; do
	own=${file#tools/} own=${own%%/*} other=${header%%/*}
	case $own/$header in
	main.c/* | job/mpi/machines.h) ;;
	*) [ "${story[$other]-0}" -le "${story[$own]-0}" ] || complain "$file" "$header" "tools look down only" ;;
	esac
done < <(includes tools/*.[ch] tools/*/*.[ch])

# Memory models are known in model/ and by their rows: other code asks for traits and capabilities. SC is the reference.
models=$(sed -nE 's/^\tROW\([a-z0-9]+, ([A-Z0-9]+),.*/\1/p' runtime/base/models.h | grep -vx SC | paste -sd'|')
while read -r line; do
	echo "$line: a memory model outside of model/"
	bad=1
done < <(git grep -nE "\bMODEL_($models)\b" -- runtime tools instrument ':!runtime/model' ':!runtime/base/models.h' \
	':!runtime/holes/holes_order.c')

while read -r line; do
	echo "$line: only arch/ knows processors"
	bad=1
done < <(git grep -nE '\b__(x86_64|aarch64|arm|riscv|i386|powerpc64)__\b' -- 'runtime/*.[chS]' 'tools/*.[ch]' 'instrument/*' \
	':!runtime/arch')
exit $bad
