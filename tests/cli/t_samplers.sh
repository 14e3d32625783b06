# SPDX-License-Identifier: ISC
# t_samplers.sh - the numbers of samplers in the help are those that tests/bench/samplers.sh measures.
. "$(dirname "$0")/lib.sh"

figure=' +([0-9]+|>)'
row="([a-z_/]+) +(rc11|tso)$figure$figure$figure"
t "help" 0 "$heddle" help strategies
sed -nE "s/^  $row  .*/\1 \2 \3 \4 \5/p" out >want
[ "$(wc -l <want)" = 7 ] && pass "help: seven rows" || fail "help: seven rows" "$(cat want)"
# shellcheck disable=SC2046
B=$B MOST=2000 SAMPLERS="random pctwm,3,2 pctwm,6,4" "$here/../bench/samplers.sh" \
	$(awk '{print $1 "." $2}' want) >measured 2>&1
sed -nE "s/^$row\$/\1 \2 \3 \4 \5/p" measured >got
same "help: what is measured" <(sort want) <(sort got)
finish
