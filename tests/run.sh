#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - all tests, or the suites named: lint unit agree abi cli counts programs
#
#   tests/run.sh            everything
#   tests/run.sh cli unit   these
#
# Each suite prints TAP; what fails is shown at once, and counted in the last line:
# "N passed, N failed, N skipped". B= names the build folder. Exit code 1 if anything failed.
cd "$(dirname "$0")/.." || exit 2
export B=${B:-build}
B=$(realpath "$B")
passed=0 failed=0 skipped=0

count() {
	local suite=$1 log=$2 code=$3 ok not skip
	ok=$(grep -cE '^ok ' "$log")
	skip=$(grep -ciE '^ok .*# *skip' "$log")
	not=$(grep -cE '^not ok ' "$log")
	if [ "$not" = 0 ] && { [ "$code" != 0 ] || [ "$ok" = 0 ]; }; then
		echo "not ok - $suite: exit code $code after $ok tests"
		tail -20 "$log"
		not=1
	fi
	passed=$((passed + ok - skip)) failed=$((failed + not)) skipped=$((skipped + skip))
	printf '%-10s %5d passed %3d failed %3d skipped  %4d s\n' "$suite" $((ok - skip)) "$not" "$skip" \
		$((SECONDS - began))
}

run() {
	local suite=$1 log began=$SECONDS code
	shift
	log=$(mktemp)
	"$@" >"$log" 2>&1 </dev/null
	code=$?
	grep -A 30 -E '^not ok ' "$log" | grep -vE '^ok ' | head -200
	count "$suite" "$log" $code
	rm -f "$log"
}

unit() {
	local out
	out=$("$B/bin/unit" 2>&1)
	local code=$?
	printf '%s\n' "$out"
	printf '%s\n' "$out" | awk '/Test: .*passed/ {print "ok - " $0} /Test: .*FAILED/ {print "not ok - " $0}'
	return $code
}

for suite in ${*:-lint unit agree abi cli counts programs}; do
	case $suite in
	lint) run lint bash tests/lint/run.sh ;;
	unit) run unit unit ;;
	agree) run agree bash tests/agree/run.sh ;;
	abi) run abi bash tests/abi/run.sh ;;
	counts) run counts bash tests/counts.sh ;;
	programs) run programs bash tests/programs.sh ;;
	cli) run cli bash tests/cli/run.sh ;;
	*)
		echo "no such suite: $suite (lint unit agree abi cli counts programs)" >&2
		exit 2
		;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
