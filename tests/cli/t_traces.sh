# SPDX-License-Identifier: ISC
# t_traces.sh - --strategy traces: its findings, and programs that it leaves to --strategy graph.
. "$(dirname "$0")/lib.sh"

compile right tests/cli/handed_over.c -DRIGHT
compile wrong tests/cli/handed_over.c
compile deadlock tests/bugs/abba_deadlock.c
compile wakeup tests/bugs/lost_wakeup.c
compile counter tests/bugs/race_counter.c
compile sb examples/sb.c

for model in sc tso rc11; do repeats deadlock $model --strategy traces; done
repeats wakeup rc11 --strategy traces

t "what is passed on by a section" 0 "$heddle" run --strategy traces ./right
has "both orders of sections in conflict" out "^heddle: rc11, traces, 2 executions, complete, 0 failing"
t "a race behind the order of sections" 1 "$heddle" run --strategy traces ./wrong
has "it is left to graphs" out "strategy graph, not traces: some accesses may race"
has "and found" out "race"
t "a race" 1 "$heddle" run --strategy traces ./counter
t "relaxed accesses" 1 "$heddle" run --strategy traces --model tso ./sb
has "they are left to graphs" out "strategy graph, not traces: an operation is not one of"
has "the last line names the strategy" out "^heddle: tso, graph, "
t "a finding, and go on" 1 "$heddle" run --strategy traces --keep-going ./deadlock
has "graphs find all" out "strategy graph, not traces: it fails"

"$heddle" run --strategy traces --json run.json ./right >out 2>&1
[ "$(jq -c '[.model, .strategy, .complete, .executions, .failing]' run.json)" = '["rc11","traces",true,2,0]' ] &&
	pass "the summary" || fail "the summary" "$(head -c 300 run.json)"
t "cut short" 3 "$heddle" run --strategy traces --executions 1 ./right
refused "no checkpoint" "need --strategy graph" "$heddle" run --strategy traces --checkpoint left ./right
finish
