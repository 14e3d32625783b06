# SPDX-License-Identifier: ISC
# t_race.sh - the report of a data race, in text, JSON and SARIF; each race is reported once.
. "$(dirname "$0")/lib.sh"

at() { grep -n "/\* @$1 \*/" "$here/race.c" | cut -d: -f1; }
fill=$(at fill) look=$(at look) release=$(at release) relaxed=$(at relaxed) create=$(at create)
place='queue\.slots\[[34]\]\.seq'

build -O2 -o race "$here/race.c"
t "race" 1 "$heddle" run --json race.json --sarif race.sarif ./race
has "the finding" out "^FAILED  data race on $place: T1 stores it at .*race\.c:$fill, T2 loads it at .*race\.c:$look$"
has "one access" out "^  race      T1 stores $place = 7, not atomic  \(fill .*race\.c:$fill\), holding queue\.in$"
has "the other" out "^  and       T2 loads $place = 7, not atomic  \(look .*race\.c:$look\), holding queue\.out$"
has "what is missing" out "^  why       T2's load of queue\.flag\[[01]\] at .*race\.c:$relaxed is relaxed, not acquire, so it does not synchronise with T1's store at .*race\.c:$release$"
has "the hardware" out "the hardware of --model tso keeps these in order: there it is no race"
for thread in T1 T2; do
	has "who created $thread" out "^    $thread was created by main at$"
