#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Functions have at most 60 lines (a table or switch may have a reason: a comment "long: reason" on the line before),
# files at most 650, headers at most 270. Lines of C have at most 100 columns, but for tested programs, whose comments
# are read by scripts and whose lines are numbered in expected reports. Each file begins with its purpose.
set -eu
cd "$(dirname "$0")/../.."
bad=0

mapfile -t files < <(git ls-files '*.c' '*.h' '*.cc' '*.S')
for file in "${files[@]}"; do
	[ -s "$file" ] || { echo "$file: empty"; bad=1; }
done
# The first line of tests/bugs, clean and real is the verdict.
wrong=$(printf '%s\n' "${files[@]}" | xargs awk '
	BEGIN { programs = "^tests/(abi|bugs|clean|cli|executions|fences|kernel|litmus|native|prove|races|real|scale)/" }
	function end() {
		limit = file ~ /\.h$/ ? 270 : 650
		if (lines > limit)
			print file ": " lines " lines, more than " limit
	}
	FNR == 1 {
		end()
		file = FILENAME
		white = 0
		if (!/SPDX-License-Identifier: ISC/ && file !~ /^tests\/(bugs|clean|real)\//)
			print file ": no SPDX line"
	}
	{ lines = FNR }
	{
		text = $0
		for (columns = 0; (at = index(text, "\t")); text = substr(text, at + 1))
			columns += at - 1 + 8 - (columns + at - 1) % 8
		if (columns + length(text) > 100 && file !~ programs && file !~ /\.S$/)
			print file ":" FNR ": more than 100 columns"
	}
	/[ \t]$/ && !white++ { print file ": white space at the end of a line" }
	END { end() }')
[ -z "$wrong" ] || { echo "$wrong"; bad=1; }

long=$(git ls-files '*.c' '*.cc' | xargs awk '
	FNR == 1 { start = excused = 0 }
	/long: / { excused = 1 }
	/^\{$/ { start = FNR }
	/^\}$/ && start {
		if (FNR - start - 1 > 60 && !excused)
			print FILENAME ":" start ": a function of " FNR - start - 1 " lines"
		start = 0
		excused = 0
	}')
[ -z "$long" ] || { echo "$long"; bad=1; }
exit $bad
