# SPDX-License-Identifier: ISC
# t_relax.sh - heddle relax: shapes with known orders; each order that stays is needed; diffs are correct.
. "$(dirname "$0")/lib.sh"

relax=$here/../relax
cp "$relax"/*.[ch] .

# enough NAME [COMPILER'S OPTIONS]: the output of `heddle relax' for tests/relax/NAME.c, without the reasons
enough() {
	local name=$1
	shift
	build -g "$@" -o "$name" "$name.c"
	t "$name: relax" 0 "$heddle" relax --patch "$name.diff" "./$name"
	has "$name: proved" out '^heddle: rc11, proved: [0-9]+ executions with it, complete, 0 failing'
	sed -n '/^  where/,/^$/p' out | sed '1d;$d' | sed -E 's/ +(lets|keeps) .*//; s/  +/ /g; s/^ //' >enough
}

# The line of the program PROGRAM with MODULE+OFFSET, for a title.
line_of() { addr2line -e "$1" "0x$(printf %x $((${2#*+} - 1)))" | sed 's/.*\///; s/ .*//'; }

# Each order that is left, one step weaker: the program fails.
needs_all() {
	local name=$1 site kind order rest fail weaker w n=0
	HEDDLE_OPTIONS=explore,sites=sites timeout 20 "./$name" >/dev/null 2>&1
	while read -r site kind order _ rest; do
		weaker=
		case $kind,$order in
		load,seq_cst) weaker=order=acquire ;;
		store,seq_cst) weaker=order=release ;;
		*,seq_cst) weaker=order=acq_rel ;;
		*,acq_rel) weaker="order=acquire order=release" ;;
		*,acquire | *,release) weaker=order=relaxed ;;
		esac
		fail=$(expr "$rest" : 'fail=\([a-z_]*\)')
		[ "$fail" != acquire ] || weaker="fail=relaxed"
		case $rest in *alone*) weaker= ;; esac
		for w in $weaker; do
			echo "$site $w" >weaker
			timeout 20 "$heddle" run -q --orders weaker "./$name" >out 2>err
			[ $? = 1 ] || fail "$name: $w at $(line_of "$name" "$site")" "it does not fail: $(cat out err)"
			n=$((n + 1))
		done
	done < <(grep -v ' plain ' sites)
	[ $n -gt "$2" ] && pass "$name: each order that is left is needed" ||
		fail "$name: each order that is left is needed" "only $n were tried"
}

# The diff, compiled: passes, and no order can be weaker.
diff_holds() {
	local name=$1
	patch -s -p1 <"$name.diff" || fail "$name: the diff" "it does not fit"
	build -g -O0 -o "$name" "$name.c"
	t "$name: with the diff" 0 "$heddle" run -q "./$name"
	[ "$name" != mcs ] && [ -z "${LONG:-}" ] || needs_all "$name" "$2"
}

enough ticket -O1
same "ticket: orders" enough <(printf '%s\n' \
	"ticket.c:14 lock rmw seq_cst relaxed" \
	"ticket.c:16 lock load seq_cst acquire" \
	"ticket.c:22 unlock load seq_cst relaxed" \
	"ticket.c:24 unlock store seq_cst release")
t "ticket: two workers" 0 "$heddle" relax -j2 --patch ticket.diff ./ticket
t "ticket: cut short" 3 "$heddle" relax --executions 2 --patch ticket.diff ./ticket
has "ticket: cut short: says so" out '^heddle: rc11, .* not complete'
t "ticket: tso" 0 "$heddle" relax --model tso --patch ticket.diff ./ticket
has "ticket: tso: nothing is needed" out 'ticket.c:24 .* seq_cst  relaxed$'

# Accesses of different sizes.
enough halves -O1
same "halves: orders" enough <(printf '%s\n' \
	"halves.c:29 fill store seq_cst relaxed" \
	"halves.c:30 fill store seq_cst release" \
	"halves.c:36 look load seq_cst acquire")
build -g -O1 -DRELAXED -o relaxed halves.c
t "halves: relaxed, pso: fences" 0 "$heddle" fences --model pso --patch halves.diff ./relaxed
has "halves: the second store releases" halves.diff '^-	atomic_store_explicit\(&mixed.byte\[3\], 1, ORDER\);'

# As in Oberhauser et al. (VSync, ASPLOS 2021).
enough mcs -O1
same "mcs: orders" enough <(printf '%s\n' \
	"mcs.c:23 lock store seq_cst relaxed" \
	"mcs.c:24 lock store seq_cst relaxed" \
	"mcs.c:25 lock rmw seq_cst acq_rel" \
	"mcs.c:28 lock store seq_cst release" \
	"mcs.c:29 lock load seq_cst acquire" \
	"mcs.c:35 unlock load seq_cst acquire" \
	"mcs.c:38 unlock cas seq_cst, seq_cst release, relaxed" \
	"mcs.c:41 unlock load seq_cst acquire" \
	"mcs.c:44 unlock store seq_cst release")
