# SPDX-License-Identifier: ISC
# t_loop_bound.sh - loops that nothing ends: --loop-bound, heddle_while().
. "$(dirname "$0")/lib.sh"

program() { # NAME FLAG...
	local name=$1
	shift
	build "$@" -o "$name" "$here/loop_bound.c"
}

program endless -DSTOP=3
program ends -DSTOP=2
program fails -DSTOP=3 -DFAILS
program one "-DSERVE=heddle_while (3, 1)" -DSTOP=3
"$cc" --gcc -g -O1 -pthread -I"$here/../../include" -DSTOP=2 -o gcc "$here/loop_bound.c" || fail "gcc" "does not compile"

outcomes() { jq -c '[.outcomes.rows[] | .values] | sort' "$1"; }

# Each explorer and model: executions that end within the bound, and all of them.
for how in "graph sc" "graph tso" "graph rc11" "rf tso" "dfs tso" "dfs pso" "random tso" "random rc11" "pct tso" "mixed sc"; do
	set -- $how
	run="$heddle run --strategy $1 --model $2 --executions 20000"
	t "$how: a loop that nothing ends" 3 $run --loop-bound 3 ./endless
	has "$how: a loop that nothing ends: cut" out \
		'^heddle: .* 0 executions, not complete: .*no more than 3 iterations of a loop \(--loop-bound\), .*at the bound of a loop\), 0 failing'
	t "$how: one bound" 3 $run ./one
	has "$how: one bound: cut" out 'not complete: .*a bound on the iterations of a loop \(heddle_while\), .*, 0 failing'
	t "$how: a failure within the bound" 1 $run --loop-bound 3 ./fails
	has "$how: a failure within the bound: found" out '^FAILED  assertion'
	t "$how: a failure beyond the bound" 3 $run --loop-bound 2 ./fails
	t "$how: a loop that ends" 3 $run --loop-bound 3 --json ends.json ./ends
	holds "$how: a loop that ends: document" ends.json \
		'.cut > 0 and .cut <= .blocked and .executions > 0 and any(.bounds[]; .name == "loops")'
	outcomes ends.json >"outcomes.${how// /.}"
done
rm -f ./*.heddle
"$heddle" run --loop-bound 3 --strategy random ./fails >/dev/null 2>&1
t "replay" 1 "$heddle" replay fails.heddle
for how in graph.tso rf.tso dfs.tso; do
	same "the same outcomes: $how" outcomes.graph.sc "outcomes.$how"
done
for strategy in graph dfs; do
	t "gcc, $strategy" 3 "$heddle" run --model tso --strategy $strategy --loop-bound 3 ./gcc
	has "gcc, $strategy: cut" out '^heddle: .* [1-9][0-9]* executions?, not complete: no more than 3 iterations of a loop \(--loop-bound\), .*at the bound of a loop'
done
t "natively" 0 ./ends
finish
