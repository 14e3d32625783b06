/* SPDX-License-Identifier: ISC */
/* arm.c - AArch64's instructions as C statements (litmus.h). Registers are the variables X0 to X30;
 * those of 32 bits are their lower half. */
#include "litmus/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_zero(const char *name)
{
	return !strcasecmp(name, "WZR") || !strcasecmp(name, "XZR");
}

const char *arm_register(const char *name)
{
	char kind = (char)toupper((unsigned char)name[0]);
	char *end;
	long n;

	if ((kind != 'X' && kind != 'W') || !isdigit((unsigned char)name[1]))
		return NULL;
	n = strtol(name + 1, &end, 10);
	return *end || n > 30 ? NULL : xprintf("X%ld", n);
}

/* The variable; the register is refused if it is none. */
static const char *arm_variable(struct litmus *t, const struct instruction *i, const char *name)
{
	const char *known = arm_register(name);

	if (!known)
		instruction_refuse(t, i);
	return litmus_register(t, i->thread, known)->name;
}

static bool is_half(const char *name)
{
	return toupper((unsigned char)name[0]) == 'W';
}

/* The value of a register or of a number. */
static const char *arm_value(struct litmus *t, const struct instruction *i, const char *operand)
{
	if (operand[0] == '#' || isdigit((unsigned char)operand[0]))
		return xprintf("%lldLL", (long long)instruction_number(t, i, operand, '#'));
	if (is_zero(operand))
		return "0LL";
	return xprintf(is_half(operand) ? "(int32_t)%s" : "%s", arm_variable(t, i, operand));
}

/* "X0 = (int32_t)(": the beginning of an assignment; the value and ");" follow. */
static const char *arm_target(struct litmus *t, const struct instruction *i, const char *operand)
{
	if (is_zero(operand))
		return "(void)(";
	return xprintf(
		"%s = %s(", arm_variable(t, i, operand), is_half(operand) ? "(int32_t)" : "");
}

/* [Xn], [Xn,#8], [Xn,Xm], [Xn,Wm,SXTW] */
static const char *arm_address(struct litmus *t, const struct instruction *i, const char *operand)
{
	char *inner, *base, *offset, *extension;
	size_t n = strlen(operand);

	if (n < 4 || operand[0] != '[' || operand[n - 1] != ']')
		instruction_refuse(t, i);
	inner = text_between(operand + 1, operand + n - 1);
	base = strtok(inner, ", \t");
	offset = strtok(NULL, ", \t");
	extension = strtok(NULL, ", \t");
	if (!base || is_half(base) || strtok(NULL, ", \t") ||
		(extension && strcasecmp(extension, "SXTW") != 0 &&
			strcasecmp(extension, "UXTW") != 0))
		instruction_refuse(t, i);
	return offset ? xprintf("%s + %s", arm_variable(t, i, base), arm_value(t, i, offset))
		      : arm_variable(t, i, base);
}

/* --- accesses --------------------------------------------------------------------------------- */

/* "ldr w2,[x3],#8": what is left to do after the access at x3. Nothing for an instruction with two
 * operands. */
static const char *arm_after(struct litmus *t, const struct instruction *i)
{
	if (i->n != 3 || i->operands[2][0] != '#') {
		instruction_operands(t, i, 2);
		return "";
	}
	return xprintf("%s += %s;\n", arm_address(t, i, i->operands[1]),
		arm_value(t, i, i->operands[2]));
}

static bool arm_access(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation loads[] = {{"ldr", "RELAXED"}, {"ldar", "SEQ_CST"},
		{"ldapr", "ACQUIRE"}, {"ldur", "RELAXED"}, {NULL, NULL}};
	static const struct binary_operation stores[] = {
		{"str", "RELAXED"}, {"stlr", "RELEASE"}, {"stur", "RELAXED"}, {NULL, NULL}};
	const char *order = operation_find(loads, i->name), *after;

	if (order) {
		after = arm_after(t, i);
		t->rcpc |= !strcmp(i->name, "ldapr");
		fprintf(out, "%sLOAD(%s, %s));\n%s", arm_target(t, i, i->operands[0]),
			arm_address(t, i, i->operands[1]), order, after);
		return true;
	}
	order = operation_find(stores, i->name);
	if (!order)
		return false;
	after = arm_after(t, i);
	fprintf(out, "STORE(%s, %s, %s);\n%s", arm_address(t, i, i->operands[1]),
		arm_value(t, i, i->operands[0]), order, after);
	return true;
}

/* The order that a suffix says: A, L, AL, or none. NULL: it is none of them. */
static const char *suffix_order(const char *suffix)
{
	static const struct binary_operation orders[] = {{"", "RELAXED"}, {"a", "ACQUIRE"},
		{"l", "RELEASE"}, {"al", "ACQ_REL"}, {NULL, NULL}};

	return operation_find(orders, suffix);
}

