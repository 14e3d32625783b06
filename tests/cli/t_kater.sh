# SPDX-License-Identifier: ISC
# t_kater.sh - heddle kater: claims about models that come with heddle and about relations; counterexamples that are
# compiled and explored under both models; JSON, exit codes, mistakes.
. "$(dirname "$0")/lib.sh"

top=$(cd "$here/../.." && pwd)

t "holds" 0 "$heddle" kater sc within tso
has "holds: the claim" out '^holds   sc within tso$'
t "fails" 1 "$heddle" kater --run --output programs --json answers.json tso within sc
has "fails: a shortest cycle" out '^ +axiom sc of sc: (\[[RW] rlx\] (po|fre|coe|rfe) ?){4}$'
has "fails: happens under the one" out '^ +heddle run --model tso.cat: it happens$'
has "fails: not under the other" out '^ +heddle run --model sc.cat: it does not happen$'
[ "$(jq -r '.[0].verdict, .[0].happens_in_stronger, .[0].happens_in_weaker' answers.json | tr '\n' ' ')" = "fails true false " ] &&
	pass "fails: JSON" || fail "fails: JSON" "$(cat answers.json)"
"$cc" -g -o sb programs/kater1.c
t "its program, tso" 1 "$heddle" run --model tso ./sb
t "its program, sc" 0 "$heddle" run --model sc ./sb

for file in models relations theory; do
	t "examples/$file.kat" 0 "$heddle" kater "$top/examples/$file.kat"
	hasnt "examples/$file.kat: nothing is unknown" out '^(unknown|refused)'
done
grep -A1 '^fails' out | grep '^ ' | tr -s ' \n' ' ' >words
[ "$(cat words)" = " rf rf rf co co co rf rf^-1 co " ] && pass "theory.kat: the words" || fail "theory.kat: the words" "$(cat words)"

# Each edge of program order of its machine matters.
cat >tso2.cat <<'EOT'
let kept = po & (R * M | W * W)
let fenced = [F & SC]; po | po; [F & SC] | [W & SC]; po
acyclic kept | fenced | rfe | co | fr as tso
acyclic po-loc | rf | co | fr as coherence
EOT
cat >own.kat <<'EOT'
model own = "tso2.cat"
check tso within own
refute own within tso
model less = own without tso
refute less within own
EOT
t "a model of one's own" 0 "$heddle" kater --run own.kat
has "RMWs are barriers" out 'rmw'
has "less is not a file" out 'has fewer axioms than its file'
[ "$(grep -c 'model tso2.cat: it happens$' out)" = 1 ] && pass "its program" || fail "its program" "$(cat out)"

# mistake TITLE LINE:COLUMN MESSAGE: of the file on standard input
mistake() {
	cat >bad.kat
	t "$1" 2 "$heddle" kater bad.kat
	has "$1: where, and what" err "^heddle: bad.kat:$2: $3"
	has "$1: a caret" err '^ *\^$'
}
mistake "an unknown model" 1:18 'no model `tzo' <<<'check sc within  tzo'
mistake "an unknown axiom" 2:31 '`rc11. has no axiom `thin-air' <<<'(* a comment *)
check tso within rc11 without thin-air'
mistake "an unknown name" 1:7 '`pp. is not defined' <<<'check pp = po'
mistake "an intersection" 1:10 '`&. of relations is not regular' <<<'check po & rf = 0'
mistake "a set" 1:12 'a set, where a relation is expected' <<<'check po = W'
mistake "no statement" 1:1 'a statement is expected here' <<<'po = po'
mistake "no claim" 2:1 '`<=. or `=. is expected here' <<<'check po'
t "a mistake on the command line" 2 "$heddle" kater sc within
has "a mistake on the command line" err '^heddle: claim:1:10: a model is expected here'
t "no claim" 2 "$heddle" kater
t "no file" 2 "$heddle" kater missing.kat
t "not regular" 3 "$heddle" kater jam21 within sc
has "not regular: the construct" out 'jam21.cat:[0-9:]+ `linearisations'

finish
