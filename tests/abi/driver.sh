# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2154,SC2016,SC2209
# driver.sh - options of heddle-cc; run.sh sources this.

says() { # exit code, pattern of its output or errors, command...
	local code=$1 pattern=$2 got
	shift 2
	"$@" >"$tmp/out" 2>&1
	got=$?
	grep -qE -- "$pattern" "$tmp/out" && [ $got = "$code" ] && return
	echo "exit code $got, expected $code and: $pattern"
	cat "$tmp/out"
	return 1
}

one_line() { # exit code 2 and exactly one line
	local pattern=$1
	shift
	says 2 "$pattern" "$@" && [ "$(wc -l <"$tmp/out")" = 1 ]
}

instrumented() { # an object, executable or library with Heddle's note
	readelf -n "$1" | grep -q 'heddle  '
}

driver_sources() {
	cat >main.c <<-EOF
		#include <stdio.h>
		#include "part.h"
		#ifdef EXTRA
		#include <heddle/heddle.h>
		#endif
		int main(void) { counter = 3; printf("%d\n", part()); return 0; }
	EOF
	echo 'extern int counter; int part(void);' >part.h
	printf '#include "part.h"\nint counter; int part(void) { return counter + 1; }\n' >part.c
	printf '.globl four\nfour: mov $4, %%eax\nret\n' >four.s
	echo 'int f(void) { return undeclared; }' >bad.c
	printf '#include <iostream>\nint main() { std::cout << 4 << "\\n"; }\n' >main.cc
}

prints_four() {
	[ "$("$1")" = 4 ]
}

compile_and_link() {
	$cc -g -O1 -c main.c && $cc -c part.c -o other.o && instrumented main.o && instrumented other.o &&
		$cc main.o other.o -o a && instrumented a && prints_four ./a
}

several_at_once() {
	rm -f a.out
	$cc main.c part.c && prints_four ./a.out
}

from_stdin() {
	cat part.c main.c | $cc -x c - -o b && prints_four ./b
}

shared_library() {
	$cc -fPIC -shared -o libpart.so part.c && instrumented libpart.so &&
		! nm -D --defined-only libpart.so | grep __heddle && $cc main.c -L. -lpart -Wl,-rpath,"$PWD" -o c &&
		prints_four ./c
}

no_undefined() { # Meson asks for it
	local linker
	for linker in bfd gold; do
		$cc -fPIC -shared -fuse-ld=$linker -Wl,--no-undefined -o libq.so part.c || return
	done
}

relocatable() {
	$cc -r -o both.o main.c part.c && instrumented both.o && $cc both.o -o d && prints_four ./d
}

archive() {
	$cc -c part.c -o part.o && rm -f libpart.a && ar rc libpart.a part.o && $cc main.c libpart.a -o e &&
		prints_four ./e
}

response_file() {
	printf -- '-DEXTRA -O2\n"main.c" part.c' >args && $cc @args -o f && prints_four ./f &&
		printf -- '-c main.c @inner' >args && echo '-o g.o' >inner && $cc @args && instrumented g.o
}

preprocess() {
	$cc -E -DEXTRA main.c | grep -q heddle_check &&
		$cc -MM main.c | grep -q 'main.o: main.c part.h' &&
		$cc -MMD -MF deps -MT target -c main.c -o h.o && grep -q '^target: main.c' deps &&
		$cc -E -dM -x c /dev/null | grep -q __clang__
}

to_assembly() {
	$cc -S -O2 part.c -o part.s && grep -q __heddle_plain_load4 part.s && $cc main.c part.s -o i &&
		prints_four ./i && $cc -S -emit-llvm part.c -o part.ll && grep -q __heddle part.ll &&
		$cc -c part.ll -o j.o && instrumented j.o
}

assembler_input() {
	echo 'int four(void); int main(void) { return four() - 4; }' >k.c && $cc k.c four.s -o k && ./k &&
		cp four.s four2.S && $cc -c four2.S -o four2.o
}

precompiled_header() {
	cp part.h pch.h && $cc pch.h && { [ -e pch.h.gch ] || [ -e pch.h.pch ]; } && $cc -x c-header pch.h -o x.pch &&
		$cc -include-pch x.pch -c part.c -o l.o
}