done
[ "$(grep -cE "^    #0  begin .*race\.c:$create" out)" = 2 ] && pass "where they were created" ||
	fail "where they were created" "$(cat out)"
has "a stack" out "^    #2  producer "
has "the other stack" out "^    #2  consumer "

access() { # its index, thread, kind, function, line, lock, start function of the thread
	holds "JSON: access of T$2" race.json '.findings[0].race.accesses[$i] |
		([.thread, .kind, .atomic, .order] == [$thread, $kind, false, null]) and
		(.place | test("^queue\\.slots\\[[34]\\]\\.seq$")) and .value == "0x7" and
		.function == $function and .line == $line and (.file | endswith("race.c")) and .column > 0 and
		[.locks[].place] == [$lock] and (.text | startswith("T\($thread) \($kind)s queue")) and
		[.stack[0, 2].function] == [$function, $start] and
		(.created[0] | .function == "begin" and .line == $create)' \
		--argjson i "$1" --argjson thread "$2" --arg kind "$3" --arg function "$4" --argjson line "$5" \
		--arg lock "$6" --arg start "$7" --argjson create "$create"
}
access 0 1 store fill "$fill" queue.in producer
access 1 2 load look "$look" queue.out consumer
holds "JSON: why" race.json '.findings[0].race | (.why | contains("does not synchronise")) and (.note | contains("--model tso"))'

sarif() { holds "SARIF: $1" race.sarif ".runs[0].results[0] | $2" --argjson create "$create"; }
sarif "message" '.message.text | contains("does not synchronise")'
sarif "stacks" '[.stacks[].message.text | split(" ")[:2] | join(" ")] == ["T1 stores", "T1 was", "T2 loads", "T2 was"]'
sarif "locks" '[.stacks[0, 2].message.text | sub(".*, "; "")] == ["holding queue.in", "holding queue.out"]'
sarif "creations" 'all(.stacks[1, 3].frames[0].location.physicalLocation.region.startLine; . == $create)'
sarif "related locations" '[.relatedLocations[].message.text | split(", ")[-1]] == ["holding queue.in", "holding queue.out"]'

# put() and get() are compiled into their callers twice: two pairs in the code, one in the source.
rm -f ./*.heddle
t "every race" 1 "$heddle" run --keep-going --json all.json ./race
has "every race: one finding" out "^heddle: rc11, graph, 3 executions, .* 2 failing"
[ "$(grep -c ^FAILED out)" = 1 ] && pass "every race: reported once" || fail "every race: reported once" "$(grep ^FAILED out)"
[ "$(ls ./*.heddle)" = ./race.heddle ] && pass "every race: one replay file" || fail "every race: one replay file" "$(ls)"
t "every race: replay" 1 "$heddle" replay race.heddle

# A later store of the same thread: it is in the release sequence or not, depending on the standard.
cat >sequence.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *writer(void *arg)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	atomic_store_explicit(&flag, 2, memory_order_relaxed);
	return arg;
}
static void *reader(void *arg)
{
	return atomic_load_explicit(&flag, memory_order_acquire) == 2 ? (void *)(long)data : arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
END
build -o sequence sequence.c
t "release sequence" 1 "$heddle" run ./sequence
has "release sequence: what is missing" out "why +T1's store of flag at sequence\.c:9 is relaxed, not release, so T2's load of it"
has "release sequence: the standards" out "^ +C11 and C17 count sequence\.c:9 as part of the release sequence of sequence\.c:8; C\+\+20 and this model do not$"

# By gcc's instrumentation, whose calls have less information.
t "gcc" 0 "$cc" --gcc -g -O1 -pthread -o gcc "$here/race.c"
t "gcc: race" 1 "$heddle" run ./gcc
has "gcc: the finding" out "^FAILED  data race on $place: T1 stores it at .*race\.c:$fill, T2 loads it at .*race\.c:$look$"
has "gcc: what is missing" out "^  why       T2's load of queue\.flag\[[01]\] at .*race\.c:$relaxed is relaxed, not acquire"

# The place of an access is its own, even if other threads run between its announcement and its completion; the last
# announced access of a function is completed when it returns.
cat >moved.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;
static atomic_int counter;
static void count(void)
{
	counter++;
}
static void *locked(void *arg)
{
	count();
	pthread_mutex_lock(&lock);
	data++; /* @locked */
	pthread_mutex_unlock(&lock);
	return arg;
}
static void *unlocked(void *arg)
{
	count();
	if (pthread_mutex_trylock(&lock) == 0)
		pthread_mutex_unlock(&lock);
	data++; /* @unlocked */
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, locked, NULL);
	pthread_create(&b, NULL, unlocked, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
END
t "gcc: places" 0 "$cc" --gcc -g -O0 -pthread -o moved moved.c
t "gcc: places: explored" 1 "$heddle" run --keep-going ./moved
[ "$(grep ^FAILED out | grep -cE "^FAILED  data race on data: T1 .* at moved.c:14, T2 .* at moved.c:23$")" = \
	"$(grep -c ^FAILED out)" ] && pass "gcc: places: 14 and 23" || fail "gcc: places: 14 and 23" "$(grep ^FAILED out)"

# Each race in a primitive with several accesses is a finding of its own, though the calls are the same two.
cat >several.c <<'END'
#include <heddle/heddle.h>
#include <pthread.h>
static int x, y;
static unsigned which;
static inline HEDDLE_PRIMITIVE void touch(void)
{
	if (which)
		x++;
	else
		y++;
}
static void *toucher(void *arg)
{
	touch();
	return arg;
}
int main(void)
{
	pthread_t a;
	which = heddle_choose(2);
	pthread_create(&a, NULL, toucher, NULL);
	touch();
	pthread_join(a, NULL);
}
END
for options in -O0 "--gcc -O1"; do
	build -g $options -o several several.c
	t "several of one call, $options" 1 "$heddle" run --keep-going ./several
	[ "$(grep -cE '^FAILED  data race on [xy]: main .* at several.c:22, T1 .* at several.c:14$' out)" = 2 ] &&
		pass "several of one call, $options: both" || fail "several of one call, $options: both" "$(grep FAILED out)"
done

# There stores are announced before they are made; a callback may call the runtime in between.
cat >callback.c <<'END'
#include <pthread.h>
static int data;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static void callback(void)
{
	data = 1;
}
static void destructor(void *p)
{
	callback();
}
static void *writer(void *arg)
{
	if (DESTRUCTOR)
		pthread_setspecific(key, &data);
	else
		pthread_once(&once, callback);
	return arg;
}
static void *reader(void *arg)
{
	return data ? &data : arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_key_create(&key, destructor);
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
END
for destructor in 0 1; do
	t "gcc: callback" 0 "$cc" --gcc -g -O1 -pthread -DDESTRUCTOR=$destructor -o callback callback.c
	t "gcc: race of a callback, $destructor" 1 "$heddle" run ./callback
	has "gcc: race of a callback, $destructor: the finding" out "^FAILED  data race on data"
done

# Promoted in graphs, and in the samples of the last quarter of --time; ten threads are not explored in a second.
cat >many.c <<'END'
#include <pthread.h>
static int arg;
static void *run(void *p) { return (void *)(long)*(int *)p; }
int main(void)
{
	pthread_t t[10];

	for (int i = 0; i < 10; i++) {
		arg = i;
		pthread_create(&t[i], NULL, run, &arg);
	}
	for (int i = 0; i < 10; i++)
		pthread_join(t[i], NULL);
}
END
build -g -O1 -o many many.c
t "promoted until the time is up" 3 "$heddle" run --model sc --races promote --time 1 ./many
has "promoted until the time is up: samples, too" out 'not complete: stopped after 1 s \(--time\); random samples at the end .* 0 failing'

# Before C11: the race is reported once, and the search goes on with atomic accesses, as --races promote does.
volatile() {
	build -g -O1 "$@" -o v "$here/volatile.c"
	rm -f ./*.heddle
}
advice='note: --races promote continues past data races: racing accesses then count as relaxed atomics$'
tso='note: the program has inline assembly for x86: --model tso models that machine$'
volatile
"$heddle" run -q --keep-going --races promote ./v >promoted
line() { grep -n "$1" "$here/volatile.c" | cut -d: -f1; }
for options in "" "-j2" "--equivalence rf"; do
	rm -f ./*.heddle
	t "volatile, $options" 1 "$heddle" run $options ./v
	[ "$(grep -c "^FAILED  data race on data: T1 stores it at volatile.c:$(line 'data = 1;'), T2 loads it at volatile.c:$(line 'd = data;')$" out)" = 1 ] &&
		pass "volatile, $options: the race once" || fail "volatile, $options: the race once" "$(cat out)"
	has "volatile, $options: what is behind it" out "^FAILED  assertion .d == 1. failed, .*volatile\.c:$(line "assert(d")( |$)"
	has "volatile, $options: says so" out '^note: continued past the data race, as with --races promote: this program synchronises with volatile'
	has "volatile, $options: last line" out 'stopped at the first finding .*, 1 failing, 1 data race promoted, '
	for file in ./*.heddle; do
		t "volatile, $options: replay $file" 1 "$heddle" replay "$file"
	done
	[ "$(echo ./*.heddle | wc -w)" = 2 ] && pass "volatile, $options: both have files" || fail "volatile, $options: both have files" "$(ls)"
done
t "volatile, all" 1 "$heddle" run -q --keep-going --json v.json ./v
same "volatile, all: as --races promote" <(sed -E 's/, [0-9.]+ s$//' promoted) <(grep ^heddle out | sed -E 's/, 1 data race promoted, [0-9.]+ s$//')
[ "$(jq -c '[.complete, .promoted, [.findings[].kind]]' v.json)" = '[true,1,["race","assertion"]]' ] &&
	pass "volatile, all: JSON" || fail "volatile, all: JSON" "$(jq . v.json)"
hasnt "volatile: no assembly" out 'inline assembly for x86'
t "volatile, a suppressed race" 0 "$heddle" run --suppressions <(echo race) ./v
hasnt "volatile, a suppressed race: passed over" out 'promoted'
t "volatile, --races report" 1 "$heddle" run --races report ./v
has "volatile, --races report: the next step" out "^$advice"
hasnt "volatile, --races report: stops" out 'FAILED  assertion'
volatile -DFENCE
t "volatile and fences" 0 "$heddle" run ./v
has "volatile and fences: no race" out 'complete, 0 failing, [0-9.]+ s$'
volatile -DATOMIC
t "atomics" 1 "$heddle" run ./v
has "atomics: the next step" out "^$advice"
hasnt "atomics: stops" out 'FAILED  assertion'
t "atomics, --keep-going" 1 "$heddle" run --keep-going ./v
hasnt "atomics, --keep-going: the last line has said it" out "^$advice"
if [ "$(uname -m)" = x86_64 ]; then
	volatile -DASM
	t "assembly" 1 "$heddle" run ./v
	has "assembly: what is behind the race" out '^FAILED  assertion'
	has "assembly: the next step" out "^$tso"
	t "assembly, tso" 0 "$heddle" run --model tso ./v
	hasnt "assembly, tso: nothing to advise" out '^note'
fi

# A flag polled by a loop should synchronise; a loop's bound, or a variable that the loop itself changes, is no flag.
polls() {
	cat >poll.c <<-END
		#include <pthread.h>
		#include <sched.h>
		static struct { int go, n; } s, *p = &s;
		static void *setter(void *arg) { s.go = 1; s.n = 3; return arg; }
		static void *poller(void *arg)
		{
			int i = 0;
			$1
			return i > 9 ? NULL : arg;
		}
		int main(void)
		{
			pthread_t a, b;
			pthread_create(&a, NULL, setter, NULL);
			pthread_create(&b, NULL, poller, NULL);
			pthread_join(a, NULL);
			pthread_join(b, NULL);
		}
	END
	build -g -O1 -o poll poll.c
	t "polls: $1" 1 "$heddle" run ./poll
}
for loop in 'while (!p->go) sched_yield();' 'for (;;) { if (s.go != 0) break; sched_yield(); }' \
	'while (i++ < 10 && 1 != s.go) sched_yield();' 'do sched_yield(); while (s.go == 0);'; do
	polls "$loop"
	has "polls: $loop: why" out '^  why +T2 polls s\.go until T1 stores it: these two accesses synchronise'
done
for loop in 'for (; i < s.n; i++) sched_yield();' 'while (i < s.n) { i++; sched_yield(); }' \
	'while (!s.go) { s.go = 2; sched_yield(); }'; do
	polls "$loop"
	hasnt "does not: $loop: why" out ' polls '
done
build -g -O1 -o mixed "$here/../bugs/race_mixed_access.c"
t "one is atomic" 1 "$heddle" run ./mixed
has "one is atomic: why" out "^  why +T1's store is atomic, T2's load of the same memory is not$"
# A counter beside the flag, in many steps: the flag was meant to synchronise, and its load is shown.
cat >counted.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag, events;
static int data;
static void count(int n)
{
	while (n--)
		atomic_fetch_add_explicit(&events, 1, memory_order_relaxed);
}
static void *writer(void *arg)
{
	data = 1;
	count(40);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	count(40);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	if (atomic_load_explicit(&flag, memory_order_acquire)) {
		count(20);
		return data - 1;
	}
	pthread_join(t, NULL);
}
END
build -O1 -o counted counted.c
t "a counter beside the flag" 1 "$heddle" run ./counted
has "a counter beside the flag: why" out "^  why       T1's store of flag at counted\.c:14 is relaxed, not release, so main's load of it at"
has "a counter beside the flag: the load" out '^ +[0-9]+  main +main +counted\.c:22 +load  flag = 1, acquire$'
finish
