#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# verdicts/run.sh - false alarms and misses, counted, on generated programs (counted.h); TAP.
#
#     B=build verdicts/run.sh                 a slice, for `make check`; LONG=1: a larger one
#     B=build verdicts/run.sh --all [FROM TO] the whole (`make verdicts`), or parts FROM to TO of 1 to 20
#
# The whole: 100,000 correct programs, seeds 1 to 100000, each under rc11 and under one of sc, tso and pso, and 4000 of
# them under ra, where those that rely on sc are not correct; 10,000 programs with one thing weakened under all five.
# Each part has 5000 and 500 of them, interpreted (explore.c), and 200 and 200 of these as C (render.c), at -O0 to -O3
# or by gcc's instrumentation.
# Weakened programs, those under ra and a few others are judged by enumeration first (oracle.c).
#
# And as many ordinary programs (ordinary/ordinary.h), compiled at -O0 to -O3 and by gcc: threads that are not joined and
# wait, spin or work when the program ends, or are detached, or create others and end first; exit() by a thread, and
# atexit(); trylock and timed waits; locks of all kinds, robust and recursive ones, rwlocks, semaphores, barriers and queues
# over several rounds; loops that wait and count, back off, sleep or give up; atomics of mixed sizes; thread-specific data.
# 100,000 correct ones under rc11 and another model, 10,000 with one thing weakened under all: each part has 5000
# and 500, and one part in five is by gcc. Their verdicts are known from their construction. Where a count of iterations
# is stored, or not recognised as one (at -O0, by gcc), the number of executions is unbounded: errors within the first
# 50 count, and a line has the number of such programs.
#
# An ordinary program takes 2 to 3 ms, nearly all of it in its 130 executions. Parts can be run one by one, at the same
# time or another, and each says at its end how long it took. Parts after 20 are more of the same, with other seeds.
set -u
cd "$(dirname "$0")" || exit 2
here=$PWD
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
top=$(realpath ../..)
without=${WITHOUT-pauses} # elements excluded from ordinary programs
flags="-std=gnu11 -DGP_LARGE -I$here -I$top/tests/agree -I$top/runtime -I$top/include"

