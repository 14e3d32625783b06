#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - the tests of the command line: all, or those named (`run report`). TAP on stdout.
#
#     B=build JOBS=2 tests/cli/run.sh [NAME...]      JOBS tests at a time; the output of each is printed as a whole
B=$(realpath "${B:-$(dirname "$0")/../../build}")
export B
cd "$(dirname "$0")" || exit 2
failed=$(mktemp)
trap 'rm -f "$failed"' EXIT

one() {
	local tap code began=$SECONDS

	if [ ! -e "t_$1.sh" ]; then
		echo "not ok - $1: there is no such test (tests/cli/t_$1.sh)"
		echo "$1" >>"$failed"
		return
	fi
	tap=$(bash "t_$1.sh" 2>&1)
	code=$?
	[ $code = 0 ] || echo "$1" >>"$failed"
	grep -q '^not ok' <<<"$tap" || [ $code = 0 ] || tap+=$'\n'"not ok - $1: exit code $code, and none of its tests failed"
	[ $((SECONDS - began)) -lt 10 ] || tap+=$'\n'"# $1: $((SECONDS - began)) s"
	printf '%s\n' "$tap" | flock "$failed" cat
}

if [ $# = 0 ]; then
	set -- t_*.sh
	set -- "${@#t_}"
	set -- "${@%.sh}"
fi
for name; do
	while [ "$(jobs -rp | wc -l)" -ge "${JOBS:-2}" ]; do
		wait -n
	done
	one "$name" &
done
wait
[ ! -s "$failed" ]
