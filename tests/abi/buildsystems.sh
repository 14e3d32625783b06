# SPDX-License-Identifier: ISC
# shellcheck shell=bash disable=SC2154,SC2016
# buildsystems.sh - heddle-cc as CC of small projects: a library of one file, a program of two; run.sh
# sources this.

project_sources() {
	cat >main.c <<-EOF
		#include "part.h"
		int main(void) { set(3); return get() == 4 ? 0 : 1; }
	EOF
	printf 'int get(void);\nvoid set(int);\n' >part.h
	printf '#include "part.h"\nextern int value;\nint get(void) { return value + 1; }\n' >part.c
	printf '#include "part.h"\nint value;\nvoid set(int v) { value = v; }\n' >library.c
}

autotools_project() {
	cat >configure.ac <<-EOF
		AC_INIT([demo], [1.0])
		AM_INIT_AUTOMAKE([foreign])
		AC_PROG_CC
		AC_PROG_CXX
		AM_PROG_AR
		LT_INIT
		AC_C_INLINE
		AC_SEARCH_LIBS([pthread_create], [pthread])
		AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdlib.h>]], [[return 0;]])], [],
			[AC_MSG_ERROR([a compiled program does not run])])
		AC_CONFIG_FILES([Makefile])
		AC_OUTPUT
	EOF
	cat >Makefile.am <<-EOF
		lib_LTLIBRARIES = libdemo.la
		libdemo_la_SOURCES = library.c
		bin_PROGRAMS = demo
		demo_SOURCES = main.c part.c part.h
		demo_LDADD = libdemo.la
		TESTS = demo
	EOF
	autoreconf -i && ./configure CC="$cc" CXX="$cxx" && make && make check &&
		make distclean && ./configure CC="$cc" CXX="$cxx" --disable-shared && make && make check &&
		instrumented ./demo
}

