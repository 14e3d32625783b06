# SPDX-License-Identifier: ISC
#
# The last line has the reason why a search is incomplete: one for each row of tools/report/summary.c. "room" needs more
# memory than a test may use.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

gcc -O1 -g -c -o random.o "$here/endings_random.c" || fail "random.o" "gcc"
for end in PLAIN SERVER WEAK WAKE RANGE RACE HEAP TWICE ASSUMES; do
	build -DEND=$end -DFAILS=0 -o "${end,,}" "$here/endings.c" random.o
done
build -DEND=SERVER -DFAILS=1 -o failing "$here/endings.c" random.o

# ends PROGRAM REASON EXIT-CODE OPTION...
ends() {
	local program=$1 reason=$2 want=$3
	shift 3
	t "$program $*" "$want" "$heddle" run "$@" "./$program"
	has "$program $*: the reason" out "^heddle: .*, not complete: (.*; )?${reason}[;,]"
}

ends plain 'stopped after 1 execution \(--executions\)' 3 --model tso --strategy dfs --executions 1
ends plain 'stopped after 2 executions \(--executions\)' 3 --model tso --strategy dfs --executions 2
ends plain 'stopped after 0.2 s \(--time\)' 3 --model tso --strategy random --time 0.2
ends plain 'random samples \(--strategy=graph explores all\)' 3 --model tso --strategy random --executions 9
ends server 'some executions are longer than 8 steps \(--max-steps\)' 3 --model sc --strategy random --max-steps 8 --executions 99
ends plain 'a buffer was full with 1 store \(--buffer-size\)' 3 --model tso --strategy dfs --buffer-size 1
ends weak 'more than 1 weak compare-and-exchange failure per execution was possible \(--weak-cas\)' 3 --model sc --strategy dfs --weak-cas 1
ends wake 'more than 1 spurious wake-up per execution was possible \(--spurious\)' 3 --model sc --strategy dfs --spurious 1
ends wake 'more than 1 early time-out per execution was possible \(--timeouts\)' 3 --model sc --strategy dfs --sleepers any --timeouts 1
ends plain 'no more than 1 preemption per execution \(--preemptions\)' 3 --model sc --preemptions 1
ends range 'large memory operations are taken as one step' 3 --model sc --strategy dfs
ends race 'stopped at the first finding \(--keep-going\)' 1
ends race 'executions stop at the first data race \(--races=promote\)' 1 --keep-going
ends race 'stopped after 1 finding \(--max-findings\)' 1 --keep-going --max-findings 1
ends heap 'executions stop at the first heap error' 1 --keep-going --max-findings 20
ends twice 'the program is not deterministic \(clocks, files, addresses\?\)' 3 --model sc --strategy random --executions 50
ends server 'some executions have more events than an execution graph holds' 3 --sleepers any --strategy graph --max-steps 100000
t "assumes" 3 "$heddle" run ./assumes
has "assumes: no execution" out '^heddle: rc11, graph, 0 executions, complete: all blocked by heddle_assume\(\), [1-9][0-9]* blocked'
t "assumes, samples" 3 "$heddle" run --strategy random --executions 20 ./assumes
has "assumes, samples: the reason" out ' 0 executions, not complete: .*; all blocked by heddle_assume\(\), 20 blocked'
t "assumes, until the time is up" 3 "$heddle" run --strategy random --time 0.5 ./assumes
hasnt "assumes, until the time is up: only that reason" out "first run|time was up"

# Other waits are no assumptions, and not every wait is one for time.
cat >waits.c <<'EOT'
#include <pthread.h>
#include <stdatomic.h>

static atomic_int set;

static void *run(void *arg)
{
	while (!set)
		;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		set = argv[1][0];
	pthread_create(&t, NULL, run, NULL);
	return pthread_join(t, NULL);
}
EOT
build -o waits waits.c
for how in "--model rc11" "--model sc --strategy dfs"; do
	# shellcheck disable=SC2086
	t "waits, $how" 3 "$heddle" run --detect -livelock $how ./waits
	has "waits, $how: the reason" out ' 0 executions, complete: all blocked: threads wait for ever in loops \(--detect \+livelock\), 1 blocked'
	hasnt "waits, $how: no sleeps" out '^note: sleeps'
done

# A program that computes for ever says where, even without an event.
cat >computes.c <<'EOT'
int main(void)
{
	for (volatile unsigned long i = 1; i; i *= 3) /* always odd */
		;
	return 0;
}
EOT
build -o computes computes.c
t "computes" 3 "$heddle" run --hang 50 --time 1 ./computes
has "computes: where" out ' 0 executions, not complete: stopped after 1 s \(--time\); .*main was at computes\.c:[34]'
t "server" 3 "$heddle" run --sleepers any --time 0.5 ./server
has "server: no graph had an end" out '^note: no execution graph was completed: schedules under tso, and random samples'
has "server: samples have" out '^heddle: rc11, graph, [1-9][0-9]* executions'
ends server 'random samples at the end \(--strategy=graph: none\)' 3 --sleepers any --time 0.5

# Where graphs fail, samples find the failures.
t "a thread that works until it is stopped" 1 "$heddle" run --time 20 ./failing
has "a thread that works until it is stopped: which" out '^FAILED  assertion'

# With --strategy graph there is no fallback.
t "graphs only" 3 "$heddle" run --sleepers any --strategy graph --time 0.5 ./server
hasnt "graphs only: no samples" out 'random samples'
finish
