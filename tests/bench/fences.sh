#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# bench/fences.sh - time to the proved repair of the mutual exclusion algorithms of tests/fences, beside the times of
# A. Linden's thesis (Liège, 2013; with the deletion of unneeded fences) for the same algorithms: other machines, and
# state spaces of endless loops there, two rounds (three threads: one) here. Compare orders of magnitude only.
#
#   B=build tests/bench/fences.sh
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
B=$(realpath "${B:-$top/build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# program, seconds of the thesis under tso and pso
thesis() {
	cat <<-'END'
		dekker 2.57 4.0
		peterson 0.35 2.01
		peterson3 7.26 51.4
		bakery 2.28 6.10
		bakery3 145 3861
		burns 1.12 1.60
		szymanski 2.39 2.67
		dijkstra 3.35 3.07
		fast_mutex 4.33 9.57
	END
}

printf '%-11s %-5s %7s %12s %10s %9s %9s\n' program model fences explorations executions seconds thesis
# shellcheck disable=SC2034 # ${!model}
while read -r name tso pso; do
	"$B/bin/heddle-cc" -g -O0 -pthread "$top/tests/fences/$name.c" -o "$name"
	for model in tso pso; do
		"$B/bin/heddle" fences --model $model --changes after-store,before-store --json result.json \
			--patch /dev/null "./$name" >/dev/null || { echo "$name $model: not repaired"; exit 1; }
		jq -r --arg name "$name" --arg model $model --arg thesis "${!model}" '[.repairs[0].changes[].order] as $o |
			[$name, $model, ([$o[] | select(. == "seq_cst")] | length), ([$o[] | select(. == "release")] | length),
			.explorations, .executions, .seconds, $thesis] | @tsv' result.json
	done
done < <(thesis) |
	awk -F'\t' '{printf "%-11s %-5s %7s %12d %10d %9.2f %9s\n", $1, $2, $3 "+" $4, $5, $6, $7, $8}'
