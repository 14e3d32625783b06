#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# agree/run.sh - explorers against plain search on random programs (agree.c); TAP.
set -eu
cd "$(dirname "$0")"
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -c -o "$out/program.o" program.c
"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -o "$out/agree" agree.c "$out/program.o"
"$out/agree" "${1:-300}" "${2:-1}"