static bool begins(const char *name, const char *with, const char **rest)
{
	size_t n = strlen(with);

	*rest = name + n;
	return !strncmp(name, with, n);
}

/* Of an instruction without a result, the order without acquire. */
static const char *order_without_result(const char *order)
{
	return !strcmp(order, "ACQUIRE")   ? "RELAXED"
	       : !strcmp(order, "ACQ_REL") ? "RELEASE"
					   : order;
}

/* LDADD Rs,Rt,[Xn], SWP Rs,Rt,[Xn] and the like; STADD Rs,[Xn]; Rt may be WZR. Lower-case names. */
static bool arm_update(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct {
		const char *name, *builtin, *symbol, *operation;
	} updates[] = {{"add", "fetch_add", "", "HEDDLE_ADD"},
		{"clr", "fetch_and", "~", "HEDDLE_AND"}, {"set", "fetch_or", "", "HEDDLE_OR"},
		{"eor", "fetch_xor", "", "HEDDLE_XOR"}, {"swp", "exchange_n", "", "HEDDLE_XCHG"}};
	const char *rest, *order, *address, *value;

	for (size_t k = 0; k < array_size(updates); k++) {
		bool swaps = !strcmp(updates[k].name, "swp"), stores = false;

		if ((!swaps && !begins(i->name, "ld", &rest) &&
			    !(stores = begins(i->name, "st", &rest))) ||
			!begins(swaps ? i->name : rest, updates[k].name, &rest))
			continue;
		order = suffix_order(rest);
		if (!order)
			instruction_refuse(t, i);
		instruction_operands(t, i, stores ? 2 : 3);
		t->updates = true;
		address = arm_address(t, i, i->operands[i->n - 1]);
		value = arm_value(t, i, i->operands[0]);
		if (stores || is_zero(i->operands[1]))
			fprintf(out, "UPDATE_ONLY(%s, %s, %s(%s), %s);\n", updates[k].operation,
				address, updates[k].symbol, value, order_without_result(order));
		else
			fprintf(out, "%sUPDATE(%s, %s, %s(%s), %s));\n",
				arm_target(t, i, i->operands[1]), updates[k].builtin, address,
				updates[k].symbol, value, order);
		return true;
	}
	return false;
}

/* CAS Rs,Rt,[Xn]: Rs gets the value found. */
static bool arm_compare(struct litmus *t, const struct instruction *i, FILE *out)
{
	const char *rest, *order;
	bool only;

	if (!begins(i->name, "cas", &rest))
		return false;
	order = suffix_order(rest);
	if (!order)
		instruction_refuse(t, i);
	instruction_operands(t, i, 3);
	t->updates = true;
	only = is_zero(i->operands[0]);
	if (only)
		order = order_without_result(order);
	fprintf(out, "%sSWAP%s(%s, %s, %s, %s, %s));\n", arm_target(t, i, i->operands[0]),
		only ? "_ONLY" : "", arm_address(t, i, i->operands[2]),
		arm_value(t, i, i->operands[0]), arm_value(t, i, i->operands[1]), order,
		!only && strchr(rest, 'a') ? "ACQUIRE" : "RELAXED");
	return true;
}

/* --- exclusive loads and stores --------------------------------------------------------------- */

/* LDXR Rt,[Xn]; STXR Rs,Rv,[Xn] */
void arm_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x)
{
	bool acquires = !strcmp(load->name, "ldaxr"), releases = !strcmp(store->name, "stlxr");

	instruction_operands(t, load, 2);
	instruction_operands(t, store, 3);
	if (strcasecmp(load->operands[1], store->operands[2]) != 0 ||
		!strcasecmp(load->operands[0], load->operands[1]))
		instruction_refuse(t, store);
	x->target = arm_target(t, load, load->operands[0]);
	x->address = arm_address(t, load, load->operands[1]);
	x->status = arm_target(t, store, store->operands[0]);
	x->order = acquires ? releases ? "ACQ_REL" : "ACQUIRE" : releases ? "RELEASE" : "RELAXED";
	x->load_order = acquires ? "SEQ_CST" : "RELAXED";
	x->value = arm_value(t, store, store->operands[1]);
	x->same = !is_zero(load->operands[0]) && !is_zero(store->operands[1]) &&
		  !strcmp(arm_variable(t, load, load->operands[0]),
			  x->value + strcspn(x->value, "X"));
}

/* --- the rest --------------------------------------------------------------------------------- */

