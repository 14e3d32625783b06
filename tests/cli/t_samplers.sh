# SPDX-License-Identifier: ISC
# t_samplers.sh - the numbers of samplers in the help are those that tests/bench/samplers.sh measures.
. "$(dirname "$0")/lib.sh"

row='^  ([a-z_]+) +([0-9]+) +([0-9]+) +([0-9]+) +(examples|four)'
t "help" 0 "$heddle" help strategies
sed -nE "s/$row.*/\1 \2 \3 \4/p" out >want
[ "$(wc -l <want)" = 5 ] && pass "help: five programs" || fail "help: five programs" "$(cat want)"
# shellcheck disable=SC2046
B=$B SAMPLERS="random pctwm,3,2 pctwm,6,4" "$here/../bench/samplers.sh" $(sed 's/ .*/.rc11/' want) >measured 2>&1
sed -nE 's/^([a-z_]+) +rc11 +/\1 /p' measured | tr -s ' ' >got
same "help: what is measured" want got
finish
