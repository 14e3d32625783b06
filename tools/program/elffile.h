/* SPDX-License-Identifier: ISC */
/* elffile.h - properties of an executable, checked before it is run. */
#ifndef PROGRAM_ELFFILE_H
#define PROGRAM_ELFFILE_H

#include "arch/ports.h"
#include "event/trace.h"

struct elf_facts {
	bool is_elf;
	bool is_other_machine; /* an ELF file, but not for this kind of CPU */
	const struct arch_port *port;	/* to its processor; NULL: none */
	bool instrumented;     /* has heddle-cc's note */
	bool is_musl;	       /* linked with musl */
	bool starts;	       /* names its loader: a program, no shared library */
	const char *sanitizer; /* the -fsanitize= that it cannot be explored with; NULL: none */
	unsigned abi;	       /* the version in that note */
	struct trace_build_id build_id;
};

/* Examine an open file. Never fails: unreadable properties are absent. */
struct elf_facts elf_inspect(int fd);

/* The index of a symbol that the program defines or needs; -1: of none. */
int elf_find_symbol(const char *program, const char *const *symbols, size_t n);

/* Is the program linked with a shared library whose name begins like that? */
bool elf_needs_library(const char *program, const char *name);

/* The absolute path of a program that can be explored; else dies with the reason. */
char *program_check(const char *name, struct elf_facts *facts);

/* A build-id as hex digits, "none" if there is none. */
char *build_id_text(const struct trace_build_id *b);
bool build_id_equal(const struct trace_build_id *a, const struct trace_build_id *b);

#endif
