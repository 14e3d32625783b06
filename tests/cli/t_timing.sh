# SPDX-License-Identifier: ISC
# t_timing.sh - time: sleeps and timed waits in reports, and --sleepers.
. "$(dirname "$0")/lib.sh"

cp "$here/timing.c" .
for kind in SLEEP WAIT ORDER SHORT COND POLL FOR_EVER EARLY; do build -D$kind -o $kind timing.c; done

for how in "--model rc11" "--model sc" "--strategy rf --model sc" "--strategy random" "--strategy dfs --model sc"; do
	# shellcheck disable=SC2086
	t "sleep, $how" 1 "$heddle" run --sleepers any $how ./SLEEP
	has "sleep, $how: depends on timing" out '^FAILED  assertion .done. failed.* depends on timing'
	has "sleep, $how: for how long" out 'sleep 1000 s$'
	has "sleep, $how: why" out 'timing    main.s sleep of 1000 s \(step [0-9]+, timing\.c:[0-9]+\) ended while T1 could still move: time advanced by 1000 s$'
	# shellcheck disable=SC2086
	t "timed wait, $how" 1 "$heddle" run --sleepers any $how ./WAIT
	has "timed wait, $how: depends on timing" out 'depends on timing'
	has "timed wait, $how: for how long" out 'wait for semaphore posted: 0, timed out after 5 s$'
	has "timed wait, $how: why" out 'timing    main.s timed wait of 5 s \(step [0-9]+, timing\.c:[0-9]+\) ended while T1 could still move'
done
# The first execution that fails has a slow thread; others do not need one, which is found out.
for how in "--model rc11" "--model tso" "--strategy random" "--strategy dfs --model sc"; do
	# shellcheck disable=SC2086
	t "also at its own pace, $how" 1 "$heddle" run --sleepers any $how ./EARLY
	has "also at its own pace, $how: it is found" out "^FAILED  assertion .done. failed"
	hasnt "also at its own pace, $how: none in words" out 'depends on timing|^  timing'
	cp out first
	t "also at its own pace, replay, $how" 1 "$heddle" replay EARLY.heddle
	hasnt "also at its own pace, replay, $how: none" out 'depends on timing'
	hasnt "also at its own pace, report, $how: none" <("$heddle" report EARLY.heddle) 'depends on timing'
done
has "also at its own pace: --sleepers" EARLY.heddle 'sleepers.*last'
same "also at its own pace: no files are left" <(find . -name '.heddle-*') /dev/null
t "without time to find out" 1 "$heddle" run --sleepers any --time 1 ./EARLY
has "without time to find out: that of the execution" out 'depends on timing'
t "documents" 1 "$heddle" run --sleepers any --json=out.json --junit=out.xml --sarif=out.sarif ./SLEEP
has "JSON: timing" out.json '"nanoseconds": *1000000000000'
has "JSON: message" out.json 'failed; depends on timing'
has "JUnit: message" out.xml 'failed; depends on timing'
has "SARIF: message" out.sarif 'failed; depends on timing'

# That is the default for whole programs, and a note says so.
for how in "" "--model tso" "--strategy dfs --model sc"; do
	# shellcheck disable=SC2086
	t "by default, $how" 0 "$heddle" run $how ./SLEEP
	has "by default, $how: the note" out '^note: sleeps and timed waits ended only when nothing else could happen \(--sleepers any: at any moment\)$'
	has "by default, $how: complete" out ' complete, 0 failing'
done
t "by default, by reads-from functions" 1 "$heddle" run --strategy rf --model tso ./SLEEP
t "last, asked for" 0 "$heddle" run --sleepers last ./SLEEP
hasnt "last, asked for: no note" out '^note: sleeps'

# Time passes when no other thread can move, the shortest wait first.
t "any: the order of sleeps" 1 "$heddle" run --sleepers any --model sc --strategy dfs ./ORDER
for kind in SLEEP WAIT ORDER; do
	for how in "--strategy dfs --model sc" "--strategy dfs --model pso" "--model sc" "--model tso" "--model pso" \
		"--model sra" "--model ra" "--model rc11" "--model rc11 --jobs 2" "--equivalence rf"; do
		# shellcheck disable=SC2086
		t "last: $kind, $how" 0 "$heddle" run --sleepers last $how ./$kind
	done
	for how in "--strategy random" "--strategy pct --model pso" "--strategy random --model rc11"; do
		# shellcheck disable=SC2086
		t "last: $kind, $how" 3 "$heddle" run --sleepers last --executions 500 $how ./$kind
		hasnt "last: $kind, $how: nothing is found" out FAILED
	done
done
for kind in SHORT COND; do
	for how in "--strategy dfs --model sc" "--model tso" "--model rc11"; do
		# shellcheck disable=SC2086
		t "last: $kind fails at its own pace, $how" 1 "$heddle" run --sleepers last $how ./$kind
		hasnt "last: $kind does not depend on it, $how" out 'depends on timing|^  timing'
		cp out first
		t "last: $kind, replay, $how" 1 "$heddle" replay $kind.heddle
		same "last: $kind, replay, $how: the same report" <(sed '/^heddle:/d; /^note:/d; /^  replay /d; /^  debug /d' first | grep .) \
			<(sed '/^heddle:/d; /^note:/d; /^  replay /d; /^  debug /d' out | grep .)
	done
done
has "last: a timed wait on a condition" out 'wake from condition changed -> ETIMEDOUT after 100 ms$'
# Time does not pass because of the reads that a loop repeats: the store after it is seen by them.
build -O0 -DTAIL -o TAIL timing.c
for how in "--model sc" "--model tso" "--model rc11"; do
	# shellcheck disable=SC2086
	t "last: a loop with two reads, $how" 0 "$heddle" run --sleepers last --strategy graph $how ./TAIL
	has "last: a loop with two reads, $how: 1 execution" out ' 1 execution, complete'
done
# Loops without end that sleep: one that polls, and one that reads nothing.
for kind in POLL FOR_EVER; do
	for how in "--model rc11" "--model sc" "--strategy dfs --model sc"; do
		# shellcheck disable=SC2086
		t "last: $kind, $how" 1 "$heddle" run --sleepers last $how ./$kind
		has "last: $kind, $how: a livelock" out '^FAILED  livelock: T1 spins for ever'
	done
done
t "last: --strategy rf" 0 "$heddle" run --sleepers last --strategy rf --model sc ./SLEEP
has "last: --strategy rf: says so" out '^note: strategy mixed, not rf: sleeps and timed waits with --sleepers last are not explored'
refused "when" 'wrong value .first. for sleepers: wanted auto, any or last' "$heddle" run --sleepers first ./SLEEP
# Random walks: checks of descriptors that find nothing are events only where time passes after them.
for program in time_out_alone timer; do
	build -O1 -o $program "$here/../kernel/$program.c"
	for model in rc11 ra; do
		t "walks: $program, $model" 3 "$heddle" run --model $model --strategy random --executions 300 --sleepers last ./$program
		has "walks: $program, $model: none is blocked" out ' 300 executions, .*\(--strategy=graph explores all\), 0 failing'
	done
done
build -O1 -DWRONG -o late "$here/../kernel/time_out_alone.c"
t "walks: a write before the time is up" 1 "$heddle" run --model rc11 --strategy random --executions 300 --sleepers last ./late
finish
