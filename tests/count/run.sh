#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# count/run.sh - false alarms and misses, counted, on generated programs (counted.h); TAP.
#
#     B=build count/run.sh                 a slice, for `make check`
#     B=build count/run.sh --all [FROM TO] the whole (`make count`), or parts FROM to TO of 1 to 20
#
# The whole: 100,000 correct programs, seeds 1 to 100000, under rc11, each and under one of sc, tso, pso and ra; 10,000
# programs with one thing weakened under all five. Each part has 5000 and 500 of them, interpreted (explore.c).
# Weakened programs, and some of the correct ones, are judged by enumeration first (oracle.c).
set -u
cd "$(dirname "$0")" || exit 2
here=$PWD
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
top=$(realpath ../..)
flags="-std=gnu11 -DGP_LARGE -I$here -I$top/tests/agree -I$top/runtime -I$top/include"

build() {
	# shellcheck disable=SC2086
	${CC:-cc} $flags -O1 -o "$out/oracle" oracle.c protocols.c weaken.c ../agree/{enumerate,axioms,executions,graph_program}.c &&
		(cd "$out" && ${CC:-cc} $flags -O1 -c "$here/given.c" "$top/tests/agree/graph_program.c") &&
		"$B/bin/heddle-cc" $flags -D_GNU_SOURCE -g -O1 -pthread -o "$out/explore" explore.c judge.c "$out"/*.o
}

# Programs from standard input.
explore() { # model[,options]...
	local m

	cat >"$out/programs"
	for m; do
		mkdir "$out/replays"
		case $m in
		*,*) (cd "$out/replays" && ../explore "${m%%,*}" "${m#*,}" <../programs) ;;
		*) (cd "$out/replays" && ../explore "$m" <../programs) ;;
		esac
		rm -rf "$out/replays"
	done
}

slice() {
	"$out/oracle" 1 60 | explore rc11 tso
	"$out/oracle" --judge --most 100 1 20 | explore pso
	"$out/oracle" --weaken --most 100 1 50 | explore rc11 ra sc tso pso rc11,equivalence=rf pso,strategy=rf
	# A comparison that can fail:
	if "$out/oracle" --weaken --most 100 1 20 | explore rc11,detect=-race | grep -q '^not ok'; then
		echo "ok - count: without its detector, races are missed"
	else
		echo "not ok - count: without its detector, races are missed"
	fi
}

part() { # number
	local others=(ra sc tso pso)

	"$out/oracle" $(((($1 - 1) * 5000) + 1)) 5000 | explore rc11 "${others[$1 % 4]}"
	"$out/oracle" --weaken "$(($1 * 10000))" 500 | explore rc11 ra sc tso pso
}

build || exit 1
{
	if [ "${1:-}" = --all ]; then
		for ((i = ${2:-1}; i <= ${3:-20}; i++)); do
			part $i
		done
	else
		slice
	fi
} 2>"$out/errors" | tee "$out/tap"
cat "$out/errors"
grep -q '^ok' "$out/tap" && ! grep -q '^not ok' "$out/tap"
