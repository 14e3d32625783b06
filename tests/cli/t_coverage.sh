# SPDX-License-Identifier: ISC
# t_coverage.sh - run --coverage: lines that no execution reaches, branches that go one way, reads-from pairs.
. "$(dirname "$0")/lib.sh"
cp "$here/coverage.c" .
build -O1 -o coverage coverage.c

# What is reached is a matter of the model, not of the strategy.
for way in "graph" "graph -j 2" "dfs" "rf" "random --executions 3000" "pct --executions 3000"; do
	for model in sc tso; do
		# shellcheck disable=SC2086
		"$heddle" run --coverage --strategy $way --model $model ./coverage >out 2>err </dev/null
		case $model in
		sc) has "$way, sc" out '^coverage: 14 of 16 lines, 3 of 5 branches both ways' &&
			has "$way, sc: lines" out '^  not reached     coverage\.c:35 \(main\)$' ;;
		tso) has "$way, tso" out '^coverage: 15 of 16 lines, 4 of 5 branches both ways' &&
			hasnt "$way, tso: lines" out 'coverage\.c:35' ;;
		esac
		has "$way, $model: never" out '^ *(not reached +)?coverage\.c:38 \(main\)$'
		has "$way, $model: one way" out 'coverage\.c:37 \(main\): never on to line 38$'
	done
done
t "complete" 0 "$heddle" run --coverage --json sc.json --html sc.html --model sc ./coverage
has "complete" out '7 reads-from pairs; the search is complete: no execution of this test reaches the rest under sc$'
has "the last line is the last" <(tail -n 1 out) '^heddle: sc, graph, 3 executions, complete'
t "a bound" 3 "$heddle" run --coverage --executions 1 --model tso ./coverage
has "a bound" out 'the search is not complete: other executions may do the rest$'

holds "JSON" sc.json '.reached | .lines == 16 and .lines_reached == 14 and .branches == 5 and .both_ways == 3 and
	[.not_reached[] | .line] == [35, 38] and [.one_way[] | .at.line, .never_to.line] == [34, 35, 37, 38]'
# writer() loads y and seen, main() x and seen.
holds "JSON: pairs" sc.json '[.reached.reads_from[] | [.read.line, .write.line]] ==
	[[20, null], [20, 31], [21, null], [32, null], [32, 19], [34, null], [34, 21]]'
holds "JSON: pairs of functions" sc.json '[.reached.reads_from[] | [.read.function, .write.function]] |
	contains([["writer", null], ["writer", "main"], ["main", null], ["main", "writer"]])'
xml "HTML" sc.html '//section[h2 = "Coverage"]/h3[. = "Never reached"]/following-sibling::ul[1]/li[2][contains(., "coverage.c:38")]'
"$heddle" run --json plain.json --model sc ./coverage >out 2>&1
holds "JSON without it" plain.json '.reached == null'

# Progress: a search that does not end, on a terminal; in the order in which places are reached, fewer are missing.
script -qec "$heddle run --coverage --time 1 --model tso --strategy random ./coverage" /dev/null >out 2>err </dev/null
has "progress" out 'random, [01] s left \(--time\), 1 line, [12] ways? not reached.'
"$cc" -g -O1 -o endless -x c - <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[2];
static void *add(void *arg)
{
	for (int i = 0; i < 6; i++)
		atomic_fetch_add(&x[i % 2], 1);
	return arg;
}
int main(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, add, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	if (x[0] > 100)
		x[1] = 0;
}
END
script -qec "$heddle run --coverage --time 2 --strategy graph ./endless" /dev/null >out 2>err </dev/null
has "progress of graphs" out 'graph, .* left( \(--time\))?, 1 line, 1 way not reached, [1-9] rf pairs'

# Branches are executed in the handler.
for option in -O0 -O2; do
	build $option -w -o branches "$here/coverage_branches.c"
	t "each condition, $option" 0 "$heddle" run --coverage ./branches
	has "each condition, $option" out '^coverage: .* branches both ways'
done

# Nothing else changes: executions, findings, programs of gcc and of C++.
for program in ms_queue chase_lev mcs_lock; do
	build -O1 -o $program "$here/../../examples/$program.c"
	"$heddle" run --keep-going --model tso --json a.json ./$program >out 2>&1
	"$heddle" run --keep-going --model tso --json b.json --coverage ./$program >out 2>&1
	for file in a b; do jq '{executions, blocked, complete, failing, findings: [.findings[].message]}' $file.json >$file; done
	same "$program: the search is the same" a b
done
build -O1 -o crash "$here/../bugs/heap_use_after_free.c"
t "a finding" 1 "$heddle" run --coverage ./crash
has "a finding" out '^coverage: .*the search is not complete'
t "its replay" 1 "$heddle" replay ./*.heddle
"$cc" --gcc -g -O1 -o gcc coverage.c
t "gcc" 0 "$heddle" run --coverage --model tso ./gcc
has "gcc" out 'never on to line 38$'

build -g0 -o bare coverage.c
refused "no debug information" 'coverage needs the lines of bare: compile it with -g' "$heddle" run --coverage ./bare
refused "a suite" 'coverage: not with --suite' "$heddle" run --coverage --suite ./coverage
refused "a shard" 'coverage: not with --shard' "$heddle" run --coverage --shard 1/2 ./coverage
finish
