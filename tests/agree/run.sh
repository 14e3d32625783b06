#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# agree/run.sh - explorers against plain search on random programs; TAP.
#
#     B=build [LONG=1] agree/run.sh [PROGRAMS [FIRST SEED]]
#
# First the explorer of graphs by itself, against all executions that the axioms allow (graphs.c; files.c: by models in
# files; hardware.c: of ARMv8, POWER, RISC-V, IMM; compiled.c: the same programs, compiled); then
# native programs on store buffers (agree.c), and with synchronisation objects (native.c), the same with private
# memory (private.c), virtual orders and fences against those in the source (orders.c), loops that wait or retry
# (turns.c), mutexes with conditions (monitors.c), objects of all kinds (sections.c), known states (known.c), programs
# with locks by traces (traces.c), threads that do the same (symmetry.c), programs that loop for ever by their states
# (cyclic.c), pipes, eventfds and epoll (descriptors.c; epoll.c: against the kernel), paths and files (paths.c), shared
# arrays (regions.c), and code that is not instrumented (foreign.c).
# PROGRAMS: of agree.c (300). LONG: 20 times the programs of all others.
set -eu
cd "$(dirname "$0")"
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
programs=1000
[ -z "${LONG:-}" ] || programs=20000
failed=0
[ -z "${LONG:-}" ] || "$B/bin/graphs" --rf --programs 4000 --larger 1 --seed "${2:-1}" || failed=1
[ -z "${LONG:-}" ] || "$B/bin/graphs" --smc --programs 4000 --larger 1 --seed "${2:-1}" || failed=1
"$B/bin/graphs" --named || failed=1
"$B/bin/graphs" --buffers --programs $((programs / 2)) --seed "${2:-1}" || failed=1
"$B/bin/graphs" --programs $programs --seed "${2:-1}" || failed=1
"$B/bin/graphs" --twins --programs $((programs / 4)) --seed "${2:-1}" || failed=1
"$B/bin/graphs" --files ../../runtime/model/file --programs $((programs / 10)) --seed "${2:-1}" || failed=1
"$B/bin/graphs" --hardware --programs $((programs / 8)) --seed "${2:-1}" || failed=1
"$B/bin/graphs" --hardware --files ../../runtime/model/file --programs $((programs / 25)) --seed "${2:-1}" || failed=1

for source in hardware_enumerate hardware_axioms hardware_program hardware_rows; do
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -I. -I../../runtime -I../../include -c -o "$out/$source.o" $source.c
done
for level in -O0 -O2; do
	"$B/bin/heddle-cc" --deps -std=gnu11 "$level" -Wall -I. -I../../runtime -I../../include -o "$out/hardware" \
		compiled.c "$out"/hardware_*.o
	(cd "$out" && ./hardware $((programs / 20)) "${2:-1}") || failed=1
done

for source in outcomes program private_program; do
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -I../../include -c -o "$out/$source.o" $source.c
done
"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -I../../include -o "$out/agree" agree.c "$out"/{outcomes,program}.o
"$out/agree" "${1:-300}" "${2:-1}" || failed=1

for source in native_given enumerate run axioms executions graph_program; do
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -I. -I../../runtime -I../../include -c -o "$out/$source.o" $source.c
done
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -D_GNU_SOURCE -I. -I../../include -pthread -o "$out/native" native.c \
	"$out"/{native_given,enumerate,run,axioms,executions,graph_program}.o
(cd "$out" && ./native $((programs / 40)) "${2:-1}") || failed=1

"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -I../../include -o "$out/private" private.c "$out"/{outcomes,private_program}.o
"$out/private" $((programs / 10)) "${2:-1}" || failed=1

