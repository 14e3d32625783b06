#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Every header compiles alone; the public ones as C and as C++.
set -eu
cd "$(dirname "$0")/../.."
bad=0
llvm=$(llvm-config --cflags 2>/dev/null | tr ' ' '\n' | grep '^-I' || true)
for header in runtime/*/*.h runtime/arch/*/*.h tools/*.h tools/*/*.h instrument/*.h; do
	[ -e "$header" ] || continue
	# shellcheck disable=SC2086
	${CC:-cc} -std=gnu11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Wno-unused-function \
		-D_GNU_SOURCE -Iruntime -Iinclude -Itools -I. $llvm -x c "$header" || bad=1
done
has() { echo "#include <$1>" | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null; }
for header in include/heddle/*.h; do
	case $header in
	*/check.h | */cmocka.h | */unity.h) # for frameworks in C, if they are installed
		has "$(basename "$header")" || [ "$header" = include/heddle/cmocka.h ] || continue
		${CC:-cc} -std=gnu11 -fsyntax-only -Wall -Wextra -Iinclude -x c "$header" || bad=1
		continue
		;;
	esac
	${CC:-cc} -std=c11 -fsyntax-only -Wall -Wextra -Iinclude -x c "$header" || bad=1
	${CXX:-c++} -std=c++11 -fsyntax-only -Wall -Wextra -Iinclude -x c++ "$header" || bad=1
done
exit $bad