static bool arm_arithmetic(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation operations[] = {{"add", "+"}, {"sub", "-"},
		{"eor", "^"}, {"orr", "|"}, {"and", "&"}, {"adds", "+"}, {"subs", "-"},
		{"ands", "&"}, {NULL, NULL}};
	const char *symbol = operation_find(operations, i->name);

	if (symbol) {
		/* ADD X1,X2,W3,SXTW */
		if (i->n != 4 || strcasecmp(i->operands[3], "SXTW") != 0)
			instruction_operands(t, i, 3);
		if (i->name[3] == 's')
			fprintf(out, "flags = %s(%s %s %s);\n",
				is_half(i->operands[0]) ? "(int32_t)" : "",
				arm_value(t, i, i->operands[1]), symbol,
				arm_value(t, i, i->operands[2]));
		fprintf(out, "%s%s %s %s);\n", arm_target(t, i, i->operands[0]),
			arm_value(t, i, i->operands[1]), symbol, arm_value(t, i, i->operands[2]));
	} else if (!strcmp(i->name, "mov") || !strcmp(i->name, "sxtw")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s%s);\n", arm_target(t, i, i->operands[0]),
			arm_value(t, i, i->operands[1]));
	} else if (!strcmp(i->name, "cmp")) {
		instruction_operands(t, i, 2);
		fprintf(out, "flags = %s - %s;\n", arm_value(t, i, i->operands[0]),
			arm_value(t, i, i->operands[1]));
	} else {
		return false;
	}
	return true;
}

/* CSEL X0,X1,X2,EQ */
static bool arm_select(struct litmus *t, const struct instruction *i, FILE *out)
{
	bool equal;

	if (strcmp(i->name, "csel") != 0)
		return false;
	instruction_operands(t, i, 4);
	equal = !strcasecmp(i->operands[3], "EQ");
	if (!equal && strcasecmp(i->operands[3], "NE") != 0)
		instruction_refuse(t, i);
	fprintf(out, "%sSELECT(flags %s 0, %s, %s));\n", arm_target(t, i, i->operands[0]),
		equal ? "==" : "!=", arm_value(t, i, i->operands[1]),
		arm_value(t, i, i->operands[2]));
	return true;
}

static bool arm_branch(struct litmus *t, const struct instruction *i, FILE *out)
{
	bool equal = !strcmp(i->name, "b.eq") || !strcmp(i->name, "beq"),
	     zero = !strcmp(i->name, "cbz");

	if (!strcmp(i->name, "b")) {
		instruction_operands(t, i, 1);
		fprintf(out, "goto %s;\n", instruction_label(t, i, i->operands[0]));
	} else if (equal || !strcmp(i->name, "b.ne") || !strcmp(i->name, "bne")) {
		instruction_operands(t, i, 1);
		fprintf(out, "if (flags %s 0) goto %s;\n",
			equal ? "==" : "!=", instruction_label(t, i, i->operands[0]));
	} else if (zero || !strcmp(i->name, "cbnz")) {
		instruction_operands(t, i, 2);
		fprintf(out, "if (%s %s 0) goto %s;\n", arm_value(t, i, i->operands[0]),
			zero ? "==" : "!=", instruction_label(t, i, i->operands[1]));
	} else {
		return false;
	}
	return true;
}

/* The inner shareable domain, or a larger one, is all that there is. */
static bool arm_barrier(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation kinds[] = {{"SY", "sy"}, {"ISH", "sy"}, {"OSH", "sy"},
		{"LD", "ld"}, {"ISHLD", "ld"}, {"OSHLD", "ld"}, {"ST", "st"}, {"ISHST", "st"},
		{"OSHST", "st"}, {"sy", "sy"}, {"ish", "sy"}, {"ld", "ld"}, {"ishld", "ld"},
		{"st", "st"}, {"ishst", "st"}, {NULL, NULL}};
	const char *kind;

	if (!strcmp(i->name, "isb")) {
		fputs("isb();\n", out);
		return true;
	}
	if (strcmp(i->name, "dmb") != 0 && strcmp(i->name, "dsb") != 0)
		return false;
	instruction_operands(t, i, 1);
	kind = operation_find(kinds, i->operands[0]);
	/* The model has no barrier that keeps stores before loads, and nothing else. */
	if (!kind || (i->name[1] == 's' && !strcmp(kind, "st")))
		instruction_refuse(t, i);
	fprintf(out, "%s(%s);\n", i->name, kind);
	return true;
}

void arm_write(struct litmus *t, const struct instruction *i, FILE *out)
{
	if (!strcmp(i->name, "nop") || arm_access(t, i, out) || arm_arithmetic(t, i, out) ||
		arm_select(t, i, out) || arm_branch(t, i, out) || arm_barrier(t, i, out) ||
		arm_compare(t, i, out) ||
		arm_update(t, i, out))
		return;
	instruction_refuse(t, i);
}
