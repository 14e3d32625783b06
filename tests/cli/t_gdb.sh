# SPDX-License-Identifier: ISC
# t_gdb.sh - `heddle replay --gdb` stops where the execution fails.
. "$(dirname "$0")/lib.sh"

if ! gdb -batch -ex run --args true >probe 2>&1 || ! grep -q 'exited normally' probe; then
	echo "ok - gdb # skip: no gdb, or it may not debug"
	exit 0
fi
cp "$here/sb.c" .
build -O0 -o sb sb.c
t "a failing run" 1 "$heddle" run --model tso --strategy random ./sb 'two words' '$(touch evil)' "it's"
printf 'set width 0\nbt\nframe function main\nprint x\nprint argv[1]\nprint argv[2]\nprint argv[3]\nkill\n' |
	timeout 60 "$heddle" replay --gdb sb.heddle >out 2>&1
has "stops" out 'received signal SIGTRAP'
has "in the failing call" out '^#[0-9]+ .* main \(argc=4.* at sb\.c:34'
has "variables are there" out '\$1 = 1'
has "arguments with spaces" out '\$2 = .* "two words"'
has "arguments that a shell would evaluate" out '\$3 = .* "\$\(touch evil\)"'
has "arguments with a quote" out "\\\$4 = .* \"it's\""
[ ! -e evil ] && pass "nothing was evaluated" || fail "nothing was evaluated" "a file appeared"
mkdir empty
refused "no gdb" "gdb is not installed" env PATH="$scratch/empty" "$heddle" replay --gdb sb.heddle
finish
