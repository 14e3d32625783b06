#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/exact.sh - all executions of the programs below, beside GenMC and Nidhugg.
#
#   B=build tests/bench/exact.sh [--quick] [--runs K] [--no-join] [--symmetric] [--tsv FILE] [PROGRAM...]
#
#   --quick      only programs that take a few seconds
#   --runs K     median of K runs (default 3); a program that takes more than 10 s is run once
#   --no-join    all run the programs without pthread_join and what comes after it, as GenMC's own
#                suite has most of them: joins cost it up to ten times as much as all the rest
#   --symmetric  our seconds are those with --symmetry always, of threads without an index if they do not use it
#                (-DALIKE); numbers of executions are compared without it
#   --tsv FILE   a file for the figures of the other checkers, in the format of bench/peers.tsv
#   PROGRAM...   only those (names without .c)
#
# genmc is compared under rc11, nidhuggc (optimal DPOR) under sc. Those on PATH are run, on the same source
# (bench/peer.h), alternating with ours; for the others the figures of bench/peers.tsv are shown. Both sides detect data
# races, as far as they can; executions whose threads spin for ever are blocked.
#
#   seconds      CPU time, user and system, of all processes, less that of a program that does
#                nothing, measured in the same way: so neither starting nor compiling (theirs
#                compile in the same run) is in it
#   us           microseconds for each execution, complete or blocked
#   ratio        theirs / ours, by seconds. Only rows with the same number of complete executions
#                and more than 20 ms of theirs enter the mean ("counts", "short": the reason if not); time of ours below
#                1 ms counts as 1 ms
#
# flags of theirs: "-" none; "sr,ipr off": symmetry reduction and in-place revisiting had to be
# switched off, or genmc stops at a warning (writes without order) or counts differently; "-O0": nidhugg cannot read
# clang's output for the program with -O1. Its RMWs whose results are unused never commute (--no-commute-rmws), or its
# numbers of executions differ from all others.
set -eu
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/bench
programs=$top/tests/executions
B=$(realpath "${B:-$top/build}")
runs=3 quick='' join='' symmetric='' tsv=/dev/null
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=1 ;;
	--runs) runs=$2 && shift ;;
	--no-join) join=-DNO_JOIN ;;
	--symmetric) symmetric=1 ;;
	--tsv) tsv=$(realpath "$2") && shift ;;
	-*) sed -n '3,16s/^# \{0,1\}//p' "$0" && exit 2 ;;
	*) break ;;
	esac
	shift
done
only=" $* "
limit=${LIMIT:-300} # seconds of CPU time a run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${CC:-cc}" -O2 -D_GNU_SOURCE -o measure "$here/measure.c"

# --- the programs. quick or long; name; parameters; flags: genmc's, or norace (both sides)

table() {
	cat <<-'END'
		quick ainc         -DN=7
		quick ainc         -DN=8
		quick lastzero     -DN=10
		long  lastzero     -DN=15
		quick readers      -DN=10
		quick readers      -DN=15
		quick nwrites      -DLOC,-DN=8
		quick fib_bench    -DN=4
		long  fib_bench    -DN=5
		quick indexer      -DN=12
		quick indexer      -DN=13
		quick indexer      -DN=14
		long  indexer      -DN=15
		quick szymanski    -DL=2
		quick szymanski    -DSYMMETRIC,-DL=3
		long  szymanski    -DSYMMETRIC,-DL=4
		quick peterson     -DL=3
		quick peterson     -DL=4
		quick dekker_f     -DL=3
		quick lamport      -DN=3
		quick mcs_spinlock -DN=4
		long  mcs_spinlock -DN=5
		quick ttaslock     -DN=4
		long  ttaslock     -DN=5
		quick ticketlock   -DN=6
		quick ticketlock   -DN=7
		quick ms_queue     -DPUT=2,-DTAKE=1
		long  ms_queue     -DBOTH=3
		quick treiber_stack -DPUSH=2,-DPOP=1
		long  treiber_stack -DBOTH=3
		quick chase_lev    -DP=2,-DT=2,-DS=2,-DK=1 norace
		long  chase_lev    -DP=3,-DT=2,-DS=2,-DK=2 norace
		quick linuxrwlocks -DR=1,-DW=1
		long  linuxrwlocks -DR=1,-DW=2
		quick seqlock      -DR=2,-DW=1
		quick seqlock      -DR=2,-DW=2
		quick mpmc_queue   -DPUT=2,-DTAKE=1
		long  mpmc_queue   -DPUT=2,-DTAKE=2
	END
}

# --- running. Each of ours, genmc, nidhuggc takes SOURCE CFLAGS FLAGS, runs once, and sets:
# complete, blocked, failed (why, or empty); cpu, rss, code come from once.

once() {
	./measure cost "$limit" "$@" >out 2>&1 || true
	read -r cpu rss code <cost
}

