#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
#
# run.sh - tests of the compiler pass and of heddle-cc. TAP on stdout; exit code 1 if one fails.
#
#     B=build JOBS=2 tests/abi/run.sh [SECTION...]      JOBS sections at a time
#
#   result   programs print the same whether instrumented or not, with two runtimes: the tests' own
#            recorder, and the real one (not exploring)
#   cxx      the same in C++
#   deps     accesses depend on the loads listed in the source (heddle-cc --deps), and such programs compute
#            the same
#   trace    programs make exactly the calls listed in their source
#   warn     unknown assembly is warned about once, known assembly is not
#   explore  a thread reads what it wrote, under TSO and PSO
#   real     clients of Concurrency Kit and liburcu, googletest: compiled without a warning, and run
#   driver   options of heddle-cc
#   buildsystems   heddle-cc as CC of autotools, CMake, Meson projects; heddle.pc, find_package(heddle);
#            all from an install prefix
#   compilers    gcc with our plugin, -fsanitize=thread of gcc and clang: the same findings as through our pass for
#            clang (LONG=1: in all of tests/bugs, tests/litmus, tests/clean, with all models; else in some of them)
#   versions     the pass built with every other LLVM that is installed (llvm-15-dev, clang-15 ...): the
#            sections above, and tests/executions. Only if named, or LONG=1: minutes for each

set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
B=$(realpath "${B:-$top/build}")
cc=$B/bin/heddle-cc
cxx=$B/bin/heddle-c++
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

ok() {
	n=$((n + 1))
	echo "ok $n - $1"
}

not_ok() { # name, [file with the reason]
	n=$((n + 1))
	failed=$((failed + 1))
	echo "not ok $n - $1"
	[ $# -lt 2 ] || tail -20 "$2" | sed 's/^/#   /'
}

skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

check() { # name, command...: succeeds
	local name=$1
	shift
	if "$@" >"$tmp/log" 2>&1; then ok "$name"; else not_ok "$name" "$tmp/log"; fi
}

# The LLVM that the pass was built with, as a number.
llvm_version() {
	$cc --version | sed -nE 's/.*clang version ([0-9]+).*/\1/p' | head -1
}

clang_of() { # c or cc: the plain compiler that the driver runs
	local driver=$cc
	[ "$1" = c ] || driver=$cxx
	$driver -### -x c -c /dev/null 2>&1 | sed -nE 's/^ "([^"]+)" "-cc1".*/\1/p' | head -1
}

build_recorder() {
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -I"$top/include" -c \
		-o "$tmp/recorder.o" "$here/recorder.c"
}

driver_for() {
	case $1 in *.cc) echo "$cxx" ;; *) echo "$cc" ;; esac
}

# --- result

result_one() { # source, level, runtime, options: compare with what plain clang makes
	local source=$1 level=$2 runtime=$3 name plain object
	shift 3
	name=$(basename "$source")
	object=$tmp/$name.$level$*.o # for both runtimes
	plain=$clang
	case $source in *.cc) plain="$clang --driver-mode=g++" ;; esac
	[ -e "$tmp/$name.$level.want" ] || {
		$plain -w -mcx16 "$level" -o "$tmp/plain" "$source" -lpthread -lm &&
			"$tmp/plain" >"$tmp/$name.$level.want"
	} || return 1
	[ -e "$object" ] || $(driver_for "$source") -w -g "$level" "$@" -c -o "$object" "$source" || return 1
	$(driver_for "$source") -g "$level" ${runtime:+"--heddle-runtime=$runtime"} -o "$tmp/tested" "$object" -lm ||
		return 1
	timeout 120 "$tmp/tested" >"$tmp/got" || return 1
	diff "$tmp/$name.$level.want" "$tmp/got"
}

