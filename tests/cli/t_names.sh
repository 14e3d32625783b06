# SPDX-License-Identifier: ISC
# t_names.sh - memory is called by the names the program gave it, at -O0 and optimised.
. "$(dirname "$0")/lib.sh"

cp "$here/names.c" .
# With -O0 every store is there, and this is what the report says of each.
cat >expected <<'END'
q.slot[1].data = &q
q.u.real = 0.5
q.letter = 'x'
q.flag = true
q.state = BUSY
q.{low,high} = 72
q.grid[2][1] = 65
q.small = -2
q.ratio = 1.5
node#1->value = 41
head = node#1
node#1->next = node#1
second = node#2
node#2->value = 42
hook = called
untyped = block#1
block#1+8 = 3
pairs = pair#1
pair#1[2].right = 6
into = &q.u.number
pattern = 0xfeedfacecafebeef
wide = 0x10000000000000002
calls = 1
own of T1 = 5
q.slot[3].seq = 9, release
result[1] = -3
END
for level in -O0 -O1 -O2; do
	build $level -o names names.c
	t "$level" 1 "$heddle" run --model tso --width 139 ./names
	grep -oE 'store .*' out | sed -E 's/^store //; s/ +-> into.*//' >stores
	while read -r line; do
		# An optimiser may drop a store that nothing reads, but not these.
		case $level$line in -O[12]calls*) continue ;; esac
		if grep -qxF -- "$line" stores; then pass "$level: $line"; else fail "$level: $line" "$(cat stores)"; fi
	done <expected
	has "$level: inlined function in the table" out 'T1 +put +names\.c:[0-9]+ +store q\.slot\[3\]\.seq'
	has "$level: where a block comes from" out 'node#1: block of 16 bytes allocated at names\.c:75 by main'
	has "$level: allocation" out 'allocate 24 bytes: pair#1'
	has "$level: not reordering" out 'also possible without reordering'
done

# Without debug information: the symbol table.
build -g0 -O1 -o names names.c
t "no DWARF" 1 "$heddle" run --model tso --width 139 ./names
has "no DWARF: variable and offset" out 'store q\+[0-9]+ = '
has "no DWARF: function" out 'T1 +fill +names\+0x[0-9a-f]+ '
has "no DWARF: small value" out 'store pattern = 0xfeedfacecafebeef'
strip names
t "stripped" 1 "$heddle" run --model tso --width 139 ./names
has "stripped: module and offset" out 'T1 +names\+0x[0-9a-f]+ '
finish
