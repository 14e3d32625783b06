# SPDX-License-Identifier: ISC
#
# --time, SIGINT and SIGTERM end every activity within a second, with the result so far: clock_late.c. shellcheck
# source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

gcc -O1 -g -c -o outside.o "$here/clock_outside.c" || fail "outside.o" "gcc"
for long in MANY ONE KERNEL OUTSIDE POLL FAILS EARLY CHECK AGAIN DEAF STEPS JUDGED; do
	build -DLONG=$long -o "${long,,}" "$here/clock.c" outside.o
done
build -DLONG=SUITE -o suite "$here/clock.c" outside.o -lcunit
"$heddle" run --strategy random --model tso --minimise 0 ./again >out 2>&1
mkfifo never
models=$here/../../runtime/model/file
so_far='heddle: .*[0-9]+ executions?, (complete|not complete: .*(interrupted|--time|first finding))'

# A case a line: clock_late.c.
cases() {
	local stop s p

	for stop in '' '{time}'; do
		for p in many one kernel outside poll; do
			[ $p = poll ] && s='0 3' || s=3
			echo "$p, graph ${stop:+time} ; $s ; $so_far ; $heddle run --strategy graph $stop ./$p"
		done
		echo "deaf, killed ${stop:+time} ; 3 ; heddle: tso, graph, 0 executions, not complete: (interrupted|stopped after) ; $heddle run --model tso $stop ./deaf"
		for s in random pct dfs rf mixed; do
			for p in many one; do
				echo "$p, $s ${stop:+time} ; 3 ; $so_far ; $heddle run --model tso --strategy $s $stop ./$p"
			done
			echo "kernel, $s ${stop:+time} ; 3 ; $so_far ; $heddle run --model tso --strategy $s $stop ./kernel"
		done
		for s in pos surw; do
			echo "many, $s ${stop:+time} ; 3 ; $so_far ; $heddle run --model tso --strategy $s $stop ./many"
		done
		echo "states ${stop:+time} ; 3 ; heddle: .*states.*(interrupted|--time) ; $heddle prove --model pso $stop ./judged"
		echo "hardware ${stop:+time} ; 3 ; $so_far ; $heddle run --model arm8 --deps all $stop ./many"
		echo "model in a file ${stop:+time} ; 3 ; $so_far ; $heddle run --model $models/rc11.cat $stop ./many"
		echo "many, random graphs ${stop:+time} ; 3 ; $so_far ; $heddle run --model rc11 --strategy random $stop ./many"
		for p in many one kernel; do
			echo "$p, workers ${stop:+time} ; 3 ; $so_far ; $heddle run --strategy graph -j 3 $stop ./$p"
		done
		echo "checkpoint ${stop:+time} ; 3 ; $so_far ; $heddle run --checkpoint cp $stop ./many"
		for s in graph random rf; do
			echo "outcomes, $s ${stop:+time} ; 3 ; $so_far ; $heddle run --model tso --strategy $s $stop ./judged"
		done
		echo "judging outcomes ${stop:+time} ; 3 ; $so_far|after 100 executions ; $heddle run --model tso --strategy random --executions 100 $stop ./judged"
		echo "compare ${stop:+time} ; 3 ; $so_far ; $heddle compare --from sc --to tso $stop ./many"
		for s in graph random dfs; do
			echo "minimising, $s ${stop:+time} ; 1 3 ; $so_far ; $heddle run --model tso --strategy $s --minimise 60 $stop ./fails"
		done
	done
	echo "fences ; 3 ; heddle: .*interrupted ; $heddle fences --model tso --minimise 60 ./many"
	echo "fences, failing ; 3 0 ; heddle: .*(interrupted|clean|complete) ; $heddle fences --model tso ./fails"
	echo "relax ; 3 ; heddle: .*interrupted ; $heddle relax ./many"
	echo "before main() ; 3 ; 0 executions, not complete: interrupted ; $heddle run ./early"
	echo "before main(), time ; 3 ; 0 executions, not complete: stopped after .*--time ; $heddle run {time} ./early"
	echo "heddle_check() ; -2 -15 ; [0-9]+ executions, not complete: interrupted ; ./check"
	echo "replay ; 2 ; ^heddle: interrupted$ ; env CLOCK_AGAIN=1 $heddle replay again.heddle"
	echo "suite ; 3 ; heddle: 1 test, .*interrupted ; $heddle run --suite --strategy random --model sc ./suite"
}
gcc -O1 -D_GNU_SOURCE -Wall -Wextra -o clock_late "$here/clock_late.c" || fail "clock_late" "gcc"
# shellcheck disable=SC2046
cases | ./clock_late 7 0.05 $([ "${LONG:-}" ] && echo 0.4 || echo 0.2) || failures=$((failures + 1))

