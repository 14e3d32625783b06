/* SPDX-License-Identifier: ISC */
/* power.c - POWER's instructions as C statements (litmus.h). Registers are the variables r0 to
 * r31. */
#include "litmus/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *power_register(const char *name)
{
	char *end;
	long n;

	if ((name[0] != 'r' && name[0] != 'R') || !isdigit((unsigned char)name[1]))
		return NULL;
	n = strtol(name + 1, &end, 10);
	return *end || n > 31 ? NULL : xprintf("r%ld", n);
}

static const char *power_variable(struct litmus *t, const struct instruction *i, unsigned k)
{
	const char *known = k < i->n ? power_register(i->operands[k]) : NULL;

	if (!known)
		instruction_refuse(t, i);
	return litmus_register(t, i->thread, known)->name;
}

/* 0(r2) */
static const char *power_address(struct litmus *t, const struct instruction *i, unsigned k)
{
	char *offset = k < i->n ? xstrdup(i->operands[k]) : NULL;
	char *open = offset ? strchr(offset, '(') : NULL, *close = open ? strchr(open, ')') : NULL;
	const char *base;

	if (!close || close[1])
		instruction_refuse(t, i);
	*open = *close = 0;
	base = power_register(open + 1);
	if (!base)
		instruction_refuse(t, i);
	return xprintf("%s + %lld", litmus_register(t, i->thread, base)->name,
		*offset ? (long long)instruction_number(t, i, offset, 0) : 0);
}

static bool power_access(struct litmus *t, const struct instruction *i, FILE *out)
{
	bool half = strchr(i->name, 'w') != NULL;
	const char *cast = half ? "(int32_t)" : "";

	if (!strcmp(i->name, "lwz") || !strcmp(i->name, "ld")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s = %sLOAD(%s, RELAXED);\n", power_variable(t, i, 0), cast,
			power_address(t, i, 1));
	} else if (!strcmp(i->name, "lwzx") || !strcmp(i->name, "ldx")) {
		instruction_operands(t, i, 3);
		fprintf(out, "%s = %sLOAD(%s + %s, RELAXED);\n", power_variable(t, i, 0), cast,
			power_variable(t, i, 1), power_variable(t, i, 2));
	} else if (!strcmp(i->name, "stw") || !strcmp(i->name, "std")) {
		instruction_operands(t, i, 2);
		fprintf(out, "STORE(%s, %s%s, RELAXED);\n", power_address(t, i, 1), cast,
			power_variable(t, i, 0));
	} else if (!strcmp(i->name, "stwx") || !strcmp(i->name, "stdx")) {
		instruction_operands(t, i, 3);
		fprintf(out, "STORE(%s + %s, %s%s, RELAXED);\n", power_variable(t, i, 1),
			power_variable(t, i, 2), cast, power_variable(t, i, 0));
	} else {
		return false;
	}
	return true;
}

/* The sum of operands k and k + 1; the first one may be 0. */
static const char *power_sum(struct litmus *t, const struct instruction *i, unsigned k)
{
	const char *second = power_variable(t, i, k + 1);

	return strcmp(i->operands[k], "0") != 0 && strcasecmp(i->operands[k], "r0") != 0
		       ? xprintf("%s + %s", power_variable(t, i, k), second)
		       : second;
}

/* lwarx rt,ra,rb; stwcx. rs,ra,rb, which sets the flags */
void power_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x)
{
	const char *cast = strchr(load->name, 'w') ? "(int32_t)" : "";
	const char *loaded = power_variable(t, load, 0), *stored = power_variable(t, store, 0);

	instruction_operands(t, load, 3);
	instruction_operands(t, store, 3);
	x->address = power_sum(t, load, 1);
	if (strcmp(x->address, power_sum(t, store, 1)) != 0 || load->name[1] != store->name[2] ||
		!strcmp(loaded, power_variable(t, load, 2)))
		instruction_refuse(t, store);
	x->target = xprintf("%s = %s(", loaded, cast);
	x->status = "flags = (";
	x->order = x->load_order = "RELAXED";
	x->value = xprintf("%s%s", cast, stored);
	x->same = !strcmp(loaded, stored);
}

static bool power_arithmetic(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation registers[] = {
		{"add", "+"}, {"xor", "^"}, {"or", "|"}, {"and", "&"}, {NULL, NULL}};
	static const struct binary_operation numbers[] = {
		{"addi", "+"}, {"xori", "^"}, {"ori", "|"}, {NULL, NULL}};
	const char *symbol = operation_find(registers, i->name);

	if (symbol) {
		instruction_operands(t, i, 3);
		fprintf(out, "%s = %s %s %s;\n", power_variable(t, i, 0), power_variable(t, i, 1),
			symbol, power_variable(t, i, 2));
		return true;
	}
	symbol = operation_find(numbers, i->name);
	if (symbol) {
		instruction_operands(t, i, 3);
		fprintf(out, "%s = %s %s %lldLL;\n", power_variable(t, i, 0),
			power_variable(t, i, 1), symbol,
			(long long)instruction_number(t, i, i->operands[2], 0));
	} else if (!strcmp(i->name, "li")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s = %lldLL;\n", power_variable(t, i, 0),
			(long long)instruction_number(t, i, i->operands[1], 0));
	} else if (!strcmp(i->name, "mr")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s = %s;\n", power_variable(t, i, 0), power_variable(t, i, 1));
	} else {
		return false;
	}
	return true;
}

static bool power_branch(struct litmus *t, const struct instruction *i, FILE *out)
{
	if (!strcmp(i->name, "cmpw") || !strcmp(i->name, "cmpd")) {
		instruction_operands(t, i, 2);
		fprintf(out, "flags = %s - %s;\n", power_variable(t, i, 0),
			power_variable(t, i, 1));
	} else if (!strcmp(i->name, "cmpwi") || !strcmp(i->name, "cmpdi")) {
		instruction_operands(t, i, 2);
		fprintf(out, "flags = %s - %lldLL;\n", power_variable(t, i, 0),
			(long long)instruction_number(t, i, i->operands[1], 0));
	} else if (!strcmp(i->name, "beq") || !strcmp(i->name, "bne")) {
		instruction_operands(t, i, 1);
		fprintf(out, "if (flags %s 0) goto %s;\n",
			i->name[1] == 'e' ? "==" : "!=", instruction_label(t, i, i->operands[0]));
	} else if (!strcmp(i->name, "b")) {
		instruction_operands(t, i, 1);
		fprintf(out, "goto %s;\n", instruction_label(t, i, i->operands[0]));
	} else {
		return false;
	}
	return true;
}

void power_write(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation barriers[] = {{"sync", "hwsync"}, {"hwsync", "hwsync"},
		{"lwsync", "lwsync"}, {"isync", "isync"}, {NULL, NULL}};
	const char *barrier = operation_find(barriers, i->name);

	if (barrier)
		fprintf(out, "%s();\n", barrier);
	else if (strcmp(i->name, "nop") != 0 && !power_access(t, i, out) &&
		 !power_arithmetic(t, i, out) && !power_branch(t, i, out))
		instruction_refuse(t, i);
}
