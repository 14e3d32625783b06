#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/hardware.sh - the cost of models of hardware: executions a second of whole searches, beside rc11's of the same
# program; and of --deps: natively, beside the program that is instrumented without it.
#
#   B=build tests/bench/hardware.sh [RUNS]     best of so many (3)
#
# CPU time, start-up included. lb: each of three threads loads from one location and stores to the next one, so all
# executions are explored again for load buffering, but by graphs with holes.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
runs=${1:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >lb.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[3];
static void *other(void *arg)
{
	long i = (long)arg;
	for (int k = 1; k <= K; k++) {
		(void)atomic_load_explicit(&x[i], memory_order_relaxed);
		atomic_store_explicit(&x[(i + 1) % 3], k, memory_order_relaxed);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[3];
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, other, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
END

build() { "$B/bin/heddle-cc" --deps -g -O2 "${@:3}" -o "$1" "$2" -lpthread; }
low() { for ((i = 0; i < runs; i++)); do "$@"; done | sort -g | head -1; }

# cost MODEL PROGRAM: seconds of CPU time; out.json
cost() {
	local TIMEFORMAT='%U %S'
	{ time "$B/bin/heddle" run --quiet --json out.json --keep-going --races ignore --time 60 --model "$1" "./$2" \
		>/dev/null 2>&1 || true; } 2>cpu
	awk '{ print $1 + $2 }' cpu
}

executions=$top/tests/executions
build ticketlock "$executions/ticketlock.c" -DN=7
build treiber_stack "$executions/treiber_stack.c" -DPUSH=4
build chase_lev "$executions/chase_lev.c" -DP=4 -DT=2 -DS=2 -DK=2
build lamport "$executions/lamport.c" -DN=3
build ainc "$executions/ainc.c" -DN=8
build lb lb.c -DK=2

printf '%-14s %-6s %12s %12s %8s\n' program model executions 'ex./s' times
for program in ticketlock treiber_stack chase_lev lamport ainc lb; do
	for model in rc11 arm8 power riscv imm; do
		seconds=$(low cost $model $program)
		jq -r --arg p $program --arg m $model --arg s "$seconds" '[$p, $m, .executions + .blocked, $s,
			if .complete then "" else "not complete" end] | @tsv' out.json
	done
done | awk -F'\t' '$2 == "rc11" { base = $4 / $3 }
	{ printf "%-14s %-6s %12d %12.0f %8.2f %s\n", $1, $2, $3, $3 / $4, $4 / $3 / base, $5 }'

echo
for program in native native_plain native_queue; do
	"$B/bin/heddle-cc" -O2 -o without "$top/tests/bench/$program.c" -pthread
	"$B/bin/heddle-cc" --deps -O2 -o with "$top/tests/bench/$program.c" -pthread
	awk -v p=$program -v a="$(low ./without)" -v b="$(low ./with)" 'BEGIN {
		printf "%-14s not exploring: --deps %.2f times the time without (%.1f ms, %.1f ms)\n",
			p, b / a, b / 1e6, a / 1e6 }'
done
