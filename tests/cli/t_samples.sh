# SPDX-License-Identifier: ISC
# t_samples.sh - strategies that sample: what they find, and what the last line says of their chances.
. "$(dirname "$0")/lib.sh"

build -o right -DRIGHT "$here/samples.c"
build -o wrong "$here/samples.c"
build -w -o sb "$here/../../examples/sb.c"
build -w -DWRONG -o deep "$here/default.c"

# So many of 10000 executions fail by theory: pct 48 at least, pos 96, surw 3333.
for row in "pct 25 90" "pos 60 150 " "surw 2800 3700"; do
	read -r strategy least most <<<"$row"
	for model in sc tso; do
		options="--model $model --strategy $strategy --depth 2 --executions 10000 --keep-going --minimise 0"
		t "$strategy, $model" 1 "$heddle" run $options --json first.json ./wrong
		holds "$strategy, $model: as often as expected" first.json ".failing >= $least and .failing <= $most"
		options="${options/10000/2000}"
		t "$strategy, $model, fewer" 1 "$heddle" run $options --json first.json ./wrong
		t "$strategy, $model, again" 1 "$heddle" run $options --json again.json ./wrong
		holds "$strategy, $model: the same again" again.json ".failing == $(jq .failing first.json)"
		t "$strategy, $model, another seed" 1 "$heddle" run $options --seed 4 --json again.json ./wrong
		holds "$strategy, $model: others" again.json \
			"[.failing, .findings[0].execution] != $(jq -c '[.failing, .findings[0].execution]' first.json)"
		t "$strategy, $model: replay" 1 "$heddle" replay wrong.heddle
		rm -f wrong.heddle
	done
done
t "mixed" 1 "$heddle" run --strategy mixed --executions 2000 ./wrong

t "chance" 3 "$heddle" run --model sc --strategy pct --depth 2 --executions 1000 --json chance.json ./right
has "chance: last line" out '; a bug of depth 2 would have shown with at least 9[0-9] %, 0 failing'
# Two threads, about 110 steps: 1 - (1 - 1/220)^1000
holds "chance: document" chance.json '.guarantee.chances | length == 2 and .[0] >= .[1] and .[1] > 0.98 and .[1] < 0.993'
t "little chance" 3 "$heddle" run --model sc --strategy pct --depth 2 --executions 20 --json chance.json ./right
hasnt "little chance: last line" out 'a bug of depth'
holds "little chance: document" chance.json '.guarantee.chances[1] | . > 0.07 and . < 0.1'
t "no chance" 3 "$heddle" run --strategy surw --executions 1000 --json chance.json ./right
holds "no chance: document" chance.json '.guarantee.chances == []'

# Several processes: as often, so many executions as are asked for, and the same first finding whatever the timing.
for row in "pct 25 120" "pos 60 150" "surw 2800 3700"; do
	read -r strategy least most <<<"$row"
	options="--model tso --strategy $strategy --depth 2 --executions 10000 --minimise 0 -j 3"
	t "$strategy -j" 1 "$heddle" run $options --keep-going --json first.json ./wrong
	holds "$strategy -j: as often as expected" first.json ".failing >= $least and .failing <= $most and .executions == 10000"
	t "$strategy -j, the first" 1 "$heddle" run $options ./wrong
	mv wrong.heddle first.heddle
	t "$strategy -j, the first, again" 1 "$heddle" run $options ./wrong
	same "$strategy -j: the same first" first.heddle wrong.heddle
	t "$strategy -j: replay" 1 "$heddle" replay first.heddle
done
options="--strategy random --executions 2000 -j 2"
t "graphs -j" 1 "$heddle" run --model rc11 $options --keep-going --json first.json ./wrong
holds "graphs -j: all" first.json '.executions + .blocked == 2000 and (.findings | length) == 1'
t "mixed -j" 1 "$heddle" run --strategy mixed -j 2 --executions 2000 ./wrong
printf 'assertion function=load_twice\n' >known.supp
t "known -j" 3 "$heddle" run --model tso $options --suppressions known.supp --strategy surw ./wrong
has "known -j" out ', 0 failing, 1 finding suppressed'
timeout -s INT 1 "$heddle" run --strategy random --model tso -j 2 ./right >out 2>&1
has "interrupted -j" out '[0-9]{3,} executions, not complete: .*interrupted'

