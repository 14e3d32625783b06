#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# What is on the path of an access calls none of libc's string functions: where the program's own
# calls of them are ours (libc.def, tsan/names.c), it would come by way of the interposed ones. There is
# process/bytes.h. (memcpy, memmove and memset are what the compiler makes of copies.)
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

names=$(sed -n 's/^LIBC([^,]*, \(\w*\),.*/\1/p' include/heddle/libc.def | sort)
for file in runtime/graph/*.c runtime/sync/*.c \
	runtime/machine/{access,heap*,image,lasso,late,record,sched,slots,spin,stuck}.c; do
	for name in $(comm -12 <(echo "$names") <(nm -u "$B/obj/rt/${file%.c}.o" | awk '{print $2}' | sort)); do
		echo "$file calls $name (process/bytes.h)"
		bad=1
	done
done
exit $bad
