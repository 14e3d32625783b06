#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/run.sh - executions per second, nanoseconds per event, the cost of each detector, native slowdown, memory.
#
#   B=build tests/bench/run.sh [SECONDS]     seconds a measurement (default 2); best of three
#
# The reference is Relacy (measured on this kind of machine, on programs rewritten to its macros): 3.4 million
# executions a second of sb, 0.78 million of an ms-queue with three threads. Machines are noisy: compare figures of one
# run of this script only.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
seconds=${1:-2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

build() { "$B/bin/heddle-cc" -g -O2 "${@:3}" -o "$1" "$top/$2"; }

# best PROGRAM OPTIONS...: executions/s and steps/s of the best of three runs
best() {
	local program=$1 rate=0 line
	shift
	for _ in 1 2 3; do
		"$B/bin/heddle" run --json - --time "$seconds" "$@" "./$program" >out.json || true
		line=$(jq -r '[(.executions + .blocked) / .seconds, .seconds * 1e9 / .steps] | @tsv' out.json)
		if awk -v a="${line%%	*}" -v b="${rate%%	*}" 'BEGIN { exit !(a > b) }'; then rate=$line; fi
	done
	printf '%s' "$rate"
}

build sb examples/sb.c -DFENCED_X
build peterson examples/peterson.c -DFENCED
build ms_queue examples/ms_queue.c
build chase_lev examples/chase_lev.c

printf '%-12s %-8s %14s %12s\n' program strategy executions/s ns/step
for program in sb peterson ms_queue chase_lev; do
	for strategy in random pct dfs; do
		best $program --model tso --strategy $strategy --keep-going |
			awk -v p=$program -v s=$strategy '{printf "%-12s %-8s %14.0f %12.1f\n", p, s, $1, $2}'
	done
done

# CPU time of an execution, by each, and of the same jobs natively.
clang -O2 -DJOBS=20000 -DWORKERS=4 -pthread -o pool-plain "$top/tests/bench/pool.c"
build pool tests/bench/pool.c
cpu() { { TIMEFORMAT=%U; time "$@" >/dev/null 2>&1; } 2>&1; }
plain=$(cpu ./pool-plain)
for strategy in random pct; do
	sampled=$(cpu "$B/bin/heddle" run -q --model tso --strategy $strategy --executions 200 --time 0 ./pool || true)
	awk -v s=$strategy -v a="$plain" -v b="$sampled" 'BEGIN {
		printf "%-12s %-8s %.2f ms an execution, %.1f times native\n", "pool", s, b * 1000 / 202, b / 202 / (a / 100) }'
done

for k in 0 1; do # all executions under sc with so many preemptions
	"$B/bin/heddle" run --model sc --strategy dfs --private always --preemptions $k --time 30 --json out.json ./pool \
		>last 2>&1 || true
	ended=$(tail -1 last | grep -q 'stopped after' && echo 'no end' || echo 'all')
	jq -r --arg k $k --arg e "$ended" '"pool         k = \($k)    \($e) in \(.seconds * 100 | round / 100) s, \(.executions) executions"' out.json
done
"$B/bin/heddle" run --time 20 ./pool 2>&1 | tail -1 | sed 's/^heddle:/pool         default /'

B=$B "$top/tests/bench/detectors.sh"

echo
B=$B "$top/tests/bench/hardware.sh"

echo
low() { for _ in 1 2 3 4 5; do "$@"; done | sort -n | head -1; }
for program in native native_plain native_queue; do
	clang -O2 -mcx16 -o native-plain "$top/tests/bench/$program.c" -pthread
	"$B/bin/heddle-cc" -O2 -o native-heddle "$top/tests/bench/$program.c" -pthread
	a=$(low ./native-plain) b=$(low ./native-heddle)
	awk -v p=$program -v a="$a" -v b="$b" 'BEGIN {
		printf "%-12s not exploring: %.2f times the time of clang -O2 (%.1f ms, %.1f ms)\n",
			p, b / a, b / 1e6, a / 1e6 }'
done

echo
# The whole suite of 20 tests: a process for each.
"$B/bin/heddle-cc" -g -O2 -o suite "$top/tests/cli/suite.c" -lcunit
start=$(date +%s%N)
"$B/bin/heddle" run --suite ./suite >suite.out || true
awk -v n=$(($(date +%s%N) - start)) 'END { printf "run --suite: 20 tests in %.3f s\n%s\n", n / 1e9, $0 }' \
	<(grep '^heddle: .* tests' suite.out)

echo
"$B/bin/heddle" run --model tso --strategy random --keep-going --time 0 --executions 10000000 --quiet ./sb >last &
run=$!
first=
while kill -0 $run 2>/dev/null; do
	child=$(pgrep -P $run -n || true)
	now=$(awk '/VmRSS/ {print $2}' "/proc/$child/status" 2>/dev/null || true)
	[ -n "$now" ] && { [ -n "$first" ] || first=$now; latest=$now; }
	sleep 0.2
done
tail -1 last
echo "resident memory: ${first:-?} KiB at the start, ${latest:-?} KiB at the end"
