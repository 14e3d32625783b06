#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The first ten lines of LAYERS, base to rf and traces, are pure: their code calls nothing but itself, the
# four functions a compiler may call by itself, and stop_bug(). They have no thread-local storage.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

defined=$(nm --defined-only -g "$B"/obj/rt/runtime/{base,event,object,cat,model,verify,detect,explore,trust,rf,traces}/*.o |
	awk 'NF == 3 {print $3}' | sort -u)
wanted=$(nm -u "$B"/obj/rt/runtime/{base,event,object,cat,model,verify,detect,explore,trust,rf,traces}/*.o |
	awk '$1 == "U" {print $2}' | sort -u)
for name in $(comm -13 <(echo "$defined") <(echo "$wanted")); do
	case $name in
	memcpy | memmove | memset | memcmp | stop_bug | _GLOBAL_OFFSET_TABLE_) ;;
	*)
		echo "a pure layer calls $name: $(grep -lw "$name" runtime/{base,event,object,cat,model,verify,detect,explore,trust,rf,traces}/*.c | tr '\n' ' ')"
		bad=1
		;;
	esac
done
exit $bad
