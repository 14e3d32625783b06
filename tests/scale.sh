#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# scale.sh - programs of about 100 lines, with 4 to 16 threads and thousands of accesses, by `heddle run' without further
# options: the right version of each (tests/scale/NAME.c) has executions and no finding, the wrong one (-DWRONG) is
# found. Of shapes.c all versions are wrong. TAP on stdout, with a row of figures for each run.
#
#     tests/scale.sh [--long] [NAME...]     all programs, or those whose name contains one
#     B=build TIME=20
#
# --long: the right version has TIME seconds, and then all executions under sc without preemption, or with at most one
# delay, have been seen. Without, it runs 30 times, and rings completely without preemption; and what takes more than
# about a second to be found is left out.
set -u
cd "$(dirname "$0")" || exit 2
B=$(realpath "${B:-../build}")
long='' names=() failed=0 time=${TIME:-20}
for arg; do
	if [ "$arg" = --long ]; then long=1; else names+=("$arg"); fi
done
slow=' mergesort waiters waiters.wrong pool pool.wrong two_stages '
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source=$PWD/scale
cd "$scratch" || exit 2

wanted() {
	local name
	[ -n "$long" ] || [[ $slow != *" $1 "* ]] || return 1
	[ ${#names[@]} = 0 ] && return 0
	for name in "${names[@]}"; do [[ $1 == *"$name"* ]] && return 0; done
	return 1
}

say() { # good? TITLE
	if [ "$1" = 0 ]; then echo "ok - $2"; else
		echo "not ok - $2"
		sed 's/^/# /' out | tail -12
		failed=$((failed + 1))
	fi
}

# explore TITLE EXPECTED SOURCE FLAGS -- OPTIONS
explore() {
	local title=$1 want=$2 file=$3 flag=$4 code row
	shift 4
	if ! "$B/bin/heddle-cc" -g -O1 -pthread $flag -o program "$source/$file.c" >out 2>&1; then
		say 1 "$title: compiles"
		return
	fi
	timeout $((time * 3 + 60)) "$B/bin/heddle" run --json result.json "$@" ./program >out 2>&1
	code=$?
	row=$(jq -r '"\(.executions) executions, complete \(.guarantee.complete), preemptions \(.guarantee.preemptions), delays \(.guarantee.delays), " +
		"\(.findings[0].kind // "no finding"), \(.seconds * 100 | round / 100) s"' result.json 2>/dev/null)
	case $want in
	found) [ $code = 1 ] ;;
	right) { [ $code = 0 ] || [ $code = 3 ]; } && jq -e '.executions > 0' result.json >/dev/null ;;
	all) [ $code = 3 ] && ! grep -q stopped out ;;
	soon) [ $code = 3 ] && jq -e '.executions == 1 and .steps < 250000' result.json >/dev/null ;;
	seen) { [ $code = 0 ] || [ $code = 3 ]; } &&
		jq -e '.guarantee.complete or .guarantee.preemptions != null or .guarantee.delays != null' result.json >/dev/null ;;
	esac
	say $? "$title: $row"
	rm -f ./*.heddle result.json
}

for path in "$source"/*.c; do
	name=$(basename "$path" .c)
	[ "$name" = shapes ] && continue
	if [ -n "$long" ]; then
		wanted "$name" && explore "$name" seen "$name" "" --time "$time"
	else
		wanted "$name" && explore "$name" right "$name" "" --time "$time" --executions 30
	fi
	wanted "$name.wrong" && explore "$name, wrong" found "$name" -DWRONG --time "$time"
done
# Nearly 10^12 schedules, and about 1,500 states of the threads (prove/known.h).
wanted rings.states && explore "rings, without preemption" all rings "" --model sc --strategy dfs --preemptions 0 \
	--private always --known-traces always --time 120
# A graph of 600 events. With sharing learnt a location at a time, it takes 765,000 steps (graph/foresee.h).
wanted phases.graph && explore "phases, first graph" soon phases "" --strategy graph --executions 1
for shape in account reorder token_ring two_stages philosophers wrong_lock aba; do
	wanted "$shape" && explore "$shape" found shapes "-DSHAPE=$shape" --time "$time"
done
[ "$failed" = 0 ]