cxx_program() {
	local level
	for level in -O0 -O2; do
		$cxx $level main.cc -o m && instrumented m && prints_four ./m || return 1
	done
}

after_dashes() {
	$cc -o o -- main.c part.c && prints_four ./o
}

debug_lines() { # an inserted call has the line of the access
	$cc -g -O2 -S -o - part.c | awk '/\.loc/ {line = $3} /__heddle_plain_load4/ {print line}' |
		grep -qx 2
}

no_plt() { # a shared library calls through the GOT
	$cc -fPIC -O2 -S -o - part.c | grep -q '__heddle_plain_load4@GOTPCREL'
}

installed() { # everything is found relative to the driver, also in a place with blanks
	local to="$tmp/some prefix"
	mkdir -p "$to/bin" "$to/lib/heddle" && cp "$B"/bin/heddle-cc "$to/bin/" &&
		cp "$B"/lib/libheddle.a "$to/lib/" && cp -r "$B"/lib/heddle/* "$to/lib/heddle/" &&
		cp -r "$B/include" "$to/" && "$to/bin/heddle-cc" -DEXTRA main.c part.c -o p && prints_four ./p &&
		rm "$to/lib/libheddle.a" && one_line 'libheddle.a: No such file' "$to/bin/heddle-cc" main.c part.c &&
		rm "$to/lib/heddle/heddle_pass.so" &&
		one_line 'heddle_pass.so: No such file' "$to/bin/heddle-cc" -c main.c
}

other_clang() {
	HEDDLE_CC=$tmp/none one_line "cannot run $tmp/none" "$cc" -c main.c &&
		HEDDLE_CC=echo says 0 'fpass-plugin.*-c main.c' "$cc" -c main.c &&
		HEDDLE_CXX=echo says 0 'fpass-plugin.*-c main.cc' "$cxx" -c main.cc
}

gcc_compiler() {
	$cc --gcc -g -O1 -DEXTRA -c main.c && $cc --gcc -c part.c -o other.o && $cc --gcc main.o other.o -o q &&
		prints_four ./q && ! ldd ./q | grep tsan && "$B/bin/heddle" run -q ./q &&
		$cxx --gcc main.cc -o q++ && prints_four ./q++ &&
		HEDDLE_GCC=echo says 0 'fsanitize=thread.*-c main.c' "$cc" --gcc=tsan -c main.c &&
		HEDDLE_GXX=echo says 0 'fsanitize=thread.*-c main.cc' "$cxx" --gcc=tsan -c main.cc || return
	[ ! -e "$B/lib/heddle/gcc/plugin.so" ] ||
		HEDDLE_GCC=echo says 0 'fplugin=.*/plugin.so.*-c main.c' "$cc" --gcc -c main.c
}

# Inline assembly is found on every way to the assembler.
assembler_ways() {
	local options
	echo 'int x; int main(void) { __asm__ volatile("lock; incl %0" : "+m"(x)); return x != 1; }' >asm.c
	echo 'int x; int main(void) { __asm__ volatile("lock; rorl $1, %0" : "+m"(x)); return x; }' >odd.c
	for options in -c "-c -pipe" "-c -save-temps" "-c @pipe" "-c -x c" "-c -fno-pic -O2" "-c -g3 -O1 -fno-ident"; do
		echo '-pipe -O1' >pipe
		# shellcheck disable=SC2086
		rm -f asm.o && $cc --gcc $options asm.c && nm asm.o | grep -q 'U __heddle_asm' || return 1
	done
	$cc --gcc -S asm.c && ! grep __heddle_asm asm.s && $cc --gcc asm.s -o asm && ./asm && nm asm | grep -q __heddle_asm &&
		$cc --gcc -pipe -x c - -o asm <asm.c && ./asm && [ "$($cc --gcc -E asm.c | grep -c heddle)" = 0 ] &&
		says 0 'odd.c:1: warning: heddle: inline assembly not understood: lock; rorl' "$cc" --gcc -Werror -c odd.c &&
		[ -z "$($cc --gcc -w -c odd.c 2>&1)" ]
}

