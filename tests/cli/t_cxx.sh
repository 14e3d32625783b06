# SPDX-License-Identifier: ISC
# t_cxx.sh - the synchronisation of libstdc++: its inline code is the program's, and calls pthread and the kernel.
. "$(dirname "$0")/lib.sh"

cxx=$B/bin/heddle-c++
cp "$here/once.cc" "$here/barrier.cc" "$here/scoped.cc" "$here/local_static.cc" "$here/exception.cc" .

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
	for options in -O1 "--gcc -O0" "--gcc -O2"; do
		[ "$options" = -O1 ] || [ -e "$B/lib/heddle/gcc/plugin.so" ] || continue
		# shellcheck disable=SC2086
		"$cxx" -w -g $options -std=c++20 $flag -o $what barrier.cc -lpthread 2>err || fail "$what $options: builds" "$(cat err)"
		for model in tso rc11; do
			t "$what $options, $model" 0 "$heddle" run --model $model ./$what
			has "$what $options, $model: complete" out ' complete, .*0 failing'
		done
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
# The owners of an exception are counted by libstdc++.
for options in -O0 "--gcc -O2"; do
	for what in OWNERS COPY FUTURE; do
		# shellcheck disable=SC2086
		"$cxx" -w -g $options -D$what -o exception exception.cc -lpthread 2>err || fail "exception $what $options: builds" "$(cat err)"
		for model in tso rc11; do
			t "exception $what $options, $model" 0 "$heddle" run --model $model ./exception
			has "exception $what $options, $model: complete" out ' complete, .*0 failing'
		done
		t "exception $what $options, pct" 3 "$heddle" run --strategy pct --executions 500 ./exception
	done
	# shellcheck disable=SC2086
	"$cxx" -w -g $options -DRACE -o exception exception.cc -lpthread 2>err || fail "exception $options: builds" "$(cat err)"
	t "exception $options, a race" 1 "$heddle" run ./exception
	has "exception $options: the pointer races" out '^FAILED  data race on shared'
	# shellcheck disable=SC2086
	"$cxx" -w -g $options -DLATE -o exception exception.cc -lpthread 2>err || fail "exception $options: builds" "$(cat err)"
	t "exception $options, without an owner" 1 "$heddle" run ./exception
	has "exception $options: used after its end" out '^FAILED  use after free'
done
"$cxx" -w -g -static-libstdc++ -static-libgcc -o exception exception.cc -lpthread 2>err || fail "exception, static libstdc++: builds" "$(cat err)"
t "exception, static libstdc++, natively" 0 ./exception
"$cxx" -w -g -static-libstdc++ -o local_static local_static.cc -lpthread 2>err || fail "static libstdc++: builds" "$(cat err)"
finish
