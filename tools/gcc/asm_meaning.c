/* SPDX-License-Identifier: ISC */
/* asm_meaning.c - see asm_meaning.h. */
#include "gcc/asm_meaning.h"
#include "../instrument/plan.h"

#include <string.h>

#include <heddle/abi.h>
#include <heddle/asm_call.h>

/* --- the table of instructions ---------------------------------------------------------------- */

enum how {
	READS,	 /* memory that is its source; as its destination, too */
	MOVES,	 /* from memory or to memory */
	WRITES,	 /* its destination, without reading it */
	UPDATES, /* its destination; a source is read */
	LEAVES,	 /* nothing is accessed */
	XADD,
	XCHG,
	CMPXCHG,
	CMPXCHG_PAIR,
	BIT,
	NEGATES,
	FENCES,
	PAUSES,
	CYCLES,
	STACK,	 /* its own, unless it names memory */
	IMPLICIT /* memory without naming it, or goes elsewhere */
};

struct asm_row {
	const char *name;
	unsigned char suffix; /* 1: may end in b, w, l or q */
	unsigned char width;  /* if the name gives it */
	unsigned char how;
	short operation;     /* with lock; -1: there is none */
	const char *operand; /* of that; NULL: the instruction's first */
	const char *run;     /* with the cell, which is not aligned */
};

