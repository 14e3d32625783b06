# SPDX-License-Identifier: ISC
# t_explain.sh - heddle explain: findings in sentences, without the names of relations.
. "$(dirname "$0")/lib.sh"

# explains TITLE PATTERN...: heddle explain NAME.heddle has these lines, all short, and none has a name of a relation.
explains() {
	local name=$1

	t "$name" 0 "$heddle" explain "$name.heddle"
	shift
	for line in "$@"; do has "$name: $line" out "$line"; done
	hasnt "$name: no names of relations" out '(^|[^a-z])(po|rf|co|fr|hb|sw)([^a-z]|$)'
	if grep -q '.\{121\}' out; then fail "$name: short lines" "$(cat out)"; else pass "$name: short lines"; fi
}

build -O1 -o sb "$here/../../examples/sb.c"
t "a weak execution is found" 1 "$heddle" run -q --model tso ./sb
explains sb '^What happened$' '^ +4\. T1 writes 1 to x\. The write waits in a buffer' '^ +5\. T1 reads y: it is 0' \
	'^ +14\. T1.s write of 1 to x leaves the buffer' '^  If the threads took turns, step by step, this could not happen' \
	'^What would prevent it$' '^  atomic_thread_fence' '^ +21\. main fails: assertion'
build -O1 -o publish "$here/../../examples/publish.c"
t "a race is found" 1 "$heddle" run -q ./publish
explains publish '^ +7\. T2 reads flag: it is 1, which T1 has written' 'nothing makes one wait for the' 'do$|not synchronise'
build -O1 -o abba "$here/../bugs/abba_deadlock.c"
t "a deadlock is found" 1 "$heddle" run -q ./abba
explains abba '^ +4\. T1 takes the lock a' '^ +T1 now waits to lock b, which T2 holds; taken at step 6' 'An unlucky order'
build -O1 -o uaf "$here/../bugs/heap_use_after_free.c"
t "a use after free is found" 1 "$heddle" run -q ./uaf
explains uaf 'main allocates 8 bytes: node#1' 'T2 frees node#1 \(' '^  No synchronisation orders the two'
build -O1 -o lost "$here/../bugs/lost_wakeup.c"
t "a lost wake-up is found" 1 "$heddle" run -q --model tso ./lost
explains lost 'has signalled it too early' '^  A thread waits to be woken, and no thread is left'
hasnt "a lost wake-up: not all threads wait" out 'Each of these threads'
build -O1 -o try "$here/../bugs/trylock_livelock.c"
t "a livelock is found" 1 "$heddle" run -q --model tso ./try
explains try 'T2 reads m: it is 1 \(trylock'
build -O1 -I"$here/../../include" -o ring "$here/../../examples/lin_ring.c"
t "a history is found" 1 "$heddle" run -q ./ring
explains ring 'T1 calls enq\(1\)' 'T2 returns from deq\(\) -> empty' 'no order$|no order of such|There is no'
build -DWRONG -o log "$here/../kernel/file_append.c"
t "a file is read too early" 1 "$heddle" run -q ./log
explains log 'main opens /tmp' 'T1 writes /tmp/.*: [0-9]+ bytes'
t "another width" 0 "$heddle" explain --width 60 sb.heddle
if sed -n '/^What happened/,/^What would/p' out | grep -q '.\{61\}'; then fail "another width" "$(cat out)"; else pass "another width"; fi
refused "no file" "explain: name one replay file" "$heddle" explain
refused "a file that is missing" "none.heddle" "$heddle" explain none.heddle
finish
