# SPDX-License-Identifier: ISC
# t_places.sh - places are in the program's own code: for std::atomic and wrappers, the call.
. "$(dirname "$0")/lib.sh"

cxx=$B/bin/heddle-c++
cp "$here"/places.c* .

# The rows of a table, without the reasons; the patch applies, and the patched program passes.
rows() { sed -n '/^  where/,/^$/p' out | sed '1d;$d' | sed -E 's/ +(lets|keeps) .*//; s/  +/ /g; s/^ //' >rows; }

# std::atomic: explicit orders, default ones, operators; in a lambda; in own member functions.
cxx_rows() {
	printf '%s\n' "p.cc:22 operator() store release =" "p.cc:23 operator() store release relaxed" \
		"p.cc:24 operator() rmw seq_cst relaxed" "p.cc:25 operator() store release =" \
		"p.cc:26 operator() store release relaxed" \
		"in the diff: fill_relaxed(), a copy of fill(), is called" \
		"p.cc:28 main load acquire =" "p.cc:30 main load acquire =" "p.cc:32:$1 main load acquire relaxed" \
		"p.cc:32:$2 main load seq_cst relaxed" "p.cc:33 main load acquire relaxed" \
		"in the diff: is_full_relaxed(), a copy of is_full(), is called"
}

for options in -O0 -O1 -O2; do
	sed 's/ORDER(\([a-z]*\))/std::memory_order_\1/' places.cc >p.cc
	"$cxx" -g $options -o p p.cc || fail "C++ $options" "does not compile"
	t "C++ $options: relax" 0 "$heddle" relax --patch p.diff ./p
	has "C++ $options: proved" out 'nothing more can be weaker; '
	rows
	same "C++ $options: places" <(cxx_rows 19 53) rows
	has "C++ $options: what was said" p.diff '^\+		count\.store\(1, std::memory_order_relaxed\); // needs nothing'
	has "C++ $options: an operator" p.diff '^\+		hits\.fetch_add\(1, std::memory_order_relaxed\);'
	has "C++ $options: a conversion" p.diff '^\+	int seen = count\.load\(std::memory_order_relaxed\) \+ hits\.load\(std::memory_order_relaxed\);'
	has "C++ $options: a member's variant" p.diff '^\+	void fill_relaxed\(\) \{ full\.store\(true, std::memory_order_relaxed\); \}'
	hasnt "C++ $options: nothing else" p.diff '^[-+].*(flag|/usr/)|^-	(bool|void)'
	patch -s -p1 <p.diff && "$cxx" -g $options -o p p.cc || fail "C++ $options: the diff" "$(cat p.diff)"
	t "C++ $options: with the diff" 0 "$heddle" relax ./p
	has "C++ $options: with the diff, nothing" out '^relax     none of 4 orders'
done

sed 's/ORDER(\([a-z]*\))/std::memory_order_relaxed/' places.cc >p.cc
"$cxx" -g -O1 -o p p.cc
t "C++: report" 1 "$heddle" run ./p
has "C++: why" out "why +T1's store of flag at p.cc:22 is relaxed, and so is main's load of it at p.cc:28: they do not"
hasnt "C++: no header" out '^  .*atomic_base\.h:[0-9]+ '
t "C++: stacks have all calls" 1 "$heddle" run --stacks ./p
has "C++: stacks have all calls" out '^    #0 +store +.*/atomic_base\.h:[0-9:]+  \(inlined\)$'
t "C++: fences" 0 "$heddle" fences --patch p.diff ./p
rows
same "C++: fences" <(printf '%s\n' "p.cc:22 operator() memory_order_release 1" "p.cc:28 main memory_order_acquire 1") rows
patch -s -p1 <p.diff && "$cxx" -g -O1 -o p p.cc || fail "C++: fences: the diff" "$(cat p.diff)"
t "C++: fences: with the diff" 0 "$heddle" run -q ./p
sed 's/ORDER(\([a-z]*\))/std::memory_order_\1/' places.cc >p.cc
"$cxx" --gcc -g -O2 -o p p.cc 2>err || fail "g++" "$(cat err)"
t "g++: relax" 0 "$heddle" relax --patch p.diff ./p
has "g++: operator" out '^  p\.cc:24 +operator\(\)  rmw +seq_cst  relaxed$'
has "g++: what was said" p.diff '^\+		count\.store\(1, std::memory_order_relaxed\); // needs nothing'

"$cxx" --gcc -g -O0 -o p p.cc 2>err || fail "g++ -O0" "$(cat err)"
t "g++ -O0: relax" 0 "$heddle" relax --patch p.diff ./p
has "g++ -O0: what is inlined in a lambda" out '^  p\.cc:23 +operator\(\) +store +release  relaxed$'
has "g++ -O0: what is not" out '^ +not in the diff: it is in a system header, in a function that is not inlined'
hasnt "g++ -O0: no header is changed" p.diff '/usr/'
has "g++ -O0: is said" out 'nothing more can be weaker, but perhaps single calls of .*operator\+\+\(\).*: not inlined'