build() {
	# shellcheck disable=SC2086
	${CC:-cc} $flags -O1 -o "$out/render" render.c ../agree/graph_program.c &&
		${CC:-cc} $flags -O1 -o "$out/oracle" oracle.c protocols.c operations.c weaken.c ../agree/{enumerate,run,axioms,executions,graph_program}.c &&
		(cd "$out" && ${CC:-cc} $flags -O1 -c "$here/given.c" "$top/tests/agree/graph_program.c") &&
		"$B/bin/heddle-cc" $flags -D_GNU_SOURCE -g -O1 -pthread -o "$out/explore" explore.c judge.c "$out"/*.o
}

# Ordinary programs, compiled at a level: once a level.
ordinary() { # level, model[,options], arguments
	local level=$1 model=${2%%,*} options='' name

	[ "$2" = "$model" ] || options=${2#*,}
	name=$out/ordinary$level
	shift 2
	# shellcheck disable=SC2086 # flags and options are words
	[ -x "$name" ] || "$B/bin/heddle-cc" $level ${level/#--gcc/-O2} $flags -Iordinary -D_GNU_SOURCE -g -w -mcx16 -pthread \
		-o "$name" ordinary/*.c judge.c "$out/graph_program.o" || echo "not ok - count: compile"
	mkdir "$out/replays"
	(cd "$out/replays" && "$name" --without "$without" "$@" "$model" $options) |
		sed "s/ - count: / - count: ordinary, $level, $([ "$1" = --weaken ] && echo "weakened, ")/"
	rm -rf "$out/replays"
}

# Programs from standard input: the interpreter explores them, or, with a level, Heddle explores them as C.
explore() { # [-O? | --gcc] model[,options]...
	local m level='' gcc='' run=../explore

	cat >"$out/programs"
	if [ "${1#-}" != "$1" ]; then
		level=$1 run=../compiled
		[ "$level" != --gcc ] || gcc=--gcc
		shift
		"$out/render" $gcc <"$out/programs" >"$out/programs.c"
		"$B/bin/heddle-cc" "$level" $flags -D_GNU_SOURCE -w -pthread -o "$out/compiled" "$out/programs.c" compiled.c \
			judge.c "$out/graph_program.o" || echo "not ok - count: compile"
	fi
	for m; do
		mkdir "$out/replays"
		case $m in
		*,*) (cd "$out/replays" && $run "${m%%,*}" "${m#*,}" <../programs) ;;
		*) (cd "$out/replays" && $run "$m" <../programs) ;;
		esac | sed "s/ - count: / - count: ${level:+C $level, }/"
		rm -rf "$out/replays"
	done
}

slice() {
	local strategy

	"$out/oracle" 1 60 | explore rc11 tso
	"$out/oracle" --judge --most 100 1 20 | explore pso
	"$out/oracle" --weaken --most 100 1 50 | explore rc11 ra sc tso pso rc11,equivalence=rf pso,strategy=rf
	{
		"$out/oracle" 1 10
		"$out/oracle" --weaken 36 1 # padding in the frame of pthread_once()'s function, which a replay must reproduce
		"$out/oracle" --weaken --most 100 25 20
	} | explore -O0 rc11 pso
	ordinary -O1 rc11 1 200
	ordinary -O2 tso 201 60
	ordinary --gcc rc11 261 60
	ordinary -O0 sra 321 40
	ordinary --gcc pso --weaken 1 40
	ordinary -O2 sra --weaken 141 20
	ordinary -O0 rc11 --weaken 41 60
	ordinary -O1 ra --weaken 101 20
	ordinary -O2 sc --weaken 121 20
	for strategy in random pct mixed dfs; do
		ordinary -O1 tso,strategy=$strategy,executions=100 401 10
	done
	# A comparison that can fail:
	if "$out/oracle" --weaken --most 100 1 20 | explore rc11,detect=-race | grep -q '^not ok'; then
		echo "ok - count: without its detector, races are missed"
	else
		echo "not ok - count: without its detector, races are missed"
	fi
}

larger() {
	local level strategy m

	for level in -O0 -O1 -O2 -O3 --gcc; do
		{
			"$out/oracle" 1000 100
			"$out/oracle" --weaken 2000 100
		} | explore $level rc11 ra sc tso pso
	done
	for level in -O0 -O1 -O2 -O3 --gcc; do
		for m in rc11 ra sra sc tso pso; do
			ordinary $level $m 1000 200
			ordinary $level $m --weaken 1000 100
		done
	done
	for strategy in random pct mixed dfs; do
		for m in rc11 tso; do
			ordinary -O1 $m,strategy=$strategy,executions=1000 2000 200
			ordinary -O1 $m,strategy=$strategy,executions=1000 --weaken 2000 200
		done
	done
	"$out/oracle" --judge 1000 200 | explore rc11
	for strategy in equivalence=rf strategy=random,executions=1000 strategy=pct,executions=1000; do
		{
			"$out/oracle" 1000 200
			"$out/oracle" --weaken 1000 200
		} | explore rc11,$strategy
	done
	for strategy in strategy=rf strategy=dfs,executions=2000 strategy=random,executions=1000 strategy=pct,executions=1000; do
		{
			"$out/oracle" 1000 200
			"$out/oracle" --weaken 1000 200
		} | explore sc,$strategy tso,$strategy pso,$strategy
	done
}

part() { # number
	local models=(sc tso pso) levels=(-O0 -O1 -O2 -O3 --gcc) other m

	other=${models[$1 % 3]}
	"$out/oracle" $(((($1 - 1) * 5000) + 1)) 5000 | explore rc11 "$other"
	"$out/oracle" --judge $(((($1 - 1) * 5000) + 1)) 200 | explore ra
	"$out/oracle" --weaken "$(($1 * 10000))" 500 | explore rc11 ra sc tso pso
	{
		"$out/oracle" $(((($1 - 1) * 5000) + 1)) 200
		"$out/oracle" --weaken "$(($1 * 10000))" 200
	} | explore "${levels[$1 % 5]}" rc11 "$other"
	for m in rc11 "$other"; do
		ordinary "${levels[$1 % 5]}" $m $(((($1 - 1) * 5000) + 1)) 5000
	done
	for m in rc11 ra sra sc tso pso; do
		ordinary "${levels[$1 % 5]}" $m --weaken $(((($1 - 1) * 500) + 1)) 500
	done
}

# The sums of the lines above.
closing() {
	awk -F'; ' -v without="$without" '
		/ - count: .* programs, / {
			kind = / ordinary,/ ? (/ weakened,/ ? "ordinary programs with one thing weakened" : "ordinary programs") \
				: / C -/ ? "programs of protocols, as C" : "programs of protocols, interpreted"
			match($0, /[0-9]+ programs/)
			programs[kind] += substr($0, RSTART)
			match($0, /[0-9]+ cut short/)
			cut[kind] += substr($0, RSTART)
			match($0, /[0-9]+ wrong/)
			wrong[kind] += substr($0, RSTART)
			if (match($0, /[0-9]+ have no end/))
				endless[kind] += substr($0, RSTART)
			if (match($0, /[0-9]+ left out time-outs/))
				late[kind] += substr($0, RSTART)
		}
		END {
			for (kind in programs)
				printf "# %s, a model each: %d; %d cut at a bound, and so not judged; %d without an end, judged by " \
					"their first executions; %d with time-outs that repeat, of which the first is " \
					"looked at; %d wrong\n", kind, programs[kind], cut[kind], endless[kind],
					late[kind], wrong[kind]
			print "# wrong: another verdict than the enumeration of the axioms (protocols with one thing weakened,"
			print "#   under ra), or than the construction of the program has (all others: no oracle is asked)"
			print "# protocols: messages, locks, claims, barriers, semaphores, rwlocks, one-time initialisation"
			print "# ordinary: threads not joined that wait, spin or work at the end; detached threads, threads that"
			print "#   create threads and end first; exit() by a thread, atexit(); trylock and timed waits; robust and"
			print "#   recursive mutexes, rwlocks, semaphores, barriers, queues over rounds; loops that wait and count,"
			print "#   back off or give up; atomics of mixed sizes; thread-specific data. Without: " without
		}'
}

build || exit 1
{
	if [ "${1:-}" = --all ]; then
		for ((i = ${2:-1}; i <= ${3:-20}; i++)); do
			SECONDS=0
			part $i
			echo "# part $i of 20: $SECONDS s"
		done
	else
		slice
		[ -z "${LONG:-}" ] || larger
	fi
} 2>"$out/errors" | tee "$out/tap"
cat "$out/errors"
[ "${1:-}" != --all ] || closing <"$out/tap"
grep -q '^ok' "$out/tap" && ! grep -q '^not ok' "$out/tap"
