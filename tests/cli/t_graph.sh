# SPDX-License-Identifier: ISC
# t_graph.sh - failing execution graphs: reports, replay files, replays, under each model.
. "$(dirname "$0")/lib.sh"

compile publish examples/publish.c
compile publish-atomic examples/publish.c -DATOMIC
compile sb examples/sb.c
compile counter tests/bugs/race_counter.c
compile checked tests/bugs/race_double_checked.c
compile deadlock tests/bugs/abba_deadlock.c
compile spin tests/bugs/spin_pair.c
compile lost tests/bugs/lost_update.c
compile wakeup tests/bugs/lost_wakeup.c

for model in pso rc11; do repeats publish $model --strategy graph; done
for model in sc tso pso ra rc11; do repeats counter $model --strategy graph; done
for model in tso pso ra rc11; do repeats sb $model --strategy graph; done
for model in sc tso rc11; do
	repeats deadlock $model --strategy graph
	repeats wakeup $model --strategy graph
	repeats lost $model --strategy graph --races promote
done
for model in tso rc11; do repeats spin $model --strategy graph; done
repeats checked rc11 --strategy graph
repeats publish-atomic rc11 --strategy graph

# Reports on store buffers show buffers; those of graphs, reads of old values.
"$heddle" run --model tso --strategy graph ./sb >out 2>&1
has "tso: real buffers" out "-> into T1's store buffer"
"$heddle" run --model rc11 --strategy graph ./sb >out 2>&1
has "rc11: an old value" out 'load  x = 0, acquire  although x = 1 \(T1, sb\.c:[0-9]+\) is already in memory'
has "rc11: cycle" out "^  cycle +T[12]  store [xy] = 1"
has "rc11: cycle, not kept" out "^ +po  T[12]  load  [xy] = 0.* not kept in this order$"
has "rc11: cycle, closed" out "^ +fr  T[12]  store [xy] = 1.* not seen by that load: the first again$"
has "rc11: why" out "why +T[12]'s load of [xy] \(sb\.c:[0-9]+\) took its value before its store to [xy] \(sb\.c:[0-9]+\) became visible"
has "rc11: why, an old value" out "T2's load of x \(sb\.c:[0-9]+\) does not see T1's store to x \(sb\.c:[0-9]+\): no happens-before"

# A pair of places is one finding, in any number of executions.
"$heddle" run --model rc11 --strategy graph --keep-going --json run.json ./counter >out 2>&1
holds "races by pairs of places" run.json '
	[.findings[] | select(.kind == "race").race] as $races | ($races | length) > 0 and
	all($races[]; (.accesses | length) == 2 and (.why | length) > 0) and
	([$races[] | [.accesses[].stack[0] | [.line, .column]] | sort] | length == (unique | length))'

"$heddle" run --model rc11 --strategy graph --json run.json ./checked >out 2>&1
holds "JSON: locks and stacks of a race" run.json '
	.findings[0] as $f | $f.race.accesses as [$a, $b] |
	$f.kind == "race" and $f.step == $b.step and $a.atomic == false and $b.atomic == false and
	[$a.locks[].place] == ["lock"] and $b.locks == [] and
	($a.stack[0].function | length) > 0 and $b.stack[0].line > 0'

# A changed choice in the file, with a valid checksum: the replay reports the divergence.
"$heddle" run --model rc11 --strategy graph ./publish-atomic >out 2>&1
sed '$d' publish-atomic.heddle | tac | sed -E '0,/^choice .*taken=/s/^(choice .*)n=[0-9]+ taken=[0-9]+/\1n=1/' | tac >other.heddle
seal other.heddle
refused "another choice" "replay diverged at step [0-9]+: recorded T[12] .*, now T[12] " "$heddle" replay other.heddle

# An execution's output is in its report, independent of earlier executions.
cat >prints.c <<'EOT'
#include <assert.h>
#include <stdio.h>
int main(void)
{
	fprintf(stderr, "to stderr\n");
	printf("to stdout\n");
	assert(0);
}
EOT
build -o prints prints.c
t "output" 1 "$heddle" run ./prints
has "output: stdout" out '^    \| to stdout$'
has "output: stderr" out '^    \| to stderr$'

# Two threads write different bytes of a word that is also accessed atomically: no race, though graphs cannot represent
# it. With the same byte it is one.
cat >parts.c <<'EOT'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned long word;
static void *write_one(void *arg)
{
	((char *)&word)[1] = 1;
	return arg;
}
static void *write_other(void *arg)
{
	((char *)&word)[OTHER] = 1;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	atomic_store(&word, 0);
	pthread_create(&a, NULL, write_one, NULL);
	pthread_create(&b, NULL, write_other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&word) == 0x10100);
}
EOT
build -DOTHER=2 -o parts parts.c
t "bytes of an atomic" 0 "$heddle" run ./parts
has "bytes of an atomic: said" out "note: strategy mixed, not graph: unordered threads make plain accesses to different bytes of an atomic"
refused "bytes of an atomic, rc11" "different bytes of an atomic variable" "$heddle" run --model rc11 ./parts
build -DOTHER=1 -o parts parts.c
t "one byte of an atomic" 1 "$heddle" run ./parts
has "one byte of an atomic: a race" out "data race on word\+1: T1 stores it at parts.c:7, T2 (loads|stores) it at parts.c:12"

# Padding of a copied struct has the stack's old contents. The runtime must leave the same there when an execution is
# recorded.
cat >padding.c <<'EOT'
#include <pthread.h>
static struct {
	char a;
	short b;
	int c;
	long d;
} s;
static int racy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *assign(void *arg)
{
	s = (typeof(s)){.b = 2};
	pthread_mutex_lock(&lock);
	s = (typeof(s)){.c = 3};
	pthread_mutex_unlock(&lock);
	racy = 1;
	return arg;
}
static void *look(void *arg)
{
	racy = s.c;
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, assign, NULL);
	pthread_create(&b, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
EOT
t "padding: build" 0 "$cc" -g -O0 -pthread -o padding padding.c
t "padding" 1 "$heddle" run --keep-going ./padding
has "padding: a race" out "^FAILED  data race on s"
finish
