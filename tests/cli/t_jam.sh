# SPDX-License-Identifier: ISC
# t_jam.sh - --model jam21: the numbers of executions, beside those of rc11. The programs' are those that a brute-force
# evaluation of both models' definitions gives for their graphs.
. "$(dirname "$0")/lib.sh"

counted() { # NAME MODEL N
	"$heddle" run -q --keep-going --symmetry never --model "$2" --json count.json "./$1" >/dev/null 2>&1
	[ "$(jq -c '[.complete, .executions, .failing]' count.json)" = "[true,$3,0]" ] && pass "$1, $2: $3" ||
		fail "$1, $2: $3" "$(jq -c '[.complete, .executions]' count.json)"
}

while read -r name jam rc11; do
	"$cc" -O1 -g -D"$name" -o "$name" "$here/model/jam.c" 2>build.log || fail "$name: compiles" "$(cat build.log)"
	counted "$name" jam21 "$jam"
	counted "$name" rc11 "$rc11"
done <<'END'
SB 4 4
SB_scfs 3 3
SB_4sc 3 3
SB_3sc_rel 4 4
SB_3sc_acq 4 4
SB_2sc_scf 3 3
SB_rfis 3 4
MP_rel_acq 3 3
MP_relf_acqf 3 3
MP_relseq 5 5
ISA2_opq 7 8
S_rel_acq 3 3
WW_4sc 3 3
WW_scfs 3 3
WW_2sc_scf 3 3
W_RWC 7 7
peterZ 7 7
Z6_acq 7 7
RWC_syncs 7 7
IRIW_acq_sc 16 16
IRIW 15 15
volatile_non_sc 42 42
one_thread 1 1
MP_rmw 9 9
END
refused "no such model" 'wanted sc, tso' "$heddle" run --model jam22 ./SB
t "model check" 0 "$heddle" model check "$B/share/heddle/models/jam21.cat"
has "load buffering is excluded" out '^  load buffering +excluded'
has "coherence is required" out '^  coherence +required'
printf 'with o from linearisations(po, W)\nacyclic o\n' >wrong.cat
t "linearisations of no set" 2 "$heddle" model check wrong.cat
has "linearisations of no set: its place" err 'wrong.cat:1:13: linearisations takes a set and a relation'
# All stores in one order that agrees with program order: so that of all locations, and loads see the last.
printf 'with mo from linearisations(W, po & W * W | co | rf; po & W * W)\nacyclic mo | po | rf | fr as sc\n' >order.cat
t "an order of all stores" 0 "$heddle" run --keep-going --model order.cat ./SB
has "an order of all stores: sequential consistency" out ' 3 executions, complete'
# Its axioms are the reason in a comparison, and those of repairs.
"$heddle" compare --from jam21 --to rc11 --level executions ./SB_rfis >out 2>err
has "compare: the axiom" out '^  axiom +coherence of jam21\.cat forbids this execution$'
has "compare: the file" out '^NEW     an execution that is impossible under jam21\.cat'
finish