# The time is up while a finding is recorded: its report and the last line agree.
build -o recorded "$here/clock_recorded.c"
"$heddle-c++" -O1 -g -x c++ -o recorded++ "$here/clock_recorded.c" || fail "recorded++" "heddle-c++"
recorded() {
	local p

	for p in recorded recorded++; do
		echo "$p, graph, time ; 1 3 ; $so_far ; $heddle run --model tso --minimise 60 {time} ./$p"
		echo "$p, graph ; 1 3 ; $so_far ; $heddle run --model tso --minimise 60 ./$p"
		echo "$p, workers, time ; 1 3 ; $so_far ; $heddle run --model tso --strategy graph -j 2 --minimise 60 {time} ./$p"
		echo "$p, random ; 1 3 ; $so_far ; $heddle run --model tso --strategy random --minimise 60 ./$p"
		echo "$p, rc11 ; 1 3 ; $so_far ; $heddle run --model rc11 --strategy graph --minimise 60 ./$p"
	done
}
recorded | ./clock_late 7 0.9 2 || failures=$((failures + 1))

# Two signals end it at once; an unexpected CLOCK_SIGNAL has no effect.
"$heddle" run --strategy random --model sc ./many >out 2>&1 &
under_way $! many
kill -TERM $! 2>/dev/null
kill -TERM $! 2>/dev/null
ended "twice" 3 $!

# After the first signal heddle itself has so much CPU time for what is left; then it dies by the signal.
t "report: many steps" 1 "$heddle" run -q --strategy random --model sc --max-steps 1000000 --minimise 0 ./steps
"$heddle" report --all steps.heddle >/dev/null 2>&1 &
report=$!
sleep 0.3
kill -TERM $report 2>/dev/null
wait $report
code=$?
[ $code = 143 ] && pass "report: it gives up" || fail "report: it gives up" "exit code $code"

# A named pipe is no replay file, and one signal ends the wait for its writer.
refused "report of a named pipe" '^heddle: never: not a replay file' timeout 9 "$heddle" report never
"$heddle" run --stdin never ./one >out 2>&1 &
reader=$!
for ((i = 0; i < 100; i++)); do # until it waits for the pipe
	grep -q wait_for_partner /proc/$reader/wchan 2>/dev/null && break
	sleep 0.02
done
kill -TERM $reader 2>/dev/null
for ((i = 0; i < 50; i++)); do
	kill -0 $reader 2>/dev/null || break
	sleep 0.02
done
kill -KILL $reader 2>/dev/null
wait $reader 2>/dev/null
code=$?
[ $code = 143 ] && pass "standard input: it dies by the signal" || fail "standard input: it dies by the signal" "$code $(cat out)"
echo 7 >number
t "standard input: of each program run" 3 "$heddle" run --executions 2 --strategy random --stdin number ./many

# A long computation is no finding; one that takes too long ends its execution, and the reason is given.
for strategy in graph dfs; do
	t "computes for long, $strategy" 3 "$heddle" run --model tso --strategy $strategy --hang 0.3 ./one
	has "computes for long, $strategy: the reason" out 'not complete: a thread computed for 0.3 s without an event \(--hang\), [1-9]'
	hasnt "computes for long, $strategy: no finding" out FAILED
done
finish
