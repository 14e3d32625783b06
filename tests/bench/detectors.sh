#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/detectors.sh - what each detector costs: executions a second with it and without.
#
#   B=build tests/bench/detectors.sh [SECONDS [PAIRS]]     a measurement (default 0.3), how many pairs (5)
#
# Each pair is two runs, one right after the other; the table has the medians of both, and the median of the
# pairs' quotients. Without: nothing else is looked for either. A program explored to its end in less time is
# explored no further. Only figures of one run are to be compared, on a machine that does nothing else.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
seconds=${1:-0.3}
pairs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

build() { "$B/bin/heddle-cc" -g -O2 "${@:3}" -o "$1" "$top/$2" -lpthread; }

build heap tests/bench/heap.c
build ms_queue examples/ms_queue.c
build chase_lev examples/chase_lev.c
build peterson examples/peterson.c -DFENCED
build locks tests/counts/lockinc.c -DN=3 -DL=4
build lin_ring examples/lin_ring.c

# rate PROGRAM OPTION...: executions a second
rate() {
	local program=$1
	shift
	"$B/bin/heddle" run --quiet --json out.json --keep-going --time "$seconds" "$@" "./$program" >/dev/null 2>&1 || true
	jq -r '(.executions + .blocked) / .seconds' out.json
}

median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

row() { # detector, base detectors, program, options
	local detector=$1 base=$2 program=$3
	shift 3
	: >with
	: >without
	: >cost
	for ((i = 0; i < pairs; i++)); do
		a=$(rate "$program" "$@" --detect="$base,$detector")
		b=$(rate "$program" "$@" --detect="$base")
		echo "$a" >>with
		echo "$b" >>without
		awk -v a="$a" -v b="$b" 'BEGIN {print 100 * (b / a - 1)}' >>cost
	done
	printf '%-11s %-10s %-18s %12.0f %12.0f %6.0f%%\n' "$detector" "$program" "${*#--}" \
		"$(median <with)" "$(median <without)" "$(median <cost)"
}

graph="--model=rc11 --strategy=graph"
random="--model=tso --strategy=random"
printf '%-11s %-10s %-18s %12s %12s %7s\n' detector program how 'with, ex./s' without cost
while read -r detector base programs; do
	for program in $programs; do
		row "$detector" "$base" "$program" $graph
		[ "$detector" = race ] || row "$detector" "$base" "$program" $random
	done
done <<'END'
race none heap ms_queue chase_lev
heap none heap ms_queue chase_lev
leak none heap ms_queue
lin none lin_ring ms_queue
livelock none peterson ms_queue
threads none heap locks
barrier none locks
lock-order none locks ms_queue
uninit heap heap ms_queue
END
