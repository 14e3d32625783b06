#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# again.sh - run the suite repeatedly: the tests of each run, and their results, must be the same
#
#   tests/again.sh 20             all suites, 20 times, each time compared with the first
#   tests/again.sh 20 cli unit    these suites
#
# Lines of tests are compared without their numbers: some suites run their tests in parallel. The output of each suite
# stays in $B/again/RUN/. Exit code 1 if a run failed or differed.
cd "$(dirname "$0")/.." || exit 2
export B=${B:-build}
times=${1:?how many times}
shift
all=$(realpath "$B")/again
rm -rf "$all"
failed=0

# The lines of the tests of a run, sorted.
verdicts() {
	grep -hE '^(not )?ok ' "$all/$1"/*.log | sed -E 's/^((not )?ok) [0-9]+/\1/' | sort
}

for ((i = 1; i <= times; i++)); do
	began=$SECONDS
	LOGS=$all/$i tests/run.sh "$@" >"$all.log" 2>&1
	code=$?
	mv "$all.log" "$all/$i/run"
	verdicts "$i" >"$all/$i/verdicts"
	same=same
	cmp -s "$all/1/verdicts" "$all/$i/verdicts" || same=differs
	printf 'run %d: exit code %d, %s, %s, %d s\n' "$i" $code "$(tail -1 "$all/$i/run")" $same $((SECONDS - began))
	[ $code = 0 ] && [ $same = same ] && continue
	failed=1
	grep -h '^not ok' "$all/$i"/*.log
	diff "$all/1/verdicts" "$all/$i/verdicts" | head -40
done
exit $failed
