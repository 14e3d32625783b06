# SPDX-License-Identifier: ISC
# t_load.sh - the results of a search do not depend on the load of the machine.
. "$(dirname "$0")/lib.sh"

# NAME MODEL OPTION...: 30 searches, bounded by executions; between them they sample, probe for livelocks, minimise,
# promote races, detect leaks, fall back to store buffers.
searches="
bugs/abba_deadlock rc11
bugs/lost_wakeup tso
bugs/race_publication rc11
bugs/race_counter rc11 --races promote --strategy random
bugs/race_flag tso --races promote --keep-going
bugs/race_heap rc11 --keep-going
bugs/polite_lockstep sc
bugs/spin_pair sc --strategy mixed
bugs/trylock_livelock tso
bugs/infinite_spin tso --strategy random
bugs/heap_use_after_free rc11
bugs/heap_publication pso
bugs/leak rc11 --detect=+leak
bugs/torn_struct sc --races ignore
bugs/semaphore_deadlock sc --strategy dfs
bugs/sleep_to_synchronise tso
bugs/exit_in_thread rc11
bugs/weak_cas tso
bugs/lock_order rc11 --detect=+lock-order
bugs/unjoined sc --detect=+threads
clean/leak rc11 --detect=+leak
clean/poll_under_lock sc
clean/cond_timedwait tso --strategy random
clean/mixed_sizes tso
clean/rwlock ra
clean/unjoined rc11 --detect=+threads
../examples/seqlock rc11 --strategy random
executions/treiber_stack rc11 --equivalence auto
executions/ms_queue tso --strategy rf
litmus/process_end pso
"
busy=()

compile_all() {
	local name rest

	while read -r name rest; do
		[ -z "$name" ] || "$cc" -g -O1 -w -o "${name##*/}.$((++n))" "$here/../$name.c" -lpthread || fail "compile $name" ""
	done <<<"$searches"
}

# The whole output of each search, without times, and without the steps: an estimate of the number of executions, made
# every half second, looks at saved graphs, and threads then have to be brought back to where they were.
search_all() { # FOLDER
	local name model options i=0

	mkdir "$1"
	while read -r name model options; do
		[ -n "$name" ] || continue
		name=${name##*/}.$((++i))
		# shellcheck disable=SC2086
		timeout 300 "$heddle" run --model "$model" --executions 300 --time 200 $options --json "$1/$name.json" \
			"./$name" >"$1/$name" 2>&1
		echo "exit code $?" >>"$1/$name"
		sed -E -i 's/, [0-9.]+ s$/, N s/; s/("(seconds|started|steps)": )[^,]*/\1N/' "$1/$name" "$1/$name.json"
	done <<<"$searches"
}

idle() {
	[ ${#busy[@]} = 0 ] || kill "${busy[@]}"
	busy=()
}
trap 'idle; rm -rf "$scratch" "$TMPDIR"' EXIT

n=0
compile_all
search_all alone
for processes in ${LONG:+1 3} 8; do
	while [ ${#busy[@]} -lt $processes ]; do
		(while :; do :; done) &
		busy+=($!)
	done
	search_all loaded
	if [ "$(find loaded -name '*.json' | wc -l)" = 30 ] && diff -ru alone loaded >differs; then
		pass "30 searches beside $processes busy processes are as alone"
	else
		fail "30 searches beside $processes busy processes are as alone" "$(cat differs)"
	fi
	rm -rf loaded
done
idle
finish
