# SPDX-License-Identifier: ISC
# t_jobs.sh - --jobs: reports, findings and counts are those of one process, whatever the timing.
. "$(dirname "$0")/lib.sh"

build -w -DSEVERAL -o several "$here/jobs.c"
build -w -DRACE -o race "$here/jobs.c"
build -w -o one "$here/jobs.c"
build -w -DN=5 -o few "$here/jobs.c"
build -w -DLOCK -o lock "$here/jobs.c"
build -w -DBUG -o deque "$here/../../examples/chase_lev.c"

figures='{executions, blocked, failing, complete, exit_code, findings: [.findings[] | [.message, .line, .execution, .replay]]}'

# alike TITLE OPTION... PROGRAM: with 1, 2 and 5 processes.
alike() {
	local title=$1 j
	shift
	for j in 1 2 5; do
		rm -f -- *.heddle
		timeout 120 "$heddle" run -j $j --json run.json "$@" >text 2>err </dev/null
		sed -E 's/[0-9.]+ s$//' text >text.$j
		jq -S "$figures" run.json >run.$j
		[ $j = 1 ] && continue
		same "$title, -j $j: figures" run.1 run.$j
		same "$title, -j $j: report" text.1 text.$j
	done
	[ "$(jq '.executions > 200 and (.findings | length) > 0' run.json)" = true ] && pass "$title: late" ||
		fail "$title: late" "$(cat run.1)"
}

alike "first of several" --strategy graph ./several
alike "all of several" --strategy graph --keep-going ./several
alike "last" --strategy graph ./one
alike "the reads-from classes" --strategy graph --equivalence rf --model tso ./one
alike "all races" --strategy graph --keep-going ./race
alike "reordered" --model tso --strategy graph --keep-going ./deque
alike "traces" --strategy traces ./lock
alike "dfs" --strategy dfs --model sc ./few

# A finding that is known does not end the search, nor does another process wait for it.
cat >known.supp <<'EOT'
assertion function=known
EOT
alike "past a known finding" --strategy graph --suppressions known.supp ./several

t "rf" 1 "$heddle" run --model tso --strategy rf -j 2 ./one
has "rf: by graph" out '^note: --strategy graph --equivalence rf, not rf: several processes \(--jobs\)'
t "all processors" 1 "$heddle" run --strategy graph -j ./one

finish
