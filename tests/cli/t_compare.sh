# SPDX-License-Identifier: ISC
# t_compare.sh - heddle compare: verdicts, levels, witnesses and their replays, JSON, wrong usage; generated programs
# against the difference of two separate explorations; mutual exclusion.
. "$(dirname "$0")/lib.sh"

for flags in "" -DOBSERVE -DRESULT -DMP "-DMP -DASSERT" "-DMP -DPLAIN" "-DOBSERVE -DBROKEN" -DHEAP; do
	name=p$(tr -d ' ' <<<"$flags")
	"$cc" -g -O1 -Wall -Wextra -Wno-unused -Wno-unused-parameter -Werror $flags "$here/compare.c" -o "$name" \
		>build.log 2>&1 || fail "build $name" "$(cat build.log)"
done

# --- store buffering

t "end states" 1 "$heddle" compare --from sc --to tso ./p
has "end states: which" out '^ +1  shared.x = 1, shared.y = 1$'
has "end states: verdict" out '^NOT PORTABLE from sc to tso: new: 1 of 4 end states$'
has "end states: last line" out '^heddle: tso, graph, 4 executions, complete, 0 failing'
has "end states: witness" out '^NEW     an end state that is impossible under sc +needs reordering'
has "end states: witness: steps" out 'T1 .* load  shared.y = 0$'
t "end states: replay" 1 "$heddle" replay p.heddle
has "end states: replay: the same" out '^NEW     an end state that is impossible under sc'
t "results of threads" 1 "$heddle" compare --from sc --to tso ./p-DRESULT
has "results of threads: verdict" out '^NOT PORTABLE from sc to tso: new: 1 of 4 end states$'
t "results of threads: seen under both" 0 "$heddle" compare --from tso --to pso ./p-DRESULT
t "heap" 0 "$heddle" compare --from sc --to tso ./p-DHEAP
has "heap: is no state" out '^PORTABLE from sc to tso: nothing is new \(1 end state\)$'

t "outcomes" 1 "$heddle" compare --from sc --to tso ./p-DOBSERVE
has "outcomes: table" out '^   0   0 +1  impossible$'
has "outcomes: verdict" out '^NOT PORTABLE from sc to tso: new: 1 of 4 outcomes$'
has "outcomes: witness" out '^NEW     outcome r0 = 0, r1 = 0 is impossible under sc'
t "outcomes: state is another level" 1 "$heddle" compare --to tso --level state ./p-DOBSERVE
has "outcomes: state: which" out 'shared.x = 1, shared.y = 1$'
t "no outcomes" 0 "$heddle" compare --to tso --level outcomes ./p
has "no outcomes: said" out '^note: nothing is observed: heddle_observe\(\) defines outcomes$'
t "executions" 1 "$heddle" compare --to tso --level executions ./p
has "executions: how many" out '^NOT PORTABLE from sc to tso: new: 1 execution$'
t "findings" 0 "$heddle" compare --to tso --level findings ./p
t "two workers" 1 "$heddle" compare --from sc --to tso -j 2 ./p-DOBSERVE
has "two workers: verdict" out '^NOT PORTABLE from sc to tso: new: 1 of 4 outcomes$'

# --- message passing: new behaviour, and its models

t "mp, tso" 0 "$heddle" compare --from sc --to tso ./p-DMP
t "mp, pso" 1 "$heddle" compare --from tso --to pso ./p-DMP
t "mp, ra and pso" 1 "$heddle" compare --from ra --to pso ./p-DMP
has "mp, ra and pso: verdict" out '^NOT PORTABLE from ra to pso: new: 1 of '
t "mp, pso and ra" 0 "$heddle" compare --from pso --to ra ./p-DMP
t "assertion" 1 "$heddle" compare --from tso --to pso --level findings ./p-DMP-DASSERT
has "assertion: it is what is new" out '^FAILED  assertion'
has "assertion: verdict" out '^NOT PORTABLE from tso to pso: new: 1 finding$'
t "race" 1 "$heddle" compare --from tso --to rc11 ./p-DMP-DPLAIN
has "race: verdict" out '^NOT PORTABLE from tso to rc11: new: 1 finding$'
t "race: none under tso" 0 "$heddle" compare --from sc --to tso ./p-DMP-DPLAIN
t "wrong anyway" 1 "$heddle" compare --from sc --to tso --replay-dir . ./p-DOBSERVE-DBROKEN
has "wrong anyway: not new" out '^FAILED  under sc as well: '
has "wrong anyway: replay" out '^  replay    heddle replay '
hasnt "wrong anyway: not shown" out '^ +step'

