# SPDX-License-Identifier: ISC
# t_model.sh - models in files: heddle model, --model FILE.cat in a run, a replay, workers and a comparison; mistakes.
# The numbers of executions: executions.sh --files.
. "$(dirname "$0")/lib.sh"

models=$B/share/heddle/models

cat >sb.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r;
static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	r = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, one, NULL);
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	int s = atomic_load_explicit(&x, memory_order_relaxed);
	pthread_join(t, NULL);
	assert(r || s);
	return 0;
}
EOF
"$cc" -g -O1 -o sb sb.c
cat >mpr.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *one(void *arg)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, one, NULL);
	int r = atomic_load_explicit(&ready, memory_order_relaxed);
	assert(!r || atomic_load_explicit(&data, memory_order_relaxed));
	pthread_join(t, NULL);
	return 0;
}
EOF
"$cc" -g -O1 -o mpr mpr.c

t "model list" 0 "$heddle" model list
has "model list: built in" out '^built in: sc, tso, .*rc11'
has "model list: files" out 'share/heddle/models/tso\.cat$'
t "model check" 0 "$heddle" model check "$models/rc11.cat"
has "model check: an axiom" out '^  psc +checked on every graph'
has "model check: a flag" out '^  race +a flag: a finding of complete executions'
has "model check: load buffering" out '^  load buffering +excluded'
printf 'let a = po\nacyclic co | po ; [range (rf^-1;rf)] as hard\n' >odd.cat
t "model check: an odd model" 0 "$heddle" model check odd.cat
has "model check: unused" out "^odd.cat:1:5: warning: \`a' is not used"
has "model check: at the end" out '^  hard +checked on complete executions only'
has "model check: not excluded" out '^  load buffering +not excluded'
has "model check: because of" out '^    po; \[range \(rf\^-1; rf\)\]: a new event may extend earlier pairs \(odd.cat:2:17\)'
printf 'let rec r = po | (r; co)\nlet gone = co \\ (r; rf)\nacyclic gone | po as lossy\nflag ~empty gone as g\n' >lossy.cat
t "model check: a relation that loses pairs" 0 "$heddle" model check lossy.cat
has "model check: where it loses them" out '^    co \\ \(r; rf\): it may lose pairs as the execution grows \(lossy.cat:2:15\)'
t "model show" 0 "$heddle" model show lossy.cat
has "model show: let rec" out '^  r +relation +grows +po \| r; co$'
has "model show: difference" out '^  gone +relation +may lose pairs +co \\ \(r; rf\)$'
has "model show: an axiom" out '^  lossy +acyclic gone \| po$'
has "model show: its time" out '^ +[0-9]+ expressions, [0-9.]+ us$'
has "model show: a flag" out '^  g +flag ~empty co '
for m in "$models"/*.cat; do
	t "model show $(basename "$m")" 0 "$heddle" model show "$m"
done
printf 'acyclic po | rf\n  | [W]; co; W\n' >bad.cat
t "model check: a mistake" 2 "$heddle" model check bad.cat
has "model check: its place" err "bad.cat:2:12: .;' joins relations"
has "model check: its line" err '^      \| \[W\]; co; W$'
has "model check: a caret" err '^ +\^$'
refused "model: no command" "wanted .check FILE.cat., .show FILE.cat. or .list" "$heddle" model
refused "model check: no file" 'none.cat: No such file' "$heddle" model check none.cat

t "sc.cat" 0 "$heddle" run --model "$models/sc.cat" ./sb
has "sc.cat: the last line" out '^heddle: sc\.cat, graph, 3 executions, complete, 0 failing'
t "tso.cat" 1 "$heddle" run --model "$models/tso.cat" ./sb
has "tso.cat: the failure" out "^FAILED  assertion"
has "tso.cat: the last line" out '^heddle: tso\.cat, graph, .* 1 failing'
has "tso.cat: the axiom" out '^  axiom +tso of tso\.cat would then forbid this execution$'
has "tso.cat: its cycle" out '^ +fenced +main +load +x = 0'
has "tso.cat: the repair" out 'repair +atomic_thread_fence\(memory_order_seq_cst\) after .* and after '
t "tso.cat: replay" 1 "$heddle" replay sb.heddle
has "tso.cat: the same failure" out "^FAILED  assertion"
t "tso.cat: -j 2" 1 "$heddle" run --keep-going -j 2 --model "$models/tso.cat" ./sb
has "tso.cat: -j 2: the last line" out '^heddle: tso\.cat, graph, 4 executions, complete, 1 failing'
t "a mistake" 2 "$heddle" run --model bad.cat ./sb
has "a mistake: its place" err "bad.cat:2:12: .;' joins relations"
# Repairs are tried with the model.
printf 'acyclic po-loc | rf | co | fr\nacyclic po | rf\n' >weak.cat
t "a model without fences" 1 "$heddle" run --model weak.cat ./sb
has "a model without fences: no repair" out '^  axiom +weak\.cat: not forbidden by acquire, release and seq_cst fences either$'
hasnt "a model without fences: none is proposed" out '^  repair'
t "rc11.cat: orders" 1 "$heddle" run --model "$models/rc11.cat" ./mpr
has "rc11.cat: orders" out '^  repair +make the load of ready .* acquire, the store to ready .* release$'
has "rc11.cat: the axiom" out '^  axiom +coherence of rc11\.cat would then forbid'
has "rc11.cat: synchronises" out '^ +sw +main +load +ready = 1'

# Flags: a finding for each pair of accesses, with both stacks.
"$cc" -g -O1 -o flag "$here/model/flag.c"
t "a flag" 1 "$heddle" run --keep-going --model "$models/rc11.cat" ./flag
has "a flag: both sides" out '^FAILED  the model flags the execution: race: T1 stores data at flag.c:13, main loads data at flag.c:24'
has "a flag: one stack" out '^    #0  publish +.*flag.c:13'
has "a flag: the other" out '^    #0  main +.*flag.c:24'
has "a flag: complete" out '^heddle: rc11\.cat, graph, 3 executions, complete, 2 failing'
t "a flag: replay" 1 "$heddle" replay flag.heddle
has "a flag: the same" out '^FAILED  the model flags the execution: race'
t "a flag: off" 0 "$heddle" run --keep-going --detect=-flag --model "$models/rc11.cat" ./flag
sed 's/memory_order_relaxed/memory_order_seq_cst/' "$here/model/flag.c" >ordered.c
"$cc" -g -O1 -o ordered ordered.c
t "no flag" 0 "$heddle" run --model "$models/rc11.cat" ./ordered

# Axioms that do not prune: of complete executions.
printf 'empty (po | rf | co | fr)+ & id as sc\n' >end.cat
t "an axiom of complete executions" 3 "$heddle" run --keep-going --model end.cat ./sb
has "an axiom of complete executions: as many" out ' 3 executions, not complete: load buffering .* 0 failing'

# Graphs that are too large for the relations of an axiom are left out.
cat >long.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *one(void *arg)
{
	for (int i = 0; i < 3000; i++)
		atomic_fetch_add(&x, 1);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, one, NULL);
	pthread_join(t, NULL);
	return 0;
}
EOF
"$cc" -g -O1 -o long long.c
t "a long execution" 0 "$heddle" run --model "$models/sc.cat" ./long
has "a long execution: the last line" out '^heddle: sc\.cat, graph, 1 execution, complete'
t "a long execution, an axiom at its end" 3 "$heddle" run --strategy graph --model end.cat ./long
has "a long execution, an axiom at its end: left out" out 'graph, 0 executions, not complete: .*more events than an execution graph holds'

t "compare: to a file" 1 "$heddle" compare --from sc --to "$models/tso.cat" ./sb
has "compare: to a file: the last line" out 'tso\.cat'
t "compare: from a file" 1 "$heddle" compare --from "$models/tso.cat" --to tso ./sb
has "compare: from a file: nothing is new" out '^PORTABLE from tso\.cat to tso'
t "compare: from a file: more" 1 "$heddle" compare --from "$models/sc.cat" --to tso ./sb
has "compare: from a file: something is new" out '^NOT PORTABLE from sc\.cat to tso'
has "compare: from a file: the axiom" out '^  axiom +sc of sc\.cat forbids this execution$'
refused "two files" 'only one of them can be a file' "$heddle" compare --from "$models/sc.cat" --to "$models/tso.cat" ./sb
refused "another strategy" 'needs --strategy graph' "$heddle" run --strategy random --model "$models/sc.cat" ./sb
refused "no file" 'name a file' "$heddle" run --model cat ./sb

# Machines: with the dependencies of the program, and variants by options.
cat >mp.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data[2];
static _Atomic(atomic_int *) ready = &data[0];
static void *one(void *arg)
{
	atomic_store_explicit(&data[1], 1, memory_order_relaxed);
	atomic_store_explicit(&ready, &data[1], memory_order_release);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, one, NULL);
	atomic_int *p = atomic_load_explicit(&ready, memory_order_relaxed);
	int seen = atomic_load_explicit(p, memory_order_relaxed);
	assert(p == &data[0] || seen);
	pthread_join(t, NULL);
	return 0;
}
EOF
"$cc" --deps -g -O1 -o mp mp.c
for m in arm8 power riscv; do
	t "$m.cat" 0 "$heddle" run --model "$models/$m.cat" ./mp
	t "$m.cat: without dependencies" 1 "$heddle" run --model "$models/$m.cat" --deps none ./mp
done
t "imm.cat" 1 "$heddle" run --model "$models/imm.cat" ./mp
printf 'if "llsc" acyclic po | rf | co | fr else empty po end\n' >loop.cat
t "a variant" 0 "$heddle" run --arch-rmw llsc --model loop.cat ./sb

refused "fences" 'not with a model in a file' "$heddle" fences --model "$models/tso.cat" ./sb
sed 's/memory_order_relaxed/memory_order_seq_cst/' sb.c >strong.c
"$cc" -g -O1 -o strong strong.c
t "relax" 0 "$heddle" relax --model "$models/rc11.cat" ./strong
has "relax: the last line" out '^heddle: rc11\.cat, proved: 3 executions'

HEDDLE_OPTIONS=explore,model=$PWD/bad.cat ./sb >out 2>err
has "without the tool: a mistake" err 'bad.cat:2:12:'
finish
