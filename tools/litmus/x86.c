/* SPDX-License-Identifier: ISC */
/* x86.c - x86's instructions as C statements (litmus.h), in Intel's syntax or in AT&T's. Registers
 * are the variables EAX and so on. */
#include "litmus/instruction.h"

#include <ctype.h>
#include <string.h>

const char *x86_register(const char *name)
{
	static const char *const names[] = {"AX", "BX", "CX", "DX", "SI", "DI", "BP"};
	char kind = (char)toupper((unsigned char)name[0]);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if ((kind == 'E' || kind == 'R') && !strcasecmp(name + 1, names[i]))
			return xprintf("E%s", names[i]);
	return NULL;
}

/* [x], [RAX]; NULL: the operand is not in memory. */
static const char *x86_address(struct litmus *t, const struct instruction *i, const char *operand)
{
	const char *open = strchr(operand, '['), *known;
	char *inner;

	if (!open || operand[strlen(operand) - 1] != ']')
		return NULL;
	inner = text_between(open + 1, operand + strlen(operand) - 1);
	if (*inner == '%')
		inner++;
	known = x86_register(inner);
	if (known)
		return litmus_register(t, i->thread, known)->name;
	for (const char *c = inner; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			instruction_refuse(t, i);
	litmus_location(t, inner);
	return xprintf("(int64_t)&%s", inner);
}

static const char *x86_variable(struct litmus *t, const struct instruction *i, const char *operand)
{
	const char *known = x86_register(operand);

	if (!known)
		instruction_refuse(t, i);
	return litmus_register(t, i->thread, known)->name;
}

static const char *x86_value(struct litmus *t, const struct instruction *i, const char *operand)
{
	if (operand[0] == '$' || isdigit((unsigned char)operand[0]) || operand[0] == '-')
		return xprintf("%lldLL", (long long)instruction_number(t, i, operand, '$'));
	return x86_variable(t, i, operand);
}

static void x86_move(struct litmus *t, const struct instruction *i, FILE *out)
{
	const char *to, *from;

	instruction_operands(t, i, 2);
	to = x86_address(t, i, i->operands[0]);
	from = x86_address(t, i, i->operands[1]);
	if (to && from)
		instruction_refuse(t, i);
	if (to)
		fprintf(out, "STORE(%s, %s, RELAXED);\n", to, x86_value(t, i, i->operands[1]));
	else if (from)
		fprintf(out, "%s = LOAD(%s, RELAXED);\n", x86_variable(t, i, i->operands[0]), from);
	else
		fprintf(out, "%s = %s;\n", x86_variable(t, i, i->operands[0]),
			x86_value(t, i, i->operands[1]));
}

static void x86_exchange(struct litmus *t, const struct instruction *i, FILE *out)
{
	const char *memory;
	unsigned k = 1;

	instruction_operands(t, i, 2);
	memory = x86_address(t, i, i->operands[0]);
	if (!memory)
		memory = x86_address(t, i, i->operands[k--]);
	if (!memory)
		instruction_refuse(t, i);
	fprintf(out, "%s = UPDATE(exchange_n, %s, %s, SEQ_CST);\n",
		x86_variable(t, i, i->operands[k]), memory, x86_variable(t, i, i->operands[k]));
}

/* "movl (x),%eax": the same in Intel's syntax, "mov eax,[x]". */
static struct instruction from_att(const struct instruction *i)
{
	struct instruction intel = *i;
	size_t last = strlen(i->name) - 1;
	char *name;

	if (i->name[last] == 'l' || i->name[last] == 'q')
		intel.name = text_between(i->name, i->name + last);
	for (unsigned k = 0; k < i->n; k++) {
		name = xstrdup(i->operands[i->n - 1 - k]);
		for (char *c = name; *c; c++)
			*c = *c == '(' ? '[' : *c == ')' ? ']' : *c;
		intel.operands[k] = name + (*name == '%');
	}
	return intel;
}

static bool is_att(const struct instruction *i)
{
	for (unsigned k = 0; k < i->n; k++)
		if (i->operands[k][0] == '%' || strchr(i->operands[k], '('))
			return true;
	return false;
}

static void write_intel(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation operations[] = {
		{"add", "+"}, {"sub", "-"}, {"xor", "^"}, {"or", "|"}, {"and", "&"}, {NULL, NULL}};
	static const struct binary_operation moves[] = {
		{"mov", ""}, {"movl", ""}, {"movq", ""}, {NULL, NULL}};
	const char *symbol = operation_find(operations, i->name);

	if (!strcmp(i->name, "mfence"))
		fputs("FENCE(SEQ_CST);\n", out);
	else if (operation_find(moves, i->name))
		x86_move(t, i, out);
	else if (!strcmp(i->name, "xchg"))
		x86_exchange(t, i, out);
	else if (symbol && i->n == 2 && !x86_address(t, i, i->operands[0]) &&
		 !x86_address(t, i, i->operands[1]))
		fprintf(out, "%s = %s %s %s;\n", x86_variable(t, i, i->operands[0]),
			x86_variable(t, i, i->operands[0]), symbol,
			x86_value(t, i, i->operands[1]));
	else if (strcmp(i->name, "nop") != 0)
		instruction_refuse(t, i);
}

void x86_write(struct litmus *t, const struct instruction *i, FILE *out)
{
	struct instruction intel;

	if (is_att(i))
		intel = from_att(i);
	write_intel(t, is_att(i) ? &intel : i, out);
}
