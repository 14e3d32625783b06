#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - all tests, or the suites named: lint unit agree abi cli verdicts executions races programs scale target; tiny
# (make check-tiny)
#
#   tests/run.sh            everything
#   tests/run.sh cli unit   these
#
# Each suite prints TAP; failed and skipped tests are shown at the end of the suite, and counted in the last line: "N
# passed, N failed, N skipped". B= names the build folder. Exit code 1 if anything failed.
#
# CLI: names of tests of the command line, instead of all. LOGS: a folder for the output of each suite.
#
# JOBS (2) suites run at once, the long ones first, each with as many jobs: none leaves a core idle at its end.
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL # make in tests must not be a submake
for fd in /proc/$$/fd/*; do      # nor do tests inherit descriptors: 255 is this script
	case ${fd##*/} in [012] | 255) ;; *) eval "exec ${fd##*/}>&-" ;; esac
done
export B=${B:-build} JOBS=${JOBS:-2}
B=$(realpath "$B")
results=$(mktemp -d)
trap '[ -z "${LOGS:-}" ] || { mkdir -p "$LOGS" && cp "$results"/*.log "$LOGS"; }; [ -z "$server" ] || { kill "$server"; wait "$server"; }; rm -rf "$results"' EXIT
suites=0

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
	echo "$((ok - skip)) $not $skip" >"$results/$suite.sum"
	printf '%-10s %5d passed %3d failed %3d skipped  %4d s\n' "$suite" $((ok - skip)) "$not" "$skip" \
		$((SECONDS - began))
}

run() {
	local suite=$1 log=$results/$1.log began=$SECONDS code
	shift
	"$@" >"$log" 2>&1 </dev/null
	code=$?
	{
		grep -A 30 -E '^not ok ' "$log" | grep -vE '^ok ' | head -200
		count "$suite" "$log" $code
		sed -nE 's/^ok .*- (.*)# *skip:? *(.*)/    skipped: \1(\2)/Ip' "$log"
	} >"$results/$suite.text"
	cat "$results/$suite.text"
}

# Beside at most JOBS - 1 others.
start() {
	while [ "$(jobs -rp | grep -cvx "$server")" -ge "$JOBS" ]; do
		wait -n
	done
	run "$@" &
}

unit() {
	local out
	out=$("$B/bin/unit" 2>&1)
	local code=$?
	printf '%s\n' "$out"
	printf '%s\n' "$out" | awk '/Test: .*passed/ {print "ok - " $0} /Test: .*FAILED/ {print "not ok - " $0}'
	"$B/bin/fuzz-once" tests/fuzz/corpus || code=1
	return $code
}

# The tests that take only seconds in a build with TINY=1.
tiny() {
	local failed=0

	"$B/bin/graphs" --programs 40 || failed=1
	bash tests/executions.sh ticketlock wcas sections || failed=1
	bash tests/cli/run.sh several || failed=1 # with workers, too, which have little room to share
	return $failed
}

executions() {
	local failed=0 twins="barrier_c poll_ psc s_cond sb_r"

	[ -z "${LONG:-}" ] || twins=

	bash tests/executions.sh || failed=1
	# shellcheck disable=SC2086
	bash tests/executions.sh --files $twins || failed=1
	[ -z "${LONG:-}" ] || bash tests/executions.sh --rf || failed=1
	return $failed
}

# A clang that is started once, for all suites (compiler/server.c); without it, if that fails. Programs are linked by
# gold, which takes half of the time of ld.bfd; sections of abi that are about linking do without.
share_compiler() {
	local clang words="-std=gnu11 -O2 -Wall -Wextra -Werror" here=tests/compiler dir=$results/compiler
	mkdir -p "$dir"
	! command -v ld.gold >"$dir/gold" || { ln -s "$(cat "$dir/gold")" "$dir/ld" && export COMPILER_PATH=$dir; }
	clang=$("$B/bin/heddle-cc" -### -c -x c /dev/null 2>&1 | sed -n '$s/^ *"\([^"]*\/clang\)" .*/\1/p')
	# shellcheck disable=SC2086
	[ -x "$clang" ] && [ -z "${HEDDLE_CC:-}${HEDDLE_CXX:-}" ] &&
		cc $words -shared -fPIC -o "$dir/server.so" $here/server.c $here/request.c -ldl &&
		cc $words -o "$dir/clang" $here/client.c $here/request.c && ln "$dir/clang" "$dir/clang++" || return
	export CLANG_SERVER=$dir/socket CLANG_FOLDER=${clang%/*} HEDDLE_CC=$dir/clang HEDDLE_CXX=$dir/clang++
	LD_PRELOAD=$dir/server.so LD_BIND_NOW=1 "$clang" </dev/null >"$dir/log" 2>&1 &
	server=$!
}

server='' pids=()
share_compiler
[ $# -gt 0 ] || set -- programs agree abi executions cli lint unit races verdicts scale target
for suite; do
	suites=$((suites + 1))
	case $suite in
	lint) start lint bash tests/lint/run.sh ;;
	unit) start unit unit ;;
	agree) start agree bash tests/agree/run.sh ;;
	abi) start abi bash tests/abi/run.sh ;;
	cli) start cli bash tests/cli/run.sh ${CLI:-} ;;
	verdicts) start verdicts bash tests/verdicts/run.sh ;;
	races) start races bash tests/races/run.sh ;;
	executions) start executions executions ;;
	tiny) start tiny tiny ;;
	programs) start programs bash tests/programs.sh ;;
	scale) start scale bash tests/scale.sh ${LONG:+--long} ;;
	target) start target bash tests/target.sh ;;
	*)
		echo "no such suite: $suite (lint unit agree abi cli verdicts executions races programs scale target tiny)" >&2
		exit 2
		;;
	esac
	pids+=($!)
done
wait "${pids[@]}"
awk -v suites="$suites" '{p += $1; f += $2; s += $3} END {
	printf "%d passed, %d failed, %d skipped\n", p, f, s
	exit !(p > 0 && f == 0 && NR == suites) }' "$results"/*.sum
