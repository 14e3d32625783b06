# SPDX-License-Identifier: ISC
# t_draw.sh - the execution shown is the simplest with the finding, for every strategy; heddle graph draws it.
. "$(dirname "$0")/lib.sh"

"$cc" -g -o sb "$here/../../examples/sb.c"
"$cc" -g -DATOMIC -o publish "$here/../../examples/publish.c"

# One load overtakes one store; three switches: main, T1, T2, main (and T1's exit waits for its buffer).
for how in "tso graph" "tso rf" "tso random" "tso pct" "tso dfs" "pso graph" "pso random"; do
	set -- $how
	case $2 in random | pct) delayed=1 ;; *) delayed=2 ;; esac # r0 and r1 are private there
	seed=1
	[ "$2" != random ] || seed=2 # what seed 1 finds has a switch more, and no neighbour with less
	t "$how: the easiest execution" 1 "$heddle" run --model "$1" --strategy "$2" --seed "$seed" --json found.json ./sb
	holds "$how: one load overtakes one store" found.json '
		.findings[0] as $f | $f.minimised as $m | $m.after as $a |
		$m.complete and $m.tries > 0 and
		$a.relaxed == 1 and $a.rare == 0 and $a.switches <= 4 and $a.steps <= $m.before.steps and
		($model != "tso" or $a.delayed == $delayed) and
		([$f.steps[] | select(.kind == "load").text][0] | startswith("load  ")) and
		($f.why.reorderings | length) == 1 and ($f.why.cycle | length) == 4' --arg model "$1" --argjson delayed "$delayed"
done
t "as it was found" 1 "$heddle" run --model tso --strategy random --minimise 0 --json found.json ./sb
holds "--minimise 0" found.json '.findings[0] | has("minimised") and .minimised == null'

t "tso" 1 "$heddle" run -q --model tso ./sb
t "the minimised execution replays" 1 "$heddle" replay sb.heddle
t "graph on standard output" 0 "$heddle" graph sb.heddle
has "DOT: a column a thread" out 'label="T1 writer_x"'
has "DOT: text of the source" out 'label="store x = 1, release\\nsb\.c:30  atomic_store_explicit'
has "DOT: the cycle" out '^	e[0-9]+ -> e[0-9]+ \[label="fr", color="#d93025"'
[ "$(grep -c 'penwidth=2.*constraint=false' out)" = 2 ] && pass "DOT: both fr" || fail "DOT: both fr" "$(cat out)"
t "SVG" 0 "$heddle" graph -o sb.svg sb.heddle
xml "SVG: well formed, nodes, edges" sb.svg 'count(//*[local-name() = "rect" and @stroke = "#d93025"]) = 4
	and count(//*[local-name() = "path" and @stroke = "#d93025"]) = 5 and //*[local-name() = "text" and contains(., "sb.c:34")]'

t "rc11" 1 "$heddle" run -q ./publish
t "rc11: graph" 0 "$heddle" graph publish.heddle
has "rc11: rf on the cycle" out '\[label="rf", color="#d93025"'
has "rc11: the replay file has the events" publish.heddle '^event .*kind=store .*place='
t "rc11: replay" 1 "$heddle" replay publish.heddle

# A cycle that goes through a lock; two fences forbid it, as the report says.
cat >locked.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y, first;
static int r0 = 1, r1 = 1, order;
static void *one(void *a)
{
	pthread_mutex_lock(&m);
	order = atomic_load_explicit(&first, memory_order_relaxed);
	pthread_mutex_unlock(&m);
	r0 = atomic_load_explicit(&x, memory_order_relaxed);
	return a;
}
static void *two(void *a)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	pthread_mutex_lock(&m);
	atomic_store_explicit(&first, 1, memory_order_relaxed);
	pthread_mutex_unlock(&m);
	return a;
}
static void *three(void *a)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r1 = atomic_load_explicit(&y, memory_order_relaxed);
	return a;
}
int main(void)
{
	pthread_t t[3];
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	pthread_create(&t[2], 0, three, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(!(order && !r0 && !r1));
	return 0;
}
END
"$cc" -g -o locked locked.c
t "through a lock" 1 "$heddle" run ./locked
has "through a lock: cycle" out '^ +po  T2  unlock m +locked\.c:20$'
has "through a lock: its next holder" out '^ +rf  T1  lock m +locked\.c:9 +after that$'
has "through a lock: repair" out 'seq_cst\) after locked\.c:(25 and after locked\.c:17|17 and after locked\.c:25)$'
sed -e '/&[xy], 1,/s/$/ atomic_thread_fence(memory_order_seq_cst);/' locked.c >fenced.c
"$cc" -g -o fenced fenced.c
t "through a lock: repaired" 0 "$heddle" run ./fenced

# No cycle: co and fr between threads are drawn; accesses to memory of a single thread are not.
cat >update.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared, own;
static void *add(void *arg)
{
	if (arg)
		atomic_store(&own, 7);
	atomic_store(&shared, atomic_load(&shared) + 1);
	return arg;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, add, 0);
	pthread_create(&u, 0, add, &own);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(shared == 2);
}
END
"$cc" -g -o update update.c
t "a lost update" 1 "$heddle" run -q --model sc ./update
t "a lost update: graph" 0 "$heddle" graph update.heddle
has "a lost update: fr" out '\[label="fr", color="#1a73e8"'
has "a lost update: co" out '\[label="co", color="#b06000"'
hasnt "a lost update: of one thread alone" out 'label="store own'
t "a lost update: all of the graph" 0 "$heddle" graph --all update.heddle
has "a lost update: all: also of one thread alone" out 'label="store own = 7'