t "mcs: all choices" 0 "$heddle" relax --all --json all.json ./mcs
holds "mcs: all choices: the failing exchange can acquire instead" all.json '
	[.relaxations[] | [.orders[] | [.line, .enough, .fail_enough]]] as $found |
	.proved and .candidates == 9 and ($found | length) == 2 and ($found | unique | length) == 2 and
	any($found[]; index([[38, "acq_rel", "acquire"]]) != null and index([[41, "relaxed", null]]) != null) and
	all(.relaxations[]; .patch | startswith("--- a/mcs.c"))'
diff_holds mcs 7

enough treiber -O0
same "treiber: orders" enough <(printf '%s\n' \
	"treiber.c:20 push load seq_cst relaxed" \
	"treiber.c:25 push cas seq_cst, seq_cst release, relaxed" \
	"treiber.c:30 pop load seq_cst acquire" \
	"treiber.c:33 pop cas seq_cst, seq_cst acquire, acquire")
diff_holds treiber 2

enough msqueue -O0
same "msqueue: orders" enough <(printf '%s\n' \
	"msqueue.c:18 enqueue load seq_cst relaxed" \
	"msqueue.c:20 enqueue cas seq_cst, seq_cst release, relaxed" \
	"msqueue.c:22 enqueue cas seq_cst, seq_cst relaxed, relaxed" \
	"msqueue.c:26 enqueue cas seq_cst, seq_cst relaxed, relaxed" \
	"msqueue.c:32 dequeue load seq_cst relaxed" \
	"msqueue.c:35 dequeue load seq_cst acquire" \
	"msqueue.c:39 dequeue cas seq_cst, seq_cst relaxed, relaxed")
diff_holds msqueue 1

# Le et al. (PPoPP 2013): their orders are sufficient, and the fence in take is necessary.
build -g -O0 -DPUBLISHED -o published chase_lev.c
t "chase_lev: the published orders are sufficient" 0 "$heddle" run ./published
t "chase_lev: published, relax" 0 "$heddle" relax --patch chase_lev.diff ./published
has "chase_lev: the fence in take is necessary" out 'take +fence +seq_cst +='
has "chase_lev: the fence in steal is necessary" out 'steal +fence +seq_cst +='
has "chase_lev: the fence in push is necessary" out 'push +fence +release +='
HEDDLE_OPTIONS=explore,sites=sites ./published >/dev/null 2>&1
for weaker in none acq_rel; do
	grep ' fence seq_cst' sites | sort -t+ -k2 | head -1 | sed "s/ fence.*/ order=$weaker/" >weaker
	t "chase_lev: published, the fence in take $weaker" 1 "$heddle" run --orders weaker ./published
	has "chase_lev: published, the fence in take $weaker: an item twice" out 'taken.i. . stolen.i. == 1'
done
enough chase_lev -O0
has "chase_lev: take needs an order" enough 'take (fence|load|store) seq_cst ='
diff_holds chase_lev 3

# Hazard pointers: both fences have to stay.
build -g -O1 -o hazard "$here/../../examples/treiber_stack.c"
t "hazard pointers" 0 "$heddle" relax --patch hazard.diff ./hazard
has "hazard pointers: the fence in pop stays" out 'pop +fence +seq_cst +='
has "hazard pointers: the fence in retire stays" out 'retire +fence +seq_cst +='
build -g -O1 -DBUG -o hazard "$here/../../examples/treiber_stack.c"
t "hazard pointers, a bug" 1 "$heddle" run ./hazard
hasnt "hazard pointers, a bug: there is a replay file" out 'no replay file'

# Against every combination of weaker orders, each explored.
build -g -O0 -o choices choices.c
for shape in mp cas ${LONG:+sb lb wrc sbf mpf}; do
	timeout 300 ./choices $shape all | sort >wanted
	t "choices: $shape" 0 "$heddle" relax --all --patch choices.diff --json choices.json ./choices $shape
	jq -r '.relaxations[] | [.orders[] | .enough + if has("fail_enough") then "/" + .fail_enough else "" end] | join(" ")' \
		choices.json | sort >out
	same "choices: $shape: those from which nothing can go, all of them" wanted out
	[ -s wanted ] || fail "choices: $shape" "nothing passes"
done

sed 's/memory_order_relaxed/memory_order_acquire/' "$here/sb.c" >sb.c
build -g -o sb sb.c
t "a program that fails" 1 "$heddle" relax ./sb
has "a program that fails: says so" out '^heddle: rc11, it fails unchanged'
cat >none.c <<'EOT'
#include <pthread.h>
static int x;
static void *set(void *unused) { x = 1; return unused; }
int main(void) { pthread_t t; pthread_create(&t, NULL, set, NULL); pthread_join(t, NULL); return x != 1; }
EOT
build -g -o none none.c
t "a program without orders" 0 "$heddle" relax ./none
has "a program without orders: says so" out 'no access or fence of several threads'
cat >double.c <<'EOT'
#include <pthread.h>
static _Atomic double x;
static void *add(void *unused)
{
	x += 1.5;
	return unused;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	return x != 3;
}
EOT
build -g -o double double.c
t "an operator without an atomic function" 0 "$heddle" relax ./double
has "an operator without an atomic function: says so" out 'not in the diff: it has no atomic function'
hasnt "an operator without an atomic function: is not changed" out '^[-+].*1\.5'
t "no program" 2 "$heddle" relax
t "--orders" 2 "$heddle" relax --orders sites ./ticket
one_line "--orders" "not with --orders"
finish