results() { # sources
	local source level
	for source; do
		case $source in
		*/ck_pr.c) [ -e /usr/include/ck_pr.h ] || { skip "$source" "no libck-dev" && continue; } ;;
		*/vector.c)
			[[ ! $(llvm_version) =~ ^1[56]$ ]] || {
				skip "$source" "the back end of LLVM 15 and 16 crashes on it" && continue
			}
			;;
		esac
		[[ $source != */gnu.c ]] || continue # of gcc alone
		for level in -O0 -O1 -O2 -O3; do
			check "result: $(basename "$source") $level, recorder" \
				result_one "$source" $level "$tmp/recorder.o"
		done
		for level in -O0 -O2 -Os; do
			check "result: $(basename "$source") $level, runtime" result_one "$source" $level ""
		done
	done
}

# The doors of gcc: the plugin, if it was built.
gcc_doors() {
	[ ! -e "$B/lib/heddle/gcc/plugin.so" ] || echo plugin
	echo tsan
}

result_gcc() { # source, door, level, options
	local source=$1 door=$2 plain="gcc"
	shift 2
	[[ $source != *.cc ]] || plain="g++"
	$plain -w -mcx16 "$@" -o "$tmp/plain" "$source" -lm 2>"$tmp/log" && "$tmp/plain" >"$tmp/gcc.want" &&
		$(driver_for "$source") --gcc="$door" -w -g "$@" -o "$tmp/tested" "$source" -lm &&
		timeout 120 "$tmp/tested" >"$tmp/got" && diff "$tmp/gcc.want" "$tmp/got"
}

# Rewritten inline assembly (tools/gcc).
results_gcc() {
	local source level options door
	for door in $(gcc_doors); do
		for source in "$here"/result/asm_*.c "$here/result/ck_pr.c"; do
			[[ $source != */ck_pr.c || -e /usr/include/ck_pr.h ]] || continue
			for level in -O0 -O2; do
				check "result: $(basename "$source") --gcc=$door $level" result_gcc "$source" $door $level
			done
		done
		for options in "-fPIC -fno-plt" "-fno-pie -no-pie" "-O3 -march=native" "-O1 -fno-omit-frame-pointer"; do
			# shellcheck disable=SC2086
			check "result: asm_forms.c --gcc=$door $options" result_gcc "$here/result/asm_forms.c" $door $options
		done
	done
}

# Programs by gcc with the plugin.
results_plugin() { # sources
	local source level
	[ -e "$B/lib/heddle/gcc/plugin.so" ] || { skip "result: --gcc=plugin" "no headers of gcc's plugins" && return; }
	for source; do
		for level in -O0 -O1 -O2 "-O3 -fPIC" "-Os -fno-pie -no-pie"; do
			# shellcheck disable=SC2086
			check "result: $(basename "$source") --gcc=plugin $level" result_gcc "$source" plugin $level
		done
	done
}

result() {
	results "$here"/result/*.c
	results_gcc
	results_plugin "$here"/result/{gnu,language,loops,threads,vector}.c
	grep -qw avx2 /proc/cpuinfo &&
		check "result: vector.c -O3 -mavx2" result_one "$here/result/vector.c" -O3 "" -mavx2
}

cxx() {
	results "$here"/result/*.cc
	results_plugin "$here"/result/*.cc
}

# --- deps

deps_one() { # level: each case of deps/cases.c; a word says that it is optimised
	local word=optimised
	[ "$1" != -O0 ] || word=
	$cc -w -g --deps "$1" -c -o "$tmp/cases.o" "$here/deps/cases.c" &&
		$cc -g --heddle-runtime="$tmp/deps_recorder.o" -o "$tmp/cases" "$tmp/cases.o" &&
		timeout 20 "$tmp/cases" $word
}

deps() {
	local level source
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -I"$top/include" -c -o "$tmp/deps_recorder.o" \
		"$here/deps/recorder.c" || exit 2
	for level in -O0 -O1 -O2 -O3 -Os; do
		check "deps: $level" deps_one $level
	done
	clang=$(clang_of c)
	for source in "$here"/result/{asm_goto,language,vector}.c "$here/result/cxx.cc"; do
		check "deps: $(basename "$source") computes the same" result_one "$source" -O1 "" --deps
	done
}

# --- trace

trace_one() { # source, level, options: the recorder's calls are the expected ones
	local source=$1 level=$2
	shift 2
	$(driver_for "$source") -w -g -rdynamic "$level" "$@" "--heddle-runtime=$tmp/recorder.o" \
		-o "$tmp/tested" "$source" || return 1
	RECORD=$tmp/trace "$tmp/tested" || return 1
	case $source in
	*.ll) sed -n 's/^ *;; //p' "$source" >"$tmp/trace.want" ;;
	*/frame.c) ;;
	*) sed -i '/ stack/d' "$tmp/trace" ;; # local variables at -O0
	esac
	[ -s "$tmp/trace" ] && diff "$tmp/trace.want" "$tmp/trace"
}

