# SPDX-License-Identifier: ISC
# t_reproduce.sh - heddle reproduce: failures of a program without heddle, by their backtraces, in tests of the same code.
. "$(dirname "$0")/lib.sh"
from=$here/reproduce

if ! gdb -batch -ex run --args true >probe 2>&1 || ! grep -q 'exited normally' probe; then
	echo "ok - reproduce # skip: no gdb, or it may not debug"
	exit 0
fi
cp "$from"/*.[ch] .
"${CC:-cc}" -g -O1 -pthread -o service service.c bank.c
build -O1 -o bank test.c bank.c

# The service fails natively: its stacks as text, and core files. In a hang both threads are in the same calls again.
hangs() { # MODE PATTERN COUNT
	./service "$1" &
	local process=$!
	sleep 1
	for _ in {1..40}; do
		sleep 0.2
		gdb -q -batch -p $process -ex 'thread apply all bt' -ex "generate-core-file $1.core" >"$1.txt" 2>/dev/null
		[ "$(grep -cE "$2" "$1.txt")" = "$3" ] && break
	done
	kill $process
	if [ "$(grep -cE "$2" "$1.txt")" = "$3" ]; then pass "the service hangs: $1"; else fail "the service hangs: $1" "$(cat "$1.txt")"; fi
}
crashes() { # MODE SIGNAL
	timeout 100 gdb -q -batch -ex run -ex 'thread apply all bt' -ex "generate-core-file $1.core" --args ./service "$1" >"$1.txt" 2>/dev/null
	has "the service crashes: $1" "$1.txt" "received signal $2"
}
hangs transfer 'lock_both.*bank.c:21' 2
hangs open 'in wait_for_opening' 1
hangs keys '(leave|guard)_bank.*bank.c' 2
crashes rate SIGSEGV
crashes name SIGSEGV
crashes deposit SIGABRT
crashes door SIGABRT

# Each from its core file, in its test, and not in that of another.
for failure in "transfer deadlock: .*accounts" "open deadlock: main waits for ever for condition opened" \
	"rate invalid memory access at null" "name use after free" "deposit assertion" "door assertion"; do
	name=${failure%% *}
	t "$name, from the core file" 1 "$heddle" reproduce --model tso --core "$name.core" ./bank "$name"
	has "$name: reproduced" out '^reproduced: [12] of [12] threads? match(es)? the backtrace$'
	has "$name: its report" out "^FAILED  ${failure#* }"
done
t "the door is correct under sc" 0 "$heddle" reproduce --model sc --core door.core ./bank door
has "the door is correct under sc" out '^not in this test: no execution has this failure under sc$'
t "another bug's core file" 0 "$heddle" reproduce --model tso --core rate.core ./bank open

# The process holds the night's key: a deadlock with that of the day, in the same calls, is another one. Values.
t "locks of the core file" 1 "$heddle" reproduce --model tso --core keys.core ./bank keys
has "locks of the core file: of its key" out '^FAILED  deadlock: .* night_key .*bank.c'
t "locks: without the core file either key will do" 1 "$heddle" reproduce --model tso --backtrace keys.txt ./bank keys
t "other locks" 3 "$heddle" reproduce --model tso --core keys.core ./bank days
has "other locks: the difference" out '^note: another failure has the same calls, but its threads hold other locks than those in the core file$'
t "other locks: in the calls of the backtrace" 1 "$heddle" reproduce --model tso --backtrace keys.txt ./bank days
t "a value of the core file" 1 "$heddle" reproduce --model tso --core open.core --values is_open ./bank open
t "another value" 3 "$heddle" reproduce --model tso --core deposit.core --values total ./bank deposit
has "another value: both" out '^note: another failure has the same calls, but total = 1, in the core file [0-9]+$'
t "an unknown variable" 3 "$heddle" reproduce --model tso --core open.core --values is_open,total ./bank open
has "an unknown variable: is named" out 'but no access to total$'
refused "values without a core file" 'reproduce: --values needs --core' "$heddle" reproduce --values total --backtrace open.txt ./bank open
ln transfer.txt hang.txt
ln rate.txt crash.txt

t "the deadlock, two transfers" 1 "$heddle" reproduce --model tso --backtrace hang.txt ./bank transfer
has "the deadlock: what is wanted" out '^looking for: threads that wait for ever$'
has "the deadlock: a goal" out '^  Thread [23], which was in lock_both \(bank.c:21\)$'
has "the deadlock: threads of the service" out '^  \(1 other thread: no function of this program\)$'
has "the deadlock: reproduced" out '^reproduced: 2 of 2 threads match the backtrace$'
has "the deadlock: its report" out '^FAILED  deadlock: .*accounts\[[01]\]\.lock \(bank\.c:21\)'
t "its replay" 1 "$heddle" replay bank.heddle
t "the crash, a rate that is withdrawn" 1 "$heddle" reproduce --model tso --backtrace crash.txt ./bank rate
has "the crash: reproduced" out '^reproduced: [12] of [12] thread'
has "the crash: its report" out '^FAILED  invalid memory access at null pointer'
t "on store buffers" 1 "$heddle" reproduce --strategy random --model tso --backtrace hang.txt ./bank transfer
has "on store buffers" out '^reproduced: 2 of 2'

# Another failure of the same code is not it.
t "transfers one way have no deadlock" 0 "$heddle" reproduce -q --model tso --backtrace hang.txt ./bank "one way"
has "transfers one way: the answer" out '^not in this test: no execution has this failure under tso$'
has "transfers one way: how near" out 'lock_both \(bank.c:21\): the line was executed, but no failing execution had a thread in'
t "the crash is not the deadlock" 0 "$heddle" reproduce -q --model tso --backtrace hang.txt ./bank rate
has "the crash is not the deadlock: it is named" out '^another failure: invalid memory access'
has "the crash is not the deadlock: how near" out 'lock_both \(bank.c:21\): no execution has reached this line$'
t "called by another function" 0 "$heddle" reproduce -q --model tso --backtrace hang.txt ./bank audit
has "called by another function: it is named" out '^another failure: deadlock: .*accounts'
has "called by another function: the answer" out '^not in this test: no execution has this failure under tso$'
# Two deadlocks with the same threads, locks and lines, which differ in the functions that called: each is found from its
# own backtrace, in whichever order the search meets them.
waits() { # FUNCTION CALL: a thread at the second lock of lock_both(), which it has called
	printf '#0  0x1 in ___pthread_mutex_lock ()\n#1  0x2 in lock_both () at bank.c:21\n#2  0x3 in %s () at bank.c:%s\n' \
		"$1" "$(grep -nF "$2" bank.c | cut -d: -f1)"
}
waits transfer 'lock_both(&accounts[from]' >one.txt
cat one.txt one.txt >transfer.bt
{ cat one.txt; waits audit 'lock_both(&accounts[0]'; } >audit.bt
for caller in transfer audit; do
	for how in "--model tso" "--model rc11" "--model tso --strategy random --executions 2000"; do
		# shellcheck disable=SC2086
		t "either caller, $caller, $how" 1 "$heddle" reproduce $how --backtrace $caller.bt ./bank either
		has "either caller, $caller, $how: its stacks" out "^reproduced: 2 of 2"
		has "either caller, $caller, $how: the caller" out "#1  $caller +bank.c"
	done
done
t "one caller only" 0 "$heddle" reproduce -q --model tso --backtrace audit.bt ./bank transfer
has "one caller only: the other was not called" out 'lock_both \(bank.c:21\): the line was executed, but no failing'
# A deadlock of four threads in the calls of one line each, and there are others of the same threads and locks: directed
# samples meet it at once, others do not.
"$cc" -g -O1 -fno-optimize-sibling-calls -pthread -o dinner dinner.c
for _ in 1 2 3 4; do
	printf '#0  0x1 in lock ()\n#1  0x2 in eat () at dinner.c:%s\n#2  0x3 in eat_in_haste () at dinner.c:%s\n' \
		"$(grep -nF 'lock(&fork_of[second]' dinner.c | head -1 | cut -d: -f1)" "$(grep -nF 'eat(a, b)' dinner.c | cut -d: -f1)"
done >dinner.bt
for seed in 1 2 3; do
	t "directed, seed $seed" 1 "$heddle" reproduce -q --model tso --minimise 0 --seed $seed --backtrace dinner.bt ./dinner
	has "directed, seed $seed: all threads" out '^reproduced: 4 of 4'
	has "directed, seed $seed: within ten executions" out '^heddle: tso, random, [0-9] executions?, '
done
t "not directed" 3 "$heddle" reproduce -q --model tso --strategy random --executions 60 --jobs 2 --backtrace dinner.bt ./dinner
t "a bound" 3 "$heddle" reproduce -q --executions 1 --model tso --backtrace hang.txt ./bank "one way"
has "a bound" out '^not found under tso$'

# Other texts: of a sanitizer; in a log; without a thread, without a signal.
cat >asan.txt <<'EOT'
12:00:01 worker: AddressSanitizer:DEADLYSIGNAL
==15953==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x561f9469c5ba bp 0x0 sp 0x7fd80cffde88 T2)
    #0 0x561f9469c5ba in percent_of /build/src/bank.c:46
    #1 0x561f9469c5ba in interest /build/src/bank.c:53:9
    #2 0x561f9469c206 in customers /build/src/service.c:34
Thread T2 created by T0 here:
    #0 0x7fd80f649726 in __interceptor_pthread_create ../../asan_interceptors.cpp:207
    #1 0x561f9469c349 in transfer /build/src/bank.c:44
EOT
sed -i "s/bank.c:46/bank.c:$(grep -n 'return sum \* r->percent' bank.c | cut -d: -f1)/; s/bank.c:53/bank.c:$(grep -n 'return percent_of' bank.c | cut -d: -f1)/" asan.txt
t "a sanitizer's report" 1 "$heddle" reproduce --model tso --backtrace asan.txt ./bank rate
has "a sanitizer's report: one goal" out '^reproduced: 1 of 1'
grep -A 3 '^#0.*interest' crash.txt | head -2 >bt.txt
t "a bare backtrace" 1 "$heddle" reproduce --model tso --backtrace bt.txt ./bank rate
has "a bare backtrace: it may be either" out '^looking for: a failure, or threads that never go on$'
sed 's/bank\.c:[0-9]*/bank.c:1/' crash.txt >lines.txt
t "other lines" 0 "$heddle" reproduce -q --model tso --backtrace lines.txt ./bank "one way"

echo 'nothing here' >none.txt
refused "no backtrace" 'none.txt: no line of a backtrace' "$heddle" reproduce --backtrace none.txt ./bank
echo '#0 0x0 in elsewhere () at elsewhere.c:1' >foreign.txt
refused "another program" 'foreign.txt: none of its 1 frames is in a function of the program' \
	"$heddle" reproduce --backtrace foreign.txt ./bank
refused "no file" 'missing.txt: No such file' "$heddle" reproduce --backtrace missing.txt ./bank
refused "no core file" 'missing.core: No such file' "$heddle" reproduce --core missing.core ./bank
refused "not a core file" 'hang.txt: not a core file' "$heddle" reproduce --core hang.txt ./bank
mv service gone
refused "a core file without its program" 'its program is missing: .*/service$' "$heddle" reproduce --core rate.core ./bank
refused "no option" 'reproduce: name a text with a backtrace' "$heddle" reproduce ./bank
finish
