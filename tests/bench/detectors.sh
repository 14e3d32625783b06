#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/detectors.sh - the cost of each detector: executions per second with it and without.
#
#   B=build tests/bench/detectors.sh [SECONDS [PAIRS]]     a measurement (default 0.3), how many pairs (5)
#
# Each pair is two runs, one after the other; executions per second of CPU time, start-up included. The table has the
# medians of both, and the median of the pairs' quotients: the relative time with the detector. Without: no other
# detector is on either. Compare figures of one run only.
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
build ms_queue tests/executions/ms_queue.c -DPUT=4
build chase_lev tests/executions/chase_lev.c -DP=2 -DT=2 -DS=3 -DK=1
build ticketlock tests/executions/ticketlock.c -DN=7
build locks tests/executions/lockinc.c -DN=3 -DL=4
build lin_deque tests/cli/lin.c -DDEQUE

# rate PROGRAM OPTION...: executions a second of CPU time
rate() {
	local program=$1 TIMEFORMAT='%U %S'
	shift
	{ time "$B/bin/heddle" run --quiet --json out.json --keep-going --time "$seconds" "$@" "./$program" \
		>/dev/null 2>&1 || true; } 2>cpu
	jq -r --arg cpu "$(cat cpu)" \
		'(.executions + .blocked) / ($cpu | split(" ") | map(tonumber) | add)' out.json
}

median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

row() { # detector, base detectors, program, how in words, options
	local detector=$1 base=$2 program=$3 how=$4
	shift 4
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
	printf '%-11s %-10s %-12s %12.0f %12.0f %6.0f%%\n' "$detector" "$program" "$how" \
		"$(median <with)" "$(median <without)" "$(median <cost)"
}

printf '%-11s %-10s %-12s %12s %12s %7s\n' detector program how 'with, ex./s' without cost
while read -r detector base programs; do
	for program in $programs; do
		row "$detector" "$base" "$program" "graph rc11" --model=rc11
		[ "$detector" = race ] || # graphs only
			row "$detector" "$base" "$program" "random tso" --model=tso --strategy=random
	done
done <<'END'
race none heap ms_queue chase_lev locks
heap none heap ms_queue
leak none heap ms_queue
lin none lin_deque
livelock none ticketlock
starvation none ticketlock
threads none heap locks
barrier none locks
lock-order none locks
uninit heap heap ms_queue
unwritten heap heap ms_queue
stack none ms_queue
END