# Symbols marked as used, data alone, partial links, garbage collection and strip: the note is still there.
note_stays() {
	local level compiler linker
	printf 'static const char id[] __attribute__((used)) = "$Id$";\n#include "part.h"\n
		int counter; int part(void) { return counter + 1; }\n' >used.c
	echo 'const char version[] __attribute__((used, retain, visibility("hidden"))) = "1";' >data.c
	for level in -O0 -O1 -O2; do
		$cc $level -c used.c && $cc $level -c data.c && instrumented used.o && instrumented data.o || return 1
	done
	for linker in bfd gold lld; do
		type ld.$linker >/dev/null 2>&1 || continue
		for compiler in --volatile=atomic --gcc; do
			$cc $compiler -O2 -ffunction-sections -fdata-sections -fvisibility=hidden -c used.c data.c main.c &&
				rm -f libused.a && ar rc libused.a used.o data.o main.o &&
				$cc $compiler -fuse-ld=$linker -Wl,--gc-sections libused.a -o used && strip used && instrumented used &&
				ld.$linker -r used.o data.o main.o -o used_all.o && strip -g used_all.o &&
				$cc $compiler -fuse-ld=$linker -Wl,--gc-sections -s used_all.o -o used && objcopy -S used &&
				instrumented used && prints_four ./used || return 1
		done
	done
}

# Functions in functions need stacks that can be executed; other programs do not get them.
trampolines() {
	cat >stack.h <<-EOF
		#include <assert.h>
		#include <pthread.h>
		#include <stdio.h>
		static int stack_runs(void) {
			char line[256], x = 0;
			unsigned long from, to, here = (unsigned long)&line;
			FILE *f = fopen("/proc/self/maps", "r");
			while (fgets(line, sizeof line, f))
				if (sscanf(line, "%lx-%lx %*c%*c%c", &from, &to, &x) == 3 && from <= here && here < to)
					break;
			fclose(f);
			return x == 'x';
		}
		static int in_thread(void *(*f)(void *)) {
			pthread_t t;
			return pthread_create(&t, 0, f, 0) || pthread_join(t, 0);
		}
	EOF
	cat >nested.c <<-EOF
		#include "stack.h"
		int main(void) {
			int n = 0;
			void *f(void *a) { n += 1 + stack_runs(); return a; }
			assert(!in_thread(f) && n == 2);
		}
	EOF
	cat >flat.c <<-EOF
		#include "stack.h"
		static void *f(void *a) { assert(!stack_runs()); return a; }
		int main(void) { return in_thread(f); }
	EOF
	$cc --gcc -w -g -o nested nested.c 2>/dev/null && $cc -g -o flat flat.c &&
		says 0 'complete, 0 failing' "$B/bin/heddle" run ./nested && says 0 'complete, 0 failing' "$B/bin/heddle" run ./flat
}

# Objects of another compiler's sanitizer, and a program compiled completely with it.
sanitized() {
	local compiler
	for compiler in gcc "$clang"; do
		"$compiler" -fsanitize=address -o sanitized main.c part.c 2>/dev/null || continue
		one_line 'sanitized: compiled with -fsanitize=address, which cannot be explored' "$B/bin/heddle" run ./sanitized || return 1
	done
	gcc -fsanitize=address -c part.c 2>/dev/null && $cc main.c part.o -lasan -o sanitized || return 0
	one_line 'compiled with -fsanitize=address' "$B/bin/heddle" run ./sanitized
}

