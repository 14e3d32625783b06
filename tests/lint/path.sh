#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What is on the path of an access calls none of libc's string functions: where the program's own
# calls of them are ours (libc.def, tsan/names.c), it would come by way of the interposed ones. There is
# process/bytes.h. (memcpy, memmove and memset are what the compiler makes of copies.) And nothing of what is looked at
# with TINY=1 only is called.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

names=$(sed -n 's/^LIBC([^,]*, \(\w*\),.*/\1/p' include/heddle/libc.def | sort)
for file in runtime/{graph,buffers,heap,cycle,sync}/*.c \
	runtime/machine/{access,choice,engine,record,slots,spin,sync,tsan_store,wait}.c; do
	case $file in *_invariants.c) continue ;; esac
	for name in $(comm -12 <(echo "$names") <(nm -u "$B/obj/rt/${file%.c}.o" | awk '{print $2}' | sort)); do
		echo "$file calls $name (process/bytes.h)"
		bad=1
	done
done

if [ ! -e "$B/obj/rt/runtime/model/graph_invariants.o" ]; then # not a build with TINY=1
	checks=$(sed -n 's/^void \(\w*_check\w*\)(.*/\1/p' runtime/*/*_invariants.c | sort)
	[ -n "$checks" ] || bad=1
	for name in $(comm -12 <(echo "$checks") <(nm -u "$B/obj/heddle.o" "$B"/obj/rt/runtime/*/*.o | awk '{print $2}' | sort -u)); do
		echo "$name() is called in an ordinary build"
		bad=1
	done
fi
exit $bad
