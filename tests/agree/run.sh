#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# agree/run.sh - explorers against plain search on random programs; TAP.
#
#     B=build [LONG=1] agree/run.sh [PROGRAMS [FIRST SEED]]
#
# First the explorer of graphs by itself, against all executions that the axioms allow (graphs.c); then
# native programs on store buffers (agree.c). LONG: 20 times the programs of the first.
set -eu
cd "$(dirname "$0")"
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
programs=1000
[ -z "${LONG:-}" ] || programs=20000
failed=0
[ -z "${LONG:-}" ] || "$B/bin/graphs" --rf --programs 4000 --larger 1 --seed "${2:-1}" || failed=1
"$B/bin/graphs" --named || failed=1
"$B/bin/graphs" --buffers --programs $((programs / 2)) || failed=1
"$B/bin/graphs" --programs $programs --seed "${2:-1}" || failed=1

${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -c -o "$out/program.o" program.c
"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -o "$out/agree" agree.c "$out/program.o"
"$out/agree" "${1:-300}" "${2:-1}" || failed=1
exit $failed