# Wrappers in C, at every level.
c_rows() {
	local twice="$1"
	printf '%s\n' $twice "places.c:39 writer store release =" "places.c:40 writer store release relaxed" \
		"in the diff: put_relaxed(), a copy of put(), is called" \
		"places.c:41 writer store release relaxed" "places.c:48 reader load acquire =" \
		"places.c:50 reader load acquire relaxed" \
		"in the diff: get_relaxed(), a copy of get(), is called" \
		"places.c:52 reader store release relaxed"
}
IFS=$'\n'
for options in -O0 -O2 "--gcc -O2"; do
	IFS=' ' read -ra words <<<"$options"
	build "${words[@]}" -g -o p places.c
	t "C $options: relax" 0 "$heddle" relax --patch p.diff ./p
	rows
	same "C $options: places" <(c_rows $'places.c:32 raise_twice rmw acq_rel relaxed\nplaces.c:33 raise_twice rmw acq_rel relaxed') rows
	has "C $options: an order that is passed" p.diff '^\+	put_as\(&hint, 1, memory_order_relaxed\);'
	has "C $options: one that is shared" p.diff '^\+static inline void put_relaxed\(atomic_int \*p, int v\)$'
	hasnt "C $options: one that is shared stays" p.diff '^-	(atomic_store|return)'
	cp places.c after.c
	patch -s -p1 after.c <p.diff && build "${words[@]}" -g -o after after.c || fail "C $options: the diff" "$(cat p.diff)"
	t "C $options: with the diff" 0 "$heddle" relax ./after
	has "C $options: with the diff, nothing" out '^relax     none of 2 orders'
done
has "the last line" out '; nothing more can be weaker; '

# Two accesses in one call, where other calls need stronger orders: no copy.
sed 's/raise_twice(&ticket);/data = 2, raise_twice(\&flag);/; s/get(&flag)/get(\&ticket)/; s/^	data = 1;//' places.c >both.c
build -O1 -g -DMARK=HEDDLE_PRIMITIVE -o p both.c
t "two accesses in one call" 0 "$heddle" relax --races ignore --patch p.diff ./p
hasnt "two accesses in one call: no copy" p.diff 'raise_twice_'

# A mark, and rules.
build -O1 -g -DMARK=HEDDLE_PRIMITIVE -o p places.c
t "HEDDLE_PRIMITIVE" 0 "$heddle" relax ./p
for line in 42 53; do
	has "HEDDLE_PRIMITIVE: two accesses of one call, $line" out "^  places\.c:$line:2 \(places\.c:32\) +(writer|reader)  rmw "
	has "HEDDLE_PRIMITIVE: two accesses of one call, $line" out "^  places\.c:$line:2 \(places\.c:33\) +(writer|reader)  rmw "
done
build --gcc -O2 -g -o p places.c
t "--primitive FUNCTION" 0 "$heddle" relax --primitive 'raise_*' ./p
has "--primitive FUNCTION" out '^  places\.c:42:2 \(places\.c:32\) +writer '
t "--primitive !FUNCTION" 0 "$heddle" relax --primitive '!put' ./p
has "--primitive !FUNCTION" out '^  places\.c:17 +put +store +release  = '
has "--primitive !FUNCTION: others are" out '^  places\.c:50 +reader +load +acquire  relaxed$'
printf '# ours\n!places.c  # none\nraise_twice\n' >heddle.primitives
t "heddle.primitives" 0 "$heddle" relax ./p
has "heddle.primitives: a file" out '^  places\.c:22 +get +load +acquire  = '
has "heddle.primitives: the last rule counts" out '^  places\.c:42:2 \(places\.c:32\) +writer '
t "--primitive before heddle.primitives" 0 "$heddle" relax --primitive get ./p
has "--primitive before heddle.primitives" out '^  places\.c:50 +reader +load +acquire  relaxed$'
echo 'two words' >heddle.primitives
refused "heddle.primitives: a mistake" "heddle: heddle\.primitives:1: .words': wanted one glob per line" "$heddle" relax ./p
rm heddle.primitives
refused "--primitive: a mistake" 'wanted a glob of functions or files' "$heddle" relax --primitive '!' ./p

# Assembly that defines a name is not copied.
echo 'static int x; static int get(int *p) { int v; __asm__ volatile("name: movl %1, %0" : "=r"(v) : "m"(*p)); return v; }
int main(void) { return get(&x) + get(&x); }' >name.c
[ "$(uname -m)" != x86_64 ] || t "a name in assembly" 0 "$cc" -O0 -o name name.c

# Not inlined: reported as such.
build --gcc -O0 -g -o p places.c
t "not inlined" 0 "$heddle" relax --patch p.diff ./p
has "not inlined: is said" out 'nothing more can be weaker, but perhaps single calls of put\(\), get\(\), put_as\(\): not inlined'
has "not inlined: an order that is passed" out 'not in the diff: its order is an argument of the function$'

# heddle.supp: the place, with functions inlined there.
sed -i 's/memory_order_\(acquire\|release\)/memory_order_relaxed/' places.c
build -O1 -g -o p places.c
t "a race" 1 "$heddle" run -q ./p
for function in writer reader; do
	echo "race function=$function" >heddle.supp
	t "suppressed by $function" 0 "$heddle" run -q ./p
done
finish
