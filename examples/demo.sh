#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# demo.sh BUILD - find a reordering in a lock-free ring, and replay it; what `make demo` runs.
set -eu
B=$(realpath "${1:-build}")
cd "$(dirname "$0")"
work=$B/demo
rm -rf "$work"
mkdir -p "$work"
PATH=$B/bin:$PATH

say() {
	printf '\n$ %s\n' "$*"
}

say "heddle-cc -g -O1 -DBUG -o ring examples/spsc_ring.c"
heddle-cc -g -O1 -DBUG -o "$work/ring" spsc_ring.c
cd "$work"
say "heddle run --model pso ./ring"
code=0
heddle run --model pso ./ring || code=$?
[ "$code" = 1 ] || {
	echo "heddle: the demo's bug was not found (exit code $code): try heddle doctor" >&2
	exit 70
}
say "heddle replay ring.heddle"
code=0
heddle replay ring.heddle || code=$?
[ "$code" = 1 ] || {
	echo "heddle: the replay did not fail again (exit code $code): try heddle doctor" >&2
	exit 70
}
printf '\nThe files are in %s. Next: README.md, or any other program of examples/.\n' "$(realpath --relative-base="$OLDPWD/.." "$work")"
