# SPDX-License-Identifier: ISC
# t_run.sh - `heddle run`: verdicts, exit codes, last lines, output, JSON, replay files.
. "$(dirname "$0")/lib.sh"

cp "$here/sb.c" .
build -o sb sb.c

t "sc, dfs" 0 "$heddle" run --model sc --strategy dfs ./sb
has "sc: the last line" out '^heddle: sc, dfs, [0-9]+ executions, complete, 0 failing \(data races are not looked for: --strategy graph\), [0-9.]+ s$'
t "sc, mixed" 0 "$heddle" run --model sc --strategy mixed ./sb
has "mixed: not all executions were looked at" out ' complete, 0 failing \(data races are not looked for: --strategy graph\)'
t "sc, graph" 0 "$heddle" run --model sc ./sb
hasnt "graph: all were" out 'not looked for'
t "sc, dfs, no detector" 0 "$heddle" run --model sc --strategy dfs --detect=-race ./sb
hasnt "no detector: nothing is said" out 'not looked for'
has "sc: the program's output is shown" out '^arguments: 0 -$'
[ "$(grep -c '^arguments' out)" = 1 ] && pass "sc: once" || fail "sc: once" "$(cat out)"
[ ! -e sb.heddle ] && pass "sc: no replay file" || fail "sc: no replay file" "there is one"

t "tso, dfs" 1 "$heddle" run --model tso --strategy dfs ./sb one
has "tso: headline" out "^FAILED  assertion .r0 \|\| r1. failed, sb\.c:34 +needs reordering: this execution is impossible under sc$"
has "tso: a store goes into a buffer" out 'writer_x +sb\.c:13 +store x = 1 +-> into T[12]'"'"'s store buffer'
has "tso: a load misses a buffered store" out 'load  [xy] = 0 +\([xy] = 1 is still in T[12]'"'"'s buffer\)'
has "tso: a commit" out '\(memory\) +[xy] = 1 reaches memory'
has "tso: why, first thread" out "T1's load of y \(sb\.c:14\) took its value before its store to x \(sb\.c:13\) became visible|T2's load of x \(sb\.c:21\) took"
has "tso: repair" out '^  repair +atomic_thread_fence\(memory_order_seq_cst\) after sb\.c:(13 and after sb\.c:20|20 and after sb\.c:13)$'
has "tso: replay line" out '^  replay +heddle replay sb\.heddle$'
has "tso: stack of the failure" out '^    #0 .*main'
has "tso: stack with a column" out 'writer_x +.*sb\.c:14:[0-9]+$'
has "tso: where a thread was created" out 'T1 was created by main at'
has "tso: output of the failing execution" out '^    \| arguments: 1 one$'
has "tso: the last line" out '^heddle: tso, dfs, [0-9]+ executions?, not complete: stopped at the first finding \(--keep-going\), 1 failing, [0-9.]+ s$'
hasnt "tso: no colour in a pipe" out $'\033'
[ -s sb.heddle ] && pass "tso: replay file" || fail "tso: replay file" "none"

t "keep going" 1 "$heddle" run --model=tso --strategy=dfs --keep-going --quiet ./sb
has "keep going: complete" out '^heddle: tso, dfs, [0-9]+ executions, complete, [0-9]+ failing'
[ "$(grep -vc '^arguments' out)" = 1 ] && pass "quiet: one line" || fail "quiet: one line" "$(cat out)"

t "cut short" 3 "$heddle" run --model sc --strategy random --executions 100 ./sb
has "cut short: says by what" out 'not complete: .*stopped after 100 executions \(--executions\)'
has "cut short: says that it samples" out 'random samples'
t "time" 3 "$heddle" run --model sc --strategy random --time .2 ./sb
has "time: says so" out 'stopped after 0\.2 s \(--time\)'

mkdir there
t "replay files elsewhere" 1 "$heddle" run -o there/sub --model pso --strategy dfs ./sb
[ -s there/sub/sb.heddle ] && pass "-o makes the folder" || fail "-o makes the folder" "$(ls -R)"
t "colour if asked for" 1 "$heddle" run --color=always --model tso ./sb
has "colour if asked for: it is there" out $'\033\\[1;31mFAILED'
t "no colour" 1 env NO_COLOR=1 "$heddle" run --color=auto --model tso ./sb
hasnt "NO_COLOR is respected" out $'\033'
t "wide" 1 "$heddle" run --width 160 --model tso ./sb
has "wide: a column for each thread" out '^ +step +where +main +T1 +T2'
t "stacks" 1 "$heddle" run --stacks --model tso ./sb
has "--stacks: of every step" out 'main at step 1: '

