#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# target.sh - programs for another processor, under an emulator: executions by models (of a fifth of the programs that
# executions.sh has), reports and replays are those of this machine's programs. TAP; skipped, in one line, without the
# tools for it or without `make TARGET=...'.
#
#     [TARGET=aarch64-linux-gnu] [B=build] tests/target.sh
export TARGET=${TARGET:-aarch64-linux-gnu}
processor=${TARGET%%-*}
top=$(cd "$(dirname "$0")/.." && pwd)
B=$(realpath "${B:-$top/build}")
export B
library=$B/lib/heddle/$processor/libheddle.a

without() { echo "ok 1 - programs for $TARGET # skip $1" && exit 0; }

command -v "$TARGET-gcc" >/dev/null || without "no $TARGET-gcc (apt-get install g++-$TARGET)"
[ -n "${HEDDLE_EMULATOR:-}" ] || command -v "qemu-$processor-static" >/dev/null ||
	without "no qemu-$processor-static (apt-get install qemu-user-static)"
[ -e "$library" ] || without "not built: make TARGET=$TARGET"
[ ! "$B/lib/libheddle.a" -nt "$library" ] || without "older than this machine's runtime: make TARGET=$TARGET"

unset COMPILER_PATH # run.sh's linker is for this machine's programs
fifth=$(cd "$top/tests" && printf '%s\n' executions/*.c | awk 'NR % 5 == 1')
# shellcheck disable=SC2086
rows=$("$top/tests/executions.sh" $fifth 2>&1)
code=$?
printf '%s\n' "$rows" | grep -E '^(not )?ok|^ '
emulator=${HEDDLE_EMULATOR:-qemu-$processor-static -L $B/sysroot/$TARGET}
. "$top/tests/cli/lib.sh"
[ $code = 0 ] || fail "executions" "exit code $code"

# explored WORDS... -- ARGUMENTS...: the output of a run for each processor, without its time, in the file shown.
explored() {
	local words=()
	while [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	shift
	"$cc" "${words[@]}" -g -O1 -o program -lpthread && "$heddle" run "$@" ./program 2>&1 | sed 's/, [0-9.]* s$//' >shown
}

# alike TITLE WORDS... -- ARGUMENTS...: as this machine's, and its replay, too
alike() {
	local title=$1
	shift
	explored "$@" && mv shown wanted && rm -f program.heddle
	explored "--target=$TARGET" "$@"
	same "$title: the report" wanted shown
	sed '/^$/q' wanted | grep '^FAILED' >first
	t "$title: replay" 1 "$heddle" replay program.heddle
	grep '^FAILED' out >got
	same "$title: its replay" first got
}

refused "no emulator" "a program for aarch64, not for this machine: set HEDDLE_EMULATOR" \
	bash -c "unset HEDDLE_EMULATOR; $cc --target=$TARGET -o p $top/examples/sb.c -lpthread && $heddle run ./p"
export HEDDLE_EMULATOR=$emulator
alike "a queue" -DBUG "$top/examples/chase_lev.c" -- --model tso
alike "use after free" "$top/tests/bugs/heap_use_after_free.c" --
alike "use of a frame" "$top/tests/bugs/stack_returned.c" -- --strategy graph --model rc11
alike "a null pointer" "$top/tests/bugs/null_pointer.c" --
alike "a deadlock" "$top/tests/bugs/c11_deadlock.c" -- --strategy pct --model pso
# Inline assembly: what it computes, and its order, beside what C11 has for it.
for level in -O0 -O2; do
	"$TARGET-gcc" -w $level -o plain "$top/tests/target/values.c" && $emulator ./plain >wanted
	"$cc" "--target=$TARGET" -Werror $level -g -o program "$top/tests/target/values.c" -lpthread && $emulator ./program >got
	same "assembly: $level, what it computes" wanted got
done
for shape in BUFFERED FENCED ORDERED COUNTED TAKEN; do
	for model in tso rc11; do
		explored "--target=$TARGET" -D$shape -DC11 "$top/tests/target/orders.c" -- --model $model && mv shown wanted
		explored "--target=$TARGET" -Werror -D$shape "$top/tests/target/orders.c" -- --model $model
		grep -q ' executions, complete' shown || fail "assembly: $shape, $model" "$(cat shown)"
		same "assembly: $shape under $model, as C11" wanted shown
	done
done
refused "coverage" "run: --coverage is for programs of this machine" "$heddle" run --coverage ./program
refused "gcc" "gcc's inline assembly is only understood for x86_64" "$cc" --gcc --target="$TARGET" -c "$top/examples/sb.c"

# The commands of `heddle help platforms', in the source's folder.
sed -n "/^    export/,/^    heddle:/s/^    //p" "$top/tools/help/platforms.txt" >page
grep -q '^heddle run' page || fail "platforms: its commands" "none"
{
	echo "heddle() { \"$heddle\" \"\$@\"; }; heddle-cc() { \"$cc\" \"\$@\" -lpthread; }; cd $top"
	sed "s|build/|$B/|; s|\./deque|$scratch/deque|; s|-o deque|-o $scratch/deque|; /^heddle:/d" page
} >commands
bash commands 2>&1 | sed 's/, [0-9.]* s$//' >shown
sed -n '/^heddle:/s/, [0-9.]* s$//p' page >wanted
same "platforms: its commands" wanted shown
finish
