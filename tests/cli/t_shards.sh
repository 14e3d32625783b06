# SPDX-License-Identifier: ISC
# t_shards.sh - run --shard and merge: all shards of a search together have exactly the executions, outcomes and
# findings of the whole search, and nothing else is taken for a search.
. "$(dirname "$0")/lib.sh"

programs=$here/../executions
build -w -DN=3 -o fib "$programs/fib_bench.c"
build -w -DWORKERS=2 -DJOBS=2 -o pool "$programs/pool.c"
build -w -o trylock "$programs/trylock.c"
build -w -o sb "$here/../../examples/sb.c"
build -w -o wrong "$here/samples.c"
build -w -o observe "$here/api.c"
"$cc" -w -g -o suite "$here/suite.c" -lcunit

figures='{executions, blocked, cut, failing, complete, model, strategy, exit_code, bounds: [.bounds[].name],
	outcomes: [.outcomes.rows[] | [.values, .executions]] | sort,
	findings: [.findings[] | [.kind, .message, .file, .line]] | sort}'

# whole TITLE N OPTION... PROGRAM: N shards are the whole, which is made with the options in $by as well.
by=
whole() {
	local title="$1, $2 shards" n=$2 i
	shift 2
	rm -f shard-*.json
	# shellcheck disable=SC2086
	timeout 300 "$heddle" run --keep-going --time 200 $by --json whole.json "$@" >out 2>err </dev/null
	for ((i = 1; i <= n; i++)); do
		timeout 300 "$heddle" run --keep-going --time 200 --shard $i/"$n" --json shard-$i.json "$@" >out 2>err </dev/null
	done
	"$heddle" merge --json merged.json shard-*.json >out 2>err
	code=$?
	jq -S "$figures" whole.json >whole
	jq -S "$figures" merged.json >merged
	same "$title" whole merged
	if [ $code = "$(jq .exit_code whole.json)" ]; then pass "$title: exit code"; else fail "$title: exit code" "$code"; fi
}

# --- graphs of all models

n=(2 3 7) i=0
for model in sc tso pso ra rc11; do
	whole "$model" ${n[i++ % 3]} --model $model ./fib
done
for model in arm8 power riscv imm; do
	whole "$model" ${n[i++ % 3]} --model $model --deps all ./sb
done
for shards in 2 3 7; do
	whole "findings" $shards --model tso ./sb
	whole "waits" $shards --model rc11 ./pool
	whole "locks" $shards --model rc11 --unreduced ./trylock
done
whole "rf" 3 --model rc11 --equivalence rf ./fib
whole "outcomes" 3 --model tso ./observe
whole "several processes" 2 --model rc11 -j 2 ./fib
holds "the shards share the work" shard-1.json ".executions > 0 and .executions < $(jq .executions whole.json)"
whole "more shards than executions" 30 --model tso ./sb

# --- plain search, samples, suites

whole "dfs" 3 --strategy dfs --model tso ./sb
whole "preemptions" 7 --model sc --preemptions 2 ./fib
by="-j 2"
whole "random" 2 --strategy random --model tso --executions 1500 ./wrong
by="-j 3"
whole "random graphs" 3 --strategy random --model rc11 --executions 1500 ./wrong
whole "surw" 3 --strategy surw --model pso --executions 1000 ./wrong
by="-j 7"
whole "pct" 7 --strategy pct --model sc --executions 3000 ./wrong
by=

tests='[.tests[] | [.number, .suite, .name, .executions, .complete, [.findings[].message]]], .exit_code'
"$heddle" run --suite --json whole.json ./suite >out 2>&1
for shards in 2 3 7; do
	rm -f shard-*.json
	for ((i = 1; i <= shards; i++)); do
		"$heddle" run --suite --shard $i/$shards --json shard-$i.json ./suite >out 2>&1
	done
	t "suite, $shards shards" 1 "$heddle" merge --json merged.json shard-*.json
	has "suite, $shards shards: last line" out '^heddle: 20 tests, 18 ok, 2 failed$'
	jq "$tests" whole.json >whole
	jq "$tests" merged.json >merged
	same "suite, $shards shards" whole merged
done

# --- what is refused

rm -f shard-*.json
for i in 1 2 3; do
	"$heddle" run --keep-going --model tso --shard $i/3 --json shard-$i.json ./sb >out 2>&1
done
has "a shard says so" out ' in shard 3 of 3, complete'
t "merge" 1 "$heddle" merge shard-3.json shard-1.json shard-2.json
has "merge: finding" out '^FAILED  assertion .*sb\.c:[0-9]+ \(.*sb.*\.heddle\)$'
has "merge: last line" out '^heddle: tso, graph, [0-9]+ executions, complete, 1 failing, [0-9.]+ s$'
refused "missing" 'shard 2 of 3 missing' "$heddle" merge shard-1.json shard-3.json
mkdir there
"$heddle" run --model tso --shard 1/1 --json there/shard-1.json ./sb >out 2>&1
mv ./*.heddle there
t "replay files that were copied" 1 "$heddle" merge there/shard-1.json
has "replay files that were copied" out '[(]there/sb\.heddle[)]$'
refused "two missing" 'shards 1, 3 of 3 missing' "$heddle" merge shard-2.json
refused "twice" 'shard 2 of 3 is there twice: shard-2.json and copy.json' \
	"$heddle" merge shard-1.json shard-2.json "$(cp shard-2.json copy.json && echo copy.json)" shard-3.json
"$heddle" run --model sc --shard 2/3 --json foreign.json ./sb >out 2>&1
refused "other options" 'foreign.json: of another search than shard-1.json' "$heddle" merge shard-1.json foreign.json shard-3.json
"$heddle" run --model tso --shard 2/3 --json foreign.json ./fib >out 2>&1
refused "another program" 'foreign.json: of another search' "$heddle" merge shard-1.json foreign.json shard-3.json
"$heddle" run --model tso --json foreign.json ./fib >out 2>&1
refused "no shard" 'foreign.json: not the result of a shard' "$heddle" merge shard-1.json foreign.json
echo '{"shard": {"number": 1, "of": 3}}' >foreign.json
refused "no result" 'foreign.json: not the result of a shard' "$heddle" merge foreign.json
echo '{' >foreign.json
refused "no JSON" 'foreign.json: cannot be read as JSON' "$heddle" merge foreign.json
refused "nothing" 'name the results of all shards' "$heddle" merge
jq '.shard.tree = "0x1"' shard-2.json >foreign.json
t "divided otherwise" 1 "$heddle" merge --json merged.json shard-1.json foreign.json shard-3.json
holds "divided otherwise" merged.json '.complete == false'
has "divided otherwise" out '^note: shards 1 and 2 have not divided the same search'
"$heddle" run --model rc11 --shard 1/2 --executions 3 --json shard-1.json ./fib >out 2>&1
"$heddle" run --model rc11 --shard 2/2 --executions 3 --json shard-2.json ./fib >out 2>&1
t "incomplete" 3 "$heddle" merge shard-1.json shard-2.json
has "incomplete: last line" out 'not complete: stopped after 3 executions'

for word in 0/3 4/3 3 1/ /2 a/b 1/10000 1/2x; do
	refused "$word" "wrong value .$word. for shard" "$heddle" run --shard "$word" ./sb
done
refused "rf" 'not with --strategy rf or traces' "$heddle" run --shard 1/2 --strategy rf --model sc ./sb
refused "auto" 'needs --equivalence rf or rf' "$heddle" run --shard 1/2 --equivalence auto ./sb
refused "compare" 'an option of heddle run only' "$heddle" compare --shard 1/2 ./sb
finish
