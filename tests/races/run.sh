#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# races/run.sh - the corpus of races.h, and generated programs: the findings must be exactly the expected ones; TAP.
#
#     B=build races/run.sh       under rc11, tso, pso and sc; LONG=1: compiled at -O0, at -O2 and by gcc, too, and
#                                thousands of generated programs (tests/verdicts has more of them, and always)
#     SEED=N                     the first seed of generated programs (1)
#     races/run.sh CASE...       these cases of the corpus only
#
# Under rc11 the report is compared: each race by the name of its variable and the lines of the two accesses, once for
# each pair of lines, independent of inlining. Under the other models, the verdict.
set -u
cd "$(dirname "$0")" || exit 2
here=$PWD
B=$(realpath "${B:-../../build}")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
corpus='orders.c locks.c waits.c memory.c bits.c kernels.c classic.c tsan.c'
names=$*
for name in $names; do
	grep -q "^CASE($name)" ./*.c || { echo "no such case: $name" >&2 && exit 2; }
done

compile() { # level or --gcc, program, source...
	local level=$1 program=$2
	shift 2
	"$B/bin/heddle-cc" -std=gnu11 -D_GNU_SOURCE -g "$level" -Wall -Wextra -Wno-unused-parameter -I"$here" \
		-pthread -o "$program" "$@" || echo "not ok - races: compile $program"
}

# The races of `cases`: CASE VARIABLE LINE LINE, lower line first. Without lines: CASE and words of the report.
races_in_full() {
	local replays

	replays=$(awk '$1 == "race" && NF == 2 {print $2}' cases)
	# shellcheck disable=SC2086
	[ -z "$replays" ] || "$B/bin/heddle" report --json - $replays |
		jq -r '.findings[] | .replay + " " + .message' |
		sed -E 's/^[^ ]*\.([a-z0-9_]+)(-[0-9]+)?\.heddle /\1 /
			s/^([^ ]+) data race on (.*): .* at [^ ]*:([0-9]+), .* at [^ ]*:([0-9]+)$/\1 \2 \3 \4/' |
		awk '$NF ~ /^[0-9]+$/ && $(NF - 1) > $NF {x = $NF; $NF = $(NF - 1); $(NF - 1) = x}
			!seen[$1, $(NF - 1), $NF]++'
}

# Explore the cases of a program. Full: also "CASE clean", or other errors of the case.
found() { # model, program
	# shellcheck disable=SC2086
	"$2" "$1" $names >cases 2>&1
	[ "$1" != rc11 ] || races_in_full
	awk -F '[ \t]' -v full="$([ "$1" = rc11 ] && echo 1)" '
		/^\trace/ {if (!full) print name " race"; next}
		/^\t/ {print name " " $2; next}
		{name = $1}
		$3 != "complete" && $2 != 1 {print $1 " is " $3 ", exit code " $2}
		$2 == 0 {print $1 " clean"}' cases
}

# The part of lines with more words that is compared under this model.
judged() { # model
	if [ "$1" = rc11 ]; then sort -u; else awk '{print (NF > 2 || $2 ~ /^r[0-9]/ ? $1 " race" : $0)}' | sort -u; fi
}

# Lines of the selected cases.
asked() {
	awk -v names=" $names " 'names == "  " || index(names, " " $1 " ")'
}

# A test for each case of the corpus.
explore_corpus() { # level, model
	local dir=$out/$1-$2 name

	mkdir "$dir" && cd "$dir" || return
	for name in $corpus; do
		awk -v model="$2" -f "$here/expected.awk" "$here/$name" "$here/$name"
	done | asked | judged "$2" >expected
	found "$2" "$out/races$1" | sort -u >found
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

# Random programs (generate.c), as they are or weakened: a test for all of them under one model.
explore_generated() { # level, seed, how many, [--weaken]
	local model name=generated$1-$2$4

	mkdir "$out/$name" && cd "$out/$name" || return
	# shellcheck disable=SC2086
	"$out/generate" $4 "$2" "$3" >g.c
	compile "$1" program -w g.c "$here/races.c"
	for model in rc11 tso pso sc; do
		awk -v model=$model '
			/^.\* race / {split($3, m, ":"); what = ("," m[1] ",") ~ ("," model ",") ? $4 : "clean"}
			/^.\* clean/ {what = "clean"}
			/^CASE/ {gsub(/CASE\(|\)/, ""); print $1 " " what}' g.c | judged $model >expected
		found $model ./program | sed -E 's/^(p[0-9]+ r[0-9]+_[0-9]+).*/\1/' | sort -u >found
		if [ "$(wc -l <expected)" = "$3" ] && diff expected found >differences; then
			echo "ok - races: $name, $model: $3 programs, $(grep -vc clean expected) racy"
		else
			echo "not ok - races: $name, $model"
			sed 's/^/# /' differences | head -20
		fi
	done
}

${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$out/generate" generate.c || exit 1
{
	for level in -O1 ${LONG:+-O0 -O2 --gcc}; do
		# shellcheck disable=SC2086
		compile "$level" "$out/races$level" races.c $corpus
		for model in rc11 tso pso sc; do
			(explore_corpus "$level" "$model")
		done
	done
	for ((i = 0; i < ${LONG:+2}0 && ${#names} == 0; i++)); do
		(explore_generated -O$((i % 3)) $((${SEED:-1} + i)) 100 "")
		(explore_generated -O$((i % 3)) $((${SEED:-1} + i)) 100 --weaken)
	done
} | tee "$out/tap"
grep -q '^ok' "$out/tap" && ! grep -q '^not ok' "$out/tap"
