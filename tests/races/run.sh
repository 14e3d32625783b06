#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# races/run.sh - the corpus of races.h: what is found must be what each case says, no more, no less; TAP.
#
#     B=build races/run.sh       under rc11, tso, pso and sc; LONG=1: compiled at -O0 and -O2, too
#
# What counts is the report: each race by the name of its variable and the lines of the two accesses, once for
# each pair of lines, whatever functions they have been compiled into.
set -u
cd "$(dirname "$0")" || exit 2
here=$PWD
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
categories=$(ls ./*.c | grep -v '^./races.c$')

# CASE VARIABLE LINE LINE, or CASE clean, or what went wrong.
found() { # model, program
	local replays

	"$2" "$1" >cases 2>&1
	replays=$(awk '$1 == "race" && NF == 2 {print $2}' cases)
	# shellcheck disable=SC2086
	[ -z "$replays" ] || "$B/bin/heddle" report --json - $replays |
		jq -r '.findings[] | .replay + " " + .message' |
		sed -nE 's/^[^ ]*\.([a-z0-9_]+)(-[0-9]+)?\.heddle data race on (.*): .* at [^ ]*:([0-9]+), .* at [^ ]*:([0-9]+)$/\1 \3 \4 \5/p' |
		awk '{if ($(NF - 1) > $NF) {x = $NF; $NF = $(NF - 1); $(NF - 1) = x}} !seen[$1, $(NF - 1), $NF]++'
	awk -F '[ \t]' '
		/^\t/ && $2 != "race" {print name " " $2}
		/^\t/ {next}
		{name = $1}
		$3 != "complete" && $2 != 1 {print $1 " is " $3 ", exit code " $2}
		$2 == 0 {print $1 " clean"}' cases
}

one() { # level, model
	local dir=$out/$1-$2 name

	mkdir "$dir" && cd "$dir" || return
	for name in $categories; do
		awk -v model="$2" -f "$here/expected.awk" "$here/$name" "$here/$name"
	done | sort >expected
	found "$2" "$out/races$1" | sort >found
	awk -v title="races $1 $2: " '
		NR == FNR {want[$1] = want[$1] "\n#   " $0; next}
		{got[$1] = got[$1] "\n#   " $0; if (!($1 in want)) want[$1] = "\n#   nothing"}
		END {
			for (name in want) {
				print (want[name] == got[name] ? "ok - " : "not ok - ") title name
				if (want[name] != got[name])
					print "# expected" want[name] "\n# found" got[name]
			}
		}' expected found
}

for level in -O1 ${LONG:+-O0 -O2}; do
	if ! "$B/bin/heddle-cc" -std=gnu11 -D_GNU_SOURCE -g "$level" -Wall -Wextra -Wno-unused-parameter \
		-pthread -o "$out/races$level" "$here"/*.c; then
		echo "not ok - races $level: compile"
		continue
	fi
	for model in rc11 tso pso sc; do
		one "$level" "$model"
	done
done | tee "$out/tap"
grep -q '^ok' "$out/tap" && ! grep -q '^not ok' "$out/tap"
