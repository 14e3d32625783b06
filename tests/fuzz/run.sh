#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - libFuzzer on each target: make fuzz [RUNS=1000000] [TARGETS="trace asm"]
#
# Begins with tests/fuzz/corpus and the inputs found by earlier runs (B/fuzz/corpus); inputs that crash a target stay in
# B/fuzz/TARGET-*. A line a target: runs, seconds, runs a second, inputs kept, verdict.
cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
runs=${RUNS:-1000000}
failed=0
# The tools do not free memory: leaks are expected.
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:malloc_context_size=6:quarantine_size_mb=4:thread_local_quarantine_size_kb=64
export UBSAN_OPTIONS=print_stacktrace=1

# The maximum length of a target's inputs: they grow to it.
longest() {
	case $1 in
	asm | orders | option | command | checkpoint | status) echo 160 ;;
	suppress) echo 250 ;;
	trace) echo 900 ;;
	*) echo 2500 ;;
	esac
}

one() {
	local target=$1 log=$B/fuzz/$1.log began=$SECONDS code units seconds dict=

	mkdir -p "$B/fuzz/corpus/$target"
	[ ! -f "tests/fuzz/$target.dict" ] || dict=-dict=tests/fuzz/$target.dict
	"$B/fuzz/$target" -runs="$runs" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -close_fd_mask=1 "-max_len=$(longest "$target")" \
		-print_final_stats=1 -artifact_prefix="$B/fuzz/$target-" $dict \
		"$B/fuzz/corpus/$target" "tests/fuzz/corpus/$target" >"$log" 2>&1
	code=$?
	seconds=$((SECONDS - began))
	units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	printf '%-9s %9s runs  %5d s  %7d/s  %5d inputs  %s\n' "$target" "${units:-?}" "$seconds" \
		$((${units:-0} / (seconds ? seconds : 1))) "$(ls "$B/fuzz/corpus/$target" | wc -l)" \
		"$([ $code = 0 ] && echo 'nothing found' || echo "FAILED: $log")"
	[ $code = 0 ] || failed=1
}

for target in ${TARGETS:-$(sed -n 's/^TARGET(\([a-z]*\),.*/\1/p' tests/fuzz/targets.def)}; do
	one "$target"
done
exit $failed