cmake_project() {
	cat >CMakeLists.txt <<-EOF
		cmake_minimum_required(VERSION 3.10)
		project(demo C CXX)
		include(CheckCSourceRuns)
		include(CheckIPOSupported)
		find_package(Threads REQUIRED)
		check_c_source_runs("int main(void) { return 0; }" RUNS)
		if(NOT RUNS)
			message(FATAL_ERROR "a compiled program does not run")
		endif()
		add_library(part SHARED library.c)
		add_executable(demo main.c part.c)
		target_link_libraries(demo part Threads::Threads)
		file(WRITE \${CMAKE_BINARY_DIR}/x.cc "int main() { return 0; }")
		add_executable(cxx \${CMAKE_BINARY_DIR}/x.cc)
		enable_testing()
		add_test(demo demo)
		add_test(cxx cxx)
	EOF
	CC=$cc CXX=$cxx cmake -B out -DCMAKE_BUILD_TYPE=Release . && cmake --build out && (cd out && ctest) &&
		grep -q 'COMPILER_ID "Clang"' out/CMakeFiles/*/CMakeCCompiler.cmake && instrumented out/demo
}

meson_project() {
	cat >meson.build <<-EOF
		project('demo', 'c', 'cpp', default_options : ['buildtype=debugoptimized', 'werror=true'])
		threads = dependency('threads')
		assert(meson.get_compiler('c').get_id() == 'clang')
		assert(meson.get_compiler('c').run('int main(void) { return 0; }').returncode() == 0)
		part = shared_library('part', 'library.c')
		demo = executable('demo', 'main.c', 'part.c', link_with : part, dependencies : threads)
		test('demo', demo)
	EOF
	CC=$cc CXX=$cxx meson setup out && ninja -C out && meson test -C out && instrumented out/demo
}

# A project whose compiler is another one: find_package(heddle).
cmake_package() { # compiler, arguments of heddle_instrument after the target
	cat >CMakeLists.txt <<-EOF
		cmake_minimum_required(VERSION 3.10)
		project(demo C CXX)
		find_package(heddle 0.1 REQUIRED)
		add_library(part STATIC library.c)
		add_library(shared SHARED library.c)
		add_executable(demo main.c part.c)
		target_link_libraries(demo part)
		file(WRITE \${CMAKE_BINARY_DIR}/x.cc "#include <heddle/heddle.h>\nint set(int v) { return heddle_active(); }\nint main() { return 0; }")
		add_executable(cxx \${CMAKE_BINARY_DIR}/x.cc)
		add_executable(plain main.c part.c library.c)
		foreach(target part shared demo cxx)
			heddle_instrument(\${target} ${2:-})
		endforeach()
		enable_testing()
		add_test(NAME demo COMMAND heddle::run run \$<TARGET_FILE:demo>)
		add_test(NAME native COMMAND demo)
		add_test(NAME cxx COMMAND heddle::run run \$<TARGET_FILE:cxx>)
	EOF
	CC=$1 CXX=${1/gcc/g++} cmake -B out -DCMAKE_PREFIX_PATH="$prefix" . && cmake --build out &&
		(cd out && ctest --output-on-failure) && instrumented out/demo && ! instrumented out/plain
}

pkgconfig_project() { # an API user, built without Heddle, then with it
	cat >api.c <<-EOF
		#include <heddle/heddle.h>
		static void f(void *arg) { heddle_assert(arg); }
		int main(void) { return heddle_check(f, "", 0, 0); }
	EOF
	export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
	# shellcheck disable=SC2046
	cc $(pkg-config --cflags heddle) -o api api.c && ./api && pkg-config --atleast-version=0.1 heddle &&
		"$(pkg-config --variable=cc heddle)" -g -o checked api.c && ./checked && instrumented ./checked
}

meson_native() { # the native file, and the dependency
	cat >meson.build <<-EOF
		project('demo', 'c', version : '1')
		heddle = dependency('heddle', version : '>=0.1')
		part = static_library('part', 'library.c')
		demo = executable('demo', 'main.c', 'part.c', link_with : part, dependencies : heddle)
		test('explored', find_program('heddle'), args : ['run', demo])
		test('native', demo)
	EOF
	PATH=$prefix/bin:$PATH PKG_CONFIG_PATH=$prefix/lib/pkgconfig meson setup \
		--native-file "$prefix/lib/heddle/heddle.ini" out && PATH=$prefix/bin:$PATH ninja -C out &&
		PATH=$prefix/bin:$PATH meson test -C out --print-errorlogs && instrumented out/demo
}

makefile_project() { # a Makefile without support for Heddle
	printf 'CFLAGS = -O2 -g -Wall -Wextra -Werror\ndemo: main.o part.o library.o\n\t$(CC) $(LDFLAGS) -o $@ $^\n' \
		>Makefile
	make CC="$cc" && ./demo && instrumented ./demo
}

build_with() { # name, function, commands it needs...
	local name=$1 function=$2 command
	shift 2
	for command; do
		command -v "$command" >/dev/null || {
			skip "build system: $name" "$command is not installed"
			return
		}
	done
	rm -rf "$tmp/project" && mkdir "$tmp/project" && cd "$tmp/project" || exit 2
	project_sources
	check "build system: $name" $function # the function's arguments
	cd "$top" || exit 2
}

# All of it from the installation of `make install`.
buildsystems() {
	local cc cxx prefix=$tmp/prefix
	check "make install" make -C "$top" --no-print-directory -s B="$B" PREFIX="$prefix" install
	cc=$prefix/bin/heddle-cc cxx=$prefix/bin/heddle-c++
	build_with "pkg-config" pkgconfig_project pkg-config
	build_with "CMake, find_package, gcc" "cmake_package gcc" cmake
	build_with "CMake, find_package, gcc, its own instrumentation" "cmake_package gcc GCC" cmake
	build_with "Meson, native file" meson_native meson ninja pkg-config
	build_with make makefile_project make
	build_with autotools autotools_project autoreconf automake libtoolize
	build_with CMake cmake_project cmake
	build_with Meson meson_project meson ninja
}