build_ours() { # SOURCE CFLAGS
	"$B/bin/heddle-cc" -O2 -I"$programs" ${join:+-DHEDDLE -include "$here/peer.h"} $join -o program \
		"$1" ${2//,/ } -pthread
}

# Threads that do not look at their index need none. Then those of a kind are symmetric.
alike() { # SOURCE
	grep -qw INDEX "$1" || echo ,-DALIKE
}

ours() { # FLAGS MODEL
	local races=
	[ "$1" = norace ] && races=--races=ignore
	rm -f result
	once "$B/bin/heddle" run --model "$2" --strategy graph --time 0 ${3:---keep-going} --detect=-livelock \
		--quiet $races --json result ./program
	complete='?' blocked=0 failed=
	if [ -s result ]; then
		read -r complete blocked < <(jq -r '[.executions // "?", .blocked // 0] | @tsv' result)
		[ "$(jq .complete result)" = true ] ||
			failed="not complete: $(jq -r '[.bounds[]?.name] | join(" ")' result)"
	else
		failed="exit code $code: $(tail -1 out)"
	fi
	[ "$code" != 124 ] || failed="more than $limit s"
}

run_genmc() { # SOURCE CFLAGS FLAGS
	once genmc --rc11 --disable-estimation $3 -- -include "$here/peer.h" -I"$programs" $join \
		${2//,/ } "$1"
	complete=$(sed -n 's/^Number of complete executions explored: //p' out)
	blocked=$(sed -n 's/^Number of blocked executions seen: //p' out)
	failed=
	[ "$code" = 0 ] || failed="exit code $code: $(grep -m1 -iE 'error|warning|violation' out || true)"
	[ "$code" != 124 ] || failed="more than $limit s"
}

run_nidhugg() { # SOURCE CFLAGS FLAGS
	once nidhuggc ${3:--O1} -include "$here/peer.h" -I"$programs" $join ${2//,/ } -- --sc --optimal \
		--no-commute-rmws "$1"
	complete=$(sed -n 's/^Trace count: \([0-9]*\).*/\1/p' out)
	blocked=$(awk '/-blocked trace count:/ { n += $NF } END { print n + 0 }' out)
	failed=
	[ "$code" = 0 ] ||
		failed="exit code $code: $(grep -iE 'error|warning' out | grep -v 'Error detected:' | head -1)"
	[ "$code" != 124 ] || failed="more than $limit s"
}

# median COMMAND...: runs it several times if it is short; cpu is the median, rss the largest
median() {
	local times=() most=0
	for ((i = 0; i < runs; i++)); do
		"$@"
		[ -z "$failed" ] || return 0
		times+=("$cpu")
		[ "$rss" -le "$most" ] || most=$rss
		if awk -v t="$cpu" 'BEGIN { exit !(t > 10) }'; then break; fi
	done
	rss=$most
	cpu=$(printf '%s\n' "${times[@]}" | sort -g | sed -n "$(((${#times[@]} + 1) / 2))p")
}

net() { awk -v t="$1" -v base="$2" 'BEGIN { t -= base; printf "%.6f", (t > 0 ? t : 0) }'; }

# The time of each checker for an empty program
printf '#include "counts.h"\nint main(void)\n{\n\treturn 0;\n}\n' >nothing.c
build_ours nothing.c ""
base_ours() { ours - rc11 && complete=0; }
more=$runs && runs=9
median base_ours
idle=$cpu
echo "start-up, subtracted: heddle $(net "$cpu" 0) s"
declare -A base
for peer in genmc nidhugg; do
	case $peer in genmc) name=genmc ;; nidhugg) name=nidhuggc ;; esac
	if command -v $name >/dev/null; then
		median run_$peer nothing.c "" ""
		base[$peer]=$cpu
		echo "start-up, subtracted: $peer $(net "$cpu" 0) s, $((rss / 1024)) MiB ($(command -v $name))"
	else
		echo "$peer is not on PATH: figures of bench/peers.tsv"
	fi
done
runs=$more

# theirs PEER NAME CFLAGS FLAGS: sets complete blocked seconds rss failed flags
theirs() {
	local peer=$1 source=$programs/$2.c extra='' stored
	if [ -z "${base[$peer]:-}" ]; then
		stored=$(awk -F'\t' -v n="$2" -v c="$3" -v p="$peer" \
			'$1 == n && $2 == c && $3 == p' "$here/peers.tsv" 2>/dev/null | head -1)
		failed="no figures"
		[ -n "$stored" ] || return 0
		IFS=$'\t' read -r _ _ _ complete blocked seconds rss flags failed <<<"$stored"
		[ "$failed" != - ] || failed=
		return 0
	fi
	flags=-
	[ "$peer$4" = genmcnorace ] && extra=-disable-race-detection
	"run_$peer" "$source" "$3" "$extra"
	if [ "$code" = 124 ]; then
		:
	elif [ "$peer" = nidhugg ] && [ -n "$failed" ]; then
		extra=-O0 flags=-O0
	elif [ "$peer" = genmc ] && { [ -n "$failed" ] ||
		{ [ "$mine" != '?' ] && [ "$complete" != "$mine" ]; }; }; then
		extra="$extra -disable-sr -disable-ipr" flags="sr,ipr off"
	fi
	if [ "$flags" != - ] || [ "${cpu%%.*}" -lt 10 ]; then
		median "run_$peer" "$source" "$3" "$extra"
	fi
	complete=${complete:-?} blocked=${blocked:-0}
	seconds=$(net "$cpu" "${base[$peer]}")
	printf '%s\t' "$2" "$3" "$peer" "$complete" "$blocked" "$seconds" "$rss" "$flags" >>"$tsv"
	printf '%s\n' "${failed:--}" >>"$tsv"
}

per() { # SECONDS EXECUTIONS: microseconds each, executions a second
	awk -v s="$1" -v n="$2" 'BEGIN { if (n > 0 && s > 0) printf "%9.2f %9.0f", s * 1e6 / n, n / s
		else printf "%9s %9s", "-", "-" }'
}