# Calls by gcc with the plugin.
trace_plugin() {
	local source level
	[ -e "$B/lib/heddle/gcc/plugin.so" ] || { skip "trace: --gcc=plugin" "no headers of gcc's plugins" && return; }
	for source in "$here"/trace/{atomic,c11,extern,frame,plain,sync,volatile}.c "$here/trace/cxx11.cc"; do
		for level in -O0 -O1 -O2 -O3; do
			check "trace: $(basename "$source") --gcc=plugin $level" trace_one "$source" $level --gcc=plugin
		done
	done
	for level in -O0 -O2; do
		check "trace: volatile.c --gcc=plugin $level --volatile=plain" \
			trace_one "$here/trace/volatile.c" $level --gcc=plugin --volatile=plain -DPLAIN
		check "trace: atomic.c --gcc=plugin $level -fPIC" trace_one "$here/trace/atomic.c" $level --gcc=plugin -fPIC
		check "trace: extern.c --gcc=plugin $level -no-pie" \
			trace_one "$here/trace/extern.c" $level --gcc=plugin -fno-pie -no-pie
	done
}

trace() {
	local source level levels
	trace_plugin
	for source in "$here"/trace/*.c "$here"/trace/*.cc "$here"/trace/*.ll; do
		levels="-O0 -O1 -O2 -O3"
		case $source in
		*/frame.c) levels="-O1 -O2 -O3" ;;
		*.ll) [ "$(llvm_version)" -lt 15 ] || {
			skip "trace: $(basename "$source")" "its pointers have types, LLVM is newer" && continue
		} ;;
		esac
		for level in $levels; do
			check "trace: $(basename "$source") $level" trace_one "$source" "$level"
		done
	done
	for level in -O0 -O2; do
		check "trace: volatile.c $level --volatile=plain" \
			trace_one "$here/trace/volatile.c" $level --volatile=plain -DPLAIN
		check "trace: atomic.c $level -fPIC" trace_one "$here/trace/atomic.c" $level -fPIC
		check "trace: asm.c $level -std=gnu2x" \
			trace_one "$here/trace/asm.c" $level -std=gnu2x
		check "trace: extern.c $level -no-pie" \
			trace_one "$here/trace/extern.c" $level -fno-pie -no-pie
	done
}

# --- warn

warn_known() {
	$cc "$1" -g -Wall -Werror -c -o "$tmp/x.o" "$here/warn/known.c"
}

warn_unknown() { # level, options: exactly the marked lines, once each
	$cc "$@" -c -o "$tmp/x.o" "$here/warn/unknown.c" 2>"$tmp/warnings" || return 1
	sed -nE 's/.*unknown.c:([0-9]+):.*warning: heddle: inline assembly not understood.*/\1/p' \
		"$tmp/warnings" | sort -n >"$tmp/lines"
	grep -n '/\* warn \*/' "$here/warn/unknown.c" | cut -d: -f1 | diff - "$tmp/lines"
}

warn_gcc() { # options: likewise by heddle-cc --gcc, which knows only the text
	$cc "$@" -c -o "$tmp/x.o" "$here/warn/unknown.c" 2>"$tmp/warnings" || return 1
	sed -nE 's/^[^ ]*unknown.c:([0-9]+): warning: heddle: inline assembly not understood.*/\1/p' \
		"$tmp/warnings" | sort -n >"$tmp/lines"
	grep -n '/\* warn \*/' "$here/warn/unknown.c" | cut -d: -f1 | diff - "$tmp/lines" &&
		[ "$(objdump -dr "$tmp/x.o" | grep -c '__heddle_asm')" = 6 ]
}

