/* SPDX-License-Identifier: ISC */
/* elf.c - the parts of a program that the tools read before they run it: header and notes. */
#include "fuzz.h"

#include <string.h>

#include "program/elffile.h"

void fuzz_elf(const u8 *data, size_t size)
{
	struct elf_facts f = elf_inspect(fuzz_descriptor(data, size));

	FUZZ_CHECK(f.build_id.n <= TRACE_BUILD_ID);
	FUZZ_CHECK(strlen(build_id_text(&f.build_id)) <= 2 * TRACE_BUILD_ID);
}