t "an option behind the program" 1 "$heddle" run ./sb --model sc
has "an option behind the program: is the program's, and said to be" err "^heddle: run: .--model' follows the program, so it is the program"
t "a word behind the program" 1 "$heddle" run --model tso ./sb one --no-such-thing
[ ! -s err ] && pass "a word behind the program: nothing is said" || fail "a word behind the program: nothing is said" "$(cat err)"

t "JSON to a file" 1 "$heddle" run --json j.json --model tso --strategy dfs ./sb
has "JSON to a file: text too" out '^FAILED'
t "JSON to stdout" 1 "$heddle" run --json - --model tso --strategy dfs ./sb
cp out j2.json
for j in j.json j2.json; do
	holds "$j: top level" $j '.format == 1 and .model == "tso" and .strategy == "dfs" and .complete == false and .exit_code == 1'
	holds "$j: figures" $j '.executions >= 1 and .blocked == 0 and .failing == 1 and .seconds > 0 and .steps > 0'
	holds "$j: bounds" $j '[.bounds[].name] == ["finding"]'
	holds "$j: finding" $j '(.findings | length) == 1 and (.findings[0] |
		.kind == "assertion" and .reorder_dependent and .line == 34 and .function == "main")'
	holds "$j: steps" $j '.findings[0].steps | [.[].step] == [range(1; length + 1)]'
	holds "$j: a buffered store" $j 'any(.findings[0].steps[]; .kind == "store" and .place == "x" and .value == "0x1" and
		.flags == ["buffered"] and .line == 13 and .function == "writer_x" and .stack[0].function == "writer_x")'
	holds "$j: commits name their stores" $j '.findings[0].steps as $s |
		all($s[] | select(.kind == "commit"); $s[.store - 1].kind == "store")'
	holds "$j: the cycle" $j '[.findings[0].cycle[].relation] | length >= 4 and contains(["po", "fr"])'
	holds "$j: reordered" $j '(.findings[0].reordered | length) >= 1'
	holds "$j: output" $j '.findings[0].output[0].text | startswith("arguments: 0")'
	holds "$j: replay" $j '.findings[0].replay | endswith("/sb.heddle")'
done
t "JSON, clean" 0 "$heddle" run --json clean.json --model sc --strategy dfs ./sb
holds "clean: races" clean.json .races_unknown
holds "clean: complete, nothing found" clean.json \
	'.complete and .findings == [] and .failing == 0 and .bounds == [] and .exit_code == 0'

build -o abba "$here/../bugs/abba_deadlock.c"
t "JSON, deadlock" 1 "$heddle" run --json abba.json --strategy dfs ./abba
has "deadlock: the headline says who waits for what" out '^FAILED  deadlock: T1 waits for ever to lock b \(abba_deadlock\.c:17\), which T2 holds; T2 waits for ever to lock a \(abba_deadlock\.c:26\), which T1 holds'
holds "deadlock: file and line of a thread that waits for a lock" abba.json '.findings[0] as $f |
	$f.kind == "deadlock" and ($f.file | endswith("abba_deadlock.c")) and
	any($f.waits[]; .kind == "lock" and .stack[0].line == $f.line and .stack[0].function == $f.function)'

# Without `heddle run`: the environment alone.
t "HEDDLE_OPTIONS alone, a finding" 1 env HEDDLE_OPTIONS=explore,model=tso,strategy=random HEDDLE_TOOL="$heddle" ./sb
has "HEDDLE_OPTIONS alone: the report" err '^FAILED  assertion'
has "HEDDLE_OPTIONS alone: the last line" err '^heddle: [0-9]+ executions, 1 failing'
t "HEDDLE_OPTIONS alone, clean" 0 env HEDDLE_OPTIONS=explore,model=sc,strategy=dfs ./sb
has "HEDDLE_OPTIONS alone, clean: the last line" err '^heddle: [0-9]+ executions, complete, 0 failing'
refused "HEDDLE_OPTIONS, wrong" "no option .bogus'" env HEDDLE_OPTIONS=bogus ./sb