figures() { # COMPLETE BLOCKED SECONDS RSS
	local plus=
	[ "$2" = 0 ] || plus=+$2
	printf '%9s%-8s %8.3f %s %4d' "$1" "$plus" "$3" "$(per "$3" $((${1/\?/0} + $2)))" $(($4 / 1024))
}

head='complete+blocked   seconds        us       1/s  MiB'
printf '\n%-36s %-4s |%s | %-8s%s   ratio  flags of theirs\n' program model " $head" "" " $head"
while read -r class name cflags flags; do
	[ -z "$quick" ] || [ "$class" = quick ] || continue
	[ "$only" = '  ' ] || [[ $only == *" $name "* ]] || continue
	for peer in genmc nidhugg; do
		model=rc11
		[ $peer = genmc ] || model=sc
		if ! build_ours "$programs/$name.c" "$cflags" 2>log; then
			echo "$name ${cflags//,/ }: $(grep -m1 error log || tail -1 log)"
			continue
		fi
		median ours "${flags:--}" $model
		mine=$complete our_blocked=$blocked our_seconds=$(net "$cpu" "$idle") our_rss=$rss why=$failed
		if [ -n "$symmetric" ] && [ "${flags:-}" != norace ]; then
			build_ours "$programs/$name.c" "$cflags$(alike "$programs/$name.c")"
			median ours - $model "--symmetry always"
			[ -n "$failed" ] || our_seconds=$(net "$cpu" "$idle")
		fi
		printf '%-36s %-4s |' "$name ${cflags//,/ }" $model
		if [ -n "$why" ]; then
			printf ' %-50.50s' "$why"
			printf '%s under %s: %s\n' "$name ${cflags//,/ }" $model "$why" >>notes
			mine='?'
		else
			figures "$mine" "$our_blocked" "$our_seconds" "$our_rss"
		fi
		failed='' complete='?' blocked=0 seconds=0 rss=0
		theirs $peer "$name" "$cflags" "${flags:-}"
		printf ' | %-8s' $peer
		if [ -n "$failed" ]; then
			printf ' %.50s\n' "$failed"
			[ "$failed" = 'no figures' ] ||
				printf '%s, %s: %s\n' "$name ${cflags//,/ }" $peer "$failed" >>notes
			continue
		fi
		figures "$complete" "$blocked" "$seconds" "$rss"
		if [ "$mine" = '?' ]; then
			ratio=-
		elif [ "$complete" != "$mine" ]; then
			ratio=counts
		else
			ratio=$(awk -v a="$seconds" -v b="$our_seconds" \
				'BEGIN { if (a > 0.02) printf "%.1f", a / (b > 0.001 ? b : 0.001); else print "short" }')
		fi
		printf ' %7s  %s\n' "$ratio" "$flags"
		printf '%s %s %s\n' $peer "$ratio" "$our_rss" >>ratios
	done
done < <(table)

echo
[ -s notes ] && cat notes && echo
[ -s ratios ] && awk '
	$3 > most { most = $3 }
	$2 ~ /^[0-9.]+$/ { n[$1]++; sum[$1] += log($2); if (!($1 in low) || $2 < low[$1]) low[$1] = $2 }
	END {
		for (peer in n)
			printf "%s: %d programs, geometric mean of the ratios %.1f, smallest %.1f\n", peer,
				n[peer], exp(sum[peer] / n[peer]), low[peer]
		printf "our largest resident set: %d MiB\n", most / 1024
	}' ratios
exit 0
