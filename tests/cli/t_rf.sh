# SPDX-License-Identifier: ISC
# t_rf.sh - --strategy rf: its findings, programs that it cannot explore, and the litmus programs compared with
# --strategy graph.
. "$(dirname "$0")/lib.sh"
tests=$here/..

compile publish examples/publish.c
compile sb examples/sb.c
compile counter tests/bugs/race_counter.c
compile deadlock tests/bugs/abba_deadlock.c
compile spin tests/bugs/spin_pair.c
compile lost tests/bugs/lost_update.c
compile wakeup tests/bugs/lost_wakeup.c
compile mixed tests/litmus/mixed.c
compile halves tests/litmus/mixed.c -DREAD_HALVES

repeats publish pso --strategy rf
for model in tso pso; do repeats sb $model --strategy rf; done
for model in sc tso; do repeats counter $model --strategy rf; done
for model in sc pso; do repeats deadlock $model --strategy rf; done
repeats wakeup tso --strategy rf
repeats lost tso --strategy rf --races promote
for model in tso pso; do repeats spin $model --strategy rf; done

"$heddle" run --model tso --strategy rf ./sb >out 2>&1
has "real buffers" out "-> into T1's store buffer"
"$heddle" run --strategy rf --keep-going --json run.json ./sb >out 2>&1
[ "$(jq -c '[.model, .strategy, .complete, .executions, .failing]' run.json)" = '["tso","rf",true,4,1]' ] &&
	pass "the summary" || fail "the summary" "$(head -c 300 run.json)"
"$heddle" run --model tso --strategy rf --json run.json ./sb >out 2>&1
[ "$(jq '.findings[0].minimised != null' run.json)" = true ] && pass "minimised like every other" ||
	fail "minimised like every other" "$(jq '.findings[0].minimised' run.json)"
t "cut short" 3 "$heddle" run --model sc --strategy rf --executions 2 ./sb

refused "no rc11" "--model rc11 needs --strategy graph, random or pctwm" "$heddle" run --model rc11 --strategy rf ./sb
refused "no checkpoint" "need --strategy graph" "$heddle" run --model tso --strategy rf --checkpoint left ./sb
"$heddle" run --model tso --strategy rf --executions 100 ./mixed >out 2>&1
has "what it cannot do it leaves to others" out "strategy mixed, not rf: an atomic access is not aligned"
has "what it cannot do: the last line names the strategy" out "^heddle: (sc|tso|pso), mixed, "
t "accesses of different sizes" 0 "$heddle" run --model tso --strategy rf ./halves
has "accesses of different sizes: graphs do that" out "strategy graph, not rf: atomic accesses of different sizes"
has "accesses of different sizes: the last line" out "^heddle: tso, graph, 3 executions, complete"
t "accesses of different sizes, by reads-from" 0 "$heddle" run --model tso --equivalence rf ./halves
has "accesses of different sizes, by reads-from: with co" out "rf\\+co, not rf: atomic accesses of different sizes"

# One table of kinds of findings and numbers of executions for each.
explore() # strategy, model, program
{
	rm -f run.json
	timeout 60 "$heddle" run --model "$2" --strategy $1 --races promote --keep-going --json run.json "./$3" >out 2>&1
	jq -r '"\([.findings[].kind] | unique | join(",")) \(.complete)"' run.json
}

# The programs of tests/litmus but the largest: every fourth, or all, with all flags, if LONG.
i=0
for path in "$tests"/litmus/*.c; do
	name=$(basename "$path" .c)
	i=$((i + 1))
	[ -n "${LONG:-}" ] || [ $((i % 4)) = 1 ] || continue
	case $name in filter | mixed | sizes | forward_older) continue ;; esac
	sed -n 's/^[ *]*verdict *\(\(-[A-Z_0-9a-z=]* *\)*\)\(sc\|tso\|pso\) .*/\1:\3/p' "$path" | sort -u >rows
	[ -n "${LONG:-}" ] || sed -i '/^-/d' rows
	while IFS=: read -r flags model; do
		# shellcheck disable=SC2046,SC2086
		build -o litmus $flags $(sed -n 's/^[ *]*cflags *//p' "$path") "$path" \
			$(sed -n 's/^[ *]*libs *//p' "$path")
		rf=$(explore rf "$model" litmus)
		graph=$(explore "graph --equivalence rf" "$model" litmus)
		[ "$rf" = "$graph" ] && pass "litmus/$name $flags$model: as graphs" ||
			fail "litmus/$name $flags$model: as graphs" "rf: $rf, graph: $graph"
	done <rows
done
finish
