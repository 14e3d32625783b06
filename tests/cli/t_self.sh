#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# Heddle explores how its own workers share their work (tests/self/sharing.c), and finds the error when an order, a lock
# or a bell is removed from that code.
. "$(dirname "$0")/lib.sh"
top=$here/../..
flags="-std=gnu11 -O1 -g -DHEDDLE_TINY -I$top/tests/self -I$top/runtime -I$top/include"

# compile NAME FLAG...: from the sources in the working directory
compile() {
	local name=$1
	shift
	# shellcheck disable=SC2086
	"$cc" $flags "$@" -o "$name" "$top/tests/self/sharing.c" exchange.c shared.c -lpthread
}

# clean NAME MODELS: complete, without findings
clean() {
	for model in $2; do
		t "self: $1, $model" 0 "$heddle" run --time 290 --model "$model" "./$1" # that of TINY=1 is slow
		has "self: $1, $model: all of it" out '[0-9] executions, complete, '
	done
}

# broken TITLE FLAGS FILE SED WHAT: with that change, there is this finding
broken() {
	cp "$top"/runtime/search/jobs/exchange.c "$top"/runtime/process/shared.c .
	cp "$3" before.c
	sed -i "$4" "$3"
	if cmp -s before.c "$3"; then
		fail "self: without $1" "nothing has changed in $3"
		return
	fi
	# shellcheck disable=SC2086
	compile broken $2
	t "self: without $1" 1 "$heddle" run --time 20 ./broken
	has "self: without $1: what is found" out "^FAILED  $5"
}

cp "$top"/runtime/search/jobs/exchange.c "$top"/runtime/process/shared.c .
compile two && clean two "sc tso pso rc11"
compile killed -DKILL && clean killed rc11
compile stopped -DSTOP && clean stopped rc11
if [ -n "${LONG:-}" ]; then
	compile three -DUNITS=3 && clean three "sc tso pso rc11"
	clean killed "sc tso pso"
	clean stopped "sc tso pso"
fi

again="-DSLEEPER -DUNITS=4"
broken "release when an offer is free again" "$again" exchange.c 's/set_offer(o, OFFER_FREE);/o->state = OFFER_FREE;/' "data race on room"
broken "the bell looked at first" "" exchange.c \
	's/exchange_wait(x, seen, /exchange_wait(x, exchange_bell(x), /' "deadlock"
broken "release of the lock" "" shared.c '/^void shared_give/,/^}/s/RELEASE/RELAXED/' "deadlock"
if [ -n "${LONG:-}" ]; then
	broken "acquire of a free offer" "$again" exchange.c \
		's/__atomic_load_n(&x->offer\[i\].state, __ATOMIC_ACQUIRE)/x->offer[i].state/' "data race on room"
	broken "acquire of the lock" "" shared.c 's/false, __ATOMIC_ACQUIRE/false, __ATOMIC_RELAXED/' "deadlock"
	broken "acquire of the bell" -DSTOP exchange.c 's/(&x->bell, __ATOMIC_ACQUIRE)/(\&x->bell, __ATOMIC_RELAXED)/' "deadlock"
	broken "release of the bell" -DSTOP shared.c 's/(bell, 1, __ATOMIC_SEQ_CST)/(bell, 1, __ATOMIC_RELAXED)/' "deadlock"
	broken "the ticket of what has been taken" -DKILL exchange.c 's/ticket == o->ticket/true/' "assertion"
	broken "all idle" "" exchange.c 's/x->idle == x->nworkers/x->idle + 1 == x->nworkers/' "assertion"
fi
finish
