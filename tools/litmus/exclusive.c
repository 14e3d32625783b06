/* SPDX-License-Identifier: ISC */
/* exclusive.c - exclusive loads and stores: LDXR and STXR, lwarx and stwcx., lr and sc. */
#include "litmus/instruction.h"

#include <string.h>

bool exclusive_loads(const struct litmus *t, const struct instruction *i)
{
	switch (t->dialect) {
	case DIALECT_ARM: return !strcmp(i->name, "ldxr") || !strcmp(i->name, "ldaxr");
	case DIALECT_POWER: return !strcmp(i->name, "lwarx") || !strcmp(i->name, "ldarx");
	case DIALECT_RISCV: return !strncmp(i->name, "lr.", 3);
	default: return false;
	}
}

static bool stores_exclusively(const struct litmus *t, const struct instruction *i)
{
	switch (t->dialect) {
	case DIALECT_ARM: return !strcmp(i->name, "stxr") || !strcmp(i->name, "stlxr");
	case DIALECT_POWER: return !strcmp(i->name, "stwcx.") || !strcmp(i->name, "stdcx.");
	default: return !strncmp(i->name, "sc.", 3);
	}
}

static bool branches_on_failure(
	const struct litmus *t, const struct instruction *i, const struct instruction *store)
{
	bool zero = !strcmp(i->name, "cbnz") || !strcmp(i->name, "bnez");

	if (t->dialect == DIALECT_POWER)
		return !strcmp(i->name, "bne") && i->n == 1;
	if (!(zero && i->n == 2) &&
		!(!strcmp(i->name, "bne") && i->n == 3 && !strcmp(i->operands[1], "x0")))
		return false;
	return !strcasecmp(i->operands[0], store->operands[0]);
}

/* Does line k branch back to an earlier one if the store, which is before it, has failed? */
static bool branches_back(
	struct litmus *t, unsigned thread, unsigned k, const struct instruction *store)
{
	const struct litmus_thread *p = &t->threads[thread];
	struct instruction i;
	const char *label;
	size_t n;

	if (k >= p->ncode || strchr(p->code[k].text, ':') ||
		!instruction_read(t, thread, &p->code[k], &i, NULL) ||
		!branches_on_failure(t, &i, store))
		return false;
	label = i.operands[i.n - 1];
	n = strlen(label);
	for (unsigned line = 0; line < k; line++)
		if (!strncmp(p->code[line].text, label, n) && p->code[line].text[n] == ':')
			return true;
	return false;
}

/* One read-modify-write, or a load only; the status, which depends on neither, says which. */
static void write_exclusive(const struct exclusive *x, bool retries, FILE *out)
{
	fputs(retries ? "{\n" : "if (!heddle_choose(2)) {\n", out);
	if (x->same)
		fprintf(out, "%sUPDATE(fetch_or, %s, 0, %s));\n", x->target, x->address, x->order);
	else
		fprintf(out, "%sUPDATE(exchange_n, %s, %s, %s));\n", x->target, x->address,
			x->value, x->order);
	fprintf(out, "%s0);\n}", x->status);
	if (retries)
		fputs("\n", out);
	else
		fprintf(out, " else {\n%sLOAD(%s, %s));\n%s1);\n}\n", x->target, x->address,
			x->load_order, x->status);
}

void exclusive_write(
	struct litmus *t, unsigned thread, unsigned k, const struct instruction *load, FILE *out)
{
	static void (*const readers[])(struct litmus *, const struct instruction *,
		const struct instruction *, struct exclusive *) = {
		[DIALECT_ARM] = arm_exclusive,
		[DIALECT_POWER] = power_exclusive,
		[DIALECT_RISCV] = riscv_exclusive};
	const struct litmus_thread *p = &t->threads[thread];
	struct instruction store = {.name = ""};
	struct exclusive x = {0};

	if (k + 1 < p->ncode && !strchr(p->code[k + 1].text, ':'))
		instruction_read(t, thread, &p->code[k + 1], &store, out);
	if (!stores_exclusively(t, &store))
		litmus_refuse(t, load->line,
			"an exclusive load without an exclusive store directly behind it is not "
			"supported");
	readers[t->dialect](t, load, &store, &x);
	t->exclusive = true;
	write_exclusive(&x, branches_back(t, thread, k + 2, &store), out);
}
