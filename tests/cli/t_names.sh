# SPDX-License-Identifier: ISC
# t_names.sh - memory has its names in the program, at -O0 and optimised.
. "$(dirname "$0")/lib.sh"

cp "$here/names.c" .
# With -O0 every store exists, with these names in the report.
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
untyped = untyped#1
untyped#1+8 = 3
pairs = pair#1
pair#1[2].right = 6
into = &q.u.number
pattern = 0xfeedfacecafebeef
wide = {2, 1}
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

# On the heap, by the expressions of the source; gcc calls libatomic for 16 bytes.
cp "$here/names_heap.c" .
cat >expected <<'END'
initialise pool#1->lock
initialise pool#1->queue.lock
initialise pool#1->queue.filled
initialise job#1[1].lock
lock job#1[1].lock
store job#1[1].link.next = &job#1[1].link
store (job at arena#1+128)->id = 6
lock pool#1->queue.lock
signal condition pool#1->queue.filled: woke no thread
store ring#1->n = 3
store ring#1->tag.owner = pool#1
store ring#1->tag.half.ticket = 2
store ring#1->slots[2].u.real = 0.5
store numbers#1[3] = 7
load  limit = 5
store limit = 42
store job#2[1].id = 8
END
sed '$a store pool#1->both = {&job#1[2], 5}
$a store pool#1->top = {first = &job#1[1], version = 9}' expected >expected.clang
for level in -O0 -O1 -O2; do
	for compiler in clang gcc; do
		if [ $compiler = gcc ]; then build --gcc $level -o names_heap names_heap.c -latomic; else
			build $level -mcx16 -o names_heap names_heap.c; fi
		t "$compiler $level, heap" 1 "$heddle" run --model sc --strategy random --all ./names_heap
		list=expected
		[ $compiler = gcc ] || list=expected.clang
		while read -r line; do
			if grep -qE "[0-9]  +${line//[][()+{]/\\&}\$" out; then pass "$compiler $level: $line"; else
				fail "$compiler $level: $line" "$(cat out)"; fi
		done <$list
		has "$compiler $level: where a wrapper was called" out \
			'pool#1: block of [0-9]+ bytes allocated at names_heap\.c:96 by main, through allocate \(names_heap\.c:59\)'
	done
done

# C++
cp "$here/names.cc" .
for level in -O0 -O2; do
	"$B/bin/heddle-c++" -g $level -o names_cc names.cc -lpthread
	t "C++ $level" 1 "$heddle" run --model sc --all ./names_cc
	for line in 'lock Queue#1->head' 'lock Queue#1->tail' 'store Queue#1->n = 2, seq_cst'; do
		has "C++ $level: $line" out "[0-9]  .*  $line\$"
	done
	has "C++ $level: new" out 'Queue#1: block of [0-9]+ bytes allocated at names\.cc:45 by main$'
done
"$B/bin/heddle-c++" -g -O1 -DSHARED -o names_cc names.cc -lpthread
t "C++: a block of the library" 1 "$heddle" run ./names_cc
has "C++: a block of the library: no type of its" out '^FAILED  data race on [^_]*block#1'
has "C++: a function of a thread is as in the source" out 'T2 +count +start$'
has "C++: a block of the library: from where" out 'block#1: block of [0-9]+ bytes allocated at names\.cc:33 by main$'

# Without debug information: the symbol table.
build -g0 -O1 -o names names.c
t "no DWARF" 1 "$heddle" run --model tso --width 139 ./names
has "no DWARF: variable and offset" out 'store q\+[0-9]+ = '
has "no DWARF: function" out 'T1 +fill +names\+0x[0-9a-f]+ '
has "no DWARF: small value" out 'store pattern = 0xfeedfacecafebeef'
strip names
t "stripped" 1 "$heddle" run --model tso --width 139 ./names
has "stripped: module and offset" out 'T1 +names\+0x[0-9a-f]+ '

# Accesses of Heddle's own to the program's objects are no steps of the program.
build -g -O1 -o result_words "$here/../bugs/result_words.c"
t "a barrier" 1 "$heddle" run --model rc11 --strategy graph ./result_words
has "a barrier: arrival" out 'arrive at barrier barrier  \(2 of 2: the last\)$'
hasnt "a barrier: no load of its count" out '(load|store) +barrier'
finish
