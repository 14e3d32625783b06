/* SPDX-License-Identifier: ISC */
/* riscv.c - RISC-V's instructions as C statements (litmus.h). Registers are the variables x1 to
 * x31, by any of their names; x0 is zero. */
#include "litmus/instruction.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* a0: the register 10 */
static long register_number(const char *name)
{
	static const struct {
		const char *kind;
		long from, to, first;
	} names[] = {{"x", 0, 31, 0}, {"t", 0, 2, 5}, {"t", 3, 6, 28}, {"s", 0, 1, 8},
		{"s", 2, 11, 18}, {"a", 0, 7, 10}};
	char *end;
	long n;

	if (!strcmp(name, "zero"))
		return 0;
	if (!name[0] || !isdigit((unsigned char)name[1]))
		return -1;
	n = strtol(name + 1, &end, 10);
	for (size_t i = 0; !*end && i < sizeof(names) / sizeof(*names); i++)
		if (name[0] == names[i].kind[0] && n >= names[i].from && n <= names[i].to)
			return names[i].first + n - names[i].from;
	return -1;
}

const char *riscv_register(const char *name)
{
	long n = register_number(name);

	return n < 0 ? NULL : xprintf("x%ld", n);
}

static const char *riscv_variable(
	struct litmus *t, const struct instruction *i, const char *operand)
{
	long n = operand ? register_number(operand) : -1;

	if (n < 0)
		instruction_refuse(t, i);
	return n ? litmus_register(t, i->thread, xprintf("x%ld", n))->name : "0LL";
}

/* "x5 = ", or nothing: a value for x0 is lost. */
static const char *riscv_target(struct litmus *t, const struct instruction *i)
{
	const char *to = riscv_variable(t, i, i->operands[0]);

	return to[0] == 'x' ? xprintf("%s = ", to) : "(void)";
}

/* 0(x6), (x6) */
static const char *riscv_address(struct litmus *t, const struct instruction *i, const char *operand)
{
	char *offset = operand ? xstrdup(operand) : NULL;
	char *open = offset ? strchr(offset, '(') : NULL, *close = open ? strchr(open, ')') : NULL;

	if (!close || close[1])
		instruction_refuse(t, i);
	*open = *close = 0;
	return xprintf("%s + %lld", riscv_variable(t, i, open + 1),
		*offset ? (long long)instruction_number(t, i, offset, 0) : 0);
}

static bool riscv_access(struct litmus *t, const struct instruction *i, FILE *out)
{
	const char *cast = strchr(i->name, 'w') ? "(int32_t)" : "";

	if (!strcmp(i->name, "lw") || !strcmp(i->name, "ld")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s(%sLOAD(%s, RELAXED));\n", riscv_target(t, i), cast,
			riscv_address(t, i, i->operands[1]));
	} else if (!strcmp(i->name, "sw") || !strcmp(i->name, "sd")) {
		instruction_operands(t, i, 2);
		fprintf(out, "STORE(%s, %s%s, RELAXED);\n", riscv_address(t, i, i->operands[1]),
			cast, riscv_variable(t, i, i->operands[0]));
	} else {
		return false;
	}
	return true;
}

/* amoadd.w.aq rd,rs,(ra) */
static bool riscv_update(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation updates[] = {{"amoswap", "exchange_n"},
		{"amoadd", "fetch_add"}, {"amoand", "fetch_and"}, {"amoor", "fetch_or"},
		{"amoxor", "fetch_xor"}, {NULL, NULL}};
	static const struct binary_operation orders[] = {{"", "RELAXED"}, {".aq", "ACQUIRE"},
		{".rl", "RELEASE"}, {".aq.rl", "ACQ_REL"}, {".aqrl", "ACQ_REL"}, {NULL, NULL}};
	const char *dot = strchr(i->name, '.'), *update, *order;

	if (!dot || (strncmp(dot, ".w", 2) != 0 && strncmp(dot, ".d", 2) != 0))
		return false;
	update = operation_find(updates, text_between(i->name, dot));
	order = operation_find(orders, dot + 2);
	if (!update || !order)
		return false;
	instruction_operands(t, i, 3);
	t->updates = true;
	fprintf(out, "%s(%sUPDATE(%s, %s, %s, %s));\n", riscv_target(t, i),
		dot[1] == 'w' ? "(int32_t)" : "", update, riscv_address(t, i, i->operands[2]),
		riscv_variable(t, i, i->operands[1]), order);
	return true;
}