# clear TITLE FILE BOXES: no edge runs through a box, no name of an edge covers another.
clear() {
	grep -o '<rect [^>]*>\|<path [^>]*>\|<text [^>]*>' "$2" | awk -f "$here/svg_clear.awk" >covered
	grep -qE "^([0-9]+) boxes, [1-9][0-9]* edges, 0 covered\$" covered && [ "$(sed -n '$s/ .*//p' covered)" -ge "$3" ] &&
		pass "$1: edges run beside boxes" || fail "$1: edges run beside boxes" "$(cat covered)"
}

# A deadlock of three: each waits for the next, and main for the first.
cat >ring.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *dine(void *arg)
{
	long i = (long)arg;

	pthread_mutex_lock(&lock[i]);
	pthread_mutex_lock(&lock[(i + 1) % 3]);
	pthread_mutex_unlock(&lock[(i + 1) % 3]);
	pthread_mutex_unlock(&lock[i]);
	return arg;
}
int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, dine, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
"$cc" -g -o ring ring.c
t "a deadlock" 1 "$heddle" run -q ./ring
t "a deadlock: graph" 0 "$heddle" graph ring.heddle
[ "$(grep -c 'label="waits for"' out)" = 4 ] && pass "a deadlock: each waits for another" ||
	fail "a deadlock: each waits for another" "$(cat out)"
has "a deadlock: what it waits for" out 'label="waits to lock lock\[1\], which T2 holds\\nring.c:8  pthread_mutex_lock'
t "a deadlock: SVG" 0 "$heddle" graph -o ring.svg ring.heddle
xml "a deadlock: waits, in red, and explained" ring.svg 'count(//*[local-name() = "rect" and @stroke = "#d93025"]) = 4
	and //*[@class = "where" and starts-with(., "waits for ever: for an object")] and //*[. = "ring, model rc11, also possible without reordering"]'
clear "a deadlock" ring.svg 10
clear "sb" sb.svg 8
t "a cycle through a lock: SVG" 0 "$heddle" graph -o locked.svg locked.heddle
clear "a cycle through a lock" locked.svg 12
t "all of it: SVG" 0 "$heddle" graph --all -o all.svg locked.heddle
clear "all of it" all.svg 20
xml "a legend of what is there, why, repair" locked.svg '//*[starts-with(., "from read: the load had an older value")]
	and not(//*[starts-with(., "waits for ever")]) and //*[. = "why"] and //*[. = "repair"]
	and //*[contains(., "this would forbid this execution") or contains(., "together, these would forbid")]'
xml "a line of source has its memory order" locked.svg '//*[contains(., "atomic_store_explicit(&x, 1, memory_order_relaxed);")]'

# Code that stands for several lines has line 0: its function, and the nearest line.
"$cc" -g -O1 -DBUG -o deque "$here/../../examples/chase_lev.c"
t "code without a line" 1 "$heddle" run --model tso ./deque
has "code without a line: the nearest one" out 'main +main +chase_lev.c:~11[0-9] +load +stolen'
t "code without a line: graph" 0 "$heddle" graph -o deque.svg deque.heddle
xml "code without a line: its function" deque.svg '//*[contains(., "chase_lev.c:~11") and contains(., "main: ")]
	and //*[starts-with(., "~ before a line: the compiler gives")]'
clear "a deque" deque.svg 15

t "all events" 0 "$heddle" graph --all sb.heddle
has "all: also the start of a thread" out 'label="start'
t "no Graphviz" 2 env PATH=/nowhere "$heddle" graph -o sb.png sb.heddle
one_line "no Graphviz: what to do" 'graph: \.png needs Graphviz \(apt-get install graphviz\); \.svg and \.dot do not'
t "no such picture" 2 "$heddle" graph -o sb.gif sb.heddle
one_line "no such picture: one line" 'should end in \.dot, \.svg or \.png'
t "no file" 2 "$heddle" graph
one_line "no file: one line" 'graph: name one replay file'
finish
