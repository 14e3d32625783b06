# SPDX-License-Identifier: ISC
# Heddle's only build file. Everything it makes goes to build/, laid out like an install prefix.
#
#   make            the tools, the runtime and the compiler pass
#   make demo       install what is missing, build, find a reordering in examples/
#   make check      install what is missing, build, run all tests
#   make check-all  the same, and what takes minutes: more random programs, longer explorations
#   make check-sanitizers  the tools and the pure layers under ASan and UBSan
#   make check TINY=1      all tests with tables that begin tiny, invariants checked after every event
#   make check-tiny        a little of that, in seconds
#   make check-valgrind    the tools under valgrind
#   make map        a line for each file of the runtime: what it is
#   make fuzz [RUNS=1000000] [TARGETS="trace asm"]   libFuzzer on what reads files (tests/fuzz/README)
#   make soak       long searches: memory and speed at the end as at the start? SOAK=1e8 (SOAK=1e6: a short one)
#   make bench      executions per second, nanoseconds per event; beside other checkers
#   make TARGET=aarch64-linux-gnu [check]   what is linked into programs, for another processor; [tested under qemu]
#   make run-demo, make run-check          the same without looking for packages
#   make install PREFIX=/usr/local [DESTDIR=]
#   make deb        a Debian package (debhelper, lintian): build/heddle_VERSION_amd64.deb
#
# Settings: CC, CXX, GCC, OPT, LLVM_CONFIG, DEVELOPER=1 (warnings are errors), SAN=address,undefined
# (the tools and unit tests), TINY=1, DEBUG=1 (debug information of variables, and of the runtime in programs), B=build.
# A file config.mak, if there is one, is read first.

-include config.mak

# A job a core, unless -j says otherwise; a make below this one shares its jobs.
ifeq ($(findstring -j,$(MAKEFLAGS))$(MAKELEVEL),0)
MAKEFLAGS   += -j$(shell nproc)
endif

ifneq ($(findstring musl,$(shell $(CC) -dumpmachine 2>/dev/null)),)
$(error musl (Alpine) is not supported, as the runtime interposes functions of glibc: use Debian, Ubuntu, Fedora ...)
endif

VERSION     := 0.1.0
# of the manual pages
DATE        := 2026-11-21
B           ?= build$(if $(TINY),/tiny)
PREFIX      ?= /usr/local
OPT         ?= $(if $(TINY),-O1,-O2)
LLVM_CONFIG ?= $(firstword $(shell command -v llvm-config llvm-config-19 llvm-config-18 \
	llvm-config-17 llvm-config-16 llvm-config-15 llvm-config-14 2>/dev/null))
WARN        := -Wall -Wextra -Wno-unused-parameter -Wmissing-prototypes -Wstrict-prototypes \
	-Wshadow -Wundef -Wno-missing-field-initializers -Wno-format-truncation
ifdef DEVELOPER
WERROR      := -Werror
endif
STD         := -std=gnu11
# A program and a tool that were built from different ones of these files do not understand each other.
LAYOUT      := $(firstword $(shell cat runtime/event/status.h runtime/event/finding.h runtime/event/kind.def \
	runtime/base/option.h runtime/base/models.h runtime/base/option.def | cksum))
CPPFLAGS    += -Iruntime -Iinclude -D_GNU_SOURCE -DHEDDLE_VERSION='"$(VERSION)"' -DHEDDLE_DATE='"$(DATE)"' \
	-DSTATUS_LAYOUT=$(LAYOUT)u
CFLAGS      += $(STD) $(if $(DEBUG),-g,-g1) $(OPT) $(WARN) $(WERROR)
RUNTIMEFLAGS := -fPIE -fvisibility=hidden -fno-stack-protector -fno-common -fomit-frame-pointer \
	-fno-strict-aliasing -U_FORTIFY_SOURCE
ifdef SAN
SANFLAGS    := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
# Soon compiled: what has no loops that take long, and lines without variables, which is what reports name.
SANFLAGS    += -g1
$(B)/obj/tool/tools/%.o $(B)/obj/tool/tests/fuzz/%.o $(B)/obj/tool/help.o $(B)/obj/tool/html.o: SANFLAGS += -O0
endif

