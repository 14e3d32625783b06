#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# The runtime exports what abi.def and heddle.h name, and the functions of libc and libatomic that it interposes; no
# internal name can collide with one of the program's. It refers to none of the functions for which libc_tls.c searches.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
B=${B:-build}
bad=0

exported=$(nm --defined-only -g "$B/obj/heddle.o" | awk 'NF == 3 {print $3}' | sort -u)
ours=$(grep -ohE '\b_*heddle_[a-z0-9_]+' include/heddle/abi.def include/heddle/{asm_call,heddle,lin}.h | sort -u)
ours+=$'\n'$(sed -n 's/^LIBC([^,]*, \(\w*\),.*/__heddle_lib_\1/p' include/heddle/libc.def)
names_in() { nm -D --defined-only "$(${CC:-cc} -print-file-name="$1")" | awk '{print $3}' | sed 's/@.*//'; }
libc=$(names_in libc.so.6 | sort -u)
cunit=$(names_in libcunit.so)
known=$(printf '%s\n' "$ours" "$libc" "$cunit" | sort -u)
while read -r name; do
	case $name in
	__atomic_* | atomic_*) continue ;;
	__tsan_* | __heddle_tsan_*) continue ;; # called by -fsanitize=thread
	__start_heddle_* | __stop_heddle_*) continue ;;
	__heddle_failure_point | __heddle_step | __heddle_stop_at | __heddle_step_point) continue ;;
	atexit | at_quick_exit) continue ;; # in libc_nonshared.a
	__isoc23_*) continue ;; # of glibc 2.38
	__wrap__ck_assert_failed | __wrap__tcase_add_test | __wrap_tcase_fn_start) continue ;; # of Check
	__wrap_UnityDefaultTestRun) continue ;; # of Unity
	_cmocka_run_group_tests | _fail | _skip | _test_*alloc | _test_free) continue ;; # cmocka's
	_Unwind_RaiseException | _Unwind_DeleteException | _ZNSt*) continue ;; # libstdc++'s (intercept/thread/exception.c)
	g_assertion_* | g_mutex_* | g_rec_mutex_* | g_rw_lock_* | g_cond_* | g_thread_*) continue ;; # GLib's, which need not be here
	esac
	echo "exported, and neither ours nor of libc or CUnit: $name"
	bad=1
done < <(comm -23 <(printf '%s\n' "$exported") <(printf '%s\n' "$known"))
for name in $(grep -oE '__heddle_[a-z0-9_]+' include/heddle/abi.def | sort -u); do
	grep -qx -- "$name" <<<"$exported" || { echo "in abi.def, but not exported: $name"; bad=1; }
done
# A program in which one of these names is referred to gets a real thread for each of its own.
undefined=$(nm -u "$B/obj/heddle.o" | awk '{print $2}')
for name in $(sed -n 's/.*find_call("\([a-z_]*\)".*/\1/p' runtime/process/libc_tls.c); do
	! grep -qx -- "$name" <<<"$undefined" || { echo "the runtime refers to $name: look it up by name (process/libc_tls.c)"; bad=1; }
done
exit $bad
