# SPDX-License-Identifier: ISC
#
# Tests that last for a time: durations.c. Sleeps end though others go on, and reading a clock takes longer, where the
# program would not end otherwise.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cp "$here/durations.c" .
for kind in SLEEP CLOCK; do
	build -w -O2 -D$kind -o $kind durations.c
	build -w -O2 -D$kind -DBROKEN -o $kind-broken durations.c
done
slept='^note: a thread sleeps while others go on: sleeps and timed waits ended at any moment \(--sleepers last: '
read='^note: threads loop until a clock reaches some time: reading it took [0-9.]+ ms of its time \(--tick\)$'

for how in "--executions 300" "--strategy random --executions 300"; do
	for kind in SLEEP CLOCK; do
		[ $kind = SLEEP ] && note=$slept || note=$read
		# shellcheck disable=SC2086
		t "$kind, $how" 3 "$heddle" run $how ./$kind
		has "$kind, $how: the note" out "$note"
		has "$kind, $how: executions" out '^heddle: .* [1-9][0-9]* executions, not complete: .* 0 failing'
		# shellcheck disable=SC2086
		t "$kind, $how: broken" 1 "$heddle" run --races ignore $how ./$kind-broken
		has "$kind, $how: broken, the failure" out "^FAILED  assertion .sum == counter. failed"
		t "$kind, $how: replay" 1 "$heddle" replay $kind-broken.heddle
		has "$kind, $how: replay, the failure" out "^FAILED  assertion .sum == counter. failed"
	done
done

# A thread that never ends beside one that sleeps takes a part of the time only.
build -w -O2 -DSLEEP -DMUTEX -o mutex durations.c
t "little time" 3 "$heddle" run --time 2 ./mutex
has "little time: executions" out '^heddle: .* [1-9][0-9]* executions, not complete: '

t "two workers" 3 "$heddle" run -j 2 --executions 300 ./SLEEP
has "two workers: the note" out "$slept"

# What the user has asked for is kept.
t "last" 3 "$heddle" run --sleepers last --strategy random --executions 10 ./SLEEP
has "last: none ends" out '^heddle: .* 0 executions, not complete: '
hasnt "last: no note" out "$slept"
t "tick" 3 "$heddle" run --tick 1000000000 --strategy random --executions 10 ./CLOCK
has "tick: executions" out '^heddle: .* 10 executions, not complete: '
hasnt "tick: no note" out "$read"
t "tick: it is in the file" 1 "$heddle" run --tick 1000000000 --races ignore --strategy random --executions 300 ./CLOCK-broken
has "tick: it is in the file" CLOCK-broken.heddle '^option name=tick value=1000000000$'
for bad in 0 1000000000000000; do
	t "tick: $bad" 2 "$heddle" run --tick $bad ./CLOCK
	has "tick: $bad: the line" err '--tick: 1 to'
done
finish
