# SPDX-License-Identifier: ISC
# t_api.sh - heddle.h as a test suite uses it: options, results, outcomes, names; and a test has no effect on the next
# one.
. "$(dirname "$0")/lib.sh"

build -Wall -Wextra -Wno-unused-parameter -o api "$here/api.c"
export HEDDLE_TOOL=$heddle

sb='outcomes: code 0, complete, 4 executions, 0 blocked, 0 findings
  r0=0 r1=0: 1, sc 0
  r0=0 r1=1: 1, sc 1
  r0=1 r1=0: 1, sc 1
  r0=1 r1=1: 1, sc 1'

# Outcomes before and after a failure are the same.
cat >want <<EOT
$sb
fails: code 1, incomplete, 2 executions, 0 blocked, 1 findings
  assertion: assertion \`r0 || r1' failed, line N, reorder 1, ./api.fails.heddle
  r0=0 r1=0: 1, sc 0
  r0=0 r1=1: 1, sc 1
deadlock: code 1, incomplete, 2 executions, 0 blocked, 1 findings
  deadlock: deadlock: T2 waits for ever to lock (held by T1), T1 waits for ever to lock (held by T2), line N, reorder 0, ./api.deadlock.heddle
crash: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  crash: invalid memory access at null pointer (SIGSEGV), line N, reorder 0, ./api.crash.heddle
exit: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  exit: exit status 3, line N, reorder 0, ./api.exit.heddle
_exit: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  exit: exit status 4, line N, reorder 0, ./api._exit.heddle
exit-0: code 0, complete, 1 executions, 0 blocked, 0 findings
abort: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  crash: abort() was called, line N, reorder 0, ./api.abort.heddle
overflow: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  memory: stack overflow of main (16 MiB: --stack), line N, reorder 0, ./api.overflow.heddle
names: code 1, incomplete, 1 executions, 0 blocked, 1 findings
  misuse: heddle_observe("n16"): there are 16 other names already, line N, reorder 0, ./api.names.heddle
  n00=0 n01=1 n02=2 n03=3 n04=4 n05=5 n06=6 n07=7 n08=8 n09=9 n10=10 n11=11 n12=12 n13=13 n14=14 n15=15: 1, sc 1
$sb
EOT
t "whatever tests do" 0 ./api model=tso outcomes fails deadlock crash exit _exit exit-0 abort \
	overflow names outcomes
sed 's/line [0-9]*,/line N,/' out >got
same "whatever tests do: the others do not notice" want got
[ ! -s err ] && pass "quiet" || fail "quiet" "$(cat err)"

t "choices, blocked" 0 ./api choose keep-going findings
has "choices, blocked: by value" out "^choose: code 1, incomplete, 3 executions, 1 blocked, 1 findings"
has "the last value of a name" out "^  a=3 twice=-3: 1, sc 1"
has "several findings" out "^findings: code 1, complete, 2 executions, 0 blocked, 2 findings"
has "several findings: the second file" out "other.*api\.findings\.heddle"
has "several findings: the first file" out "one.*api\.findings-2\.heddle"
for strategy in graph dfs random; do
	t "$strategy: executions before the first outcome" 0 ./api strategy=$strategy executions=2 observe-late
	has "$strategy: executions before the first outcome: have observed nothing" out "^  : 1, sc"
done
t "concurrent calls" 0 ./api model=tso concurrent outcomes
has "concurrent calls: refused" out "^concurrent: 2 2$"
has "concurrent calls: clearly" err "^heddle: heddle_check: [12] other threads? (is|are) running; join (it|them) first$"
has "concurrent calls: and goes on" out "^outcomes: code 0, complete"
t "yield" 0 ./api model=tso yield
has "yield: a loop that waits" out "^yield: code 0, complete"

# Options: fields override the string, the environment both.
t "options: a string" 0 ./api options=model=sc,strategy=dfs,time=2s outcomes
hasnt "options: a string: sc" out "r0=0 r1=0"
t "options: fields" 0 ./api options=model=sc,strategy=dfs model=pso strategy=random executions=50 outcomes
has "options: fields override the string" out "^outcomes: code 3, incomplete, 50 executions"
has "options: fields: the model" out "r0=0 r1=0"
HEDDLE_OPTIONS=model=sc,strategy=graph t "options: environment" 0 ./api model=pso strategy=random \
	executions=50 seed=7 outcomes
has "options: the environment overrides fields" out "^outcomes: code 0, complete, 3 executions"
t "options: jobs" 0 ./api jobs=2 outcomes
has "options: jobs" out "^outcomes: code 0, complete, 4 executions"
mkdir files
t "options: replay_dir" 0 ./api dir=files exit
[ -s files/api.exit.heddle ] && pass "options: replay_dir" || fail "options: replay_dir" "$(ls files)"
for wrong in model=foo strategy=foo jobs=65 time=-1 options=time=x; do
	t "options: $wrong" 0 ./api $wrong outcomes
	has "options: $wrong: refused" out "^outcomes: code 2, incomplete, 0 executions"
	has "options: $wrong: a line" err "^heddle: heddle_check: "
	[ "$(wc -l <err)" = 1 ] || fail "options: $wrong: one line" "$(cat err)"
done

# The output, except with option quiet.
t "loud" 0 ./api model=tso loud outcomes fails
has "loud: which test" err "^heddle: test fails$"
has "loud: a report" err "^FAILED  assertion .r0 .. r1. failed"
has "loud: outcomes" err "^heddle: tso r0=0 r1=0: 1 execution, impossible under sc$"
has "names of threads" err "T1 .*exit"
has "names of threads: given by the program" err "Xavier"
t "not exhaustive" 0 ./api strategy=random executions=20 loud outcomes
has "not exhaustive: sc is" out "r0=0 r1=0: .*, sc 0"

t "names of memory" 0 ./api model=tso loud named outcomes
has "names of memory: in an execution" err "store mailbox = 1"
t "names of memory, before" 0 ./api model=tso loud name named-before named
has "names of memory: before the exploration" err "store cell five = 1"
has "names of memory: the newer one" err "store mailbox = 1"
t "names of memory: replay" 1 "$heddle" replay api.named.heddle
has "names of memory: replay" out "store mailbox = 1"

# heddle run shows a table, and JSON has it.
cat >whole.c <<'EOT'
#include <heddle/heddle.h>
#include <pthread.h>
static int x, y;
static void *f(void *arg) { __atomic_store_n(&x, 1, 0); return (void *)(long)__atomic_load_n(&y, 0); }
static void *g(void *arg) { __atomic_store_n(&y, 1, 0); return (void *)(long)__atomic_load_n(&x, 0); }
int main(void)
{
	pthread_t t, u;
	void *a, *b;
	pthread_create(&t, NULL, f, NULL);
	pthread_create(&u, NULL, g, NULL);
	pthread_join(t, &a);
	pthread_join(u, &b);
	heddle_observe("first", (long)a);
	if (b)
		heddle_observe("b", -5);
	return 0;
}
EOT
build -o whole whole.c
t "table" 0 "$heddle" run ./whole
cat >want <<'EOT'
  first   b    executions  under sc
      0  -5             1  possible
      0   -             1  impossible
      1  -5             1  possible
      1   -             1  possible

EOT
head -6 out >got
same "table" want got
t "table: JSON" 0 "$heddle" run --model tso --json out.json ./whole
[ "$(jq -c '[.outcomes.names, .outcomes.more, 
	(.outcomes.rows[] | select(.values == [0, null]) | .executions, .sc)]' out.json)" = \
	'[["first","b"],false,1,"impossible"]' ] &&
	pass "table: JSON" || fail "table: JSON" "$(jq -c .outcomes out.json)"
t "table: workers" 0 "$heddle" run -j 2 ./whole
head -6 out >got
same "table: workers" want got

# As C++, and without the runtime: all functions exist, without effect.
if "$B/bin/heddle-c++" -g -Wall -Wextra -Wno-unused-parameter -x c++ -o api++ "$here/api.c" 2>err; then
	t "C++" 0 ./api++ model=tso outcomes
	has "C++" out "^  r0=0 r1=0: 1, sc 0"
else
	fail "C++" "$(cat err)"
fi
for compiler in "gcc" "g++ -x c++" "clang" "clang++ -x c++"; do
	$compiler -Wall -Wextra -Werror -Wno-unused-parameter -pthread -I"$B/include" -o plain "$here/api.c" 2>err ||
		fail "without the runtime: $compiler" "$(cat err)"
	t "without the runtime: $compiler" 0 ./plain outcomes yield choose
	has "without the runtime: $compiler: one execution" out "^outcomes: code 0, incomplete, 1 executions, 0 blocked, 0 findings$"
	hasnt "without the runtime: $compiler: no outcomes" out "r0="
done
finish
