#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# soak/run.sh - long searches: are memory and speed the same at the end as at the start?
#
#     SOAK=1e8 B=build tests/soak/run.sh [NAME...]     all searches below, or those named
#
# SOAK executions of sb at random; a tenth of that of ms_queue, at random and with pct; a search of all executions
# of nwrites and of lastzero with at least a tenth of SOAK of them, and both with two workers. Their numbers are known:
# (N + 1)!, (N + 3) * 2^(N - 2).
#
# soak/sample.c measures from outside. The first tenth of a search is its warm-up; of the rest, `start' is the first
# fifth, `middle' the middle one, `end' the last. A line a search and a part:
#
#     executions   counted until the end of the part
#     per cpu s    executions in it for each second of CPU time of the process and its workers
#     failing      per cent of the executions in it
#     tool, process, worker      maximum resident memory, KiB
#
# and TAP: the exit code and the number of executions are those expected; memory at the middle and the end is at most
# 1/32 and 512 KiB above that at the start (a search of all executions that is shorter than a million of them still
# fills its cache of what threads do next, trust/cache.h: 32 MiB); speed is at least half (the machine is shared, and so are its
# caches); random samples fail as often, within a twentieth. A part of less than a quarter of a second, or of less than
# 20 samples, is no measure of speed, and one with less than 10000 failing executions no measure of these: they are not
# judged. Exit code 1 if anything is not flat.
set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
soak=$(printf "%.0f" "${SOAK:-1e8}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failures=0
only=" $* "
milliseconds=20
[ "$soak" -lt 10000000 ] && milliseconds=2

check() { # TITLE EVIDENCE COMMAND...
	local title=$1 evidence=$2
	shift 2
	if "$@"; then
		echo "ok - $title"
	else
		echo "not ok - $title"
		printf '%s\n' "$evidence" | sed 's/^/    # /'
		failures=$((failures + 1))
	fi
}

# The three parts of a search, a line each: name executions cpu rate samples failed failing% tool process worker.
parts() {
	awk -F '\t' '
	{ done[NR] = $3 + $4; cpu[NR] = $2; failing[NR] = $5; m[NR, 1] = $7; m[NR, 2] = $8; m[NR, 3] = $9 }
	function part(name, from, to,    i, k, a, b, most) {
		for (i = 1; i <= NR; i++) {
			if (done[i] < from * done[NR] || done[i] > to * done[NR])
				continue
			if (!a)
				a = i
			# the CPU time of ended workers is unknown
			if (cpu[i] >= cpu[b])
				b = i
			for (k = 1; k <= 3; k++)
				most[k] = m[i, k] > most[k] ? m[i, k] : most[k]
		}
		print name, done[b], cpu[b] - cpu[a], (cpu[b] > cpu[a] ? (done[b] - done[a]) / (cpu[b] - cpu[a]) : 0),
			b - a, failing[b] - failing[a],
			(done[b] > done[a] ? 100 * (failing[b] - failing[a]) / (done[b] - done[a]) : 0),
			most[1] + 0, most[2] + 0, most[3] + 0
	}
	END {
		part("start", 0.10, 0.28)
		part("middle", 0.46, 0.64)
		part("end", 0.82, 1)
	}' samples
}

# The measures that are not flat, in words.
verdict() { # NAME
	local room=512
	[ "$soak" -lt 10000000 ] && [[ $1 = *-all* ]] && room=32768
	awk -v room=$room '
	NR == 1 { rate = $4; percent = $7; known = $3 >= 0.25 && $5 >= 20; many = $6 >= 10000
		for (k = 8; k <= 10; k++)
			memory[k] = $k ? $k * 33 / 32 + room : 0
		next }
	{ for (k = 8; k <= 10; k++)
		if (memory[k] && $k > memory[k])
			print $1 ": " (k == 8 ? "the tool" : k == 9 ? "the process" : "a worker") " has grown to " $k " KiB" }
	known && $3 >= 0.25 && $5 >= 20 && $4 < rate / 2 {
		printf "%s: %.0f executions a second, %.0f at the start\n", $1, $4, rate }
	many && ($7 < percent * 0.95 || $7 > percent * 1.05) {
		printf "%s: %.2f %% fail, %.2f %% at the start\n", $1, $7, percent }' parts
}

# soak NAME CODE EXECUTIONS PROGRAM OPTION...: EXECUTIONS followed by +: that many or a few more, as each worker
# finishes its current one.
soak() {
	local name=$1 code=$2 want=$3 program=$4 got seen
	shift 4
	[ "$only" = "  " ] || [[ $only = *" $name "* ]] || return 0
	./sample samples $milliseconds "$B/bin/heddle" run --time 0 --json out.json --quiet "$@" "./$program" >out 2>err
	got=$?
	check "$name: exit code $code" "$got: $(cat out err)" [ $got = "$code" ]
	seen=$(jq '.executions + .blocked' out.json)
	check "$name: $want executions" "$seen: $(cat out)" [ "$seen" = "$want" ]
	if [ "$(wc -l <samples)" -lt 3 ]; then
		echo "ok - $name: flat # SKIP over before it could be watched"
		return
	fi
	parts >parts
	[ "$(wc -l <parts)" = 3 ] || exit 2
	awk -v n="$name" '{ printf "%-20s %-7s %11d %10.0f %8.2f %8d %8d %8d\n", n, $1, $2, $4, $7, $8, $9, $10 }' parts
	verdict "$name" >uneven
	check "$name: flat" "$(cat uneven)" [ ! -s uneven ]
}

build() { "$B/bin/heddle-cc" -g -O2 "${@:3}" -o "$1" "$top/$2" -pthread || exit 2; }

# The least N for which a formula gives enough executions; sets n, known.
size() {
	for ((n = 3, known = 0; known < soak / 10; n++)); do
		known=$(($1))
	done
	n=$((n - 1))
}

factorial() { # sets f
	f=1
	for ((i = 2; i <= $1; i++)); do
		f=$((f * i))
	done
}

"${CC:-cc}" -O2 -D_GNU_SOURCE -I"$top/runtime" -o sample "$top/tests/soak/sample.c" || exit 2
build sb examples/sb.c -DFENCED_X
build ms_queue examples/ms_queue.c
size '(n + 3) << (n - 2)'
lastzero=$known
build lastzero tests/executions/lastzero.c -DN=$n
for ((n = 3, f = 0; f < soak / 10; n++)); do
	factorial $((n + 1))
done
nwrites=$f
build nwrites tests/executions/nwrites.c -DLOC -DREADER -DN=$((n - 1))

printf '%-20s %-7s %11s %10s %8s %8s %8s %8s\n' search part executions 'per cpu s' failing% tool process worker
sampled="--model tso --keep-going"
soak sb-random 1 "$soak" sb $sampled --strategy random --executions "$soak"
soak ms_queue-random 3 $((soak / 10)) ms_queue $sampled --strategy random --executions $((soak / 10))
soak ms_queue-pct 3 $((soak / 10)) ms_queue $sampled --strategy pct --executions $((soak / 10))
soak nwrites-all 0 "$nwrites" nwrites --races ignore
soak nwrites-all-j2 0 "$nwrites" nwrites --races ignore --jobs 2
soak lastzero-all 0 "$lastzero" lastzero --races ignore
soak lastzero-all-j2 0 "$lastzero" lastzero --races ignore --jobs 2
[ $failures = 0 ]
