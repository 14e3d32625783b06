# SPDX-License-Identifier: ISC
# t_generate.sh - heddle generate: the clients of a list of operations are all of them, each once; right structures
# pass, and with one memory order weaker a client fails.
. "$(dirname "$0")/lib.sh"

lists=$here/generate

# generate TITLE CODE LIST ARGUMENT...
generate() {
	t "$1" "$2" "$heddle" generate --quiet "${@:4}" "$lists/$3.h" -DPUBLISHED -w -O${level:-1}
}

# --- which clients: as listed by a script that knows no C

# every NUMBER MOST THREADS CHOICE...: the clients of one list: sets of threads, each a sequence of choices
every() {
	awk -v most="$1" -v threads="$2" 'BEGIN {
		n = ARGC - 1
		for (i = 1; i <= n; i++) { s[++m] = ARGV[i]; length_of[m] = 1 }
		for (i = 1; i <= m; i++)
			for (k = 1; k <= n && length_of[i] < most - 1; k++) {
				s[++m] = s[i] " " ARGV[k]
				length_of[m] = length_of[i] + 1
			}
		for (a = 1; a <= m; a++)
			for (b = a; b <= m; b++) {
				if (length_of[a] + length_of[b] > most) continue
				print s[a] "|" s[b]
				for (c = b; threads > 2 && c <= m; c++)
					if (length_of[a] + length_of[b] + length_of[c] <= most)
						print s[a] "|" s[b] "|" s[c]
			}
	}' "${@:3}"
}

# Threads in one order.
sorted() {
	while IFS='|' read -r -a threads; do printf '%s\n' "${threads[@]}" | sort | paste -sd '|'; done | sort
}

for bounds in "4 3" "5 2" "3 3"; do
	read -r most threads <<<"$bounds"
	every "$most" "$threads" push pop | sorted >want
	t "clients, $bounds" 0 "$heddle" generate --list --operations "$most" --threads "$threads" "$lists/stack.h" -w
	sed -E 's/^[0-9]+: //; s/ \| /|/g' out | sorted >got
	same "clients, $bounds: all, each once" want got
	[ "$(wc -l <want)" -gt 10 ] && pass "clients, $bounds: there are some" || fail "clients, $bounds: there are some" ""
done
every 2 2 "add(1)" "add(2)" "remove(1)" "remove(2)" "contains(1)" "contains(2)" | sorted >want
t "clients with values" 0 "$heddle" generate --list --operations 2 "$lists/set.h"
sed -E 's/^[0-9]+: //; s/ \| /|/g' out | sorted >got
same "clients with values: all, each once" want got
t "clients with roles" 0 "$heddle" generate --list --operations 3 "$lists/ring.h" -w
same "clients with roles: one producer, one consumer" out <(printf '%s\n' "1: enq | deq" "2: enq | deq deq" "3: enq enq | deq")

# --- right ones

generate "a queue" 0 queue
has "a queue: the last line" out '^heddle: 53 clients, 53 ok, 0 failed, [0-9.]+ s$'
generate "a stack, several at a time" 0 stack -j2
has "a stack: the last line" out '^heddle: 53 clients, 53 ok'
generate "a deque, filled before" 0 deque --operations 3
generate "a ring" 0 ring --output ring
generate "a ring under tso" 0 ring --model tso
generate "a hash set" 0 set --operations 2
has "a hash set: the last line" out '^heddle: 21 clients, 21 ok'

# --- wrong ones

t "a hash set without seq_cst" 1 "$heddle" generate --quiet --threads 2 "$lists/set.h" -DFEW -DPUT=memory_order_acq_rel \
	-DGET=memory_order_acquire
has "a hash set without seq_cst: the client" out '^clients +1 fails in this way; the smallest is [0-9]+: add\(1\) contains\(2\) \| add\(2\) contains\(1\)'
generate "a ring with five operations" 1 ring --operations 5 --model tso
has "a ring with five operations: full and empty" out 'the smallest is 10: enq enq enq \| deq deq \(ring.clients/clients.10__'
has "a ring with five operations: the last line" out '^heddle: 10 clients, 9 ok, 1 failed in 1 way'
t "its replay" 1 "$heddle" replay ring.clients/clients.10__*.heddle
# The orders that suffice for a queue's client in tests/relax do not for all: empty, although another item is in it.
generate "a queue whose dequeue is relaxed" 1 relaxed_queue --test '*enq deq | enq deq'
has "a queue whose dequeue is relaxed: one client" out '^FAILED  the history of the queue is not linearizable'
t "documents" 1 "$heddle" generate --json j.json --junit j.xml "$lists/ring.h" -DBUG -w
has "documents: with the report" out '^  race      T1 stores slots\[0\] = 11, not atomic  \(put spsc_ring.c'
holds "documents: JSON" j.json '(.tests | length) == 6 and .exit_code == 1 and .tests[0].name == "1: enq | deq"'
xml "documents: JUnit" j.xml 'count(//testcase) = 6 and count(//failure) = 6'