warn_gcc_known() { # door, level
	$cc --gcc="$1" "$2" -Wall -Werror -c -o "$tmp/x.o" "$here/warn/known.c" 2>"$tmp/warnings" && [ ! -s "$tmp/warnings" ]
}

# Assembly outside of functions is the program's own, as in assembly files.
left_alone() {
	printf '%s\n' 'int x; void f(void); void g(void) { x++; f(); }' \
		'__asm__(".globl f\nf: lock; incl x(%rip)\n\tmfence\n\tret");' >"$tmp/top.c"
	printf '%s\n' '.globl f' 'f: lock; incl (%rdi)' ' pause' ' ret' '.section .note.GNU-stack,"",@progbits' >"$tmp/own.s"
	$cc --gcc -O1 -c -o "$tmp/top.o" "$tmp/top.c" && $cc --gcc -c -o "$tmp/own.o" "$tmp/own.s" &&
		! objdump -dr "$tmp/top.o" "$tmp/own.o" | grep __heddle_asm
}

warn_opaque() { # a call of the runtime before each of the six
	$cc -O1 -S -o - "$here/warn/unknown.c" 2>/dev/null | grep -c 'call.*__heddle_opaque' | grep -qx 6
}

ignored() { # level: only an announcement before each of the two calls
	$cc "$1" -S -o "$tmp/ignore.s" "$here/ignore.c" &&
		[ "$(grep -c 'call.*__heddle_unseen' "$tmp/ignore.s")" = 2 ] &&
		! grep __heddle_ "$tmp/ignore.s" | grep -v __heddle_unseen
}

warn() {
	local level door
	for level in -O0 -O2; do
		check "warn: known assembly is silent, $level" warn_known $level
		check "warn: unknown assembly, once a place, $level" warn_unknown $level
		check "warn: unknown assembly, once a place, $level -g -Werror" warn_unknown $level -g -Werror
		for door in $(gcc_doors); do
			check "warn: known assembly is silent, --gcc=$door $level" warn_gcc_known $door $level
			check "warn: unknown assembly, once a place, --gcc=$door $level -g" warn_gcc --gcc=$door $level -g
		done
		check "heddle_ignore and naked functions are left alone, $level" ignored $level
	done
	check "warn: __heddle_opaque before each" warn_opaque
	check "warn: assembly that is not inline is left alone, --gcc" left_alone
}

# --- explore

explored() { # program, model: nothing is found
	timeout 120 "$B/bin/heddle" run --model="$2" --strategy=random --executions=5000 --time=60 "$1"
	[ $? = 3 ] # random: never complete
}

explore_one() { # source, level
	local model
	$cc -g "$2" -o "$tmp/explored" "$1" || return 1
	for model in sc tso pso; do
		explored "$tmp/explored" $model || return 1
	done
}

frames_matter() { # without the calls at the ends of frames the test fails
	$cc -g -O0 -S -emit-llvm -o "$tmp/frames.ll" "$here/explore/dead_frame.c" &&
		sed -i '/call void @__heddle_frame_leave/d' "$tmp/frames.ll" &&
		$cc -o "$tmp/frames" "$tmp/frames.ll" && ! explored "$tmp/frames" pso && grep -q FAILED "$tmp/log"
}

