# SPDX-License-Identifier: ISC
# t_flight.sh - the flight recorder: heddle-cc --recorder, and heddle flight on what it has left.
. "$(dirname "$0")/lib.sh"

mkdir here there
cp "$here/flight.c" .
echo '#include <stdatomic.h>
static atomic_int pushed; void push(void) { atomic_fetch_add(&pushed, 1); }' >flight_lib.c
t "a production build" 0 "$cc" --recorder -g -O2 -o flight flight.c
t "a library" 0 "$cc" --recorder -g -O2 -shared -fPIC -o flight_lib.so flight_lib.c

# flown MODE CODE [WORDS]: a run whose recorder is a file, listed into out.
flown() {
	local mode=$1 code=$2
	shift 2
	rm -f there/*
	HEDDLE_FLIGHT=there ./flight "$mode" "$@" >printed 2>err
	[ $? = "$code" ] && pass "$mode: ends as it would" || fail "$mode: ends as it would" "$(cat printed err)"
	t "$mode: is listed" 0 "$heddle" flight --last 1000 there/flight.*.flight
}
events() { sed -n '/thread event/,$p' out | sed 1d | cut -c 15-; }

flown kinds 0
cp there/flight.*.flight ended
same "the program computes the same" <(echo 70 1) printed
events >got
cat >wanted <<'END'
main   store done = 0, run (flight.c:148)
main   store number = 65, kinds (flight.c:68)
main   rmw number: 65, kinds (flight.c:69)
main   cas number: 70, kinds (flight.c:70)
main   fence, kinds (flight.c:71)
main   store device = 1, kinds (flight.c:73)
main   store small = 255, kinds (flight.c:74)
main   store real = 0x400c000000000000, kinds (flight.c:75)
main   rmw 0xN: 0, kinds (flight.c:76)
main   pthread_mutex_trylock lock, kinds (flight.c:77)
main   pthread_mutex_trylock lock: result 16, kinds (flight.c:78)
main   sem_trywait sem: result -1, kinds (flight.c:79)
main   sem_post sem, kinds (flight.c:80)
main   futex_wait number: result -1, kinds (flight.c:81)
main   futex_wake number, kinds (flight.c:82)
main   load number: 70, kinds (flight.c:84)
END
sed -i 's/0x7[0-9a-f]*:/0xN:/' got
same "each kind of event" wanted got

# A ring that has wrapped: the newest events, without a gap.
flown count 0
has "count: all events" out '^  main \([0-9]+\): 5004 events$'
events | sed -n 's/.*number = \([0-9]*\),.*/\1/p' >got
n=$(wc -l <got)
same "count: the last ones in their order" <(seq $((5003 - n)) 5002) got
[ "$n" -ge 140 ] && [ "$n" -le 160 ] && pass "count: 140 to 160 events" || fail "count: 140 to 160 events" "$n"
t "the default is 10" 0 "$heddle" flight there/flight.*.flight
[ "$(grep -c 'store number' out)" = 10 ] && pass "count: ten events" || fail "count: ten events" "$(cat out)"

flown spin 0
has "spin: one event for all that was read" out 'load flag: 0 \([0-9]+ times\), wait_for_flag \(flight.c:40\)'
has "spin: what ends it" out 'load flag: 1, wait_for_flag'
has "spin: the thread has ended" out '^  T1 \([0-9]+\): .*, has ended$'
has "spin: its name in join" out 'pthread_join T1, spin \(flight.c:94\)$'

flown threads 0
has "threads: rings of the last that have ended" out 'process [0-9]+, 65 threads$'
has "threads: the newest" out '^  T[0-9]+ \([0-9]+\): 200 events, has ended$'
hasnt "threads: an old one" out '^  T[0-9]+ \([0-9]+\): 100 events'

for ending in "abort 134" "fault 139"; do
	flown ${ending% *} ${ending#* } 2>/dev/null
	has "${ending% *}: its event" out 'store done = 0, run'
done
has "fault: its place" out 'SIGSEGV at 0x8, run \(flight.c:[0-9]+\)$'
has "fault: the thread that failed" out '^  main \([0-9]+\): 2 events, failed: fault in run \(flight.c:'
flown abort 134
has "abort: the thread that failed" out '^  main \([0-9]+\): 2 events, failed: abort in run \(flight.c:'
flown fault 5 handler
same "a handler of the program's own stays" <(echo own) printed
flown library 134
has "a library that was opened" out 'main   rmw pushed: 0, push \(flight_lib.c:2\)$'

# kill -9
rm -f there/*
HEDDLE_FLIGHT=there ./flight hang &
process=$!
for _ in {1..100}; do
	sleep 0.1
	"$heddle" flight there/flight.*.flight >out 2>err && grep -q 'T1 .*waits' out && break
done
kill -KILL $process
wait $process 2>/dev/null
t "kill -9" 0 "$heddle" flight there/flight.*.flight
has "kill -9: who waits" out '^  T1 \([0-9]+\): 1 event, waits: pthread_mutex_lock in take_lock \(flight.c:48\)$'
has "kill -9: what has not returned" out 'T1     pthread_mutex_lock lock: has not returned, take_lock \(flight.c:48\)$'
has "kill -9: who holds it" out 'main   pthread_mutex_lock lock, hang \(flight.c:99\)$'
cp there/flight.*.flight whole

# A child process has a file of its own, if it has an event.
rm -f there/*
t "children" 0 env HEDDLE_FLIGHT=there ./flight children
[ "$(ls there | wc -l)" = 2 ] && pass "children: a file each" || fail "children: a file each" "$(ls there)"
for f in there/*; do
	"$heddle" flight "$f" | sed -n 's/.*store number = \([0-9]\).*/\1/p' | tr -d '\n'
	echo
done | sort >got
same "children: events before fork() and after" <(echo 12 && echo 13) got

# In memory: a signal writes the file, and a core file has it.
cd here || exit 2
../flight hang &
process=$!
for _ in {1..100}; do
	sleep 0.1
	kill -s RTMAX-1 $process
	sleep 0.1
	"$heddle" flight flight.$process.flight >../out 2>/dev/null && grep -q 'T1 .*waits' ../out && break
done
gdb -q -batch -p $process -ex 'generate-core-file core' >../gdb.out 2>&1
kill -0 $process && pass "it goes on after the signal" || fail "it goes on after the signal" gone
kill -KILL $process
wait $process 2>/dev/null
cd .. || exit 2
t "written by the signal" 0 "$heddle" flight here/flight.$process.flight
has "the signal's file" out '^  T1 \([0-9]+\): 1 event, waits: pthread_mutex_lock in take_lock'
if [ -e here/core ]; then
	sed 1d out >wanted
	t "the core file" 0 "$heddle" flight here/core
	same "the core file has the same" wanted <(sed 1d out)
else
	echo "ok - the core file # skip: gdb may not trace"
fi

# Unusual endings of the file.
rm -f here/*
t "no such folder: the program runs" 0 env HEDDLE_FLIGHT=nowhere ./flight count
same "no such folder: one line" err <(echo "heddle: flight recorder: nowhere: No such file or directory; it is kept in memory only")
broken() { # TITLE FILE PATTERN
	t "$1" 2 "$heddle" flight "$2"
	[ "$(wc -l <err)" = 1 ] && pass "$1: one line" || fail "$1: one line" "$(cat err)"
	has "$1: why" err "$3"
}
head -c 40 whole >file
broken "a file cut in its head" file 'neither a file of a flight recorder nor a core file$'
head -c 80000 whole >file
broken "a file cut in its rings" file 'truncated: it ends before its events do$'
cp whole file && printf '\7' | dd of=file bs=1 seek=24 conv=notrunc 2>/dev/null
broken "another version" file 'written by another version of heddle$'
: >file
broken "an empty file" file 'neither a file'
broken "another file" flight.c 'neither a file'
broken "a program" flight 'no flight recorder in it: compile and link the program with `heddle-cc --recorder.$'
broken "a folder" here 'not a file$'
broken "no file" nothing 'No such file'
cp whole file && dd if=/dev/urandom of=file bs=1k seek=70 count=16 conv=notrunc 2>/dev/null
timeout 20 "$heddle" flight file >out 2>&1
[ $? -le 2 ] && pass "any bytes for events" || fail "any bytes for events" "$(cat out)"
mv flight moved
broken "its program is gone" whole 'its program is missing: '
"$cc" --recorder -g -O1 -o flight flight.c
broken "its program is another" whole 'its program has changed since: .*flight$'
mv moved flight

# A test is led to the waits of the record.
t "a test" 0 "$cc" -g -O0 -o explored flight.c
t "reproduced" 1 "$heddle" reproduce --flight whole ./explored hang
has "reproduced: the goals" out '^  T1, which was in take_lock \(flight.c:48\)$'
has "reproduced: both match" out '^reproduced: 2 of 2 threads match'
has "reproduced: the record" out '^the record: [0-9]+ events of 2 threads, in their order, to its end$'
has "reproduced: the deadlock" out '^FAILED  deadlock: T1 waits for ever to lock lock \(flight.c:48\), which main holds'
hasnt "reproduced: the same source" out 'another version'
{ echo '#line 2 "flight.c"' && cat flight.c; } >later.c
t "another version of the source" 0 "$cc" -g -O0 -o later later.c
"$heddle" reproduce -q --flight whole ./later hang >out 2>&1
has "another version of the source: a note" out '^note: [0-9]+ of [0-9]+ recorded events are at places that the test does not have, as [a-z_]+ \(flight.c:[0-9]+\): is it another'
t "reproduced: not in another test" 0 "$heddle" reproduce --flight whole ./explored kinds
has "reproduced: not in another test" out '^not in this test: '
t "reproduced: no thread waits" 2 "$heddle" reproduce --flight ended ./explored hang
has "reproduced: no thread waits: why" err 'ended: no thread has failed in it, or waits: '
t "reproduced: two records" 2 "$heddle" reproduce --flight whole --core whole ./explored hang

t "not with --deps" 2 "$cc" --recorder --deps -c flight.c
has "not with --deps: why" err 'not with --deps or --gcc'
finish
