#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The runtime exports what abi.def and heddle.h name, and functions of libc and libatomic that it
# stands in front of; no internal name can collide with one of the program's.
set -eu
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

exported=$(nm --defined-only -g "$B/obj/heddle.o" | awk 'NF == 3 {print $3}' | sort -u)
ours=$(grep -ohE '\b_*heddle_[a-z0-9_]+' include/heddle/abi.def include/heddle/{heddle,lin}.h | sort -u)
ours+=$'\n'$(sed -n 's/^LIBC([^,]*, \(\w*\),.*/__heddle_lib_\1/p' include/heddle/libc.def)
libc=$(for lib in $(${CC:-cc} -print-file-name=libc.so.6); do
	nm -D --defined-only "$lib" | awk '{print $3}' | sed 's/@.*//'
done | sort -u)
for name in $exported; do
	case $name in
	__atomic_* | atomic_*) continue ;;
	__start_heddle_* | __stop_heddle_*) continue ;;
	__heddle_failure_point) continue ;;
	atexit | at_quick_exit) continue ;; # in libc_nonshared.a
	CU_*) # CUnit's: cunit.c
		nm -D --defined-only "$(${CC:-cc} -print-file-name=libcunit.so)" | grep -q " T $name\$" && continue
		;;
	esac
	grep -qx -- "$name" <<<"$ours" && continue
	grep -qx -- "$name" <<<"$libc" && continue
	echo "exported, and neither ours nor libc's: $name"
	bad=1
done
for name in $(grep -oE '__heddle_[a-z0-9_]+' include/heddle/abi.def | sort -u); do
	grep -qx -- "$name" <<<"$exported" || { echo "in abi.def, but not exported: $name"; bad=1; }
done
exit $bad
