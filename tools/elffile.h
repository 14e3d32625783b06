/* SPDX-License-Identifier: ISC */
/* elffile.h - what the tools want to know of an executable before they run it. */
#ifndef TOOLS_ELFFILE_H
#define TOOLS_ELFFILE_H

#include "event/trace.h"

struct elf_facts {
	bool is_elf;
	bool is_other_machine; /* an ELF file, but not for this kind of CPU */
	bool instrumented;     /* has the note that heddle-cc leaves */
	bool starts;	       /* names what loads it: a program, no shared library */
	const char *sanitizer; /* the -fsanitize= that it cannot be explored with; NULL: none */
	unsigned abi;	       /* the version in that note */
	struct trace_build_id build_id;
};

/* Look at an open file. Never fails: what cannot be read is not there. */
struct elf_facts elf_inspect(int fd);

/* The path of a program that can be explored, absolute; else dies with one line that says why. */
char *program_check(const char *name, struct elf_facts *facts);

/* A build-id as hex digits, "none" if there is none. */
char *build_id_text(const struct trace_build_id *b);
bool build_id_equal(const struct trace_build_id *a, const struct trace_build_id *b);

#endif
