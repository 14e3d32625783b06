#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Every header compiles alone; the public ones as C and as C++. The include guard is the path, as in #include.
set -eu
cd "$(dirname "$0")/../.."
bad=0
llvm=$(llvm-config --cflags 2>/dev/null | tr ' ' '\n' | grep '^-I' || true)
# The compiler for a processor's own headers, if there is one: else they are left out.
cc_of() {
	local machine=${1#runtime/arch/}
	machine=${machine%/*}
	case $1 in
	runtime/arch/*/*) [[ $(${CC:-cc} -dumpmachine) = "$machine"* ]] || { command -v "$machine-linux-gnu-gcc" || echo true; return; } ;;
	esac
	echo "${CC:-cc}"
}

for header in runtime/*/*.h runtime/*/*/*.h tools/*.h tools/*/*.h instrument/*.h; do
	[ -e "$header" ] || continue
	case $header in tools/*/*) path=${header#tools/} ;; *) path=${header#runtime/} ;; esac
	guard=$(tr 'a-z/.' 'A-Z__' <<<"$path")
	grep -qx "#ifndef $guard" "$header" && grep -qx "#define $guard" "$header" ||
		{ echo "$header: its include guard is not $guard" && bad=1; }
	# shellcheck disable=SC2086
	$(cc_of "$header") -std=gnu11 -fsyntax-only -Wall -Wextra -Wno-unused-parameter -Wno-unused-function \
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
