# SPDX-License-Identifier: ISC
# t_seen.sh - bugs that are seen once: programs with a flight recorder run natively, under load, until they fail; each
# failure is then reproduced in a test of the same code from what the recorder has left. Production makes more ROUNDS
# than the test. LONG=1: all of them, SEEN_SECONDS each at most, and a table: seconds until the failure, and executions
# until it is reproduced with the record, by random samples and by heddle run; of these 20 at least have to fail, and all
# that do are reproduced.
. "$(dirname "$0")/lib.sh"
seconds=${SEEN_SECONDS:-120}

# NAME SOURCE OPTIONS. The first ones fail within a second or two.
quick="semaphores bugs/semaphore_deadlock.c
upgrade bugs/rwlock_upgrade.c
torn_double bugs/torn_double.c
file_assertion bugs/file_assertion.c"
all="$quick
visits cli/seen/visits.c
owner cli/seen/owner.c
ring cli/seen/ring.c
abba bugs/abba_deadlock.c
c11 bugs/c11_deadlock.c
lost_update bugs/lost_update.c
lost_wakeup bugs/lost_wakeup.c
futex_lost bugs/futex_lost_wakeup.c
signal_once bugs/signal_once.c
wrong_waiter bugs/signal_wrong_waiter.c
bitfields bugs/bitfield_neighbours.c
torn_memcpy bugs/torn_memcpy.c
trylock bugs/trylock_livelock.c
spin_pair bugs/spin_pair.c
two_flags bugs/spin_two_flags.c
barrier_count bugs/barrier_count.c
once bugs/once_circle.c
join bugs/join_deadlock.c
use_after_free bugs/heap_use_after_free.c
id_of_another bugs/id_of_another.c
overwritten bugs/poll_overwritten.c
szymanski ../examples/szymanski.c
sb ../examples/sb.c
peterson ../examples/peterson.c
dekker ../examples/dekker.c
bakery ../examples/bakery.c
treiber ../examples/treiber_stack.c -DBUG
chase_lev ../examples/chase_lev.c -DBUG
ms_queue ../examples/ms_queue.c -DSLEEP -DBUG
reference_count bugs/reference_count.c"
[ "${LONG:-}" ] || all=$quick

cp "$here/seen/loop.c" .
t "the program that calls them" 0 "$cc" --recorder -g -O1 -rdynamic -o loop loop.c -ldl
load=()
if [ "${LONG:-}" ]; then
	for _ in 1 2; do
		while :; do :; done &
		load+=($!)
		disown # its end is not announced
	done
	kill -STOP "${load[@]}"
fi
trap 'kill -KILL "${load[@]}" 2>/dev/null; rm -rf "$scratch" "$TMPDIR"' EXIT

loaded() { [ ${#load[@]} = 0 ] || kill -"$1" "${load[@]}"; } # CONT, STOP

# Until it fails; its record: NAME.flight.
fails() { # NAME SOURCE OPTIONS...
	local name=$1 source=$2 hang=2 code
	shift 2
	t "$name: production" 0 "$cc" --recorder -g -O1 -Wno-everything -DROUNDS=200 "$@" -shared -fPIC -o "$name.so" "$source"
	# Threads that spin, or miss each other's stores, need a processor each.
	if grep -q ROUNDS "$source"; then hang=20; else loaded CONT; fi
	mkdir "$name.d"
	began=$EPOCHSECONDS
	{ HEDDLE_FLIGHT=$name.d ./loop "$seconds" "./$name.so" $hang >native; } 2>/dev/null
	code=$?
	loaded STOP
	took=$((EPOCHSECONDS - began))
	mv "$name".d/* "$name.flight"
	if [ $code = 0 ] && [ "${LONG:-}" ]; then
		echo "ok - $name: fails natively # skip: $(cat native)"
	elif [ $code -gt 128 ]; then
		pass "$name: fails natively"
	else
		fail "$name: fails natively" "code $code, $(cat native)"
	fi
	[ $code -gt 128 ]
}

executions() { sed -nE 's/^heddle: .* ([0-9,]+) executions?.*/\1/p' "$1"; }

table=()
tabulate() { # NAME
	"$heddle" run -q --model tso --races ignore --strategy random --time 60 "./$1" >samples 2>&1
	"$heddle" run -q --model tso --races ignore --time 60 "./$1" >search 2>&1
	table+=("$(printf '%-15s %4s %9s %9s %9s  %s' "$1" "$took" "$(executions out)" "$(executions samples)" \
		"$(executions search)" "$(sed -n 's/^the record: //p' out)")")
}

# The order of the record leads the search to one execution of 12,870.
"$cc" --recorder -g -O1 -DPRODUCTION -o turns.production "$here/seen/turns.c"
{ HEDDLE_FLIGHT=. ./turns.production; } >native 2>&1
mv turns.production.*.flight turns.flight
build -O1 -o turns "$here/seen/turns.c"
for seed in 1 2 3 4 5; do
	t "one order, seed $seed" 1 "$heddle" reproduce -q --model tso --seed $seed --flight turns.flight ./turns
	has "one order, seed $seed: its order" out '^the record: 52 events of 3 threads, in their order, to its end$'
	has "one order, seed $seed: at once" out '^heddle: tso, random, ([1-9]|1[0-9]) executions?, '
done
build -O1 -DROUNDS=6 -o fewer "$here/seen/turns.c"
t "a test that is too short" 0 "$heddle" reproduce -q --model tso --flight turns.flight ./fewer
has "a test that is too short: how near" out '^the record: 0 executions followed it to its end; the longest way in its order has [1-9][0-9] events$'
has "a test that is too short: what came next" out '^  T[12]: then came sem_wait one, take \(turns.c:[0-9]+\)$'

while read -r name source options; do
	# shellcheck disable=SC2086
	fails "$name" "$here/../$source" $options || continue
	# shellcheck disable=SC2086
	t "$name: a test" 0 "$cc" -g -O1 -Wno-everything $options -o "$name" "$here/../$source"
	t "$name: is reproduced" 1 "$heddle" reproduce -q --model tso --flight "$name.flight" "./$name"
	has "$name: all its threads" out '^reproduced: (([0-9]+) of \2 thread|[1-9] of [0-9]+ .* of those that failed the first$)'
	if grep -q ROUNDS "$here/../$source"; then order=; else order='in their order'; fi # of one round, the order is not known
	has "$name: its order" out "^the record: [1-9][0-9]* events? of [0-9]+ threads?, .*$order"
	[ ! "${LONG:-}" ] || tabulate "$name"
done <<<"$all"
if [ "${LONG:-}" ]; then
	printf '# %s\n' "$(printf '%-15s %4s %9s %9s %9s' "bug" "s" "recorded" "random" "run")" "${table[@]}"
	[ ${#table[@]} -ge 20 ] && pass "at least 20 have failed" || fail "at least 20 have failed" "${#table[@]}"
fi
finish
