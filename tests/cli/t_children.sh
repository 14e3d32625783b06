# SPDX-License-Identifier: ISC
# t_children.sh - processes that the program starts run natively, as a step of the thread that starts them.
. "$(dirname "$0")/lib.sh"

for options in -O0 "-O2 --gcc"; do
	# shellcheck disable=SC2086
	build -w $options -o children "$here/children.c"
	t "$options, natively" 0 ./children
	for how in "rc11" "tso" "tso --equivalence rf" "sc --strategy dfs"; do
		# shellcheck disable=SC2086
		t "$options, $how" 0 "$heddle" run --model $how ./children
		has "$options, $how" out ', complete, 0 failing'
		has "$options, $how: said" out '^note: child processes run in every execution'
	done
	t "$options, samples" 3 "$heddle" run --model pso --strategy random --executions 20 ./children
done
t "a finding" 1 "$heddle" run --model tso --strategy random ./children wrong
t "a finding: replay" 1 "$heddle" replay children.heddle
has "a finding: replay" out '^FAILED  assertion .count =='
refused "with a socket" 'calls fork\(\) while its threads share sockets or eventfds' "$heddle" run ./children socket
refused "input in turns" 'limit: a child process gets more input after it has been waited for' "$heddle" run ./children turns
t "killed with the search" 3 "$heddle" run --time 0.5 ./children held
pgrep -x -n sleep -a | grep -q 'sleep 101' && fail "a held one is ended" "$(pgrep -xa sleep)" || pass "a held one is ended"

for options in "--model rc11" "--model tso --strategy random"; do
	# shellcheck disable=SC2086
	t "a long one, $options" 3 "$heddle" run $options --time 0.5 ./children sleep
	has "a long one, $options" out '0 executions, not complete: stopped after 0.5 s .* [01]\.[0-9]+ s$'
done
pgrep -x -n sleep -a | grep -q 'sleep 100' && fail "a long one is ended" "$(pgrep -xa sleep)" || pass "a long one is ended"
finish