driver() {
	mkdir -p "$tmp/driver"
	cd "$tmp/driver" || exit 2
	driver_sources
	check "driver: -c, then link" compile_and_link
	check "driver: several inputs at once" several_at_once
	check "driver: source from standard input" from_stdin
	check "driver: -shared" shared_library
	check "driver: -shared -Wl,--no-undefined" no_undefined
	check "driver: -r" relocatable
	check "driver: static library" archive
	check "driver: the note stays" note_stays
	check "driver: response files" response_file
	check "driver: -E, -MM, -MMD, -dM" preprocess
	check "driver: -S, -emit-llvm" to_assembly
	check "driver: assembler input" assembler_input
	check "driver: precompiled headers" precompiled_header
	check "driver: heddle-c++" cxx_program
	check "driver: files after --" after_dashes
	check "driver: lines of inserted calls" debug_lines
	check "driver: no PLT in shared libraries" no_plt
	check "driver: another prefix; missing parts" installed
	check "driver: HEDDLE_CC, HEDDLE_CXX" other_clang
	check "driver: --gcc" gcc_compiler
	check "driver: --gcc, trampolines" trampolines
	check "driver: --gcc, inline assembly" assembler_ways
	check "driver: --gcc, not installed" one_line "cannot run $tmp/none: .*HEDDLE_GCC" env HEDDLE_GCC="$tmp/none" \
		"$cc" --gcc -c main.c
	check "driver: --gcc -fsanitize=thread" "$cc" --gcc -fsanitize=thread main.c part.c -o r
	check "driver: --version" says 0 'clang version' "$cc" --version
	check "driver: -v alone" says 0 'clang version' "$cc" -v
	check "driver: -Wl,--version" says 0 'GNU ld|LLD|gold' "$cc" -Wl,--version
	check "driver: -print-file-name" says 0 'libc.so' "$cc" -print-file-name=libc.so.6
	check "driver: -###" says 0 'whole-archive' "$cc" -### main.c part.c
	check "driver: -fsyntax-only" "$cc" -fsyntax-only main.c
	check "driver: no input" says 1 'no input files' "$cc" -O2
	check "driver: an error in the source is clang's" says 1 'bad.c:1:.*error:' "$cc" -c bad.c
	check "driver: --heddle-help" says 0 'volatile=plain' "$cc" --heddle-help
	check "driver: --help" says 0 'exit status' "$cc" --help
	check "driver: --heddle-verbose" says 0 'fpass-plugin' "$cc" --heddle-verbose -c main.c
	check "driver: -flto is refused" one_line 'flto: link-time' "$cc" -flto -c main.c
	check "driver: -flto=thin is refused" one_line 'flto=thin: link-time' "$cc" main.c -flto=thin
	check "driver: -flto -fno-lto is not" "$cc" -flto -fno-lto -c main.c
	check "driver: -static is refused" one_line 'static: leave it out' "$cc" -static main.c part.c
	check "driver: -static-pie is refused" one_line 'static-pie: leave it out' "$cc" -static-pie main.c part.c
	check "driver: -static -c is not" "$cc" -static -c main.c
	check "driver: -fsanitize=thread is refused" one_line 'sanitize=undefined,thread: not' "$cc" \
		-fsanitize=undefined,thread -c main.c
	check "driver: -fsanitize=undefined is not" "$cc" -fsanitize=undefined -c main.c
	check "driver: -fsanitize=address is refused" one_line 'sanitize=address: not together with heddle' "$cc" \
		-fsanitize=address -c main.c
	check "driver: -fsanitize=leak is refused" one_line 'sanitize=undefined,leak: not' "$cc" --gcc \
		-fsanitize=undefined,leak -c main.c
	check "driver: -fno-sanitize=address is not" "$cc" -fsanitize=address -fno-sanitize=address -c main.c
	check "driver: programs of -fsanitize=address are refused" sanitized
	check "driver: --gcc -masm=intel is refused" one_line 'masm=intel: not with --gcc' "$cc" --gcc -masm=intel -c main.c
	check "driver: -masm=intel is not" "$cc" -masm=intel -c main.c
	check "driver: -m32 is refused" one_line 'm32: only 64-bit' "$cc" -m32 -c main.c
	check "driver: musl is refused" one_line 'x86_64-alpine-linux-musl: musl .Alpine. is not' "$cc" --target=x86_64-alpine-linux-musl -c main.c
	check "driver: another machine is refused" one_line 'only to x86_64 and aarch64' "$cc" --target=riscv64 -c main.c
	check "driver: unknown --heddle option" one_line 'no such option' "$cc" --heddle-nonsense
	check "driver: unknown --volatile" one_line 'volatile=none' "$cc" --volatile=none
	cd "$top" || exit 2
}
