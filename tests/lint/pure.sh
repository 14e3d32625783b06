#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The lines of LAYERS before arch are pure: their code calls nothing but itself, the four functions a compiler may call
# by itself, and stop_bug(). They have no thread-local storage.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0
mapfile -t pure < <(sed '/^arch$/,$d' runtime/LAYERS | tr ' ' '\n')
mapfile -t objects < <(for layer in "${pure[@]}"; do ls "$B/obj/rt/runtime/$layer"/*.o; done)

defined=$(nm --defined-only -g "${objects[@]}" | awk 'NF == 3 {print $3}' | sort -u)
wanted=$(nm -u "${objects[@]}" | awk '$1 == "U" {print $2}' | sort -u)
for name in $(comm -13 <(echo "$defined") <(echo "$wanted")); do
	case $name in
	memcpy | memmove | memset | memcmp | stop_bug | _GLOBAL_OFFSET_TABLE_) ;;
	*)
		echo "a pure layer calls $name: $(grep -lw "$name" "${pure[@]/#/runtime/}" --include=*.c -r | sort -u | tr '\n' ' ')"
		bad=1
		;;
	esac
done
exit $bad
