# SPDX-License-Identifier: ISC
# t_several.sh - --keep-going: all failures, in any order; a search whose executions were ended by one is not complete.
. "$(dirname "$0")/lib.sh"

build -o several "$here/several.c"
build -o race "$here/several.c" -DRACE

found() { jq -r '[.findings[].message | sub("^assertion .*(?<w>first|second|third).*"; "\(.w)")] | sort | join(" ")' run.json; }

for how in "tso dfs" "tso rf" "sc graph" "rc11 graph" "pso graph --equivalence rf" "rc11 graph -j2"; do
	rm -f ./*.heddle
	# shellcheck disable=SC2086
	"$heddle" run --model ${how/ / --strategy } --keep-going --json run.json ./several >out 2>&1
	[ "$(found) $(jq .complete run.json)" = "first second third true" ] && pass "$how: all three" ||
		fail "$how: all three" "$(found)"
	[ "$(jq '.executions == .failing' run.json)" = true ] && pass "$how: every execution fails" ||
		fail "$how: every execution fails" "$(cat out)"
	hasnt "$how: no bug of ours" out 'bug:'
	for file in ./*.heddle; do
		"$heddle" replay "$file" >replayed 2>&1
		grep -qxF -- "$(head -1 replayed)" out && pass "$how: replay of $file" ||
			fail "$how: replay of $file" "$(cat replayed)"
	done
done

for how in "rf" "graph" "graph --equivalence rf" "graph -j2"; do
	# shellcheck disable=SC2086
	"$heddle" run --model tso --strategy $how --keep-going ./race >out 2>&1
	has "race, $how: not complete" out 'not complete: executions stop at the first data race \(--races=promote\)'
	# shellcheck disable=SC2086
	"$heddle" run --model tso --strategy $how --keep-going --races promote ./race >out 2>&1
	has "race, $how, promoted: what fails behind it" out '^FAILED  assertion .*third'
	has "race, $how, promoted: complete" out '^heddle: .* complete, '
done
finish
