# SPDX-License-Identifier: ISC
# t_lin.sh - linearizability (heddle/lin.h): right and wrong objects under every search, the report, replays,
# misuse; recording operations adds no executions.
. "$(dirname "$0")/lib.sh"

# build NAME FLAG...: from lin.c
build() {
	local name=$1
	shift
	"$cc" -g -O1 -Wall -Wextra -Wno-unused-parameter -Werror "$@" "$here/lin.c" -o "$name" >"$name.log" 2>&1 ||
		fail "build $name" "$(cat "$name.log")"
}

objects="REGISTER COUNTER STACK QUEUE BOUNDED DEQUE SET MAP PENDING UNDER_WAY OWN"
for o in $objects; do
	build "$o" -D"$o" &
	build "$o.bug" -D"$o" -DBUG
	wait
done
for o in QUEUE DEQUE COUNTER; do
	build "$o.none" -D"$o" -DNO_OPS &
	build "$o.bug.none" -D"$o" -DBUG -DNO_OPS
	wait
done
build weak -DBOUNDED -DWEAK
build lock -DLOCK
build lock.bug -DLOCK -DBUG
build misuse -DMISUSE

# --- right and wrong ones

for o in $objects; do
	for how in "--model rc11" "--model tso" "--model tso --equivalence rf"; do
		t "$o, right, $how" 0 "$heddle" run $how "./$o"
	done
	t "$o, right, random" 3 "$heddle" run --strategy random --executions 500 "./$o"
	# A deque without fences fails where stores may be late only.
	for how in "--model rc11" "--model tso"; do
		t "$o, wrong, $how" 1 "$heddle" run $how "./$o.bug"
		has "$o, wrong, $how: finding" out '^FAILED  the history of the .* is not linearizable'
		has "$o, wrong, $how: picture" out '^  history   (main|T[0-9]+) +\|- .* -+\|$'
		has "$o, wrong, $how: why" out '^  next      .* (would have to return|is not allowed then|comes after)'
		grep -A4 '^  history' out >shown
		t "$o, wrong, $how: replay" 1 "$heddle" replay "$o.bug.heddle"
		grep -A4 '^  history' out | cmp -s - shown && pass "$o, wrong, $how: replayed history" ||
			fail "$o, wrong, $how: replayed history" "$(cat shown out)"
	done
	t "$o, wrong, random" 1 "$heddle" run --strategy random --executions 20000 "./$o.bug"
	t "$o, wrong, random: replay" 1 "$heddle" replay "$o.bug.heddle"
done
t "register, wrong, dfs" 1 "$heddle" run --strategy dfs ./REGISTER.bug
t "counter, wrong, samples of graphs" 1 "$heddle" run --strategy random --model rc11 ./COUNTER.bug
t "deque without fences under sc" 0 "$heddle" run --model sc ./DEQUE.bug

# Full and empty at the same time, because of the store buffer.
t "ring, acquire and release, sc" 0 "$heddle" run --model sc ./weak
t "ring, acquire and release, tso" 1 "$heddle" run --model tso ./weak
has "ring: reordering" out 'needs reordering: (this execution is )?impossible under sc'

# --- the same executions

for o in QUEUE QUEUE.bug DEQUE DEQUE.bug COUNTER.bug; do
	for model in sc tso rc11; do
		"$heddle" run --model $model --keep-going "./$o" | sed -nE 's/^heddle: (.*complete).*/\1/p' >with
		"$heddle" run --model $model --keep-going "./$o.none" | sed -nE 's/^heddle: (.*complete).*/\1/p' >without
		if [ -s with ] && cmp -s with without; then
			pass "$o, $model: as many executions with operations"
		else
			fail "$o, $model: as many executions with operations" "$(cat with without)"
		fi
	done
done
t "two workers" 1 "$heddle" run --keep-going --jobs 2 ./DEQUE.bug
has "two workers: all executions" out '^heddle: rc11, graph, 1000 executions, complete, 468 failing'

# --- real time

t "store in its buffer, happens-before" 0 "$heddle" run --strategy dfs ./REGISTER
t "store in its buffer, real time" 1 "$heddle" run --strategy dfs --real-time ./REGISTER
has "real time: report" out 'whose end is a step before its first one'
t "store in its buffer, real time: replay" 1 "$heddle" replay REGISTER.heddle
refused "real time, graphs" "--real-time needs --strategy dfs, random or pct, and --model sc, tso or pso" \
	"$heddle" run --real-time ./REGISTER
refused "real time, rc11" "--real-time needs" "$heddle" run --strategy random --model rc11 --real-time ./REGISTER
t "real time, sc" 0 "$heddle" run --strategy dfs --real-time --model sc ./REGISTER
t "lock" 0 "$heddle" run --strategy dfs --real-time --model sc ./lock
t "lock without exchange" 1 "$heddle" run --strategy dfs --real-time --model sc ./lock.bug

# --- random ones: the same verdict as by all schedules, if these are few enough

"$cc" -g -O1 "$here/lin_random.c" -o random || fail "build lin_random" ""
agreed='' compared=0
for seed in $(seq 12); do
	for model in sc tso pso; do
		"$heddle" run --model $model ./random $seed >graph 2>&1
		graph=$?
		"$heddle" run --model $model --strategy dfs --executions 4000 ./random $seed >dfs 2>&1
		dfs=$?
		[ $dfs = 3 ] && continue
		compared=$((compared + 1))
		[ $graph = $dfs ] || agreed+="seed $seed, $model: $graph and $dfs; "
	done
done
[ -z "$agreed" ] && [ $compared -gt 10 ] && pass "random: graphs and schedules agree" ||
	fail "random: graphs and schedules agree" "$compared compared; $agreed"

# --- misuse, documents

misuse() {
	t "misuse: $1" 1 "$heddle" run ./misuse $3
	has "misuse: $1: message" out "^FAILED  $2"
}
misuse "no specification" 'heddle_op_begin\("enq"\): the object has no specification' ""
misuse "no such operation" 'heddle_op_begin\("push"\): a queue has no such operation' 1
misuse "nested" "heddle_op_begin\(\"enq\"\): the thread's last operation has not ended" "1 2"
misuse "nothing begun" 'heddle_op_end\(\): the thread has begun no operation' "1 2 3"

t "JSON" 1 "$heddle" run --json stack.json ./STACK.bug
if [ -s stack.json ] && jq -e '.findings[0] | .kind == "linearizability" and .history.object == "stack" and
	(.history.operations | length) == 5 and any(.history.operations[]; .why)' stack.json >/dev/null; then
	pass "JSON: history"
else
	fail "JSON: history" "$(head -c 600 stack.json)"
fi

# Natively, and without the runtime: nothing happens.
t "natively" 0 ./COUNTER
t "plain C" 0 "${CC:-cc}" -I"$B/include" -DQUEUE "$here/lin.c" -o plain -pthread
t "plain C: runs" 0 ./plain
cat >plain.cc <<'X'
#include <heddle/lin.h>
int main()
{
	heddle_specify(&heddle_spec_stack, 0);
	heddle_op_begin("push", 1);
	heddle_op_end(0);
	return 0;
}
X
t "plain C++" 0 c++ -Wall -Wextra -Werror -I"$B/include" plain.cc -o plain
t "plain C++: runs" 0 ./plain

finish
