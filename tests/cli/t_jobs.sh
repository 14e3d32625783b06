# SPDX-License-Identifier: ISC
# t_jobs.sh - --jobs: reports, findings and counts are those of one process, whatever the timing.
. "$(dirname "$0")/lib.sh"

build -w -DSEVERAL -o several "$here/jobs.c"
build -w -DRACE -o race "$here/jobs.c"
build -w -o one "$here/jobs.c"
build -w -DN=5 -o few "$here/jobs.c"
build -w -DLOCK -o lock "$here/jobs.c"
build -w -DTWINS -DN=8 -o twins "$here/jobs.c"
build -w -DN=4 -o fewer "$here/jobs.c"
build -w -DRARE -o rare "$here/jobs.c"
build -w -o wrong "$here/samples.c"
build -w -DBUG -o deque "$here/../../examples/chase_lev.c"

figures='{executions, blocked, failing, complete, exit_code, findings: [.findings[] | [.message, .line, .execution, .replay]]}'

# alike TITLE OPTION... PROGRAM: with 1, 2, 3 and 5 processes.
alike() {
	local title=$1 j
	shift
	for j in 1 2 3 5; do
		rm -f -- *.heddle
		timeout 120 "$heddle" run -j $j --json run.json "$@" >text 2>err </dev/null
		sed -E 's/[0-9.]+ s$//; /^note: -j: one process/d' text >text.$j
		jq -S "$figures" run.json >run.$j
		[ $j = 1 ] && continue
		same "$title, -j $j: figures" run.1 run.$j
		same "$title, -j $j: report" text.1 text.$j
	done
	[ "$(jq '.executions > 200 and (.findings | length) > 0' run.json)" = true ] && pass "$title: late" ||
		fail "$title: late" "$(cat run.1)"
}

alike "first of several" --strategy graph ./several
alike "two of several" --strategy graph --keep-going --max-findings 2 ./several
alike "all of several" --strategy graph --keep-going ./several
alike "so many of several" --strategy graph --keep-going --executions 3000 ./several
alike "last" --strategy graph ./one
alike "the reads-from classes" --strategy graph --equivalence rf --model tso ./one
alike "all races" --strategy graph --keep-going ./race
alike "reordered" --model tso --strategy graph --keep-going ./deque
alike "traces" --strategy traces ./lock
alike "all traces" --strategy traces --keep-going ./lock
alike "first of traces" --strategy traces --keep-going --max-findings 1 ./lock
alike "dfs" --strategy dfs --model sc ./few
alike "all of dfs" --strategy dfs --model sc --keep-going ./fewer
alike "so many of dfs" --strategy dfs --model sc --keep-going --executions 2000 ./fewer
for row in "random ./deque" "pct ./wrong" "pos ./wrong" "surw ./wrong" "mixed ./deque"; do
	read -r strategy program <<<"$row"
	alike "all of $strategy" --model tso --strategy "$strategy" --keep-going --executions 3000 "$program"
done
for strategy in random pctwm; do
	alike "all graphs of $strategy" --model rc11 --strategy $strategy --keep-going --executions 3000 ./race
	alike "graphs of $strategy, a thread and shared memory that are rare" --model rc11 --strategy $strategy --keep-going \
		--executions 1000 ./rare
done
alike "first graph of random" --model rc11 --strategy random --executions 3000 ./one
alike "first of pct" --model sc --strategy pct ./one
alike "first of mixed" --model sc --strategy mixed ./one

# A finding that is known does not end the search, nor does another process wait for it.
cat >known.supp <<'EOT'
assertion function=known
EOT
alike "past a known finding" --strategy graph --suppressions known.supp ./several
alike "past a known finding, two" --strategy graph --keep-going --max-findings 2 --suppressions known.supp ./several

# Symmetric threads: one process finds out that names do not count.
for j in 1 2 3; do
	t "up to names, -j $j" 0 "$heddle" run -j $j ./twins
	has "up to names, -j $j" out '^heddle: rc11, graph, 1 execution up to names of threads, complete'
done

t "no checkpoint" 1 "$heddle" run --strategy graph -j 2 --checkpoint left ./one
has "no checkpoint" out '^note: no checkpoint: with -j a search ends with its finding \(--keep-going goes on\)'
[ ! -e left ] && pass "no checkpoint: no file" || fail "no checkpoint: no file" "$(ls -l left)"
t "--executions" 1 "$heddle" run --strategy graph -j 2 --executions 1000 ./several
has "--executions" out '^note: -j: one process, not 2, as --executions counts the graphs of one \(--time bounds several\)'
refused "rf" "--jobs: not with --strategy rf, whose executions depend on all before them: --strategy graph --equivalence rf" \
	"$heddle" run --model tso --strategy rf -j 2 ./one
t "all processors" 1 "$heddle" run --strategy graph -j ./one

finish