static const struct asm_row rows[] = {
	{"mov", 1, 0, MOVES, -1},
	{"movabs", 1, 8, MOVES, -1},
	{"movd", 0, 4, MOVES, -1},
	{"movss", 0, 4, MOVES, -1},
	{"movsd", 0, 8, MOVES, -1},
	{"movnti", 1, 0, WRITES, -1},
	{"movdqa", 0, 16, MOVES, -1, NULL, "movups"},
	{"movdqu", 0, 16, MOVES, -1},
	{"movaps", 0, 16, MOVES, -1, NULL, "movups"},
	{"movups", 0, 16, MOVES, -1},
	{"movapd", 0, 16, MOVES, -1, NULL, "movups"},
	{"movupd", 0, 16, MOVES, -1},
	{"movntdq", 0, 16, WRITES, -1, NULL, "movups"},
	{"movntps", 0, 16, WRITES, -1, NULL, "movups"},
	{"add", 1, 0, UPDATES, HEDDLE_ADD},
	{"sub", 1, 0, UPDATES, HEDDLE_SUB},
	{"and", 1, 0, UPDATES, HEDDLE_AND},
	{"or", 1, 0, UPDATES, HEDDLE_OR},
	{"xor", 1, 0, UPDATES, HEDDLE_XOR},
	{"adc", 1, 0, UPDATES, -1},
	{"sbb", 1, 0, UPDATES, -1},
	{"inc", 1, 0, UPDATES, HEDDLE_ADD, "$1"},
	{"dec", 1, 0, UPDATES, HEDDLE_SUB, "$1"},
	{"not", 1, 0, UPDATES, HEDDLE_XOR, "$-1"},
	{"neg", 1, 0, NEGATES, 0},
	{"shl", 1, 0, UPDATES, -1},
	{"sal", 1, 0, UPDATES, -1},
	{"shr", 1, 0, UPDATES, -1},
	{"sar", 1, 0, UPDATES, -1},
	{"rol", 1, 0, UPDATES, -1},
	{"ror", 1, 0, UPDATES, -1},
	{"cmp", 1, 0, READS, -1},
	{"test", 1, 0, READS, -1},
	{"imul", 1, 0, READS, -1},
	{"mul", 1, 0, READS, -1},
	{"div", 1, 0, READS, -1},
	{"idiv", 1, 0, READS, -1},
	{"popcnt", 1, 0, READS, -1},
	{"bsf", 1, 0, READS, -1},
	{"bsr", 1, 0, READS, -1},
	{"lzcnt", 1, 0, READS, -1},
	{"tzcnt", 1, 0, READS, -1},
	{"xadd", 1, 0, XADD, HEDDLE_ADD},
	{"xchg", 1, 0, XCHG, HEDDLE_XCHG},
	{"cmpxchg", 1, 0, CMPXCHG, 0},
	{"cmpxchg8b", 0, 8, CMPXCHG_PAIR, 0},
	{"cmpxchg16b", 0, 16, CMPXCHG_PAIR, 0},
	{"bt", 1, 0, BIT, HEDDLE_XCHG},
	{"bts", 1, 0, BIT, HEDDLE_OR},
	{"btr", 1, 0, BIT, HEDDLE_AND},
	{"btc", 1, 0, BIT, HEDDLE_XOR},
	{"ldmxcsr", 0, 4, READS, -1},
	{"stmxcsr", 0, 4, WRITES, -1},
	{"fldcw", 0, 2, READS, -1},
	{"fnstcw", 0, 2, WRITES, -1},
	{"fstcw", 0, 2, WRITES, -1},
	{"mfence", 0, 0, FENCES, __ATOMIC_SEQ_CST},
	{"sfence", 0, 0, FENCES, __ATOMIC_RELEASE},
	{"lfence", 0, 0, FENCES, __ATOMIC_ACQUIRE},
	{"pause", 0, 0, PAUSES, 0},
	{"rdtsc", 0, 0, CYCLES, 0},
	{"rdtscp", 0, 0, CYCLES, 1},
	{"lea", 1, 0, LEAVES, 0},
	{"nop", 1, 0, LEAVES, 0},
	{"prefetch", 0, 0, LEAVES, 0},
	{"prefetchw", 0, 0, LEAVES, 0},
	{"prefetcht0", 0, 0, LEAVES, 0},
	{"prefetcht1", 0, 0, LEAVES, 0},
	{"prefetcht2", 0, 0, LEAVES, 0},
	{"prefetchnta", 0, 0, LEAVES, 0},
	{"clflush", 0, 0, LEAVES, 0},
	{"clflushopt", 0, 0, LEAVES, 0},
	{"clwb", 0, 0, LEAVES, 0},
	{"movs", 1, 0, IMPLICIT, 0},
	{"stos", 1, 0, IMPLICIT, 0},
	{"lods", 1, 0, IMPLICIT, 0},
	{"cmps", 1, 0, IMPLICIT, 0},
	{"scas", 1, 0, IMPLICIT, 0},
	{"call", 1, 0, IMPLICIT, 0},
	{"ret", 1, 0, IMPLICIT, 0},
	{"syscall", 0, 0, IMPLICIT, 0},
	{"sysenter", 0, 0, IMPLICIT, 0},
	{"int", 0, 0, IMPLICIT, 0},
	{"push", 1, 0, STACK, 0},
	{"pop", 1, 0, STACK, 0},
	{"xbegin", 0, 0, IMPLICIT, 0},
	{"xend", 0, 0, IMPLICIT, 0},
	{"leave", 1, 0, IMPLICIT, 0},
	{"enter", 1, 0, IMPLICIT, 0},
	{"xlat", 1, 0, IMPLICIT, 0},
	{"loop", 0, 0, IMPLICIT, 0},
	{"loope", 0, 0, IMPLICIT, 0},
	{"loopne", 0, 0, IMPLICIT, 0},
	{"monitor", 0, 0, IMPLICIT, 0},
	{"umonitor", 0, 0, IMPLICIT, 0},
	{"maskmovdqu", 0, 0, IMPLICIT, 0},
};

/* The row for a name, and the width that its last letter gives (0 if none does). */
static const struct asm_row *find_instruction(const char *name, unsigned *width)
{
	const size_t rows_n = sizeof(rows) / sizeof(rows[0]);
	size_t n = strlen(name);

	*width = 0;
	for (size_t i = 0; i < rows_n; i++)
		if (!strcmp(name, rows[i].name))
			return &rows[i];
	*width = n ? plan_suffix_width(name[n - 1]) : 0;
	for (size_t i = 0; *width && i < rows_n; i++)
		if (rows[i].suffix && strlen(rows[i].name) == n - 1 &&
			!strncmp(name, rows[i].name, n - 1))
			return &rows[i];
	return NULL;
}

/* --- one instruction -------------------------------------------------------------------------- */

