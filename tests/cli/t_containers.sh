# SPDX-License-Identifier: ISC
# t_containers.sh - the functions of libstdc++ that the templates of containers call are instrumented (runtime/cxx).
. "$(dirname "$0")/lib.sh"

cxx=$B/bin/heddle-c++
cp "$here/containers.cc" .

# Two threads with three sections each: 6! / (3! 3!) orders.
for level in -O0 -O2; do
	"$cxx" -w -g $level -o containers containers.cc -lpthread 2>err || fail "$level: builds" "$(cat err)"
	for model in sc tso rc11; do
		t "$level, $model" 0 "$heddle" run --model $model ./containers
		has "$level, $model: each order of the sections once" out '20 executions, complete, 0 failing'
	done
	t "$level, random" 3 "$heddle" run --strategy random --executions 1000 ./containers
done

# In a library, too; a program in C has none of it.
printf '#include "containers.cc"\n' >library.cc
"$cxx" -w -g -O1 -Dmain=run -shared -fPIC -o libcontainers.so library.cc -lpthread
printf 'int run(); int main() { return run(); }\n' >caller.cc
"$cxx" -w -g -o caller caller.cc -L. -Wl,-rpath,"$PWD" -lcontainers -lpthread
t "in a library" 0 "$heddle" run ./caller
has "in a library: each order once" out '20 executions, complete, 0 failing'
printf 'int main(void) { return 0; }\n' >plain.c
build -o plain plain.c
nm plain >names
hasnt "C programs have no trees" names _Rb_tree

# Strings, of which only parts are in the header: 4! / (2! 2!) orders.
cp "$here/strings.cc" .
for level in -O0 -O1 -O2; do
	"$cxx" -w -g $level -o strings strings.cc -lpthread 2>err || fail "strings $level: builds" "$(cat err)"
	for model in tso rc11; do
		t "strings $level, $model" 0 "$heddle" run --model $model ./strings
		has "strings $level, $model: each order once" out ' 6 executions, complete, 0 failing'
	done
done
finish
