#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Layers only look down: a file of layer L includes nothing of a layer to the right of L in
# runtime/LAYERS; detect and explore do not include each other; tools include the pure layers only.
set -eu
cd "$(dirname "$0")/../.."
read -ra layers <runtime/LAYERS
bad=0

rank() {
	local i
	for i in "${!layers[@]}"; do
		[ "${layers[$i]}" = "$1" ] && echo "$i" && return
	done
	echo -1
}

complain() {
	echo "$1 includes \"$2\": $3"
	bad=1
}

includes() {
	grep -oE '^#include "[a-z]+/[^"]+"' "$1" | cut -d'"' -f2 || true
}

for file in runtime/*/*.[ch]; do
	own=$(basename "$(dirname "$file")")
	for header in $(includes "$file"); do
		other=${header%%/*}
		r=$(rank "$other")
		[ "$r" -ge 0 ] || continue
		[ "$r" -le "$(rank "$own")" ] || complain "$file" "$header" "layers look down only"
		case $own/$other in
		detect/explore | explore/detect) complain "$file" "$header" "these two are siblings" ;;
		esac
	done
done

for file in $(find tools instrument examples -name '*.[ch]' -o -name '*.cc'); do
	for header in $(includes "$file"); do
		case ${header%%/*} in
		detect | explore | machine | intercept) complain "$file" "$header" "outside the tested process" ;;
		esac
	done
done
exit $bad
