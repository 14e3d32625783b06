/* SPDX-License-Identifier: ISC */
/* literal.c - string literals, which have no symbols: the text in a module's read-only data. */
#include "source/module.h"

#include <string.h>

#include <gelf.h>

#include "die.h"

#define LITERAL_MOST  4096 /* bytes before the address, of a literal */
#define LITERAL_SHOWN 24   /* bytes of it, in a report */

static bool is_literal(char c)
{
	return (c >= ' ' && c < 0x7f) || c == '\n' || c == '\t';
}

/* The read-only section around the address, and where in it. */
static Elf_Data *section_at(const struct module *m, u64 address, u64 *at)
{
	GElf_Addr bias = 0;
	Elf *elf = m->dwfl ? dwfl_module_getelf(m->dwfl, &bias) : NULL;
	GElf_Shdr header;

	for (Elf_Scn *s = NULL; elf && (s = elf_nextscn(elf, s));) {
		if (!gelf_getshdr(s, &header) || header.sh_type != SHT_PROGBITS ||
			(header.sh_flags & (SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR)) != SHF_ALLOC ||
			address - bias - header.sh_addr >= header.sh_size)
			continue;
		*at = address - bias - header.sh_addr;
		return elf_getdata(s, NULL);
	}
	return NULL;
}

/* As in the source, but cut. */
static char *quote(const char *text, size_t n)
{
	char *quoted = xstrdup("\"");

	for (size_t i = 0; i < n && i < LITERAL_SHOWN; i++)
		quoted = text[i] == '\n' ? xprintf("%s\\n", quoted)
			 : text[i] == '\t' ? xprintf("%s\\t", quoted)
			 : text[i] == '"' || text[i] == '\\' ? xprintf("%s\\%c", quoted, text[i])
							      : xprintf("%s%c", quoted, text[i]);
	return xprintf(n > LITERAL_SHOWN ? "%s...\"" : "%s\"", quoted);
}

char *module_literal(const struct module *m, u64 address, u64 *offset)
{
	u64 at = 0;
	const Elf_Data *d = section_at(m, address, &at);
	const char *bytes = d ? d->d_buf : NULL;
	u64 start = at, end = at;

	if (!bytes || at >= d->d_size)
		return NULL;
	while (start && at - start < LITERAL_MOST && is_literal(bytes[start - 1]))
		start--;
	while (end < d->d_size && is_literal(bytes[end]))
		end++;
	if (start == end || end == d->d_size || bytes[end] || (start && bytes[start - 1]))
		return NULL;
	*offset = at - start;
	return quote(bytes + start, end - start);
}