# Random graphs with few communications. The second load has to be the one that is drawn of about 105, in half of the executions, and to
# read the newer of two stores: 48, or, if the other one may be read as well, 24.
for row in "1 26 72" "2 9 42"; do
	read -r history least most <<<"$row"
	for model in rc11 ra tso; do
		options="--model $model --strategy pctwm --depth 2 --history $history --keep-going --minimise 0"
		t "pctwm, $model" 1 "$heddle" run $options --executions 10000 --json first.json ./wrong
		holds "pctwm, $model: as often as expected" first.json ".failing >= $least and .failing <= $most"
		holds "pctwm, $model: its name" first.json '.strategy == "pctwm"'
		has "pctwm, $model: its name in the last line" out "^heddle: $model, pctwm, 10000 executions, not complete: .*random samples"
		t "pctwm, $model, -j" 1 "$heddle" run $options --executions 10000 -j 3 --json first.json ./wrong
		holds "pctwm, $model, -j: as often" first.json ".failing >= $least and .failing <= $most and .executions == 10000"
		t "pctwm, $model: replay" 1 "$heddle" replay wrong.heddle
		rm -f wrong.heddle
	done
done
options="--model rc11 --strategy pctwm"
for j in 1 2; do
	t "pctwm: the first" 1 "$heddle" run $options --seed 7 -j $j --json first.json ./wrong
	mv wrong.heddle first.heddle
	t "pctwm: the first, again" 1 "$heddle" run $options --seed 7 -j $j --json again.json ./wrong
	same "pctwm: the same first, -j $j" first.heddle wrong.heddle
	[ $j = 2 ] || holds "pctwm: as soon" again.json ".executions == $(jq .executions first.json)"
done
t "pctwm: nothing is drawn" 3 "$heddle" run $options --depth 1 --executions 2000 ./wrong
refused "pctwm: no history" "history: wanted a number from 1 to 1000" "$heddle" run $options --history 0 ./wrong
refused "pctwm: real time" "--real-time needs --strategy dfs, random or pct, and --model sc, tso or pso" \
	"$heddle" run --model tso --strategy pctwm --real-time ./wrong
refused "pctwm: checkpoint" "--checkpoint and --resume need --strategy graph" "$heddle" run $options --checkpoint x ./wrong
refused "pctwm: preemptions" "--preemptions, --delays: not with --strategy pctwm" \
	"$heddle" run --model sc --strategy pctwm --preemptions 2 ./wrong

# A weak compare-and-exchange fails spuriously, but not more often than --weak-cas allows.
compile weak tests/bugs/weak_cas.c -g
for strategy in random pctwm; do
	t "weak CAS, $strategy" 1 "$heddle" run --model rc11 --strategy $strategy --executions 2000 ./weak
	t "weak CAS, $strategy: never" 3 "$heddle" run --model rc11 --strategy $strategy --executions 2000 --weak-cas 0 ./weak
done

# Plain search by several processes: the same executions; in parts, so that there is more than one for each.
build -w -DN=3 -o fib "$here/../executions/fib_bench.c"
for row in "--model tso ./sb" "--model sc --preemptions 2 ./fib" "--model sc --delays 3 ./fib"; do
	# shellcheck disable=SC2086
	for j in 1 2 3; do
		"$heddle" run --strategy dfs --keep-going -j $j --json dfs-$j.json $row >out 2>&1
		jq '{executions, blocked, failing, complete, findings: [.findings[].message], bounds: [.bounds[].name]}' dfs-$j.json >dfs-$j
	done
	same "dfs $row -j 2" dfs-1 dfs-2
	same "dfs $row -j 3" dfs-1 dfs-3
done
holds "dfs -j: several parts" dfs-1.json '.executions > 500'
t "dfs -j, the first" 1 "$heddle" run --strategy dfs --model tso -j 2 --json first.json ./sb
holds "dfs -j, the first" first.json '.failing == 1 and (.findings | length) == 1'
t "deepening -j" 1 "$heddle" run --time 8 --keep-going --max-findings 1 -j 2 --json first.json ./deep
holds "deepening -j" first.json '.guarantee.preemptions >= 0'

refused "graphs have no such samples" "--model rc11 needs --strategy graph, random or pctwm" "$heddle" run --model rc11 --strategy pos ./right
finish
