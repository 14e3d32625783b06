#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/rf.sh - by reads-from or by execution graphs? The programs of tests/executions/rf_*.c.
#
#   B=build tests/bench/rf.sh [--quick] [PROGRAM...]
#
#   --quick      only programs that take a few seconds
#   PROGRAM...   only those (opt_lock, ra, ...)
#
# Columns: executions (1000s) and seconds of CPU time, less that of a program that does nothing, of
#   rf           --strategy rf: RF-SMC
#   graph rf     --strategy graph --equivalence rf
#   graph        --strategy graph: reads-from and coherence
#   auto         --equivalence auto: seconds, and its choice
#   nidhugg      nidhuggc, if on PATH: --optimal --sc, --source --tso, --source --pso (theirs count traces of
#                Shasha and Snir, as `graph` does) and, under sc, --rf
# ">": stopped after LIMIT (default 60) seconds. LIMIT=10 B=build tests/bench/rf.sh --quick
set -eu
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
programs=$top/tests/executions
B=$(realpath "${B:-$top/build}")
limit=${LIMIT:-60}
quick=
case ${1:-} in
--quick) quick=1 && shift ;;
-*) sed -n '3,17s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
only=" $* "
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${CC:-cc}" -O2 -D_GNU_SOURCE -o measure "$top/tests/bench/measure.c"

table() { # quick or long, name, source, flags, models
	cat <<-'END'
		quick lastwrite     writes   -DLASTWRITE,-DN=8     sc,tso,pso
		quick floating_read writes   -DFLOATING,-DN=7      sc,tso,pso
		quick redundant_co  writes   -DREDUNDANT_CO,-DN=5  sc,tso,pso
		long  redundant_co  writes   -DREDUNDANT_CO,-DN=40 sc,tso,pso
		quick writer_reader writes   -DWRITER_READER,-DN=9 sc,tso,pso
		quick readers       writes   -DREADERS,-DN=13      sc,tso,pso
		quick ra            counters -DRA,-DN=5            sc,tso,pso
		long  ra            counters -DRA,-DN=6            sc,tso,pso
		quick fkp2013       counters -DFKP2013,-DN=4       sc,tso,pso
		long  account       counters -DACCOUNT,-DN=5       sc,tso,pso
		long  airline       counters -DAIRLINE,-DN=6       sc,tso,pso
		quick fib_bench     counters -DFIB,-DN=5           sc,tso,pso
		quick spammer       counters -DSPAMMER,-DN=4       sc,tso,pso
		quick opt_lock2     programs -DOPT_LOCK,-DN=8      sc,tso,pso
		long  opt_lock3     programs -DOPT_LOCK,-DTHREADS=3,-DN=2 sc,tso,pso
		quick eratosthenes  programs -DERATOSTHENES,-DN=13 sc,tso,pso
		long  eratosthenes  programs -DERATOSTHENES,-DN=17 sc,tso,pso
		quick lastzero      programs -DLASTZERO,-DN=12     sc,tso,pso
		quick race_param    programs -DPARAMETRIC,-DN=5    sc,tso,pso
		quick control_flow  programs -DCONTROL,-DN=5       sc,tso,pso
		quick 01_inc        locks    -DINC,-DN=5           sc,tso,pso
		quick circular_buf  locks    -DBUFFER,-DN=8        sc,tso,pso
		quick function_ptr  locks    -DPOINTER,-DN=5       sc,tso,pso
		quick overtake      messages -DOVERTAKE,-DN=3      sc,tso,pso
		long  pgsql         messages -DPGSQL,-DN=3         sc,tso,pso
		quick approxds      messages -DAPPROX,-DN=5        sc,tso,pso
		quick reorder_5     messages -DREORDER,-DN=4       sc,tso,pso
		quick peterson      mutex    -DPETERSON,-DN=3      sc,tso,pso
		quick X2Tv4         mutex    -DCR4,-DN=3           sc,tso,pso
		quick X2Tv6         mutex    -DCR6,-DN=2           sc,tso,pso
		quick X2Tv8         mutex    -DCR8,-DN=2           sc,tso,pso
		quick dispatcher    locks    -DDISPATCH,-DN=4      sc,tso,pso
		quick table         table    -DBU,-DN=3            sc,tso,pso
	END
}

# Each sets n (executions, or ">") and cpu.
once() {
	./measure cost "$limit" "$@" >out 2>&1 || true
	read -r cpu _ code <cost
	n='?'
}

ours() { # MODEL OPTIONS...
	rm -f result
	once "$B/bin/heddle" run --model "$1" "${@:2}" --time 0 --keep-going --detect=-livelock --quiet \
		--races=ignore --json result ./program
	[ ! -s result ] || n=$(jq -r 'if .complete then .executions else ">" end' result)
	[ "$code" != 124 ] || n='>'
}

# shellcheck disable=SC2086
theirs() { # SOURCE CFLAGS OPTIONS...
	once nidhuggc -O1 -I"$programs" -DPEER ${2//,/ } -- "${@:3}" --no-commute-rmws "$1"
	n=$(sed -n 's/^Trace count: \([0-9]*\).*/\1/p' out)
	if [ -z "$n" ] && awk -v t="$cpu" -v l="$limit" 'BEGIN { exit !(t > 0.9 * l) }'; then n='>'; fi
}

cell() { # start-up time to subtract
	awk -v n="${n:-?}" -v t="$cpu" -v b="$1" 'BEGIN {
		t = t > b ? t - b : 0
		printf " %9s %7s", n, n == ">" || n == "?" ? "" : sprintf("%.3f", t) }'
}

chosen() { # start-up time to subtract
	awk -v e="$(jq -r '.equivalence // "-"' result 2>/dev/null)" -v t="$cpu" -v b="$1" 'BEGIN {
		t = t > b ? t - b : 0
		printf " %6s %6.3f", e, t }'
}

printf '#include "counts.h"\nint main(void)\n{\n\treturn 0;\n}\n' >nothing.c
"$B/bin/heddle-cc" -O2 -I"$programs" -o program nothing.c
ours sc --strategy rf && idle=$cpu
peer=
if command -v nidhuggc >/dev/null; then
	theirs "$work/nothing.c" "" --sc --optimal && peer=$cpu
	echo "nidhugg: $(command -v nidhuggc)"
fi
printf '%-14s %-28s %-4s %17s %17s %17s %13s %17s %17s\n' program flags model rf "graph rf" graph auto \
	"${peer:+nidhugg}" "${peer:+nidhugg --rf}"
table | while read -r size name source flags models; do
	[ -z "$quick" ] || [ "$size" = quick ] || continue
	[ "$only" = "  " ] || [[ $only == *" $name "* ]] || continue
	"$B/bin/heddle-cc" -O2 -I"$programs" -o program "$programs/rf_$source.c" ${flags//,/ } -pthread
	for model in ${models//,/ }; do
		printf '%-14s %-28s %-4s' "$name" "$flags" "$model"
		ours "$model" --strategy rf && cell "$idle"
		ours "$model" --strategy graph --equivalence rf && cell "$idle"
		ours "$model" --strategy graph && cell "$idle"
		ours "$model" --equivalence auto && chosen "$idle"
		if [ -n "$peer" ]; then
			how=--source
			[ "$model" != sc ] || how=--optimal
			theirs "$programs/rf_$source.c" "$flags" --"$model" $how && cell "$peer"
			[ "$model" != sc ] || { theirs "$programs/rf_$source.c" "$flags" --sc --rf && cell "$peer"; }
		fi
		echo
	done
done
