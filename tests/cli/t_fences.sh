# SPDX-License-Identifier: ISC
# t_fences.sh - heddle fences: known answers, diffs that repair, programs that cannot be repaired; LONG=1: all known
# answers, and repairs compared with all other choices.
. "$(dirname "$0")/lib.sh"

algorithms=$here/../fences
examples=$here/../../examples

# --- known fences of mutual exclusion: after stores, and between them

# known FILE MODEL FULL BETWEEN [CFLAG...]
known() {
	local name=$1 model=$2 wanted="$3 $4" got races=report
	shift 4
	[[ "$*" != *PLAIN* ]] || races=promote
	"$cc" -g -O0 -pthread "$@" "$algorithms/$name.c" -o "$name" 2>build.log || cat build.log
	timeout 60 "$heddle" fences --model "$model" --races $races --changes after-store,before-store --json result.json \
		--patch /dev/null "./$name" >out 2>err </dev/null
	got=$(jq -r 'select(.result == "clean" or (.result == "repaired" and .minimum)) | select(.proved) |
		[.repairs[0].changes[]?.order] | "\(map(select(. == "seq_cst")) | length) \(map(select(. == "release")) | length)"' result.json)
	if [ "$got" = "$wanted" ]; then
		pass "$name $* $model: $wanted"
	else
		fail "$name $* $model: $wanted" "$got; $(cat out err)"
	fi
}

if [ -z "${LONG:-}" ]; then
	known peterson pso 2 2
else
	for file in "$algorithms"/*.c; do
		while read -r _ _ model full between flags; do
			for kind in -DRELAXED -DVOLATILE -DPLAIN; do
				known "$(basename "$file" .c)" "$model" "$full" "$between" $flags $kind
			done
		done < <(grep -E '^ \* fences(-long)? ' "$file")
	done
fi

# --- the diff, applied and compiled

# repaired FILE MODEL PATTERN [CFLAG...]: the diff has this line, and the program is correct with it
repaired() {
	local file=$1 model=$2 pattern=$3
	shift 3
	cp "$file" program.c
	"$cc" -g -O1 -pthread -I"$algorithms" "$@" program.c -o program
	t "$(basename "$file") $* $model" 0 "$heddle" fences --model "$model" --patch repair.diff ./program
	has "$(basename "$file") $* $model: diff" repair.diff "$pattern"
	if patch -s -p1 <repair.diff && "$cc" -g -O1 -Wall -Werror -pthread -I"$algorithms" "$@" program.c -o program; then
		t "$(basename "$file") $* $model: with the diff" 0 "$heddle" run --model "$model" ./program
	else
		fail "$(basename "$file") $* $model: patch" "$(cat repair.diff)"
	fi
}

[ -z "${LONG:-}" ] || repaired "$examples/dekker.c" pso '^\+	while \(\(atomic_thread_fence\(memory_order_seq_cst\), get\(&wants\[other\]\)\)\) \{'
repaired "$examples/publish.c" rc11 '^\+	if \(atomic_load_explicit\(&flag, memory_order_acquire\)\)' -DATOMIC
[ -z "${LONG:-}" ] || repaired "$algorithms/peterson.c" pso '^\+		atomic_thread_fence\(memory_order_release\);' -DVOLATILE

# --- the output

"$cc" -g -O1 -pthread "$examples/sb.c" -o sb
t "sb" 0 "$heddle" fences --model tso ./sb
has "sb: table" out '^  sb.c:30  writer_x  atomic_thread_fence\(memory_order_seq_cst\) after     6  keeps the store of x \(sb.c:30\) before the load of y \(sb.c:34\)'
has "sb: last line" out '^heddle: tso, cheapest repair proved: 3 executions with it, complete, 0 failing; 3 explorations, '
t "every repair" 0 "$heddle" fences --model tso --all --cost seq_cst=6 --json - ./sb
if jq -e '(.repairs | length) == 9 and all(.repairs[]; .cost == 12 and (.changes | length) == 2) and .proved and
	.minimum and (.more_repairs | not) and ([.repairs[].changes | map(.words) | sort] | unique | length) == 9' out >/dev/null; then
	pass "every repair: nine"
else
	fail "every repair: nine" "$(cat out)"
fi
jq -r '.repairs[0].changes[] | {"order": "order", "fence-before": "before", "fence-after": "after"}[.what] as $what |
	"\(.sites[]) \($what)=\(.order)"' out >by_hand
t "sites for an orders file" 0 "$heddle" run --model tso --orders by_hand ./sb
has "sites for an orders file: the repair" out '^heddle: tso, graph, 3 executions, complete, 0 failing'
if [ -n "${LONG:-}" ]; then
	t "costs" 0 "$heddle" fences --model rc11 --cost fence-seq_cst=100 --json - ./sb
	jq -e '.repairs[0].cost == 28 and all(.repairs[0].changes[]; .what == "order" and .order == "seq_cst")' out >/dev/null &&
		pass "costs: orders" || fail "costs: orders" "$(cat out)"
	t "fast" 0 "$heddle" fences --fast --model pso ./sb
	has "fast: last line" out '^heddle: pso, repair proved: '
fi

t "random executions" 3 "$heddle" fences --model tso --strategy random --executions 300 ./sb
has "random executions: not proved" out '^heddle: tso, repaired: .*, not complete: .*; sc not explored completely'
[ -z "${LONG:-}" ] || t "too few executions" 3 "$heddle" fences --model tso --executions 2 ./sb

"$cc" -O1 -pthread "$examples/sb.c" -o sb-bare
t "without lines" 0 "$heddle" fences --model tso ./sb-bare
has "without lines: no diff" out '^no diff: '
has "without lines: why" out 'not in the diff: its source line is unknown \(compile with -g\)'

if [ -n "${LONG:-}" ]; then
	"$cc" -g -O1 -DFENCED -pthread "$examples/sb.c" -o sb-fenced
	t "nothing to repair" 0 "$heddle" fences --model tso ./sb-fenced
	has "nothing to repair: last line" out '^heddle: tso, nothing to repair, 3 executions, complete, 0 failing'
fi

"$cc" -g -O1 -pthread "$here/../bugs/futex_store_buffer.c" -o futex
t "what a futex reads" 0 "$heddle" fences --model tso --patch /dev/null ./futex

sed 's/^static/\n&/' "$examples/sb.c" >program.c
"$cc" -g -O1 -pthread program.c -o program
cp "$examples/sb.c" program.c
t "another source" 0 "$heddle" fences --model tso ./program
has "another source: why" out 'not in the diff: program.c:[0-9:]+: no access there: has the file changed\?'
has "another source: note" out '^note: program.c is newer than the program: '

# --- programs that it cannot repair

"$cc" -g -O1 -pthread "$here/../bugs/lost_update.c" -o lost_update
t "fails under sc" 1 "$heddle" fences --model tso ./lost_update
has "fails under sc: report" out '^FAILED '
has "fails under sc: why" out '^It fails under sc: '
t "fails under sc: replay" 1 "$heddle" replay lost_update.heddle
t "nothing that may be done" 1 "$heddle" fences --model tso --changes before-store ./sb
has "nothing that may be done: last line" out '^heddle: tso, no repair by fences or orders'

refused "patch in no folder" 'nowhere/x: cannot be written' "$heddle" fences --patch nowhere/x ./sb
refused "sc" 'nothing is reordered' "$heddle" fences --model sc ./sb
refused "a wrong cost" 'wrong value .fence=1. for cost' "$heddle" fences --cost fence=1 ./sb
refused "a wrong change" 'wrong value .stores. for changes' "$heddle" fences --changes stores ./sb
refused "fast and all" 'not with --fast' "$heddle" fences --fast --all ./sb
[ -z "${LONG:-}" ] || {
	repaired "$examples/chase_lev.c" rc11 '^\+	atomic_thread_fence\(memory_order_seq_cst\);' -DBUG
	repaired "$examples/seqlock.c" rc11 '^\+	atomic_thread_fence\(memory_order_release\);' -DBUG
	repaired "$examples/mcs_lock.c" rc11 '^\+.*memory_order_release' -DBUG
	repaired "$examples/treiber_stack.c" pso '^\+	*atomic_thread_fence\(memory_order_seq_cst\);' -DBUG
}

# --- all choices of orders of small programs: the correct ones, and the lowest cost

# every_choice FILE MODEL [CFLAG...]
every_choice() {
	local file=$1 model=$2 best=1000000 got n i cost sites line orders rest
	shift 2
	"$cc" -g -O1 -pthread "$@" "$file" -o program
	timeout 60 "$heddle" fences --model "$model" --changes order --json result.json --patch /dev/null ./program >out 2>&1
	got=$(jq -r 'if .result == "repaired" then .repairs[0].cost elif .result == "clean" then 0 else .result end' result.json)
	HEDDLE_OPTIONS=explore,sites=sites,keep-going,model=$model ./program >/dev/null 2>&1
	mapfile -t sites < <(grep -vE ' (plain|fence|volatile)|alone' sites | sort)
	n=$((3 ** ${#sites[@]}))
	for ((i = 0; i < n; i++)); do
		orders='' cost=0 rest=$i
		for line in "${sites[@]}"; do
			set -- $line
			case $((rest % 3)) in
			1) orders+="$1 order=$([ "$2" = load ] && echo acquire || echo release)"$'\n' cost=$((cost + 1)) ;;
			2) orders+="$1 order=seq_cst"$'\n' cost=$((cost + 7)) ;;
			esac
			rest=$((rest / 3))
		done
		[ "$cost" -lt "$best" ] || continue
		printf %s "$orders" >orders
		"$heddle" run -q --model "$model" --orders orders ./program >/dev/null 2>&1 && best=$cost
	done
	[ "$best" = 1000000 ] && best=impossible
	if [ "$got" = "$best" ]; then
		pass "$(basename "$file") $model: nothing cheaper than $best of $n choices"
	else
		fail "$(basename "$file") $model: nothing cheaper than $best of $n choices" "$got"
	fi
}

if [ -n "${LONG:-}" ]; then
	cat >mp.c <<'X'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return arg;
}
static void *two(void *arg)
{
	int r = atomic_load_explicit(&y, memory_order_relaxed);
	int s = atomic_load_explicit(&x, memory_order_relaxed);
	assert(!r || s);
	return arg;
}
#ifdef SB
static void *a(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return (void *)(long)atomic_load_explicit(&y, memory_order_relaxed);
}
static void *b(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	return (void *)(long)atomic_load_explicit(&x, memory_order_relaxed);
}
#endif
#ifdef WRC
static void *copy(void *arg)
{
	int r = atomic_load_explicit(&y, memory_order_relaxed);
	atomic_store_explicit(&z, r, memory_order_relaxed);
	return arg;
}
static void *three(void *arg)
{
	int r = atomic_load_explicit(&z, memory_order_relaxed);
	int s = atomic_load_explicit(&x, memory_order_relaxed);
	assert(!r || s);
	return arg;
}
#endif
int main(void)
{
	pthread_t t[3];
	void *r[3];
#if defined(SB)
	void *(*body[])(void *) = {a, b};
#elif defined(WRC)
	void *(*body[])(void *) = {one, copy, three};
	(void)two;
#else
	void *(*body[])(void *) = {one, two};
#endif
	int n = sizeof(body) / sizeof(body[0]);

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, body[i], NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], &r[i]);
#ifdef SB
	assert(r[0] || r[1]);
#endif
	return 0;
}
X
	every_choice mp.c rc11
	every_choice mp.c ra
	every_choice mp.c pso
	every_choice mp.c rc11 -DSB
	every_choice mp.c ra -DSB
	every_choice mp.c tso -DSB
	every_choice mp.c rc11 -DWRC
	cc -std=gnu11 -O1 -o random "$algorithms/random.c"
	for model in tso pso rc11; do
		timeout 300 ./random "$heddle" "$cc" $model 1 3 >random.log 2>&1 ||
			fail "random programs, $model" "$(tail -5 random.log)"
		grep -E '^(not )?ok ' random.log
		! grep -q '^not ok' random.log || failures=$((failures + 1))
	done
fi
finish
