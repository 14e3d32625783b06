# SPDX-License-Identifier: ISC
# t_default.sh - `heddle run' without further options on programs that graphs do not get through.
. "$(dirname "$0")/lib.sh"

build -o right "$here/default.c"
build -o wrong -DWRONG "$here/default.c"

# More than 20000 steps: the bound comes from the natural run.
for strategy in random pct mixed; do
	t "long, $strategy" 3 "$heddle" run --strategy $strategy --executions 3 ./right
	has "long, $strategy: executions" out '^heddle: tso, .* 3 executions, .* 0 failing'
	hasnt "long, $strategy: none is too long" out 'longer than'
done
t "long, a bound" 3 "$heddle" run --strategy random --executions 3 --max-steps 50 ./right
has "long, a bound: too long" out '^heddle: tso, random, 0 executions, .*some executions are longer than 50 steps \(--max-steps\)'

# A long computation, on memory of one thread, is no long execution.
cat >computes.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int done;
static int compute(void)
{
	int n = 5000, sum, *a = calloc(n, sizeof *a);
	for (int k = 0; k < 3000; k++)
		for (int i = 1; i < n; i++)
			a[i] = a[i - 1] * 31 + i;
	sum = a[n - 1];
	free(a);
	return sum;
}
static void *work(void *arg)
{
	if (compute())
		done++;
	return arg;
}
static void *rest(void *arg)
{
	done++;
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t t[2];
	if (argc > 1)
		done = compute() + compute() != 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, argc > 1 ? rest : work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
EOF
build -O1 -o computes computes.c
for where in '' alone; do
	t "computation${where:+, $where}" 3 "$heddle" run --strategy random --model tso --executions 2 ./computes $where
	has "computation${where:+, $where}: executions" out '^heddle: tso, random, 2 executions, not complete: stopped after 2 executions \(--executions\); random samples [^;]*, 0 failing'
done

# On a busy machine with more time.
t "long" 3 bash -c 'for time in 4 16 48; do
	"$0" run --time $time --json long.json ./right >long.out
	code=$?
	grep -q "under sc .*preemption" long.out && break
done
cat long.out
exit $code' "$heddle"
has "long: what is guaranteed" out '^heddle: rc11, .*; but all executions under sc (without preemption|with at most [0-9]+ preemptions?)[;,] '
holds "long: document" long.json '.executions > 0 and (.guarantee | del(.chances)) == {complete: false, held: null, preemptions: 0, delays: null} or
	.guarantee.preemptions > 0'
t "long and wrong" 1 "$heddle" run --time 30 ./wrong
has "long and wrong: finding" out '^FAILED  assertion'
t "long and wrong: replay" 1 "$heddle" replay wrong.heddle

t "no delay" 3 "$heddle" run --strategy dfs --delays 0 ./right
has "no delay: one execution" out '^heddle: sc, dfs, 1 execution, not complete: no more than 0 delays per execution \(--delays\), 0 failing'
t "a delay" 1 "$heddle" run --strategy dfs --delays 1 --time 60 ./wrong
has "a delay: finding" out '^FAILED  assertion'
t "a delay: replay" 1 "$heddle" replay wrong.heddle
refused "delays need sc" "--delays needs --model sc" "$heddle" run --model tso --delays 1 ./wrong

t "many threads" 3 "$heddle" run --executions 20 ./right many
has "many threads: executions" out '^heddle: tso, mixed, 20 executions, '

# The one execution without delays comes first.
for time in 3 60; do
	t "often, $time s" 3 "$heddle" run --time $time --json often.json ./right often
	grep -q 'without delay' out && break
done
has "often: what is guaranteed" out '; but all executions under sc without delay[;,] '
holds "often: document" often.json '.guarantee.delays == 0 and .guarantee.preemptions == null'

t "slow" 3 "$heddle" run --time 4.5 ./right slow
has "slow: one execution" out '^heddle: rc11, graph, 1 execution, not complete: stopped after 4.5 s \(--time\)[;,] '
has "slow: it is the first run" out '^note: only the first run has ended, under sc and without a search for data races$'
has "slow: how long one takes" out '; a first run took [3-4](\.[0-9])? s; when the time was up main was at '

line=$(grep -n HERE "$here/default.c" | cut -d: -f1)
t "endless" 3 "$heddle" run --time 1 --json endless.json ./right endless
has "endless: how far it came" out "^heddle: .* 0 executions, not complete: .*a first run did not end(: after| within) [0-9]+ steps:? T1 was at default.c:($line|$((line - 1)))[,;]"
holds "endless: document" endless.json '(.guarantee.held | test("T1 was at default.c:")) and .guarantee.preemptions == null'

# The iteration count is stored, and so part of the state.
cat >turns.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
long turns;
static void *wait(void *unused)
{
	long n = 0;
	while (!flag)
		n++;
	turns = n;
	return unused;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, wait, NULL);
	flag = 1;
	return pthread_join(t, NULL);
}
EOF
"$cc" -g -O1 -o turns turns.c
t "turns" 3 "$heddle" run --strategy graph --time 1 ./turns
has "turns: the loop" out 'each iteration count of a loop is a separate execution: T1 was at turns.c:[789]'
finish