explore() {
	local source level
	cd "$tmp" || exit 2
	for source in "$here"/explore/*.c; do
		for level in -O0 -O1 -O2 -O3; do
			check "explore: $(basename "$source") $level" explore_one "$source" $level
		done
	done
	check "explore: dead_frame.c can fail" frames_matter
	cd "$top" || exit 2
}

# --- real

quiet() { # output, driver, options...: compiles and runs without a message from Heddle
	local out=$1
	shift
	"$@" -o "$out" 2>"$tmp/warnings" || { cat "$tmp/warnings" && return 1; }
	if grep heddle: "$tmp/warnings"; then return 1; fi
	timeout 60 "$out"
}

googletest() {
	local g=/usr/src/googletest/googletest
	quiet "$tmp/gtest" "$cxx" -w "$1" -std=c++17 -I$g -I$g/include $g/src/gtest-all.cc \
		$g/test/gtest_unittest.cc $g/src/gtest_main.cc >"$tmp/gtest.txt" &&
		grep -q PASSED "$tmp/gtest.txt" && return
	tail -20 "$tmp/gtest.txt"
	return 1
}

real() {
	local level
	for level in -O0 -O1 -O2 -O3; do
		if [ -e /usr/include/ck_pr.h ]; then
			check "real: Concurrency Kit $level" quiet "$tmp/ck" "$cc" -g $level "$here/real/ck.c" -lck
		else
			skip "real: Concurrency Kit $level" "no libck-dev"
		fi
		if [ -e /usr/include/x86_64-linux-gnu/urcu/wfcqueue.h ]; then
			check "real: liburcu $level" quiet "$tmp/urcu" "$cc" -g $level "$here/real/urcu.c" \
				-lurcu-cds -lurcu-common
		else
			skip "real: liburcu $level" "no liburcu-dev"
		fi
	done
	if [ "${LONG:-}" ] && [ -e /usr/src/googletest/googletest/src/gtest-all.cc ]; then
		check "real: googletest's own tests -O0" googletest -O0
		check "real: googletest's own tests -O2" googletest -O2
	else
		skip "real: googletest's own tests" "takes two minutes: set LONG=1, needs the package googletest"
	fi
}

# --- compilers

parts() { # compiler of part.c: gcc or clang's objects, or all of it by heddle-cc --gcc=...; flags
	local compiler=$1
	shift
	rm -f "$tmp/part.o" "$tmp/parts"
	case $compiler in
	all) $cc --gcc=tsan -g "$@" -o "$tmp/parts" "$here"/compilers/part*.c && return ;;
	plugin) $cc --gcc=plugin -g "$@" -w -c -o "$tmp/part.o" "$here/compilers/part.c" ;;
	gcc) gcc -g "$@" -w -mcx16 -fsanitize=thread -c -o "$tmp/part.o" "$here/compilers/part.c" ;;
	clang) "$clang" -g "$@" -w -mcx16 -fsanitize=thread -c -o "$tmp/part.o" "$here/compilers/part.c" ;;
	shared) gcc -g "$@" -w -mcx16 -fsanitize=thread -fPIC -shared -nostdlib -o "$tmp/libpart.so" \
		-L"$B/lib/heddle/gcc" "$here/compilers/part.c" &&
		$cc -g "$@" -o "$tmp/parts" "$here/compilers/parts.c" -L"$tmp" -lpart -Wl,-rpath,"$tmp" && return ;;
	esac && $cc -g "$@" -o "$tmp/parts" "$here/compilers/parts.c" "$tmp/part.o"
}

finds() { # exit code, pattern of the output, options of heddle run
	local want=$1 pattern=$2 got
	shift 2
	(cd "$tmp" && timeout 120 "$B/bin/heddle" run "$@" ./parts) >"$tmp/found" 2>&1
	got=$?
	cat "$tmp/found"
	[ $got = "$want" ] && grep -qE -- "$pattern" "$tmp/found" && ! grep -q 'bug:' "$tmp/found"
}

parts_right() { # compiler, level: natively, all graphs, and on store buffers
	parts "$1" "$2" && [ "$("$tmp/parts")" = "159 76" ] && finds 0 'graph, 6 executions, complete, 0 failing' &&
		finds 0 'graph, 6 executions, complete, 0 failing' --model tso &&
		finds 3 '0 failing' --model pso --strategy random --executions 500
}

parts_race() { # compiler
	parts "$1" -O1 -DRACE && finds 1 'FAILED  data race on .*part\.c:' --executions 1000
}

why_different() { # compiler and name: the reason, if compilers.except knows one
	local patterns reason pattern

	while IFS=$'\t' read -r patterns reason; do
		while IFS= read -r pattern; do
			# shellcheck disable=SC2053
			[[ $1 == $pattern ]] && echo "$reason" && return
		done <<<"${patterns//|/$'\n'}"
	done < <(grep -v '^#' "$here/compilers.except")
}

# The lines of tests/programs.sh, all of them, but what compilers.except knows.
as_known() { # compiler
	local line name reason='' before=$n planned=none
	while IFS= read -r line; do
		case $line in
		"Bail out!"*) not_ok "compiler $1: $line" ;;
		ok*) ok "compiler $1: ${line#ok * - }" ;;
		"not ok"*)
			name=${line#not ok * - }
			reason=$(why_different "$compiler $name")
			if [ "$reason" ]; then ok "compiler $1 differs: $name: $reason"; else not_ok "compiler $1: $name"; fi
			;;
		"1.."*) planned=${line#1..} ;;
		"# 0 failed"*) ;;
		"#"*) [ "$reason" ] || echo "$line" ;;
		esac
	done
	[ $((n - before)) = "$planned" ] || not_ok "compiler $1: $((n - before)) tests of $planned"
}

same_findings() { # compiler, names of programs
	local compiler=$1
	shift
	as_known "$compiler" < <(B=$B COMPILER=$compiler JOBS=2 QUICK=${QUICK-1} bash "$top/tests/programs.sh" "$@")
}

# A lock, a counter and a message in inline assembly: as many executions as through our own pass.
assembly_right() { # options
	local model
	$cc -g "$@" -o "$tmp/parts" "$here/compilers/assembly.c" && [ "$("$tmp/parts")" = "2 2" ] || return 1
	for model in sc tso; do
		finds 0 'graph, 8 executions, complete, 1 blocked, 0 failing' --model $model || return 1
	done
	finds 3 ' 0 failing' --model tso --strategy random --executions 500
}

# Reference counts of libstdc++ are atomic, with either compiler.
counts_right() { # options
	$cxx -g "$@" -o "$tmp/parts" "$here/compilers/shared_ptr.cc" && finds 0 ' complete, 0 failing'
}

assembly_wrong() { # the failure, options of the compiler
	local pattern=$1
	shift
	$cc -g -O1 "$@" -o "$tmp/parts" "$here/compilers/assembly.c" 2>/dev/null && finds 1 "$pattern" --model tso
}

assembly_unknown() { # option: no race is reported between accesses that it may order
	$cc "$@" -g -O1 -DUNKNOWN -o "$tmp/parts" "$here/compilers/assembly.c" 2>"$tmp/warnings" &&
		grep -q 'assembly.c:[0-9]*: warning: heddle: inline assembly not understood: .byte' "$tmp/warnings" &&
		finds 0 'unknown inline assembly accesses memory' --model tso
}

gcc_assembly() { # door
	local level
	for level in -O0 -O1 -O2; do
		check "compilers: inline assembly, --gcc=$1 $level" assembly_right --gcc="$1" $level
	done
	check "compilers: inline assembly, --gcc=$1: a race" \
		assembly_wrong 'FAILED  data race on counter.*assembly\.c' --gcc="$1" -DRACE
	check "compilers: inline assembly, --gcc=$1: not atomic" assembly_wrong 'FAILED  assertion .counted' --gcc="$1" -DTORN
	check "compilers: inline assembly, --gcc=$1: not understood" assembly_unknown --gcc="$1"
	for level in -O0 -O2; do
		check "compilers: shared_ptr.cc, --gcc=$1 $level" counts_right --gcc="$1" $level
	done
}

early_load() { # options: no race
	$cc "$@" -g -o "$tmp/parts" "$here/compilers/early_load.c" && finds 0 ' complete, 0 failing'
}

compilers() {
	local compiler level
	for level in -O2 -O3; do
		check "compilers: no load out of a loop, $level" early_load $level
		[ ! -e "$B/lib/heddle/gcc/plugin.so" ] ||
			check "compilers: no load out of a loop, --gcc=plugin $level" early_load --gcc=plugin $level
	done
	for compiler in $(gcc_doors); do
		gcc_assembly $compiler
	done
	for level in -O0 -O2; do
		check "compilers: shared_ptr.cc $level" counts_right $level
	done
	for compiler in $(gcc_doors | grep plugin) all gcc clang shared; do
		for level in -O0 -O2; do
			check "compilers: parts.c, $compiler $level" parts_right $compiler $level
		done
		check "compilers: parts.c, $compiler: a race" parts_race $compiler
	done
	if [ "${LONG:-}" ]; then
		for compiler in $(gcc_doors | grep plugin) gcc clang; do
			QUICK='' same_findings $compiler bugs/ litmus/ clean/
		done
	else
		[ ! -e "$B/lib/heddle/gcc/plugin.so" ] ||
			same_findings plugin litmus/ bugs/race_ bugs/lost bugs/publish bugs/heap_b clean/spin_hidden clean/stack_f
		same_findings gcc bugs/race_ bugs/heap_b bugs/lost litmus/sb litmus/mp clean/spin_hidden clean/strings
		same_findings clang bugs/race_ litmus/sb litmus/mp
	fi
}

# --- versions

# Lines that differ for a reason: 1,000 looks in 10 rounds, of which the optimiser keeps what is a round's.
version_except='await_spin -O1 -DLIMIT=1000 -DNESTED'

version_executions() { # build
	B=$1 "$top/tests/executions.sh" >"$tmp/executions" 2>&1
	grep -q '^1\.\.' "$tmp/executions" && ! grep -A3 '^not ok' "$tmp/executions" | grep -v -e "$version_except" |
		grep -A3 '^not ok'
}

versions() {
	local config version build

	for config in $(compgen -c | grep -E '^llvm-config-[0-9]+$' | sort -u); do
		version=${config##*-}
		build=$tmp/llvm-$version
		[ "$version" != "$(llvm_version)" ] || continue
		[ -x "$($config --bindir)/clang" ] || {
			skip "versions: LLVM $version" "no clang-$version" && continue
		}
		check "versions: LLVM $version: builds" make -s -C "$top" B="$build" LLVM_CONFIG="$config" DEVELOPER=1 all
		check "versions: LLVM $version: abi" env -u LONG -u COMPILER_PATH B="$build" bash "$here/run.sh" \
			result cxx trace deps warn explore
		check "versions: LLVM $version: executions" version_executions "$build"
		rm -rf "$build"
	done
}

# Each section by another copy of this script, the longest first; the lines of a section are printed together.
in_parallel() {
	printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -I{} bash -c \
		'bash "$1" "$2" >"$3/$2.tap" 2>&1 || echo "# $2: exit code $?" >>"$3/$2.tap"; flock "$3" cat "$3/$2.tap"' \
		- "$here/run.sh" {} "$tmp" |
		awk '/^1\.\./ { sections++; next }
			/^(not )?ok [0-9]+ / { sub(/ok [0-9]+/, "ok " ++n) }
			/^not ok / { failed = 1 }
			{ print }
			END { print "1.." n + 0; exit failed || sections != wanted }' wanted=$#
}

[ $# -gt 0 ] || set -- ${LONG:+versions} compilers cxx result trace deps buildsystems driver real explore warn
if [ $# -gt 1 ]; then
	in_parallel "$@"
	exit
fi
build_recorder || { echo "not ok 1 - the recorder compiles" && exit 1; }
clang=$(clang_of c)
[ -x "$clang" ] || { echo "not ok 1 - $cc runs no clang" && exit 1; }
# shellcheck source=/dev/null
. "$here/driver.sh"
# shellcheck source=/dev/null
. "$here/buildsystems.sh"
case $1 in
driver | buildsystems) unset COMPILER_PATH ;; # the linker that there is
esac
case $1 in
result | cxx | trace | deps | warn | explore | real | driver | buildsystems | compilers | versions) "$1" ;;
*) echo "no such section: $1" >&2 && exit 2 ;;
esac
echo "1..$n"
[ $failed = 0 ]