# Each order of NAME, one step weaker: a client fails. Those that do not fail are listed.
mutants() { # NAME OPERATIONS COUNT
	local level name=$1 site kind order rest weaker w failed=0
	rm -f sites all passed
	level=0 generate "$name, not inlined" 0 "$name" --operations "$2" --output "$name"
	for ((i = $("$name/clients" --list | wc -l); i; i--)); do
		HEDDLE_OPTIONS=explore,sites=sites timeout 20 "$name/clients" "$i" >/dev/null 2>&1
		cat sites >>all
	done
	while read -r site kind order _ rest; do
		weaker=
		case $kind,$order in
		*,seq_cst) weaker=order=acq_rel ;;
		*,acq_rel) weaker="order=acquire order=release" ;;
		*,acquire | *,release) weaker=order=relaxed ;;
		esac
		case $rest in *fail=acquire*) weaker+=" fail=relaxed" ;; esac
		for w in $weaker; do
			echo "$site $w" >weaker
			timeout 60 "$heddle" run --suite --orders weaker "$name/clients" >out 2>err
			case $? in
			1) failed=$((failed + 1)) ;;
			*) echo "$(addr2line -e "$name/clients" "0x$(printf %x $((${site#*+} - 1)))" | sed 's/.*\///; s/ .*//') $w" >>passed ;;
			esac
		done
	done < <(grep -v ' plain ' all | sort -u)
	touch passed
	[ $failed = "$3" ] && pass "$name: $3 orders are needed" || fail "$name: $3 orders are needed" "$failed; not: $(cat passed)"
}
mutants ring 4 4
mutants stack 3 3
if [ -n "${LONG:-}" ]; then
	mutants deque 4 4
	mutants queue 4 10
fi

# --- without the runtime, and mistakes

t "the clients with another compiler" 0 gcc -g -Wall -Wextra -Werror -pthread -I"$B/include" -o native ring/clients.c
t "a client natively" 0 ./native "1: enq | deq"
t "no client" 2 ./native 54

bad() { # TITLE MESSAGE TEXT
	printf '#include <heddle/generate.h>\nstatic inline void f(int a)\n{\n\t(void)a;\n}\n%s\n' "$3" >bad.h
	refused "$1" "bad.h: $2" "$heddle" generate bad.h
}
bad "no operations" "no HEDDLE_THREADS or HEDDLE_THREAD" ""
bad "an empty list" "HEDDLE_THREADS without operations" "HEDDLE_THREADS()"
bad "no operation" "\`f': wanted NAME\\(ARGUMENTS\\)" "HEDDLE_THREADS(f)"
bad "no function" "\`g: \\(1\\)': wanted NAME" "HEDDLE_THREADS(g: (1))"
bad "values" "\`f\\(3..1\\)': wanted values as in 2..4" "HEDDLE_THREADS(f(3..1))"
bad "one thread" "no client: with HEDDLE_THREAD alone there is one thread" "HEDDLE_THREAD(f(1))"
bad "too many" "more than 5000 clients: choose fewer" "HEDDLE_THREADS(f(1..20))"
refused "no list" "name a list of operations" "$heddle" generate
refused "no such list" "missing.h: No such file" "$heddle" generate missing.h
refused "a number" "wrong value \`1' for threads: wanted a number from 2 to 8" "$heddle" generate --threads 1 bad.h
refused "no such client" "no test of .*clients has such a name" "$heddle" generate --test '*put*' "$lists/ring.h" -w
echo 'int f(void) { return 1 }' >bad.h
t "a list that does not compile" 2 "$heddle" generate bad.h
has "a list that does not compile: heddle-cc's words" err "bad.h: no HEDDLE_THREADS"
printf '#include <heddle/generate.h>\nHEDDLE_THREADS(f(1))\n' >bad.h
t "a function that is not there" 2 "$heddle" generate bad.h
has "a function that is not there: the compiler's words" err "f.* is invalid|undeclared|undefined reference"
has "a function that is not there: the last line" err '^heddle: generate: the list does not compile: see above$'

# A list without specification: a failed assertion; and main's statements.
cat >own.h <<'X'
#include <assert.h>
#include <heddle/generate.h>
static int begun, seen[3];
static void visit(int thread)
{
	assert(begun == 7);
	seen[thread]++;
}
static void check(void)
{
	assert(seen[1] + seen[2] < 3);
}
HEDDLE_SETUP(begun = 7; seen[0] = 1;)
HEDDLE_THREADS(visit(thread))
HEDDLE_AFTER(check())
X
t "without a specification" 1 "$heddle" generate --quiet --threads 2 own.h
has "without a specification: the failure" out '^FAILED  assertion'
has "without a specification: the smallest client" out '^clients   3 fail in this way; the smallest is 2: visit visit \| visit \('
finish
