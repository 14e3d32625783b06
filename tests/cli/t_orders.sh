# SPDX-License-Identifier: ISC
# t_orders.sh - orders files: their effect, in a run, a replay, a worker, with each compiler; their errors.
. "$(dirname "$0")/lib.sh"

# sites PROGRAM [MODEL]: those of atomics, volatile accesses and assembly, in the order of the code
sites() {
	HEDDLE_OPTIONS=explore,sites=sites,keep-going,model=${2:-tso} "$1" >/dev/null 2>&1
	grep -v ' plain ' sites | sort -t+ -k2
}

cat >sb.c <<'EOT'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r, s;

static void *one(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r = atomic_load_explicit(&y, memory_order_relaxed);
	return unused;
}

static void *two(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	s = atomic_load_explicit(&x, memory_order_relaxed);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(r || s);
}
EOT
sed 's/atomic_int x, y/volatile int x, y/; s/atomic_store_explicit(&\(.\), 1, memory_order_relaxed)/\1 = 1/
	s/atomic_load_explicit(&\(.\), memory_order_relaxed)/\1/' sb.c >volatile.c
sed 's/atomic_int x, y/int x, y/; s/atomic_store_explicit(&\(.\), 1, memory_order_relaxed)/__asm__ volatile("movl $1, %0\\n\\tmfence" : "=m"(\1))/
	s/atomic_load_explicit(&\(.\), memory_order_relaxed)/*(volatile int *)\&\1/' sb.c >assembly.c
build -o sb sb.c
build -o volatile volatile.c
build -o assembly assembly.c

sites ./sb >list
same "sites: kind, order, size" <(sed 's/.*+0x[0-9a-f]* //' list) <(printf '%s\n' \
	"store relaxed 4" "load relaxed 4" "store relaxed 4" "load relaxed 4")
awk '/store/ {print $1, "after=seq_cst # a fence"}' list >both
sed 1d both >second
t "fences in both threads" 0 "$heddle" run --model tso --orders both ./sb
sed 's/after/order/' both >stores
awk '{print $1, "order=seq_cst"}' list >all
for model in tso rc11; do
	t "seq_cst accesses, $model" 0 "$heddle" run --model $model --orders all ./sb
done
t "two workers" 0 "$heddle" run -j2 --orders all ./sb
t "seq_cst stores, tso" 0 "$heddle" run --model tso --orders stores ./sb
t "seq_cst stores are not enough for rc11" 1 "$heddle" run --orders stores ./sb
t "a fence in one thread" 1 "$heddle" run --model tso --orders second ./sb
has "a fence in one thread: it is shown" out 'T2 .* fence seq_cst \(virtual\)'
has "a fence in one thread: said at the top" out 'with --orders: 1 place of the code differs from the source'
grep -A 1000 '^FAILED' out | grep -vE '^(heddle|note): ' >run.txt
rm second
t "a fence in one thread: replay" 1 "$heddle" replay sb.heddle
same "a fence in one thread: replay says what run said" run.txt out
sed 1d both >second
t "a fence in one thread: rc11" 1 "$heddle" run --orders second ./sb
t "a fence in one thread: rc11, replay" 1 "$heddle" replay sb.heddle
has "a fence in one thread: rc11, replay shows it" out 'T[12] .* fence seq_cst \(virtual\)'

sites ./volatile >list
same "sites: volatile" <(sed 's/.*+0x[0-9a-f]* //' list | sort -u) <(printf '%s\n' \
	"load relaxed 4 volatile" "store relaxed 4 volatile")
t "volatile accesses fail" 1 "$heddle" run --model tso ./volatile
awk '/load/ {print $1, "before=seq_cst"}' list >fences
t "volatile accesses, with fences" 0 "$heddle" run --model tso --orders fences ./volatile
sites ./assembly >list
has "sites: assembly" list ' store relaxed 4 asm$'
has "sites: a fence in assembly" list ' fence seq_cst 0 asm$'
t "fences in assembly" 0 "$heddle" run --model tso ./assembly
awk '/fence/ {print $1, "order=none"}' list >none
t "fences in assembly, taken away" 1 "$heddle" run --model tso --orders none ./assembly
if "$cc" --gcc -g -O1 -o tsan sb.c 2>err; then
	sites ./tsan >list
	has "sites: the other compiler" list ' store relaxed 4$'
	t "the other compiler fails" 1 "$heddle" run --model tso ./tsan
	awk '/store/ {print $1, "after=seq_cst"}' list >fences
	t "the other compiler, with fences" 0 "$heddle" run --model tso --orders fences ./tsan
else
	echo "ok - the other compiler # skip: $(head -1 err)"
fi

t "checkpoint" 3 "$heddle" run --orders all --checkpoint kept --executions 1 ./sb
t "resume" 0 "$heddle" run --orders all --resume kept ./sb
t "resume with other orders" 2 "$heddle" run --resume kept ./sb

# Functions of libatomic, called by name: the place is that of the call.
cat >called.c <<'EOT'
extern unsigned __atomic_load_4(const volatile void *, int);
extern void __atomic_store_4(volatile void *, unsigned, int);
unsigned (*volatile load)(const volatile void *, int) = __atomic_load_4;
void (*volatile store)(volatile void *, unsigned, int) = __atomic_store_4;
EOT
sed 's/atomic_int x, y/int x, y/; s/atomic_store_explicit(&\(.\), 1, memory_order_relaxed)/store(\&\1, 1, 0)/
	s/atomic_load_explicit(&\(.\), memory_order_relaxed)/load(\&\1, 0)/' sb.c >>called.c
build -o called called.c
sites ./called | grep -v volatile >list
same "sites: functions of libatomic" <(sed 's/.*+0x[0-9a-f]* //' list) <(printf '%s\n' \
	"store relaxed 4" "load relaxed 4" "store relaxed 4" "load relaxed 4")
awk '{print $1, "order=seq_cst"}' list >called.orders
t "functions of libatomic, seq_cst" 0 "$heddle" run --orders called.orders ./called

site=$(awk 'NR == 1 {print $1}' all)
wrong() { # LINE of the file, what is said of it
	printf '%s\n' "# first" "$1" >wrong.orders
	t "wrong: ${1##*/}" 2 "$heddle" run --orders wrong.orders ./sb
	one_line "wrong: ${1##*/}" "wrong.orders:2:[0-9]*: $2"
}
wrong "sb+0x1 order=none" "no such site: no call of .sb. ends at 0x1"
wrong "sb+0xffffffffffff order=none" "no such site"
wrong "bs+0x1 order=none" "no module .bs. is loaded"
wrong "$site order=strong" "no memory order: .strong."
printf '%s order=none\n%s order=none\n' "$site" "$site" >wrong.orders
t "wrong: twice" 2 "$heddle" run --orders wrong.orders ./sb
one_line "wrong: twice" "wrong.orders:2:1: the second line for this site"
t "wrong: no file" 2 "$heddle" run --orders none.orders ./sb
one_line "wrong: no file" "none.orders: No such file"
t "wrong: a folder" 2 "$heddle" run --orders / ./sb
one_line "wrong: a folder" "cannot be read as an orders file"
head -c 300000 /dev/urandom >wrong.orders
t "wrong: any bytes" 2 "$heddle" run --orders wrong.orders ./sb
finish