${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/orders_random" orders_random.c
"$out/orders_random" "${2:-1}" $((programs / 60)) >"$out/orders.c"
# In the order of the source, one call for each access: -O0.
"$B/bin/heddle-cc" -std=gnu11 -O0 -Wall -I. -o "$out/orders" orders.c "$out/orders.c" &&
	(cd "$out" && ./orders) || failed=1

turns() { # name, source of the loops, levels: see turns.c
	local level name=$1 source=$2 models="${MODELS:-sc}"
	[ -z "${LONG:-}" ] || models="sc tso pso ${MODELS:+$MODELS}"
	shift 2
	for level; do
		# shellcheck disable=SC2086
		"$B/bin/heddle-cc" -std=gnu11 $level -w -I. -o "$out/$name${level// /}" turns.c "$source" &&
			(cd "$out" && "./$name${level// /}" $models) || failed=1
	done
}

turns loops loops.c -O0 -O1 -O2 "--gcc -O0" "--gcc -O2"
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/loops_random" loops_random.c
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/polls_random" polls_random.c
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/sums_random" sums_random.c
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/sleepers_random" sleepers_random.c
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/tallies_random" tallies_random.c
seeds=1
[ -z "${LONG:-}" ] || seeds=20
for ((i = 0; i < seeds; i++)); do
	"$out/loops_random" $((${2:-1} + i)) 12 >"$out/random.c"
	turns "random-$((${2:-1} + i))" "$out/random.c" -O0 -O2 "--gcc -O1" ${LONG:+-O1 -O3}
	"$out/polls_random" $((${2:-1} + i)) 12 >"$out/polls.c"
	"$out/sleepers_random" $((${2:-1} + i)) 24 >"$out/sleepers.c"
	OPTIONS=sleepers=last turns "sleepers-$((${2:-1} + i))" "$out/sleepers.c" -O1
	TURNS=2 turns "polls-$((${2:-1} + i))" "$out/polls.c" -O0 -O2
	"$out/sums_random" $((${2:-1} + i)) 12 >"$out/sums.c"
	TURNS=2 turns "sums-$((${2:-1} + i))" "$out/sums.c" -O0 -O2
	"$out/tallies_random" $((${2:-1} + i)) 12 >"$out/tallies.c"
	MODELS=rc11 LIMIT=400 TURNS=2 turns "tallies-$((${2:-1} + i))" "$out/tallies.c" -O0 -O2 ${LONG:+"--gcc -O1"}
done

for source in results sections_program interleave paths_program; do
	${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -I../../include -c -o "$out/$source.o" $source.c
done
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE -I../../include -pthread -o "$out/descriptors" \
	descriptors.c "$out"/{results,interleave}.o && (cd "$out" && ./descriptors "${2:-1}" $((programs / 10))) || failed=1
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE -I../../include -pthread -o "$out/paths" \
	paths.c "$out"/{results,paths_program}.o && (cd "$out" && ./paths "${2:-1}" $((programs / 25))) || failed=1
for calls in epoll sockets; do
	"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE -I../../include -pthread -o "$out/$calls" $calls.c &&
		(cd "$out" && "./$calls" "${2:-1}" $((programs / 5))) || failed=1
done
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE -I../../include -pthread -o "$out/signals" \
	signals.c "$out/results.o" && (cd "$out" && ./signals "${2:-1}" $((programs / 5))) || failed=1
for level in -O0 -O2; do
	"$B/bin/heddle-cc" -std=gnu11 $level -Wall -Wextra -o "$out/monitors$level" monitors.c "$out/results.o" &&
		(cd "$out" && "./monitors$level" "${2:-1}" $((programs / 5)) sc) || failed=1
done
"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -Wextra -o "$out/sections" sections.c "$out"/{results,sections_program}.o &&
	(cd "$out" && ./sections "${2:-1}" $((programs / 40)) sc) || failed=1
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -o "$out/known" known.c "$out/results.o" &&
	(cd "$out" && ./known 0 1 sc && ./known "${2:-1}" $((programs / 40)) sc) || failed=1
"$B/bin/heddle-cc" -std=gnu11 -O2 -Wall -Wextra -o "$out/traces" traces.c "$out/results.o" &&
	(cd "$out" && ./traces "${2:-1}" $((programs / 10)) sc && ./traces $((${2:-1} + 1000)) $((programs / 10)) rc11) || failed=1
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -o "$out/symmetry" symmetry.c "$out/results.o" &&
	(cd "$out" && ./symmetry "${2:-1}" $((programs / 10)) sc rc11 &&
		OPTIONS=races=ignore ./symmetry "${2:-1}" $((programs / 20)) sc) || failed=1

# Twice: as a library that is not instrumented, and instrumented.
${CC:-cc} -std=gnu11 -O1 -Wall -fPIC -shared -D'NAME(x)=outside_##x' -o "$out/libforeign.so" foreign_library.c
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -D'NAME(x)=inside_##x' -c -o "$out/inside.o" foreign_library.c
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -I../../include -o "$out/foreign" foreign.c \
	"$out"/{inside,results}.o -L"$out" -lforeign -Wl,-rpath,"$out" -pthread &&
	(cd "$out" && ./foreign "${2:-1}" $((programs / 100)) sc rc11) || failed=1

${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -c -o "$out/cyclic_machine.o" cyclic_machine.c
every=8 # of them, without a bound; LONG: 2,000
[ -z "${LONG:-}" ] || every=3
"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -I../../include -o "$out/cyclic" cyclic.c "$out/cyclic_machine.o" &&
	(cd "$out" && ./cyclic $((programs * 3 / 10)) "${2:-1}" "$every") || failed=1

"$B/bin/heddle-cc" -std=gnu11 -O1 -Wall -Wextra -o "$out/regions" regions.c "$out/results.o" &&
	(cd "$out" && ./regions 19053 1 rc11 && ./regions 170250 1 sc && # regions of two levels in one place
		./regions "${2:-1}" $((programs / 5)) sc rc11 &&
		OPTIONS=equivalence=rf ./regions "${2:-1}" $((programs / 10)) tso) || failed=1
exit $failed
