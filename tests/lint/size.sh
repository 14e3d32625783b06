#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Functions have at most 60 lines (a table or switch may say why not: a comment "long: reason" on the
# line before), files at most 800, headers at most 250, and each file says at its top what it is.
set -eu
cd "$(dirname "$0")/../.."
bad=0

for file in $(git ls-files '*.c' '*.h' '*.cc' '*.S'); do
	head -1 "$file" | grep -q 'SPDX-License-Identifier: ISC' || {
		case $file in
		tests/bugs/* | tests/clean/* | tests/real/*) ;; # their first line is the verdict
		*) echo "$file: no SPDX line" && bad=1 ;;
		esac
	}
	limit=800
	case $file in *.h) limit=250 ;; esac
	lines=$(wc -l <"$file")
	[ "$lines" -le "$limit" ] || { echo "$file: $lines lines, more than $limit"; bad=1; }
	grep -qP '[ \t]+$' "$file" && { echo "$file: white space at the end of a line"; bad=1; }
done

long=$(git ls-files 'runtime/*.c' 'tools/*.c' 'instrument/*.c' 'instrument/*.cc' | xargs awk '
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