ifndef DEBUG
STRIP       := --strip-debug
endif

ifdef TINY
TINYFLAGS   := -DHEDDLE_TINY
endif

# The processor: runtime/arch/ has a folder for each that there is a port to. TARGET: the prefix of the GNU tools for
# another one, to which heddle-cc --target=$(TARGET) compiles; only what is linked into its programs is made then.
ifeq ($(origin TARGET),environment)
TARGET      :=
endif
TARGET_CC   := $(if $(TARGET),$(TARGET)-gcc,$(CC))
TARGET_TOOL := $(if $(TARGET),$(TARGET)-)
ARCH        := $(firstword $(subst -, ,$(shell $(TARGET_CC) -dumpmachine)))
RUNTIMEFLAGS += $(shell cat runtime/arch/$(ARCH)/flags 2>/dev/null) \
	$(TARGET:%=-idirafter $(B)/sysroot/%/include)
ifeq ($(ARCH),)
$(error no $(TARGET_CC): apt-get install g++-$(TARGET) libc6-dev-arm64-cross)
endif
ifeq ($(wildcard runtime/arch/$(ARCH)),)
$(error no port to $(ARCH), only to $(notdir $(patsubst %/,%,$(wildcard runtime/arch/*/))): runtime/arch/arch.h)
endif

LAYERS      := $(shell cat runtime/LAYERS)
PURE        := base event object cat model model/hardware model/file verify
RUNTIME_SRC := $(filter-out $(if $(TINY),,%_invariants.c),$(foreach l,$(LAYERS),\
	$(wildcard runtime/$(l)/*.c)) $(wildcard runtime/*/$(ARCH)/*.[cS]))
EXPLORE_SRC := $(foreach l,detect explore trust trust/image trust/random rf traces holes,$(wildcard runtime/$(l)/*.c))
PURE_SRC    := $(foreach l,$(PURE),$(wildcard runtime/$(l)/*.c))
TOOLS_SRC   := $(filter-out tools/cc/% tools/gcc/%,$(wildcard tools/*.c tools/*/*.c))
PASS_SRC    := $(wildcard instrument/*.c)
HEADERS     := $(wildcard include/heddle/*)
UNIT_SRC    := $(wildcard tests/unit/*.c)
GRAPHS_SRC  := $(filter-out $(patsubst %,tests/agree/%.c,agree compiled cyclic cyclic_machine descriptors epoll foreign foreign_library interleave known native native_given loops loops_random monitors polls_random sums_random sleepers_random orders orders_random paths paths_program private private_program regions results sections sections_program signals sockets symmetry tallies_random traces turns),$(wildcard tests/agree/*.c)) # the rest is instrumented

obj          = $(patsubst %,$(B)/obj/$(1)/%.o,$(basename $(2)))
RT          := $(if $(TARGET),$(ARCH)/)rt
LIB         := $(B)/lib$(if $(TARGET),/heddle/$(ARCH))
LIB_HEDDLE  := $(B)/lib/heddle$(if $(TARGET),/$(ARCH))
# The tools and tests have the runtime's objects of the pure layers, unless they are sanitized and it is not.
pure         = $(call obj,$(if $(SAN),tool,rt),$(1))
RUNTIME_OBJ := $(call obj,$(RT),$(RUNTIME_SRC))
PURE_OBJ    := $(call pure,$(PURE_SRC))
TOOLS_OBJ   := $(call obj,tool,$(TOOLS_SRC))
CC_OBJ      := $(call obj,tool,$(wildcard tools/cc/*.c) tools/die.c tools/xstring.c)
AS_SRC      := $(wildcard tools/gcc/*.c) instrument/plan.c
AS_OBJ      := $(call obj,tool,$(AS_SRC))
# The plugin for gcc, where its headers are installed (gcc-12-plugin-dev). GCC: the compiler that heddle-cc --gcc runs.
GCC         ?= gcc
GCC_HEADERS := $(if $(TARGET),,$(wildcard $(shell $(GCC) -print-file-name=plugin 2>/dev/null)/include))
GCC_OBJ     := $(call obj,gcc,$(wildcard instrument/gcc/*.c instrument/gcc/*.cc) instrument/plan.c)
PASS_OBJ    := $(call obj,pass,$(PASS_SRC))
UNIT_OBJ    := $(call obj,tool,$(UNIT_SRC))
GRAPHS_OBJ  := $(call obj,tool,$(GRAPHS_SRC))
UNITED_OBJ  := $(call pure,$(EXPLORE_SRC) runtime/search/jobs/succession.c)
# tests/fuzz has its own of what ends a process and of what reads debug information.
FUZZ_TARGETS := $(filter-out once libfuzzer support symbols,$(basename $(notdir $(wildcard tests/fuzz/*.c))))
FUZZ_COMMON := $(addprefix tests/fuzz/,support.c symbols.c)
FUZZ_SRC    := $(FUZZ_COMMON) $(FUZZ_TARGETS:%=tests/fuzz/%.c)
FUZZED_SRC  := $(filter-out $(addprefix tools/,main.c die.c source/symbol.c source/local.c),$(TOOLS_SRC)) \
	instrument/asm.c $(filter-out tools/gcc/as.c,$(AS_SRC))
FUZZ_WRAP   := $(foreach f,free open_memstream fopen fclose getline __getdelim exit,-Wl,--wrap=$(f))
TOOL_LIBS   := -ldw -lelf -ljansson -lz
UNITED_TOOL := $(call obj,tool,$(addprefix tools/kater/,term.c kind.c letter.c filter.c automaton.c simulation.c inclusion.c theory.c claim.c translate.c comparison.c execution.c witness.c) $(addprefix tools/,clock.c die.c xstring.c path.c recorder/flight_rings.c source/csource.c repair/diff.c repair/patch.c repair/patch_order.c repair/patch_variant.c repair/patch_write.c repair/hitting.c mpi/message.c mpi/part.c mpi/table.c))

# run --mpi, for each implementation that is installed.
MPI_PLUGINS := $(foreach m,openmpi mpich,$(if $(shell command -v mpicc.$(m) 2>/dev/null),$(B)/lib/heddle/mpi-$(m).so))

BINS        := $(B)/bin/heddle $(B)/bin/heddle-cc $(B)/bin/heddle-c++
TARGET_LIBS := $(LIB)/libheddle.a $(LIB_HEDDLE)/exports.list $(LIB_HEDDLE)/libheddle_tsan.a $(LIB_HEDDLE)/libheddle_cxx.a
LIBS        := $(TARGET_LIBS) $(B)/lib/heddle/heddle_pass.so \
	$(B)/lib/heddle/libheddle_recorder.a $(B)/lib/heddle/recorder.list \
	$(B)/lib/heddle/gcc/libtsan.a $(B)/lib/heddle/gcc/as $(if $(GCC_HEADERS),$(B)/lib/heddle/gcc/plugin.so) \
	$(B)/lib/heddle/heddle.ini \
	$(B)/lib/pkgconfig/heddle.pc $(B)/lib/cmake/heddle/heddleConfig.cmake \
	$(B)/lib/cmake/heddle/heddleConfigVersion.cmake $(MPI_PLUGINS)
INCS        := $(patsubst include/%,$(B)/include/%,$(HEADERS))
MODELS      := $(patsubst runtime/model/file/%,$(B)/share/heddle/models/%,$(wildcard runtime/model/file/*.cat))
DOCS        := $(addprefix $(B)/share/,man/man1/heddle.1 man/man1/heddle-cc.1 man/man1/heddle-c++.1 man/man3/heddle.h.3 \
	bash-completion/completions/heddle zsh/site-functions/_heddle)

.PHONY: all fuzz demo run-demo check run-check check-all verdicts check-sanitizers check-tiny check-valgrind soak bench map install deb clean
all: $(if $(TARGET),$(TARGET_LIBS),$(BINS) $(LIBS) $(INCS) $(DOCS) $(MODELS))

# The search itself: cycles count.
ifndef TINY
$(foreach l,object model verify explore trust rf traces holes,$(B)/obj/$(RT)/runtime/$(l)/%.o): CFLAGS += -O3
endif

# --- the runtime: one relocatable object, hidden names made local, its data in sections of its own
# so that the snapshot of the program's memory can leave it out, and its code in one, so that call
# stacks can. Each program is linked with it: without debug information (DEBUG=1: with it), which would be
# most of the program, and of the linker's time.

$(B)/obj/$(RT)/%.o: %.c
	@mkdir -p $(@D)
	$(TARGET_CC) $(CPPFLAGS) $(CFLAGS) $(RUNTIMEFLAGS) $(TINYFLAGS) -MMD -MP -c -o $@ $<
$(B)/obj/$(RT)/%.o: %.S
	@mkdir -p $(@D)
	$(TARGET_CC) $(CPPFLAGS) -fPIE -g -MMD -MP -c -o $@ $<

ifdef TARGET # its libunwind, for the compiler and for qemu
$(RUNTIME_OBJ): | $(B)/sysroot/$(TARGET)/done
$(B)/sysroot/$(TARGET)/done:
	tools/sysroot.sh $(TARGET) $(@D)
endif

$(B)/obj/$(RT:rt=)heddle.o: $(RUNTIME_OBJ)
	$(TARGET_TOOL)$(LD) -r -o $@.tmp $^
	$(TARGET_TOOL)objcopy --localize-hidden $(STRIP) $(foreach s,text text.unlikely text.hot text.startup text.exit,\
			--rename-section .$(s)=heddle_text) --rename-section .data=heddle_data \
		--rename-section .data.rel=heddle_data_rel --rename-section .data.rel.local=heddle_data_loc \
		--rename-section .bss=heddle_bss $@.tmp $@
	@rm -f $@.tmp

$(LIB)/libheddle.a: $(B)/obj/$(RT:rt=)heddle.o
	@mkdir -p $(@D)
	@rm -f $@.tmp
	$(AR) rcs $@.tmp $<
	mv $@.tmp $@

# What only programs with objects of -fsanitize=thread get.
$(B)/obj/$(RT)/runtime/tsan/names.o: RUNTIMEFLAGS += -fno-builtin
$(LIB_HEDDLE)/libheddle_tsan.a: $(B)/obj/$(RT)/runtime/tsan/names.o $(B)/obj/$(RT)/runtime/tsan/gcc.o
	@mkdir -p $(@D)
	@rm -f $@.tmp
	$(TARGET_TOOL)objcopy -p --rename-section .bss=heddle_bss $<
	$(AR) rcs $@.tmp $^
	mv $@.tmp $@

# The flight recorder, for production: no part of the runtime, and in executables only.
FLIGHT_OBJ  := $(call obj,flight,$(wildcard runtime/flight/*.c))
$(B)/obj/flight/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIE -fvisibility=hidden -MMD -MP -c -o $@ $<
$(B)/lib/heddle/libheddle_recorder.a: $(FLIGHT_OBJ)
	@mkdir -p $(@D)
	@rm -f $@.tmp
	$(AR) rcs $@.tmp $^
	mv $@.tmp $@

# What libraries find in the program.
$(B)/lib/heddle/recorder.list:
	@mkdir -p $(@D)
	echo '{ heddle_flight; heddle_flight_dump; __heddle_flight_*; };' >$@

# What only C++ programs that use it get: instrumented, as their templates are.
CXX_OBJ     := $(call obj,$(RT:rt=cxx),$(wildcard runtime/cxx/*.c runtime/cxx/*.cc))
$(B)/obj/$(RT:rt=cxx)/%.o: %.c $(B)/bin/heddle-cc $(B)/lib/heddle/heddle_pass.so $(INCS)
	@mkdir -p $(@D)
	$(B)/bin/heddle-cc $(TARGET:%=--target=%) --deps -std=gnu11 -g1 -O1 -Wall -Wextra $(WERROR) -fPIC -ffile-prefix-map=$(CURDIR)/= -MMD -MP -c -o $@ $<
$(B)/obj/$(RT:rt=cxx)/%.o: %.cc $(B)/bin/heddle-c++ $(B)/lib/heddle/heddle_pass.so $(INCS)
	@mkdir -p $(@D)
	$(B)/bin/heddle-c++ $(TARGET:%=--target=%) --deps -std=c++17 -g1 -O1 -fPIC -ffile-prefix-map=$(CURDIR)/= -MMD -MP -c -o $@ $<
$(LIB_HEDDLE)/libheddle_cxx.a: $(CXX_OBJ)
	@mkdir -p $(@D)
	@rm -f $@.tmp
	$(AR) rcs $@.tmp $^
	mv $@.tmp $@

# gcc links this where it means the sanitizer's own library: the runtime is linked as always. Nothing refers to what is in
# it; some tools refuse archives that are empty.
$(B)/lib/heddle/gcc/libtsan.a: Makefile
	@mkdir -p $(@D)
	@rm -f $@
	echo 'char heddle_note[] = "The runtime is in libheddle.a.";' | $(CC) -x c -c -o $(B)/obj/note.o -
	$(AR) rcs $@ $(B)/obj/note.o

# For build systems.
$(B)/lib/heddle/heddle.ini $(B)/lib/cmake/heddle/heddleConfig.cmake: $(B)/%: instrument/heddle.ini \
		instrument/heddleConfig.cmake
	@mkdir -p $(@D)
	cp instrument/$(@F) $@
$(B)/lib/pkgconfig/heddle.pc: instrument/heddle.pc.in Makefile
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' $< > $@
$(B)/lib/cmake/heddle/heddleConfigVersion.cmake: Makefile
	@mkdir -p $(@D)
	printf '%s\n' 'set(PACKAGE_VERSION $(VERSION))' \
		'if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)' \
		'	set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' > $@

# What a program must export so that its shared libraries find the runtime.
$(LIB_HEDDLE)/exports.list: $(B)/obj/$(RT:rt=)heddle.o
	@mkdir -p $(@D)
	{ echo '{'; $(TARGET_TOOL)nm --defined-only -g $< | awk '{print "  " $$3 ";"}' | sort -u; echo '};'; } > $@

# --- the tools

$(B)/obj/tool/runtime/%.o $(B)/obj/tool/tests/%.o: CPPFLAGS += $(TINYFLAGS)
# The library's name, as a program that is linked with it has it.
LIBXML2      = $(shell readelf -d "$$($(CC) -print-file-name=libxml2.so)" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
$(B)/obj/tool/tools/document/xml.o $(B)/fuzz/obj/tools/document/xml.o: \
	CPPFLAGS += $(shell xml2-config --cflags) -DLIBXML2='"$(LIBXML2)"'

$(B)/obj/tool/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itools $(CFLAGS) $(SANFLAGS) -MMD -MP -c -o $@ $<

# The reference: a page a detector, in the tool as in the tree.
$(B)/gen/help.c: tools/help/embed.awk $(wildcard tools/help/*.txt)
	@mkdir -p $(@D)
	awk -f $^ > $@
$(B)/obj/tool/help.o: $(B)/gen/help.c tools/help/page.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itools $(CFLAGS) $(SANFLAGS) -c -o $@ $<

# The style and the script of pages for a browser.
$(B)/gen/html.c: tools/html/embed.awk tools/html/page.css tools/html/page.js
	@mkdir -p $(@D)
	awk -f $^ > $@
$(B)/obj/tool/html.o: $(B)/gen/html.c tools/html/html.h
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itools $(CFLAGS) $(SANFLAGS) -c -o $@ $<

$(B)/bin/heddle: $(TOOLS_OBJ) $(PURE_OBJ) $(B)/obj/tool/help.o $(B)/obj/tool/html.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^ $(TOOL_LIBS)

$(B)/lib/heddle/mpi-%.so: tools/mpi/plugin/mpi.c tools/mpi/transport.h
	@mkdir -p $(@D)
	mpicc.$* $(STD) $(OPT) $(WARN) $(WERROR) -Itools -fPIC -shared -fvisibility=default -o $@.tmp $<
	mv $@.tmp $@

# Manual pages and completion, made of what the tools say of themselves and of the public header.
$(B)/share/man/man1/heddle.1: $(B)/bin/heddle
	@mkdir -p $(@D)
	$< help --man > $@
$(B)/share/bash-completion/completions/heddle: $(B)/bin/heddle
	@mkdir -p $(@D)
	$< help --complete bash > $@
$(B)/share/zsh/site-functions/_heddle: $(B)/bin/heddle
	@mkdir -p $(@D)
	$< help --complete zsh > $@
$(B)/share/man/man1/heddle-cc.1: tools/help/heddle-cc.awk $(B)/bin/heddle-cc
	@mkdir -p $(@D)
	$(B)/bin/heddle-cc --heddle-help | awk -v version=$(VERSION) -v date=$(DATE) -f $< > $@
$(B)/share/man/man1/heddle-c++.1:
	@mkdir -p $(@D)
	echo '.so man1/heddle-cc.1' > $@
$(B)/share/man/man3/heddle.h.3: tools/help/header.awk include/heddle/heddle.h
	@mkdir -p $(@D)
	awk -v version=$(VERSION) -v date=$(DATE) -f $^ > $@

$(call obj,tool,tools/cc/cc.c): CPPFLAGS += -DHEDDLE_LLVM_BINDIR='"$(LLVM_BINDIR)"'
$(B)/bin/heddle-cc: $(CC_OBJ)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^
# On the way from gcc to the assembler.
$(B)/lib/heddle/gcc/as: $(AS_OBJ)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^
$(B)/bin/heddle-c++: $(B)/bin/heddle-cc
	ln -sf heddle-cc $@

# --- the compiler pass, against whatever LLVM llvm-config gives

LLVM_CFLAGS    = $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep -E '^-(I|D)' | sed 's/^-I/-isystem /')
LLVM_BINDIR    = $(shell $(LLVM_CONFIG) --bindir)

$(B)/obj/pass/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(LLVM_CFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(B)/obj/pass/instrument/llvm_plugin.o: instrument/llvm_plugin.cc
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) $(LLVM_CFLAGS) $(OPT) $(if $(DEBUG),-g,-g1) -std=c++17 -fno-rtti -fno-exceptions -Wall $(WERROR) \
		-fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(B)/lib/heddle/heddle_pass.so: $(PASS_OBJ) $(B)/obj/pass/instrument/llvm_plugin.o
	@mkdir -p $(@D)
	$(CXX) -shared -o $@.tmp $^
	mv $@.tmp $@

# --- the same as a plugin of gcc, whose headers are C++

$(B)/obj/gcc/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(B)/obj/gcc/%.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) -isystem $(GCC_HEADERS) $(OPT) $(if $(DEBUG),-g,-g1) -std=c++17 -fno-rtti -fno-exceptions -Wall $(WERROR) \
		-fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<
$(B)/lib/heddle/gcc/plugin.so: $(GCC_OBJ)
	@mkdir -p $(@D)
	$(CXX) -shared -o $@.tmp $^
	mv $@.tmp $@

$(B)/include/%: include/%
	@mkdir -p $(@D)
	cp $< $@

$(B)/share/heddle/models/%: runtime/model/file/%
	@mkdir -p $(@D)
	cp $< $@

# --- tests

$(B)/bin/unit: $(UNIT_OBJ) $(PURE_OBJ) $(UNITED_OBJ) $(UNITED_TOOL)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^ -lcunit

$(B)/bin/graphs: $(GRAPHS_OBJ) $(PURE_OBJ) $(UNITED_OBJ)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^

# The corpora, once: with any compiler, without a fuzzer.
$(B)/obj/fuzzed.a: $(call obj,tool,$(FUZZED_SRC)) $(PURE_OBJ) $(UNITED_OBJ) $(B)/obj/tool/help.o $(B)/obj/tool/html.o
	@rm -f $@
	$(AR) rcs $@ $^
$(B)/bin/fuzz-once: $(call obj,tool,tests/fuzz/once.c $(FUZZ_SRC)) $(B)/obj/fuzzed.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(SANFLAGS) -o $@ $^ $(FUZZ_WRAP) $(TOOL_LIBS) -lxml2
$(B)/obj/tool/tests/fuzz/report.o: CPPFLAGS += $(shell xml2-config --cflags)

# libFuzzer, which comes with clang.
FUZZ_CC ?= clang
FUZZFLAGS := -g -O2 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
fuzzobj = $(patsubst %.c,$(B)/fuzz/obj/%.o,$(1))

$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) -Itools $(shell xml2-config --cflags) $(STD) $(FUZZFLAGS) -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp \
		-MMD -MP -c -o $@ $<
$(B)/fuzz/obj/help.o $(B)/fuzz/obj/html.o: $(B)/fuzz/obj/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS) -Itools $(STD) $(FUZZFLAGS) -c -o $@ $<
$(B)/fuzz/fuzzed.a: $(call fuzzobj,$(FUZZED_SRC) $(PURE_SRC) $(EXPLORE_SRC)) $(B)/fuzz/obj/help.o $(B)/fuzz/obj/html.o
	@rm -f $@
	$(AR) rcs $@ $^
# One program a target: the coverage of the others' code is none of its business.
$(FUZZ_TARGETS:%=$(B)/fuzz/%): $(B)/fuzz/%: $(B)/fuzz/obj/tests/fuzz/%.o $(call fuzzobj,$(FUZZ_COMMON)) $(B)/fuzz/fuzzed.a
	$(FUZZ_CC) $(CPPFLAGS) $(STD) $(FUZZFLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=fuzz_$* -Itools -o $@ \
		tests/fuzz/libfuzzer.c $(filter-out %.a,$^) $(filter %.a,$^) $(FUZZ_WRAP) $(TOOL_LIBS) -lxml2
$(B)/fuzz/report: $(call fuzzobj,tests/fuzz/trace.c)
$(B)/fuzz/status: $(call fuzzobj,tests/fuzz/report.c tests/fuzz/trace.c)

fuzz: $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	@B=$(B) RUNS="$(RUNS)" TARGETS="$(TARGETS)" bash tests/fuzz/run.sh

demo:
	@tools/deps.sh build
	@echo 'building; `make` would show the commands'
	@$(MAKE) --no-print-directory -s run-demo

run-demo: all
	@examples/demo.sh $(B)

ifdef TARGET
check:
	@$(MAKE) --no-print-directory -s TARGET=
	@$(MAKE) --no-print-directory -s all
	@B=$(B) TARGET=$(TARGET) tests/run.sh target
else
check:
	@tools/deps.sh check
	@echo 'building and testing: some minutes; `make` would show the commands'
	@$(MAKE) --no-print-directory -s run-check
endif

run-check: all $(B)/bin/unit $(B)/bin/fuzz-once $(B)/bin/graphs
	@B=$(B) tests/run.sh

check-all:
	@LONG=1 $(MAKE) --no-print-directory check

# 100,000 correct and 10,000 weakened programs, of two kinds: an hour or so.
verdicts: all
	@B=$(abspath $(B)) bash tests/verdicts/run.sh --all

# The tools and the pure layers under AddressSanitizer and UBSan: units and what of the command line is
# about the tools. The runtime itself cannot be (fibers and fixed addresses), nor is the pass: those are the same.
SANITIZED_CLI = report replay run usage documents html suppress suite names doctor limits lost check program rf fences manual draw
check-sanitizers:
	@tools/deps.sh check
	@[ ! -d $(B)/obj/rt ] || [ -d $(B)/sanitized/obj/rt ] || { mkdir -p $(B)/sanitized/obj && \
		cp -a $(B)/lib $(B)/sanitized/ && cp -a $(B)/obj/rt $(B)/obj/pass $(B)/obj/heddle.o $(B)/sanitized/obj/; }
	@$(MAKE) --no-print-directory B=$(B)/sanitized SAN=address,undefined OPT=-O1 \
		ASAN_OPTIONS=detect_leaks=0 all $(B)/sanitized/bin/unit $(B)/sanitized/bin/fuzz-once
	@B=$(B)/sanitized CLI="$(SANITIZED_CLI)" ASAN_OPTIONS=detect_leaks=0 tests/run.sh unit cli

# A little of `make check TINY=1`, in seconds: the tools and the pass are those that there are.
check-tiny: all
	@[ -d $(B)/tiny/obj ] || { mkdir -p $(B)/tiny/obj/tool $(B)/tiny/lib/heddle && \
		cp -a $(B)/obj/pass $(B)/tiny/obj/ && cp -a $(B)/obj/tool/tools $(B)/obj/tool/help.o $(B)/obj/tool/html.o \
		$(B)/tiny/obj/tool/ && cp -a $(B)/gen $(B)/bin $(B)/tiny/ && \
		cp -a $(B)/lib/heddle/heddle_pass.so $(B)/tiny/lib/heddle/; }
	@$(MAKE) --no-print-directory TINY=1 OPT="-O0 -g0" B=$(B)/tiny all $(B)/tiny/bin/graphs
	@B=$(B)/tiny tests/run.sh tiny

soak: all
	@B=$(B) SOAK=$(SOAK) tests/soak/run.sh

# The tools and the pure layers under valgrind's memcheck: what is read or written where nothing is, or was never set.
# Leaks are not looked for: what a tool allocates lives as long as it does (tools/die.c).
check-valgrind: all $(B)/bin/unit $(B)/bin/fuzz-once
	@tools/deps.sh check
	@mkdir -p $(B)/valgrind/bin
	@for f in lib include share; do ln -sfn $(abspath $(B))/$$f $(B)/valgrind/$$f; done
	@for f in heddle-cc heddle-c++; do ln -sf $(abspath $(B))/bin/$$f $(B)/valgrind/bin/$$f; done
	@for f in heddle unit fuzz-once; do \
		printf '#!/bin/sh\nexec valgrind -q --error-exitcode=99 --leak-check=no %s "$$@"\n' \
			$(abspath $(B))/bin/$$f > $(B)/valgrind/bin/$$f; chmod +x $(B)/valgrind/bin/$$f; done
	@B=$(B)/valgrind SMALL=1 CLI="$(VALGRIND_CLI)" tests/run.sh unit cli
VALGRIND_CLI = report documents suppress

# As the runtime has them: -O3.
$(B)/bin/bench-verify: $(call obj,tool,tests/bench/verify.c) $(call obj,rt,$(foreach l,$(PURE),$(wildcard runtime/$(l)/*.c)))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^

$(B)/bin/bench-ranks: $(call obj,tool,tests/bench/ranks.c tools/die.c) $(call obj,rt,$(PURE_SRC) $(EXPLORE_SRC))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^

bench: all $(B)/bin/bench-verify $(B)/bin/bench-ranks
	@$(B)/bin/bench-verify
	@$(B)/bin/bench-ranks
	@B=$(B) tests/bench/run.sh
	@B=$(B) tests/bench/exact.sh --quick
	@B=$(B) bash tests/bench/fences.sh

map:
	@runtime/map.sh

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/heddle/gcc $(DESTDIR)$(PREFIX)/include/heddle
	install -m 755 $(B)/bin/heddle $(B)/bin/heddle-cc $(DESTDIR)$(PREFIX)/bin/
	ln -sf heddle-cc $(DESTDIR)$(PREFIX)/bin/heddle-c++
	install -m 644 $(B)/lib/libheddle.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 $(wildcard $(B)/lib/heddle/*.*) $(DESTDIR)$(PREFIX)/lib/heddle/
	install -m 644 $(B)/lib/heddle/gcc/libtsan.a $(DESTDIR)$(PREFIX)/lib/heddle/gcc/
	install -m 755 $(B)/lib/heddle/gcc/as $(wildcard $(B)/lib/heddle/gcc/plugin.so) $(DESTDIR)$(PREFIX)/lib/heddle/gcc/
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/cmake/heddle
	install -m 644 $(B)/lib/pkgconfig/* $(DESTDIR)$(PREFIX)/lib/pkgconfig/
	install -m 644 $(B)/lib/cmake/heddle/* $(DESTDIR)$(PREFIX)/lib/cmake/heddle/
	install -m 644 $(B)/include/heddle/* $(DESTDIR)$(PREFIX)/include/heddle/
	install -d $(DESTDIR)$(PREFIX)/share/doc/heddle/examples
	install -m 644 examples/*.c examples/*.litmus examples/*.kat $(DESTDIR)$(PREFIX)/share/doc/heddle/examples/
	for f in $(patsubst $(B)/%,%,$(DOCS) $(MODELS)); do install -D -m 644 $(B)/$$f $(DESTDIR)$(PREFIX)/$$f; done

deb:
	install -d $(B)
	tools/deb.sh $(VERSION) $(B)

clean:
	rm -rf $(B)

-include $(shell find $(B)/obj $(B)/fuzz/obj -name '*.d' 2>/dev/null)