# Preemption bounding.
t "--executions" 3 "$heddle" run --executions 1 ./sb
has "--executions: what was left out" out 'stopped after 1 execution'
t "--preemptions" 3 "$heddle" run --preemptions 0 ./sb
has "--preemptions: what was left out" out '^heddle: sc, dfs, 2 executions, not complete: no more than 0 preemptions '
t "--preemptions, enough" 0 "$heddle" run --preemptions 9 ./sb
t "--preemptions any" 0 "$heddle" run --model sc --preemptions any --weak-cas any ./sb
refused "--seed any" "wrong value .any. for seed" "$heddle" run --seed any ./sb
refused "--preemptions under tso" "--preemptions needs --model sc" "$heddle" run --model tso --preemptions 1 ./sb

# Too many execution graphs for the time: samples for the rest of it.
cat >many.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *thread(void *arg)
{
	for (int i = 0; i < 4; i++) {
		atomic_fetch_add(&x, 1);
		atomic_fetch_add(&y, 1);
	}
	return arg;
}
int main(void)
{
	pthread_t t[6];
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], 0, thread, 0);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
t "many compiles" 0 "$cc" -O1 -g -o many many.c
t "many" 3 "$heddle" run --time 2 ./many
has "many: what was covered" out '^heddle: rc11, graph, [0-9]+ executions, not complete: stopped after 2 s \(--time\); random samples'
has "many: what was sampled" out '[0-9]+ different executions explored; then schedules and random samples'

# A loop that waits by locking and reading is recognised.
sed -e '/heddle_assume/d' -e 's|"../../include|"'"$here"'/../../include|' -e 's|"../clean|"'"$here"'/../clean|' \
	"$here/../clean/poll_under_lock.c" >poll.c
"$cc" -g -O1 -o poll poll.c 2>build.log || fail "poll: builds" "$(cat build.log)"
t "poll" 0 "$heddle" run --time 20 ./poll
has "poll: complete" out '^heddle: rc11, graph, [1-9][0-9]* executions?, complete'

# Ctrl-C: partial results, exit code 3; nothing on a pipe that looks like a progress line.
"$heddle" run --model sc --strategy random ./sb >out 2>err &
under_way $! sb
kill -INT $!
ended "interrupted" 3 $!
has "interrupted: partial results" out '[0-9]{3,} executions, not complete: .*interrupted'
[ ! -s err ] && pass "no progress line in a pipe" || fail "no progress line in a pipe" "$(cat err)"
script -qec "$heddle run --model sc --strategy random --time 1 ./sb" /dev/null >out 2>err </dev/null
has "a progress line on a terminal" out 'heddle: [0-9.]+[kM]? executions, [0-9.]+[kM]?/s, 0 findings, [0-9.]+ s, random, [01] s left \(--time\)'
for j in 1 2; do
	script -qec "$heddle run --model sc --strategy pctwm --time 1 -j $j ./sb" /dev/null >out 2>err </dev/null
	has "the sampler on a terminal, -j $j" out 'heddle: [0-9.]+[kM]? executions, .* s, pctwm'
done

# The program's standard input is empty, or the file given, from its beginning in each execution.
cat >reads.c <<'END'
#include <heddle/heddle.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int first;
	char c;

	if (argc > 2)
		first = read(0, &c, 1) == 1 ? c : EOF;
	else
		first = getchar();
	heddle_choose(3);
	heddle_assert(first == (argc > 1 ? argv[1][0] : EOF));
	return 0;
}
END
build -o reads reads.c
echo x >input
"$heddle" run ./reads <input >out 2>&1
has "the program's own input is empty" out '^heddle: .* 3 executions, complete, 0 failing'
t "--stdin" 0 "$heddle" run --stdin input ./reads x
has "--stdin: in each execution" out '^heddle: .* 3 executions, complete, 0 failing'
t "--stdin, by its descriptor" 0 "$heddle" run --stdin input ./reads x descriptor
hasnt "--stdin, by its descriptor: is there again" out 'is not there again'
t "--stdin, two workers" 0 "$heddle" run -j2 --stdin input ./reads x

# A thread that sleeps repeatedly for ever does not wake up before it went to sleep.
cat >sleeps.c <<'END'
#include <assert.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct timespec before, after, centuries = {LONG_MAX / 1000000, 0};

	for (int i = 0; i < 8; i++) {
		clock_gettime(CLOCK_MONOTONIC, &before);
		i % 4 == 3 ? nanosleep(&centuries, NULL) : (int)sleep(UINT_MAX);
		clock_gettime(CLOCK_MONOTONIC, &after);
		assert(after.tv_sec > before.tv_sec ||
			(after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
	}
	return 0;
}
END
build -o sleeps sleeps.c
t "sleeps of centuries" 0 "$heddle" run --strategy dfs ./sleeps
finish
