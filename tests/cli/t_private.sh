# SPDX-License-Identifier: ISC
# t_private.sh - samples with private memory: no steps, no buffers; data races; replay files.
. "$(dirname "$0")/lib.sh"

build -O1 -o private "$here/private.c"
build -O1 -DRACE -o race "$here/private.c"
run="$heddle run --executions 300"

# Tens of thousands of accesses, ordered: a few steps, and nothing fills a buffer.
for strategy in random pct; do
	t "$strategy, private" 3 $run --strategy $strategy --max-steps 2000 --json out.json ./private
	holds "$strategy, private: all executions" out.json '.executions == 300 and .failing == 0'
	hasnt "$strategy, private: no buffer was full" out 'buffer was full'
done
# A pause before a visible load is not a step of its own.
build -O1 -o pause "$here/private_pause.c"
t "pauses" 3 "$heddle" run --private always --strategy random --executions 2000 ./pause
has "pauses: nothing repeats" out ' 0 failing'

# The accesses of one thread after another, of different bytes of a granule, do not run out of words.
build -O2 -o mergesort "$here/../scale/mergesort.c"
t "words" 3 "$heddle" run --private always --strategy pct --executions 100 --max-steps 1500 --json out.json ./mergesort
holds "words: all executions" out.json '.executions == 100'

t "all visible" 3 $run --strategy random --private never --max-steps 2000 --json out.json ./private
holds "all visible: too many steps" out.json '.executions == 0'

# A race is a finding unless a model of hardware is asked for.
for strategy in random pct; do
	t "$strategy, race" 1 $run --strategy $strategy ./race
	has "$strategy, race: found" out '^FAILED  data race on .*: T[12] (load|store)s it at .*private\.c:[0-9]+, T[12] (load|store)s it'
	has "$strategy, race: both accesses" out '^  and       T[12] (load|store)s '
	t "$strategy, race: replay" 1 "$heddle" replay race.heddle
	has "$strategy, race: replayed" out '^FAILED  data race on '
done
t "no races wanted" 3 $run --strategy random --detect=-race ./race
t "races ignored" 3 $run --strategy random --races ignore ./race
t "tso" 3 $run --strategy random --model tso ./race
has "tso: the execution with the race does not count" out '[1-9][0-9]* blocked, 0 failing'

# What races is buffered then, and what comes of it is found and replayed.
t "pso" 1 "$heddle" run --strategy random --model pso --executions 2000 ./race
has "pso: the assertion" out "^FAILED  assertion .data\[0\] >= 7"
grep -q '^option name=private value=always$' race.heddle && grep -qE '^visible at=[0-9]+\+0x[0-9a-f]+ size=[0-9]+$' race.heddle &&
	pass "pso: the replay file has what is visible" || fail "pso: the replay file" "$(grep -E '^(option|visible)' race.heddle)"
t "pso: replay" 1 "$heddle" replay race.heddle
has "pso: replayed" out "^FAILED  assertion .data\[0\] >= 7"

# A file without these records, as older versions wrote: everything is visible.
build -O1 -o sb "$here/../../examples/sb.c"
t "old file" 1 "$heddle" run --strategy random --model tso --private never ./sb
grep -v '^end\|^option name=private' sb.heddle | sed '1s/version=6/version=4/' >old.heddle
seal old.heddle
t "old file: replay" 1 "$heddle" replay old.heddle
has "old file: replayed" out '^FAILED  assertion'
# The kernel reads the word of a futex atomically.
build -o futex_word "$here/../clean/futex_word.c"
t "futex: its word" 3 "$heddle" run --strategy random --executions 2000 ./futex_word
hasnt "futex: no race" out FAILED
finish
