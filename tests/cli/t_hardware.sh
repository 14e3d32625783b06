# SPDX-License-Identifier: ISC
# t_hardware.sh - arm8, power, riscv and imm: what is refused, what a search says that it has left out, replay, compare,
# fences. Their executions: tests/agree (graphs --hardware).
. "$(dirname "$0")/lib.sh"

cat >mp.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *writer(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_release);
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	if (atomic_load_explicit(&y, memory_order_relaxed))
		assert(atomic_load_explicit(&x, memory_order_relaxed));
	pthread_join(t, NULL);
	return 0;
}
EOF
cat >plain.c <<'EOF'
#include <pthread.h>
static int x;
static void *writer(void *arg)
{
	x = 1;
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	int seen = x;
	pthread_join(t, NULL);
	return seen == 2;
}
EOF
"$cc" -g -O1 -o mp mp.c && "$cc" -g -O0 -o plain plain.c || exit 2

for model in arm8 power riscv imm; do
	refused "$model: no dependencies are known" 'compile all of it with heddle-cc --deps, or give --deps none or --deps all' "$heddle" run --model $model ./mp
	t "$model: none" 1 "$heddle" run --model $model --deps none ./mp
	has "$model: none: stopped before load buffering" out 'load buffering is not explored'
	t "$model: replay" 1 "$heddle" replay mp.heddle
	has "$model: replay: fails again" out '^FAILED  assertion'
	rm -f mp.heddle
done
for model in arm8 power riscv; do
	t "$model: all" 3 "$heddle" run --model $model --deps all ./mp
	has "$model: all: not complete" out "^heddle: $model, graph, 2 executions, not complete: an access depends on all earlier"
	t "$model: a race is none of the machine's" 0 "$heddle" run --model $model --deps none ./plain
	has "$model: both values" out "^heddle: $model, graph, 2 executions, complete"
done
t "imm: all: loads are not ordered" 1 "$heddle" run --model imm --deps all ./mp
t "races are reported if asked for" 1 "$heddle" run --model arm8 --deps none --races report ./plain
refused "reads-from" 'need --equivalence rf\+co' "$heddle" run --model arm8 --deps none --equivalence rf ./mp
refused "dependencies of no machine" 'deps and --arch-rmw need --model arm8' "$heddle" run --deps all ./mp
refused "LDAPR of no ARMv8" 'rcpc needs --model arm8' "$heddle" run --model power --deps none --rcpc ./mp
t "compare" 1 "$heddle" compare --from sc --to arm8 --deps none ./mp
has "compare: verdict" out '^NOT PORTABLE from sc to arm8: new: 1 finding$'
t "compare: nothing new, as far as it goes" 3 "$heddle" compare --from sc --to arm8 --deps all ./mp
has "compare: unknown" out '^UNKNOWN from sc to arm8'
t "fences: a repair" 0 "$heddle" fences --model arm8 --deps none ./mp
has "fences: acquire" out 'memory_order_acquire'
has "fences: proved" out 'proved: 2 executions'

# Dependencies of the program itself.
cat >published.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static struct message { atomic_int text; } one;
static _Atomic(struct message *) published;
static void *writer(void *arg)
{
	atomic_store_explicit(&one.text, 42, memory_order_relaxed);
	atomic_store_explicit(&published, &one, memory_order_release);
	return NULL;
}
int main(void)
{
	struct message *m;
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	m = atomic_load_explicit(&published, memory_order_relaxed);
#ifdef BROKEN
	if (m == &one)
#else
	if (m)
#endif
		assert(atomic_load_explicit(&m->text, memory_order_relaxed) == 42);
	pthread_join(t, NULL);
	return 0;
}
EOF
"$cc" --deps -g -O2 -o published published.c && "$cc" --deps -g -O2 -DBROKEN -o broken published.c &&
	"$cc" --deps -g -O0 -DBROKEN -o kept published.c || exit 2
