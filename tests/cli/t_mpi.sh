# SPDX-License-Identifier: ISC
# t_mpi.sh - run --mpi: any number of ranks has the result of one process, whatever happens to them. More ranks than
# cores, on one machine; skipped where no MPI is installed.
. "$(dirname "$0")/lib.sh"
. "$here/mpi.sh"

programs=$here/../executions
build -w -DN=3 -o fib3 "$programs/fib_bench.c"
build -w -o sb "$here/../../examples/sb.c"
build -w -o samples "$here/samples.c"

# --- without MPI, and without a launcher

unset OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK PMI_FD
refused "no launcher" 'run: --mpi: start it by mpirun or srun, as in .mpirun -n 4 heddle run --mpi' \
	"$heddle" run --mpi ./fib3
mkdir -p without/bin
cp "$heddle" without/bin
refused "without MPI" 'started by a launcher of MPICH \(libmpich-dev\), with which this heddle was not built' \
	env PMI_RANK=0 without/bin/heddle run --mpi ./fib3
t "without MPI: other ranks are silent" 2 env PMI_RANK=1 without/bin/heddle run --mpi ./fib3
same "without MPI: other ranks are silent" out /dev/null
same "without MPI: other ranks are silent" err /dev/null
for words in "-j 2" "--shard 1/2" "--strategy rf" "--strategy mixed" "--equivalence auto" "--executions 9" \
	"--suite --junit x" "--coverage"; do
	# shellcheck disable=SC2086
	refused "$words" '--mpi' "$heddle" run --mpi --model sc $words ./fib3
done
[ -n "$launchers" ] || {
	pass "ranks # SKIP no MPI with which heddle was built"
	finish
}

build -w -DN=5 -o fib5 "$programs/fib_bench.c"
build -w -DWORKERS=2 -DJOBS=2 -o pool "$programs/pool.c"
build -w -DBUG -o deque "$here/../../examples/chase_lev.c"
build -w -o observe "$here/api.c"
"$cc" -w -g -o suite "$here/suite.c" -lcunit

# ranks LAUNCHER N OPTION... PROGRAM
ranks() {
	local mpi=$1 n=$2
	shift 2
	timeout 200 "mpirun.$mpi" -n "$n" "$heddle" run --mpi "$@"
}

of_ranks() { # TITLE CODE LAUNCHER N OPTION... PROGRAM
	local title=$1 code=$2 mpi=$3 n=$4
	shift 4
	t "$title" "$code" "mpirun.$mpi" -n "$n" "$heddle" run --mpi "$@"
}

figures='{executions, blocked, cut, failing, complete, model, strategy, exit_code, bounds: [.bounds[].name],
	outcomes: [.outcomes.rows[] | [.values, .executions]] | sort,
	findings: [.findings[] | [.kind, .message, .file, .line, .execution]]}'

