#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What each file of the runtime is: the first sentence of its top comment, layer by layer, lowest
# first (`make map`). A .c that only says "see x.h" goes with its header. Exit 1: a file does not say.
set -eu
shopt -s nullglob
cd "$(dirname "$0")"
bad=0
for layer in $(while read -ra row; do for l in "${row[@]}"; do echo "$l" && ls -d "$l"/{x86_64,aarch64} 2>/dev/null; done; done <LAYERS) tsan; do
	layer=${layer%/}
	echo "$layer/"
	for file in "$layer"/*.h "$layer"/*.def "$layer"/*.c "$layer"/*.S; do
		[ -e "$file" ] || continue
		words=$(awk -v own="$(basename "$file")" '
			FNR > 30 { exit }
			{ line = $0; gsub(/^[ \t]*(\/\*|\*\/|\*|#)?[ \t]*/, "", line); sub(/[ \t]*\*\/.*$/, "", line) }
			!found && index(line, own " - ") == 1 { found = 1; line = substr(line, length(own) + 4) }
			found && line == "" { exit }
			found { text = text (text == "" ? "" : " ") line }
			found && /\*\// { exit }
			END { sub(/\. .*$/, "", text); sub(/[.:]$/, "", text); print text }' "$file")
		case $words in
		"") echo "$file does not say what it is: \"$(basename "$file") - ...\" in its top comment" >&2; bad=1 ;;
		[Ss]"ee "*.h* | *", see "*.h*) ;;
		*) printf '  %-22s %s\n' "$(basename "$file")" "$words" ;;
		esac
	done
done
exit $bad