for model in arm8 power riscv; do
	t "$model: an address depends" 0 "$heddle" run --model $model ./published
	has "$model: all executions" out "^heddle: $model, graph, 2 executions, complete"
	t "$model: the compiler knows the address" 1 "$heddle" run --model $model ./broken
	has "$model: why" out "why .*main's load of one.text .* before its load of published .*: no barrier, no acquire, no address dependency"
	t "$model: and not without optimisation" 0 "$heddle" run --model $model ./kept
done
t "imm: loads are not ordered by addresses" 1 "$heddle" run --model imm ./published
t "dependencies: replay" 1 "$heddle" replay published.heddle
t "dependencies: processes" 0 "$heddle" run --model arm8 -j 2 ./published
t "dependencies: other models" 0 "$heddle" run --model tso ./kept
# heddle/linux.h: barriers by name, and operations by their documented meaning (mp, sb: with which barriers).
cat >linux.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <heddle/linux.h>
static int x, y, r0, r1;
static atomic_t a = ATOMIC_INIT(0), b = ATOMIC_INIT(0);
static void *writer(void *arg)
{
#ifdef SB
	atomic_set(&a, 1);
	BETWEEN;
	r0 = atomic_read(&b);
#else
	WRITE_ONCE(x, 1);
	STORES;
	WRITE_ONCE(y, 1);
#endif
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
#ifdef SB
	atomic_set(&b, 1);
	BETWEEN;
	r1 = atomic_read(&a);
	pthread_join(t, NULL);
	assert(r0 || r1);
#else
	if (READ_ONCE(y)) {
		LOADS;
		assert(READ_ONCE(x));
	}
	pthread_join(t, NULL);
#endif
	return 0;
}
EOF
linux() { # exit codes under arm8 power riscv rc11, definitions
	local code n=0 codes model
	read -ra codes <<<"$1"
	shift
	"$cc" -std=gnu11 --deps -g -O2 "${@/#/-D}" -o linux linux.c || exit 2
	for model in arm8 power riscv rc11; do
		code=${codes[n++]}
		t "linux.h: $model: $*" "$code" "$heddle" run --model $model ./linux
	done
}
linux "0 0 0 0" "STORES=smp_wmb()" "LOADS=smp_rmb()"
linux "0 0 0 0" "STORES=dmb(ishst)" "LOADS=dmb(ishld)"
linux "1 1 1 1" "STORES=barrier()" "LOADS=smp_rmb()"
linux "1 1 1 1" "STORES=smp_wmb()" "LOADS=barrier()"
linux "0 0 1 1" "STORES=lwsync()" "LOADS=isb()" # a branch and isb
linux "0 0 0 0" SB "BETWEEN=smp_mb()"
linux "0 1 1 1" SB "BETWEEN=lwsync()" # a machine without it has an acq_rel fence, ARMv8's is a full one
linux "1 1 1 1" SB "BETWEEN=smp_wmb()"
linux "0 0 0 0" SB "BETWEEN=atomic_add_return(1, &(atomic_t){0})"
linux "1 1 1 1" SB "BETWEEN=atomic_add_return_relaxed(1, &(atomic_t){0})"
# What the machine keeps is not blamed, and not repaired.
cat >chain.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <heddle/linux.h>
static int x, y, *p = &y;
static void *writer(void *arg)
{
	WRITE_ONCE(x, 1);
	return NULL;
}
static void *publisher(void *arg)
{
#ifdef CHAIN
	WRITE_ONCE(y, READ_ONCE(x));
#else
	WRITE_ONCE(x, 1);
	WRITE_ONCE(p, &x);
#endif
	return NULL;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, publisher, NULL);
#ifdef CHAIN
	pthread_create(&u, NULL, writer, NULL);
	int r = READ_ONCE(y), s = READ_ONCE(*(&x + (r & 4)));
	assert(!r || s);
	pthread_join(u, NULL);
#else
	int *q = rcu_dereference(p);
	assert(q == &y || READ_ONCE(*q));
