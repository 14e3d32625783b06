#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Code on the path of an access does not call libc's string functions: where the program's calls of them are redirected
# (libc.def, tsan/names.c), it would call the interposed ones. It uses process/bytes.h. (The compiler generates memcpy,
# memmove and memset for copies.) Nor does it call checks for TINY=1.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

names=$(sed -n 's/^LIBC([^,]*, \(\w*\),.*/\1/p' include/heddle/libc.def | sort)
for file in runtime/{graph,buffers,heap,cycle,sync}/*.c \
	runtime/machine/{access,choice,engine,record,spin,sync,wait}.c runtime/machine/execution/{slots,tsan_store}.c; do
	case $file in *_invariants.c) continue ;; esac
	for name in $(comm -12 <(echo "$names") <(nm -u "$B/obj/rt/${file%.c}.o" | awk '{print $2}' | sort)); do
		echo "$file calls $name (process/bytes.h)"
		bad=1
	done
done

if [ ! -e "$B/obj/rt/runtime/model/graph_invariants.o" ]; then # not a build with TINY=1
	checks=$(sed -n 's/^void \(\w*_check\w*\)(.*/\1/p' runtime/*/*_invariants.c | sort)
	[ -n "$checks" ] || bad=1
	for name in $(comm -12 <(echo "$checks") <(nm -u "$B/obj/heddle.o" "$B"/obj/rt/runtime/{*,*/*}/*.o | awk '{print $2}' | sort -u)); do
		echo "$name() is called in an ordinary build"
		bad=1
	done
fi
exit $bad
