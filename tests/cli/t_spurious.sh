# SPDX-License-Identifier: ISC
# t_spurious.sh - reports of findings that depend on a spurious failure or wake-up, or on a signal.
. "$(dirname "$0")/lib.sh"

cp "$here/spurious.c" .
for kind in CAS COND FUTEX; do build -D$kind -o $kind spurious.c; done

for how in "--model rc11" "--model tso" "--strategy random --model rc11" "--strategy dfs --model sc --weak-cas 1"; do
	# shellcheck disable=SC2086
	t "weak CAS, $how" 1 "$heddle" run $how ./CAS
	has "weak CAS, $how: headline" out '^(FAILED| {7}).* depends on a spurious failure \(weak CAS\); also possible'
	has "weak CAS, $how: step" out ' cas   x fails spuriously, is 0'
done
"$heddle" explain CAS.heddle >out
has "weak CAS: explain" out 'and yet fails, as a weak compare-and-exchange may'
t "documents" 1 "$heddle" run --json=out.json --model rc11 ./CAS
has "JSON: message" out.json 'failed; depends on a spurious failure'
for how in "--strategy random --model sc" "--strategy dfs --model sc --spurious 1"; do
	# shellcheck disable=SC2086
	t "condition, $how" 1 "$heddle" run $how ./COND
	has "condition, $how: headline" out '^(FAILED| {7}).* depends on a spurious wake-up; also possible'
	has "condition, $how: step" out 'wake from condition cond, spuriously'
	# shellcheck disable=SC2086
	t "futex, $how" 1 "$heddle" run $how ./FUTEX
	has "futex, $how: headline" out '^(FAILED| {7}).* depends on a spurious wake-up; also possible'
	has "futex, $how: step" out 'futex wait x, woken spuriously'
	t "futex, replay, $how" 1 "$heddle" replay FUTEX.heddle
	has "futex, replay, $how: headline" out 'depends on a spurious wake-up'
done

build -o eintr "$here/interrupted.c"
build -DRESTART -o restart "$here/interrupted.c"
for how in "--model rc11" "--strategy random --model tso"; do
	# shellcheck disable=SC2086
	t "signal, $how" 1 "$heddle" run $how ./eintr
	has "signal, $how: headline" out '^(FAILED| {7}).* depends on a signal that interrupts a call; also possible'
	has "signal, $how: step" out ' returns from the handler of SIGUSR1: the call fails \(EINTR\)'
	t "signal, replay, $how" 1 "$heddle" replay eintr.heddle
	has "signal, replay, $how: headline" out 'depends on a signal that interrupts a call'
	# shellcheck disable=SC2086
	t "signal, restarted, $how" 1 "$heddle" run $how ./restart
	hasnt "signal, restarted, $how: not so" out 'depends on|EINTR'
done
finish