#endif
	pthread_join(t, NULL);
	return 0;
}
EOF
"$cc" --deps -g -O1 -o chain chain.c && "$cc" --deps -g -O1 -DCHAIN -o far chain.c || exit 2
t "why: dependencies" 1 "$heddle" run --model arm8 ./chain
has "why: the stores" out "why .*T1's store to p .* became visible before its store to x .*: no barrier, no release"
hasnt "why: not the loads" out "load of .* took its value before"
has "why: the loads are kept" out 'kept in this order by an address dependency$'
has "why: one repair" out '^  repair    make the store to p .* release$'
t "why: replayed" 1 "$heddle" replay chain.heddle
has "why: in the replay file" out 'kept in this order by an address dependency$'
t "fences: the writer" 0 "$heddle" fences --model power ./chain
has "fences: needs one" out '^repair    1 change, cost 3$'
t "fences: imm keeps no loads" 0 "$heddle" fences --model imm ./chain
has "fences: needs two" out '^repair    2 changes, cost 4$'
t "power: a store reaches threads one by one" 1 "$heddle" run --model power ./far
has "power: why" out "store to x .* had reached T1, and not main: no barrier of T1's makes it visible to all"
t "arm8: it does not" 0 "$heddle" run --model arm8 ./far

# Load buffering: found, replayed, explained; with a data dependency in each thread there is none.
cat >lb.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <heddle/linux.h>
static int x, y, r, s;
static void *other(void *arg)
{
#ifdef DATA
	WRITE_ONCE(y, r = READ_ONCE(x));
#else
	r = READ_ONCE(x);
	WRITE_ONCE(y, 1);
#endif
	return NULL;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	s = READ_ONCE(y);
	WRITE_ONCE(x, 1);
	pthread_join(t, NULL);
	assert(!r || !s);
	return 0;
}
EOF
"$cc" --deps -g -O1 -DDATA -o data lb.c && "$cc" --deps -g -O1 -o lb lb.c || exit 2
for model in arm8 power riscv imm; do
	t "$model: load buffering" 1 "$heddle" run --model $model ./lb
	has "$model: load buffering: early" out 'rf +main +load +y = 1 .* reads from that store'
	has "$model: load buffering: why" out "became visible before its load of .* took its value: no barrier"
	t "$model: load buffering: replay" 1 "$heddle" replay lb.heddle
	has "$model: load buffering: fails again" out '^FAILED  assertion'
	t "$model: load buffering: all" 1 "$heddle" run --model $model --keep-going ./lb
	has "$model: load buffering: four executions" out "$model, graph, 4 executions, complete, 1 failing"
	t "$model: data, one way" 1 "$heddle" run --model $model --keep-going ./data
	has "$model: data: out of the other thread's order" out "$model, graph, 4 executions, complete, 1 failing"
done
for model in arm8 power riscv imm lkmm; do
	t "$model.cat: load buffering" 1 "$heddle" run --model "$B/share/heddle/models/$model.cat" --keep-going ./lb
	has "$model.cat: load buffering: four executions" out "$model.cat, graph, 4 executions, complete, 1 failing"
	has "$model.cat: load buffering: the axiom" out "of $model.cat would then forbid this execution"
