# SPDX-License-Identifier: ISC
# t_cxx.sh - the synchronisation of libstdc++: its inline code is the program's, and calls pthread and the kernel.
. "$(dirname "$0")/lib.sh"

cxx=$B/bin/heddle-c++
cp "$here/once.cc" "$here/barrier.cc" "$here/scoped.cc" "$here/local_static.cc" .

# Which of the two threads fails?
for level in -O0 -O2 "--gcc -O2"; do
	# shellcheck disable=SC2086
	"$cxx" -w -g $level -o once once.cc -lpthread 2>err || fail "once $level: builds" "$(cat err)"
	for model in tso rc11; do
		t "once $level, $model" 0 "$heddle" run --model $model ./once
		has "once $level, $model: both orders" out ' 2 executions, complete, 0 failing'
	done
	t "once $level, random" 3 "$heddle" run --strategy random --executions 500 ./once
done

for what in barrier latch; do
	flag=
	[ $what = barrier ] || flag=-DLATCH
	# shellcheck disable=SC2086
	"$cxx" -w -g -O1 -std=c++20 $flag -o $what barrier.cc -lpthread 2>err || fail "$what: builds" "$(cat err)"
	for model in tso rc11; do
		t "$what, $model" 0 "$heddle" run --model $model ./$what
		has "$what, $model: complete" out ' complete, .*0 failing'
	done
done

# Two threads could put back their locks for ever in lockstep, which is no livelock.
for level in -O0 -O2; do
	"$cxx" -w -g $level -std=c++17 -o scoped scoped.cc -lpthread 2>err || fail "scoped_lock: builds" "$(cat err)"
	for model in sc rc11; do
		t "scoped_lock $level, $model" 0 "$heddle" run --model $model ./scoped
		has "scoped_lock $level, $model: complete" out ' complete, .*0 failing'
	done
	t "scoped_lock $level, pct" 3 "$heddle" run --strategy pct --executions 500 ./scoped
done
"$cxx" -w -g -std=c++17 -DNESTED -o scoped scoped.cc -lpthread 2>err || fail "nested locks: build" "$(cat err)"
t "nested locks" 1 "$heddle" run ./scoped
has "nested locks: a deadlock" out '^FAILED  deadlock'

# The guard of a static variable of a function.
for level in -O0 -O2; do
	"$cxx" -w -g $level -o local_static local_static.cc -lpthread 2>err || fail "local static $level: builds" "$(cat err)"
	t "local static $level" 0 "$heddle" run ./local_static
	has "local static $level: complete" out ' complete, .*0 failing'
	"$cxx" -w -g $level -DWRONG -o local_static local_static.cc -lpthread 2>err || fail "a race $level: builds" "$(cat err)"
	t "local static $level, a race" 1 "$heddle" run ./local_static
	has "local static $level: its counter races" out '^FAILED  data race on .*uses'
done
"$cxx" -w -g -static-libstdc++ -o local_static local_static.cc -lpthread 2>err || fail "static libstdc++: builds" "$(cat err)"
finish
