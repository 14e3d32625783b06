# SPDX-License-Identifier: ISC
# t_waits.sh - threads that wait at one place are reported together; the steps that explain a wait are never omitted.
. "$(dirname "$0")/lib.sh"

cp "$here/waits.c" .
build -O1 -o waits waits.c
for how in "--model rc11" "--model sc" "--strategy random"; do
	# shellcheck disable=SC2086
	t "$how" 1 "$heddle" run $how ./waits
	has "$how: headline" out '^FAILED  deadlock: T1, T2 and T3 wait for ever for condition filled \(waits\.c:12\); main waits for ever to join T1'
	has "$how: steps are omitted" out '[0-9]+ steps omitted'
	has "$how: the wake-up is not" out '^ +[0-9]+ +main +main +waits\.c:21 +broadcast condition filled'
	[ "$(grep -c 'wait on condition filled$' out)" = 3 ] && pass "$how: nor is a wait" || fail "$how: nor is a wait" "$(cat out)"
	has "$how: one stack for three" out '^  T1, T2 and T3 wait here$'
	[ "$(grep -c '#0  worker  .*waits\.c:12' out)" = 1 ] && pass "$how: once" || fail "$how: once" "$(cat out)"
	has "$how: created together" out '^    T1, T2 and T3 were created by main at$'
	[ "$(grep -c '^  main at step [0-9]*: broadcast' out)" = 1 ] && pass "$how: the wake-up's stack, once" ||
		fail "$how: the wake-up's stack, once" "$(cat out)"
done
finish