/* lr.w.aq rd,(ra); sc.w.rl status,rs,(ra) */
void riscv_exclusive(struct litmus *t, const struct instruction *load,
	const struct instruction *store, struct exclusive *x)
{
	const char *loads = load->name + strlen("lr.w"), *stores = store->name + strlen("sc.w");
	bool acquires = !strcmp(loads, ".aq"), releases = !strcmp(stores, ".rl"),
	     half = load->name[3] == 'w';

	instruction_operands(t, load, 2);
	instruction_operands(t, store, 3);
	if (load->name[3] != store->name[3] || (*loads && !acquires) ||
		riscv_address(t, load, load->operands[1])[0] == '0' ||
		!strcmp(riscv_variable(t, load, load->operands[0]), load->operands[1]))
		instruction_refuse(t, load);
	x->address = riscv_address(t, load, load->operands[1]);
	if ((*stores && !releases) ||
		strcmp(x->address, riscv_address(t, store, store->operands[2])) != 0)
		instruction_refuse(t, store);
	x->target = xprintf("%s%s(", riscv_target(t, load), half ? "(int32_t)" : "");
	x->status = xprintf("%s(", riscv_target(t, store));
	x->order = acquires ? releases ? "ACQ_REL" : "ACQUIRE" : releases ? "RELEASE" : "RELAXED";
	x->load_order = acquires ? "ACQUIRE" : "RELAXED";
	x->value = xprintf("%s%s", half ? "(int32_t)" : "",
		riscv_variable(t, store, store->operands[1]));
	x->same = !strcmp(riscv_variable(t, load, load->operands[0]),
		riscv_variable(t, store, store->operands[1]));
}

static bool riscv_arithmetic(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation registers[] = {
		{"add", "+"}, {"sub", "-"}, {"xor", "^"}, {"or", "|"}, {"and", "&"}, {NULL, NULL}};
	static const struct binary_operation numbers[] = {
		{"addi", "+"}, {"xori", "^"}, {"ori", "|"}, {"andi", "&"}, {NULL, NULL}};
	const char *symbol = operation_find(registers, i->name);

	if (symbol) {
		instruction_operands(t, i, 3);
		fprintf(out, "%s(%s %s %s);\n", riscv_target(t, i),
			riscv_variable(t, i, i->operands[1]), symbol,
			riscv_variable(t, i, i->operands[2]));
		return true;
	}
	symbol = operation_find(numbers, i->name);
	if (symbol) {
		instruction_operands(t, i, 3);
		fprintf(out, "%s(%s %s %lldLL);\n", riscv_target(t, i),
			riscv_variable(t, i, i->operands[1]), symbol,
			(long long)instruction_number(t, i, i->operands[2], 0));
	} else if (!strcmp(i->name, "li")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s(%lldLL);\n", riscv_target(t, i),
			(long long)instruction_number(t, i, i->operands[1], 0));
	} else if (!strcmp(i->name, "mv")) {
		instruction_operands(t, i, 2);
		fprintf(out, "%s(%s);\n", riscv_target(t, i), riscv_variable(t, i, i->operands[1]));
	} else {
		return false;
	}
	return true;
}

static bool riscv_branch(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation branches[] = {
		{"beq", "=="}, {"bne", "!="}, {"beqz", "=="}, {"bnez", "!="}, {NULL, NULL}};
	const char *symbol = operation_find(branches, i->name);
	bool zero = i->name[strlen(i->name) - 1] == 'z';

	if (!strcmp(i->name, "j")) {
		instruction_operands(t, i, 1);
		fprintf(out, "goto %s;\n", instruction_label(t, i, i->operands[0]));
		return true;
	}
	if (!symbol)
		return false;
	instruction_operands(t, i, zero ? 2 : 3);
	fprintf(out, "if (%s %s %s) goto %s;\n", riscv_variable(t, i, i->operands[0]), symbol,
		zero ? "0" : riscv_variable(t, i, i->operands[1]),
		instruction_label(t, i, i->operands[zero ? 1 : 2]));
	return true;
}

/* Those that the model has: from C's fences, and from the kernel's. */
static bool riscv_fence(struct litmus *t, const struct instruction *i, FILE *out)
{
	static const struct binary_operation fences[] = {{"rw,rw", "FENCE(SEQ_CST)"},
		{"iorw,iorw", "FENCE(SEQ_CST)"}, {"r,rw", "FENCE(ACQUIRE)"},
		{"rw,w", "FENCE(RELEASE)"}, {"r,r", "smp_rmb()"}, {"w,w", "smp_wmb()"},
		{NULL, NULL}};
	const char *fence;

	if (!strcmp(i->name, "fence.tso")) {
		fputs("FENCE(ACQ_REL);\n", out);
		return true;
	}
	if (strcmp(i->name, "fence") != 0)
		return false;
	if (i->n && i->n != 2)
		instruction_refuse(t, i);
	fence = operation_find(
		fences, i->n ? xprintf("%s,%s", i->operands[0], i->operands[1]) : "rw,rw");
	if (!fence)
		instruction_refuse(t, i);
	fprintf(out, "%s;\n", fence);
	return true;
}

void riscv_write(struct litmus *t, const struct instruction *i, FILE *out)
{
	if (!strcmp(i->name, "nop") || riscv_access(t, i, out) || riscv_arithmetic(t, i, out) ||
		riscv_branch(t, i, out) || riscv_fence(t, i, out) || riscv_update(t, i, out))
		return;
	instruction_refuse(t, i);
}