build -DCOUNTER -DBUG "$here/lin.c" -o counter
t "what is wrong at the end, each model explored" 1 "$heddle" compare -q --from ra --to pso --level findings ./counter
has "what is wrong at the end: not new" out '^FAILED  under ra as well: '
has "what is wrong at the end: verdict" out '^PORTABLE from ra to pso'

# --- bounds, documents, usage

t "bounded" 3 "$heddle" compare --to tso --executions 2 ./p-DMP
has "bounded: verdict" out '^UNKNOWN from sc to tso: nothing new, but the exploration is incomplete$'
t "JSON" 1 "$heddle" compare --to tso --json - ./p
got=$(jq -c '.compare | [.from, .to, .verdict, .level, .states, .of.states, .from_explored, .executions,
	[.new_states[].items[] | [.name, .value]]]' out)
want='["sc","tso","not portable","state",1,4,false,null,[["shared.x","0x1"],["shared.y","0x1"]]]'
[ "$got" = "$want" ] && pass "JSON: compare" || fail "JSON: compare" "$got"
t "JSON: run" 0 "$heddle" run --model sc --json - ./p
[ "$(jq .compare out)" = null ] && pass "JSON: run: null" || fail "JSON: run: null" "$(cat out)"
refused "from rc11" 'cannot be judged by it: compare from sc' "$heddle" compare --from rc11 --to tso ./p
refused "the same model" 'are the same model: tso' "$heddle" compare --from tso --to tso ./p
refused "no model" 'wanted sc, tso, pso, sra, ra, rc11, arm8, power, riscv, imm, or auto' "$heddle" compare --from arm ./p
refused "no level" 'wanted auto, findings, outcomes, state or executions' "$heddle" compare --level all ./p
refused "no strategy but graph" 'compared by their execution graphs' "$heddle" compare --strategy random ./p
refused "no program" 'name a program' "$heddle" compare --to tso
refused "run has no such option" 'no option' "$heddle" run --from sc ./p

# --- generated programs: new behaviour is the difference of two separate explorations

"$cc" -g -O1 -Wall -Wextra "$here/compare_random.c" -o random >build.log 2>&1 ||
	fail "build random" "$(cat build.log)"
outcomes() { "$heddle" run --model "$1" --keep-going --json - ./random "$2" | jq -c '[.outcomes.rows[].values]'; }
pairs="sc:tso tso:pso sc:rc11 tso:rc11 pso:rc11 ra:pso pso:ra ra:rc11 tso:ra"
wrong='' new=0
for seed in 15 22 $([ -z "${LONG:-}" ] || seq 23 150); do
	for model in sc tso pso ra rc11; do
		outcomes $model $seed >of.$model
	done
	for pair in $pairs; do
		want=$(jq -n --slurpfile a of.${pair%:*} --slurpfile b of.${pair#*:} '$b[0] - $a[0] | length')
		got=$("$heddle" compare -q --from ${pair%:*} --to ${pair#*:} --json - ./random $seed |
			jq .compare.outcomes)
		[ "$got" = "$want" ] || wrong+="seed $seed, $pair: $got new, but $want"$'\n'
		[ "$want" = 0 ] || new=$((new + 1))
	done
done
[ -z "$wrong" ] && pass "generated programs" || fail "generated programs" "$wrong"
[ "$new" -ge 4 ] && pass "generated programs: some are not portable" || fail "generated programs: some are not portable" $new

# --- mutual exclusion (Porthos' table): none is portable from sc unchanged; with the fences for tso, those that need no
# fence between stores are portable from tso to pso.

build "$here/../bugs/parker.c" -o parker
for to in tso pso; do
	t "parker, sc, $to" 1 "$heddle" compare -q --from sc --to $to ./parker
	has "parker, sc, $to: verdict" out "^NOT PORTABLE from sc to $to: new: 1 finding"
done
t "parker, tso, pso" 1 "$heddle" compare -q --from tso --to pso ./parker

portable="burns dekker dijkstra szymanski"
for algorithm in dekker peterson $([ -z "${LONG:-}" ] || echo bakery burns lamport_fast szymanski); do
	build "$here/../../examples/$algorithm.c" -o "$algorithm"
	build -DFENCED "$here/../../examples/$algorithm.c" -o "$algorithm.fenced"
	for to in tso pso; do
		t "$algorithm, sc, $to" 1 "$heddle" compare -q --from sc --to $to "./$algorithm"
	done
	t "$algorithm with fences, sc, tso" 0 "$heddle" compare -q --from sc --to tso "./$algorithm.fenced"
	case " $portable " in
	*" $algorithm "*) code=0 ;;
	*) code=1 ;;
	esac
	t "$algorithm with fences, tso, pso" $code "$heddle" compare -q --from tso --to pso "./$algorithm.fenced"
done
finish
