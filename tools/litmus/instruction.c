/* SPDX-License-Identifier: ISC */
/* instruction.c - see instruction.h. */
#include "litmus/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_spaces(const char *s)
{
	while (isspace((unsigned char)*s))
		s++;
	return s;
}

static char *word_in_lower_case(const char *from, size_t n)
{
	char *word = text_between(from, from + n);

	for (char *c = word; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return word;
}

/* The end of an operand: a comma outside of brackets. */
static const char *operand_end(const char *at)
{
	int depth = 0;

	for (; *at && (*at != ',' || depth); at++) {
		depth += *at == '[' || *at == '(';
		depth -= *at == ']' || *at == ')';
	}
	return at;
}

static void read_operands(struct litmus *t, const char *at, struct instruction *i)
{
	for (at = skip_spaces(at); *at; at = skip_spaces(at)) {
		const char *end = operand_end(at), *last = end;

		while (last > at && isspace((unsigned char)last[-1]))
			last--;
		if (i->n == LITMUS_OPERANDS)
			instruction_refuse(t, i);
		i->operands[i->n++] = text_between(at, last);
		at = *end ? end + 1 : end;
	}
}

bool instruction_read(struct litmus *t, unsigned thread, const struct litmus_line *l,
	struct instruction *i, FILE *out)
{
	const char *at = skip_spaces(l->text);
	size_t n = strcspn(at, " \t:");

	*i = (struct instruction){.thread = thread, .line = l->line};
	if (at[n] == ':') {
		fprintf(out, "%.*s:;\n", (int)n, at);
		at = skip_spaces(at + n + 1);
		n = strcspn(at, " \t");
	}
	if (!*at)
		return false;
	i->name = word_in_lower_case(at, n);
	read_operands(t, at + n, i);
	return true;
}

_Noreturn void instruction_refuse(struct litmus *t, const struct instruction *i)
{
	char *words = xstrdup(i->name);

	for (unsigned k = 0; k < i->n; k++)
		words = xprintf("%s%s%s", words, k ? "," : " ", i->operands[k]);
	litmus_refuse(t, i->line, "instruction not supported: %s", words);
}

void instruction_operands(struct litmus *t, const struct instruction *i, unsigned n)
{
	if (i->n != n)
		instruction_refuse(t, i);
}

const char *instruction_label(struct litmus *t, const struct instruction *i, const char *operand)
{
	for (const char *c = operand; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			instruction_refuse(t, i);
	return operand;
}

int64_t instruction_number(
	struct litmus *t, const struct instruction *i, const char *operand, char sign)
{
	const char *digits = operand + (sign && *operand == sign);
	char *end;
	long long n = strtoll(digits, &end, 0);

	if (end == digits || *end)
		instruction_refuse(t, i);
	return n;
}

const char *operation_find(const struct binary_operation *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return table->symbol;
	return NULL;
}