static unsigned memory_operand(const struct asm_line *l, unsigned *count)
{
	unsigned found = 0;

	*count = 0;
	for (unsigned i = 0; i < l->n; i++)
		if (asm_line_is_memory(l->operand[i])) {
			found = i;
			++*count;
		}
	return found;
}

static unsigned register_size(const struct asm_line *l)
{
	unsigned size = 0;

	for (unsigned i = l->n; i-- && !size;)
		size = asm_line_register_size(l->operand[i]);
	return size;
}

/* A jump within the function: its target is a label of the compiler or of this assembly. */
static struct asm_meaning jump_meaning(const struct asm_line *l)
{
	const char *to = l->operand[0];
	size_t digits = l->n ? strspn(to, "0123456789") : 0;
	bool near = !strcmp(l->name, "jrcxz") || !strcmp(l->name, "jecxz");
	bool local = l->n == 1 && ((digits && strchr("bf", to[digits]) && !to[digits + 1]) ||
					  !strncmp(to, ".L", 2));

	return (struct asm_meaning){.does = local && !near ? ASM_NOTHING : ASM_MAY_ORDER};
}

/* lock; addl $0, 0(%rsp) and the like: a full fence. */
static bool is_stack_fence(const struct asm_line *l, const struct asm_row *r)
{
	const char *at = l->n == 2 ? l->operand[1] : "";

	at += strspn(at, "-0123456789");
	return l->lock && r->how == UPDATES && r->operation >= 0 && r->operation != HEDDLE_AND &&
	       !r->operand && !strcmp(l->operand[0], "$0") &&
	       (!strcmp(at, "(%rsp)") || !strcmp(at, "(%esp)"));
}

/* movzbl, movslq, movzb, ...: the first letter gives the width of the source. */
static unsigned extending_width(const char *name)
{
	size_t n = strlen(name);

	if ((strncmp(name, "movz", 4) != 0 && strncmp(name, "movs", 4) != 0) || n < 5 || n > 6)
		return 0;
	return n == 6 || name[4] == 'b' || name[3] == 'z' ? plan_suffix_width(name[4]) : 0;
}

/* Memory as the source of an instruction other than a move. */
static void reads(struct asm_meaning *m)
{
	m->before = HEDDLE_ASM_LOAD;
	m->run = true;
}

static void updates(const struct asm_line *l, const struct asm_row *r, struct asm_meaning *m)
{
	m->run = true;
	if (m->memory + 1 != l->n) {
		m->before = HEDDLE_ASM_LOAD;
	} else if (l->lock) {
		m->before = HEDDLE_ASM_RMW;
		m->operation = r->operation;
		m->operand = r->operand ? r->operand : l->operand[0];
		if (r->operation < 0 || (r->operand ? 1 : 2) != l->n)
			m->does = ASM_MAY_ORDER;
	} else {
		m->before = HEDDLE_ASM_LOAD;
		m->store = true;
	}
}

static void set_bit_meaning(
	const struct asm_line *l, const struct asm_row *r, struct asm_meaning *m)
{
	m->before = HEDDLE_ASM_BIT;
	m->operation = r->operation;
	m->operand = l->operand[0];
	m->flags = (l->lock ? HEDDLE_ASM_LOCKED : 0) |
		   (asm_line_is_register(l->operand[0]) ? HEDDLE_ASM_FAR : 0);
	if (l->n != 2 || m->memory != 1 || (l->lock && r->operation == HEDDLE_XCHG))
		m->does = ASM_MAY_ORDER;
}

/* xadd, xchg, cmpxchg, neg; xchg is locked in any case. */
static void exchanges(const struct asm_line *l, const struct asm_row *r, struct asm_meaning *m)
{
	bool is_swap = r->how == XCHG;

	m->run = true;
	if (l->n != (r->how == NEGATES ? 1 : 2) || (!is_swap && m->memory + 1 != l->n)) {
		m->does = ASM_MAY_ORDER;
	} else if (l->lock || is_swap) {
		m->before = r->how == NEGATES	? HEDDLE_ASM_NEGATE
			    : r->how == CMPXCHG ? HEDDLE_ASM_CAS
						: HEDDLE_ASM_RMW;
		m->operation = r->operation;
		m->operand = r->how == NEGATES ? NULL : l->operand[!m->memory];
	} else {
		m->before = HEDDLE_ASM_LOAD;
		m->store = true;
	}
}

