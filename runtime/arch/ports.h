/* SPDX-License-Identifier: ISC */
/*
 * ports.h - the processors that there is a port to, for the tools: these have programs of all of
 * them before them, whichever they run on.
 */
#ifndef ARCH_PORTS_H
#define ARCH_PORTS_H

#include "base/base.h"

#include <elf.h>

struct arch_port {
	const char *name;	 /* how a compiler's target begins; the folder beside this file */
	u16 machine;		 /* e_machine */
	u8 dwarf_sp, dwarf_frame; /* the numbers of stack pointer and frame pointer in DWARF */
	const char *cas16;	 /* makes a compiler inline atomics of 16 bytes */
	const char *no_red_zone; /* has gcc not use the memory below the stack pointer; NULL: its
				    assembly is not read (tools/gcc) */
};

static const struct arch_port arch_ports[] = {
	{"x86_64", EM_X86_64, 7, 6, "-mcx16", "-mno-red-zone"},
	{"aarch64", EM_AARCH64, 31, 29, "-mno-outline-atomics", NULL},
};

/* That of a compiler's target, or of its name alone; NULL: none. */
static inline const struct arch_port *arch_port_of(const char *target)
{
	for (unsigned i = 0; i < array_size(arch_ports); i++)
		if (!__builtin_strncmp(target, arch_ports[i].name,
			    __builtin_strlen(arch_ports[i].name)))
			return &arch_ports[i];
	return NULL;
}

/* That of an ELF file; NULL: none. */
static inline const struct arch_port *arch_port_of_file(u16 machine)
{
	for (unsigned i = 0; i < array_size(arch_ports); i++)
		if (arch_ports[i].machine == machine)
			return &arch_ports[i];
	return NULL;
}

#endif
