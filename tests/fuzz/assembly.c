/* SPDX-License-Identifier: ISC */
/*
 * assembly.c - the output of gcc, in which inline assembly is rewritten. Labels and directives that
 * are not in inline assembly must be in the result, in their order.
 */
#include "fuzz.h"

#include <string.h>

#include "die.h"
#include "gcc/asm_rewrite.h"

static const char *line_end(const char *at)
{
	const char *newline = strchr(at, '\n');

	return newline ? newline + 1 : at + strlen(at);
}

static bool is_kept(const char *line)
{
	return *line == '\t' ? line[1] == '.' : *line != '\n' && *line != '#' && *line != ' ';
}

/* The line in the text; returns what follows it there. */
static const char *find_line(const char *line, size_t n, const char *in)
{
	for (const char *end; *in; in = end) {
		end = line_end(in);
		if ((size_t)(end - in) == n && !memcmp(line, in, n))
			return end;
	}
	return NULL;
}

static void check_lines(const char *from, const char *to)
{
	bool inside = false;

	for (const char *end; *from; from = end) {
		end = line_end(from);
		if (!strncmp(from, "#APP", 4))
			inside = true;
		else if (!strncmp(from, "#NO_APP", 7))
			inside = false;
		else if (!inside && is_kept(from))
			to = find_line(from, (size_t)(end - from), to);
		FUZZ_CHECK(to);
	}
}

void fuzz_assembly(const u8 *data, size_t size)
{
	static const char marker[] = "\n\tcall\t__tsan_init\n";
	char *text, *result;

	if (memchr(data, 0, size))
		return;
	text = xmalloc(size + sizeof(marker));
	memcpy(text, data, size);
	memcpy(text + size, marker, sizeof(marker));
	result = asm_rewrite(text, size + sizeof(marker) - 1, true);
	if (result)
		check_lines(text, result);
}