/* An instruction of the table that has one operand in memory. */
static void accesses(const struct asm_line *l, const struct asm_row *r, struct asm_meaning *m)
{
	bool last = m->memory + 1 == l->n;

	m->name = r->run ? r->run : l->name;
	switch (r->how) {
	case READS: reads(m); break;
	case MOVES:
		m->run = true;
		m->store = last;
		m->before = last ? -1 : HEDDLE_ASM_LOAD;
		break;
	case WRITES: m->run = m->store = true; break;
	case UPDATES: updates(l, r, m); break;
	case BIT: set_bit_meaning(l, r, m); break;
	case CMPXCHG_PAIR:
		m->before = HEDDLE_ASM_CAS_PAIR;
		m->flags = l->lock ? HEDDLE_ASM_LOCKED : 0;
		break;
	default: exchanges(l, r, m); break;
	}
}

static struct asm_meaning in_table(
	const struct asm_line *l, const struct asm_row *r, unsigned width)
{
	struct asm_meaning m = {.does = ASM_ACCESSES, .before = -1};
	unsigned count;
	bool lockable = (r->how >= XADD && r->how <= NEGATES) || r->how == UPDATES;

	m.memory = memory_operand(l, &count);
	m.size = width ? width : r->width ? r->width : register_size(l);
	if (r->how == LEAVES && l->rep && !l->n) { /* rep; nop is an old way to write pause */
		m.does = ASM_PAUSES;
	} else if (r->how == FENCES) {
		m.does = ASM_FENCES;
		m.operation = r->operation;
	} else if (is_stack_fence(l, r)) {
		m.does = ASM_FENCES;
		m.operation = __ATOMIC_SEQ_CST;
	} else if (r->how == PAUSES) {
		m.does = ASM_PAUSES;
	} else if (r->how == CYCLES) {
		m.does = ASM_COUNTS;
		m.operation = r->operation;
	} else if (r->how == LEAVES) {
		m.does = ASM_NOTHING;
	} else if (r->how == IMPLICIT || (l->rep && r->how != READS)) {
		m.does = ASM_MAY_ORDER;
	} else if (!count) {
		m.does = ASM_NOTHING;
	} else if (r->how == STACK || count > 1 || !m.size || (l->lock && !lockable)) {
		m.does = ASM_MAY_ORDER;
	} else {
		accesses(l, r, &m);
	}
	return m;
}

/* Other instructions matter only if they may access memory. */
static struct asm_meaning unknown(const struct asm_line *l)
{
	struct asm_meaning m = {.does = ASM_NOTHING, .before = -1};
	unsigned count;

	memory_operand(l, &count);
	if (l->lock || l->rep || !*l->name)
		m.does = ASM_MAY_ORDER;
	else if (count)
		m.does = ASM_IS_UNKNOWN;
	return m;
}

static bool is_condition_code(const char *name, const char *with)
{
	size_t n = strlen(with);

	return !strncmp(name, with, n) && name[n] && strlen(name + n) <= 3;
}

struct asm_meaning asm_meaning(const struct asm_line *l)
{
	static const struct asm_row set = {"set", 0, 1, WRITES, -1};
	static const struct asm_row cmov = {"cmov", 0, 0, READS, -1};
	static const struct asm_row extend = {"mov", 0, 0, READS, -1};
	const struct asm_row *r;
	unsigned width;

	if (*l->name == 'j')
		return jump_meaning(l);
	r = find_instruction(l->name, &width);
	if (r && r->how == IMPLICIT && l->n && extending_width(l->name))
		r = NULL; /* movsb with operands */
	if (r && !(r->how == IMPLICIT && !strcmp(r->name, "movs") && l->n))
		return in_table(l, r, width);
	width = extending_width(l->name);
	if (width)
		return in_table(l, &extend, width);
	if (is_condition_code(l->name, "set"))
		return in_table(l, &set, 1);
	if (is_condition_code(l->name, "cmov"))
		return in_table(l, &cmov, 0);
	return unknown(l);
}