done
t "lkmm.cat: load buffering: replay" 1 "$heddle" replay lb.heddle
t "load buffering: fences" 0 "$heddle" fences --model arm8 ./lb
has "load buffering: fences: in both threads" out 'cheapest repair proved: 3 executions'
t "load buffering: compare" 1 "$heddle" compare --from pso --to power ./lb
has "load buffering: compare: new" out '^NOT PORTABLE from pso to power: new: 1 finding$'
has "load buffering: compare: all" out 'power, graph, 4 executions, complete, 1 failing'
# Readers of a domain; one that another thread ends; grace periods of another domain. The assertion fails within the
# reader, whose end is then to come, in lkmm and in a model that pairs beginnings and ends only.
cat >srcu.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <heddle/linux.h>
DEFINE_STATIC_SRCU(used);
DEFINE_STATIC_SRCU(other);
static int removed, freed, reader, given;
static void *begin(void *arg)
{
	int seen;
	(void)arg;
	reader = srcu_read_lock(&used);
	seen = READ_ONCE(freed);
	assert(!seen || READ_ONCE(removed));
	if (!HANDED)
		srcu_read_unlock(&used, reader);
	smp_store_release(&given, 1);
	return NULL;
}
static void *end(void *arg)
{
	(void)arg;
	if (smp_load_acquire(&given) && HANDED)
		srcu_up_read(&used, reader);
	return NULL;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, begin, NULL);
	pthread_create(&u, NULL, end, NULL);
	WRITE_ONCE(removed, 1);
	synchronize_srcu(&DOMAIN);
	WRITE_ONCE(freed, 1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
EOF
for handed in 0 1; do
	"$cc" --deps -g -O2 -DHANDED=$handed -DDOMAIN=used -o srcu srcu.c
	"$cc" --deps -g -O2 -DHANDED=$handed -DDOMAIN=other -o srcu_other srcu.c
	for model in lkmm "$here/litmus/models/Linux.cat"; do
		name="srcu, ${model##*/}, $handed"
		t "$name" 0 "$heddle" run --model "$model" ./srcu
		has "$name: complete" out 'graph, [0-9]+ executions, complete, 0 failing'
		t "$name, another domain" 1 "$heddle" run --keep-going --model "$model" ./srcu_other
		has "$name, another domain: found" out 'graph, [0-9]+ executions, complete, 1 failing'
	done
done
"$heddle" run --model lkmm ./srcu_other >out
has "srcu: the place is the call" out '^ +[0-9]+ +T1 +begin +srcu.c:11[:0-9]* +srcu_read_lock used.srcu'
t "srcu: explained" 0 "$heddle" explain srcu_other.heddle
has "srcu: explained: the model's name" out 'under the memory model lkmm.cat\.$'
has "srcu: explained: a step" out 'main calls synchronize_srcu other.srcu \(srcu.c:32\)\.$'
# Fully ordered though their values are not used: compilers make such an exchange a store otherwise.
cat >xchg.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <heddle/linux.h>
static int x, y, r0, r1;
static atomic_t a, b;
static void *other(void *arg)
{
	WRITE_ONCE(x, 1);
	atomic_xchg(&a, 1);
	r0 = READ_ONCE(y);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, other, NULL);
	WRITE_ONCE(y, 1);
	atomic_fetch_add(0, &b);
	r1 = READ_ONCE(x);
	pthread_join(t, NULL);
	assert(r0 || r1);
	return 0;
}
EOF
"$cc" --deps -g -O2 -o xchg xchg.c
t "xchg() and atomic_fetch_add() without use of the value" 0 "$heddle" run --model lkmm ./xchg
has "xchg() and atomic_fetch_add() without use of the value: all" out 'graph, 3 executions, complete, 0 failing'
refused "srcu under tso" "synchronize_srcu\\(\\): only under models with grace periods, as --model lkmm" \
	"$heddle" run --model tso ./srcu
cat >signal.c <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <heddle/linux.h>
static int x;
static void on_usr1(int sig) { (void)sig; }
static void *target(void *arg)
{
	(void)READ_ONCE(x);
	return arg;
}
int main(void)
{
	pthread_t t;
	struct sigaction a = {.sa_handler = on_usr1};

	sigaction(SIGUSR1, &a, NULL);
	pthread_create(&t, NULL, target, NULL);
	pthread_kill(t, SIGUSR1);
	return pthread_join(t, NULL);
}
EOF
"$cc" --deps -g -O1 -o signal signal.c || exit 2
t "load buffering: none with signals" 0 "$heddle" run --model arm8 ./signal
has "load buffering: none with signals: complete" out 'arm8, graph, 2 executions, complete'
t "load buffering: processes" 1 "$heddle" run --model arm8 -j 2 --keep-going ./lb
has "load buffering: processes: four executions" out 'arm8, graph, 4 executions, complete, 1 failing'

refused "gcc" 'not with --gcc' "$cc" --gcc --deps -c published.c
"$cc" --deps -c -o one.o published.c && "$cc" -g -O0 -c -Dmain=other -o two.o plain.c &&
	"$cc" -g -o mixed one.o two.o || exit 2
refused "one file without" 'compile all of it with heddle-cc --deps' "$heddle" run --model arm8 ./mixed
finish