# alike TITLE "NUMBERS OF RANKS" OPTION... PROGRAM: all have the result of one process, which is run with the options in
# $by as well; each number with another launcher, in turn.
by="--strategy graph --checkpoint file"
turn=0
alike() {
	local title=$1 numbers=$2 n all
	shift 2
	read -ra all <<<"$launchers"
	# shellcheck disable=SC2086
	timeout 200 "$heddle" run $by --time 150 --json whole.json "$@" >whole.text 2>err </dev/null
	jq -S "$figures" whole.json >whole
	for n in $numbers; do
		mpi=${all[turn++ % ${#all[@]}]}
		rm -f -- *.heddle
		ranks "$mpi" "$n" --time 150 --json ranks.json "$@" >out 2>err </dev/null
		code=$?
		jq -S "$figures" ranks.json >got
		same "$title: $n ranks" whole got
		if [ $code = "$(jq .exit_code whole.json)" ]; then pass "$title: exit code"; else fail "$title: exit code" "$code
$(cat err)"; fi
	done
}

alike "large" "2 8" --model rc11 ./fib5
alike "small" 4 --model tso ./fib3
alike "waits" 4 --model rc11 ./pool
alike "first finding" "1 4 8" --model tso ./deque
has "first finding: report" out "^FAILED  assertion"
t "first finding: replay" 1 "$heddle" replay deque.heddle
alike "all findings" "2 4" --model rc11 --keep-going ./deque
alike "promoted races" 4 --model tso --keep-going --races promote ./sb
by="--shard 1/1"
alike "outcomes" 4 --model tso ./observe
by="-j 2"
exactly=$figures
figures=${figures/.line, .execution/.line} # there counted by each process
alike "random" "1 4 8" --model rc11 --strategy random --executions 3000 --keep-going ./samples
alike "pct" "1 4" --model sc --strategy pct --executions 3000 --keep-going ./samples
by=
alike "dfs" 4 --model tso --strategy dfs --keep-going ./sb

figures=$exactly

# The first finding, of the lowest round.
for n in 1 4 8; do
	of_ranks "random, first finding: $n ranks" 1 "$mpi" $n --model pso --seed 7 --strategy random --executions 50000 \
		--json ranks.json ./deque
	jq -S "$figures" ranks.json >"first.$n"
	same "random, first finding: $n ranks" first.1 "first.$n"
done

tests='[.tests[] | [.number, .suite, .name, .executions, .complete, [.findings[].message]]], .exit_code'
"$heddle" run --suite --json whole.json ./suite >out 2>&1
jq "$tests" whole.json >whole
for mpi in $launchers; do
	of_ranks "suite, $mpi" 1 "$mpi" 4 --suite --json ranks.json ./suite
	jq "$tests" ranks.json >got
	same "suite, $mpi" whole got
done

# --- what happens to ranks

complete='^heddle: rc11, graph, 8149694 executions, complete, 0 failing'

# Processes of this test by their command line, the last one started first; without rank 0.
processes() { pgrep -f "^$1" | sort -rn | head -n -1; }

# children RANK: its process of the tested program
children() { pgrep -P "$1" -f fib6; }

# at_work PATTERN: waits until ranks with such a command line have explored for a while. The last rank's process id.
at_work() {
	local until=$((SECONDS + 30)) p

	while [ $SECONDS -lt $until ]; do
		for p in $(processes "$1"); do
			[ -n "$(children "$p")" ] && sleep 0.5 && echo "$p" && return
		done
		sleep 0.05
	done
}

# Ranks and processes that are killed or stopped in the middle: LONG=1.
searched=$launchers
[ -n "${LONG:-}" ] || searched=
[ -z "$searched" ] || build -w -DN=6 -o fib6 "$programs/fib_bench.c" # takes seconds
for mpi in $searched; do
	ranks "$mpi" 4 --model rc11 ./fib6 >out 2>err &
	pid=$!
	rank=$(at_work "$heddle run --mpi --model rc11 ./fib6")
	killed=
	while [ -z "$killed" ] && kill -0 $pid 2>/dev/null; do
		# shellcheck disable=SC2046
		kill -9 $(children "$rank") 2>/dev/null && killed=1
	done
	[ -n "$killed" ] || fail "$mpi: a tested process is killed" "it was not there"
	ended "$mpi: a tested process is killed" 0 $pid
	has "$mpi: a tested process is killed" out "$complete"

	ranks "$mpi" 4 --model rc11 -v ./fib6 >out 2>err &
	pid=$!
	rank=$(at_work "$heddle run --mpi --model rc11 -v ./fib6")
	slow="$rank $(children "$rank")"
	# shellcheck disable=SC2086
	kill -STOP $slow
	for ((i = 0; i < 600; i++)); do
		grep -q '^heddle: rc11' out && break
		sleep 0.1
	done
	has "$mpi: a rank that is slow stalls no other" out "$complete"
	# shellcheck disable=SC2086
	kill -CONT $slow
	wait $pid
	has "$mpi: progress" err '^heddle: 4 ranks, [1-4] at work, [0-9]+ executions, [0-9]+/s, 0 findings, [0-9.]+ s$'

	rm -f journal
	ranks "$mpi" 4 --checkpoint journal --model rc11 ./fib6 >out 2>err &
	pid=$!
	rank=$(at_work "$heddle run --mpi --checkpoint journal --model rc11 ./fib6")
	kill -9 "$rank"
	wait $pid
	hasnt "$mpi: a rank is killed" out complete
	of_ranks "$mpi: --resume" 0 "$mpi" 3 --resume journal --model rc11 ./fib6
	has "$mpi: --resume" out "$complete"
	of_ranks "$mpi: --resume, complete" 0 "$mpi" 2 --resume journal --model rc11 ./fib6
	has "$mpi: --resume, complete" out "$complete"
done

complete='^heddle: rc11, graph, 525630 executions, complete, 0 failing'
rm -f journal
of_ranks "stopped" 3 "$mpi" 1 --time 0.1 --checkpoint journal --model rc11 ./fib5
has "stopped" out 'not complete: stopped after 0.1 s'
ranks "$mpi" 2 --time 0.1 --resume journal --model rc11 ./fib5 >out 2>err # again, unless that was enough
cp journal cut
truncate -s -7 cut
of_ranks "stopped, and continued" 0 "$mpi" 4 --resume journal --model rc11 ./fib5
has "stopped, and continued" out "$complete"
of_ranks "the last message is damaged" 0 "$mpi" 4 --resume cut --model rc11 ./fib5
has "the last message is damaged" out "$complete"
of_ranks "the journal exists" 2 "$mpi" 1 --checkpoint journal --model rc11 ./fib5
has "the journal exists" err 'journal: exists: --resume journal continues it'
of_ranks "of other options" 2 "$mpi" 1 --resume journal --model tso ./fib5
has "of other options" err 'journal: of another search'
of_ranks "no journal" 2 "$mpi" 1 --resume sb --model rc11 ./fib5
has "no journal" err 'sb: not a journal of heddle run --mpi'

# --- ranks that do not fit

for mpi in $launchers; do
	t "$mpi: another program" 0 timeout 100 "mpirun.$mpi" -n 2 "$heddle" run --mpi ./fib3 : -n 1 "$heddle" run --mpi ./fib5
	has "$mpi: another program" err '^heddle: rank 2 \(.*\) takes no part: it has another program'
	has "$mpi: another program" out '^heddle: rc11, graph, 2258 executions, complete'
	t "$mpi: other options" 0 timeout 100 "mpirun.$mpi" -n 2 "$heddle" run --mpi ./fib3 : -n 2 "$heddle" run --mpi --model sc ./fib3
	[ "$(grep -c 'takes no part' err)" = 2 ] && pass "$mpi: other options" || fail "$mpi: other options" "$(cat err)"
done
rm -rf "$TMPDIR"/heddle-rank* # of ranks that were killed
finish
