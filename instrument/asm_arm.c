/* SPDX-License-Identifier: ISC */
/*
 * asm_arm.c - the text of AArch64 inline assembly as a list of steps (asm_arm.h).
 *
 * The text is LLVM's form of a template: $0, ${0:w} and ${0:x} are operands. Acquire and release
 * together are sequentially consistent, as are ldar and stlr: C11's compilers use them so, and a
 * later ldar does not overtake an stlr.
 */
#include "asm_arm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 2048
#define OPERANDS 4
#define LABELS	 8

enum operand_kind { VALUE, MEMORY, WORD, LABEL_BEFORE, LABEL_AFTER };

struct operand {
	enum operand_kind kind;
	struct arm_value value;
	struct arm_memory memory;
	char word[16];
};

struct label {
	unsigned number;
	int step;
};

struct statement {
	char name[24];
	unsigned n;
	struct operand o[OPERANDS];
};

/* --- operands -------------------------------------------------------------------------------- */

static void skip_blanks(const char **s)
{
	while (**s == ' ' || **s == '\t')
		++*s;
}

static bool take(const char **s, char c)
{
	skip_blanks(s);
	if (**s != c)
		return false;
	++*s;
	return true;
}

/* $0, ${0:w}, ${0:x} */
static bool read_arg(const char **s, struct asm_place *p)
{
	bool braces = (*s)[1] == '{';
	const char *at = *s + 1 + braces;
	char *end;

	if (**s != '$' || !isdigit((unsigned char)*at))
		return false;
	*p = (struct asm_place){.is_arg = true, .number = strtoul(at, &end, 10), .size = 8};
	if (braces && *end == ':') {
		if (end[1] != 'w' && end[1] != 'x')
			return false;
		p->size = end[1] == 'w' ? 4 : 8;
		end += 2;
	}
	if ((braces && *end++ != '}') || p->number >= ASM_ARGS)
		return false;
	*s = end;
	return true;
}

static bool read_register(const char **s, struct asm_place *p)
{
	char *end;
	const char *at = *s;

	if (read_arg(s, p))
		return true;
	if (*at != 'x' && *at != 'w')
		return false;
	*p = (struct asm_place){.number = ARM_ZERO, .size = *at == 'w' ? 4 : 8};
	if (!strncmp(at + 1, "zr", 2)) {
		end = (char *)at + 3;
	} else {
		if (!isdigit((unsigned char)at[1]))
			return false;
		p->number = strtoul(at + 1, &end, 10);
		if (p->number > 30)
			return false;
	}
	if (isalnum((unsigned char)*end) || *end == '_')
		return false;
	*s = end;
	return true;
}

static bool read_number(const char **s, int64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)**s) && **s != '-')
		return false;
	*value = (int64_t)strtoull(*s, &end, 0);
	if (end == *s)
		return false;
	*s = end;
	return true;
}

/* What stands after [ */
static bool read_memory(const char **s, struct arm_memory *m)
{
	skip_blanks(s);
	if (!read_register(s, &m->base) || m->base.size != 8)
		return false;
	if (take(s, ',')) {
		take(s, '#');
		if (!read_number(s, &m->offset))
			return false;
	}
	return take(s, ']') && **s != '!';
}

static bool read_label(const char **s, struct operand *o)
{
	size_t n = strspn(*s, "0123456789");
	char c = (*s)[n];

	if (!n || n > 4 || (c != 'b' && c != 'f') || isalnum((unsigned char)(*s)[n + 1]))
		return false;
	o->kind = c == 'b' ? LABEL_BEFORE : LABEL_AFTER;
	o->value.constant = strtol(*s, NULL, 10);
	*s += n + 1;
	return true;
}

static bool parse_operand(const char **s, struct operand *o)
{
	size_t n;

	memset(o, 0, sizeof(*o));
	skip_blanks(s);
	if (take(s, '[')) {
		o->kind = MEMORY;
		return read_memory(s, &o->memory);
	}
	if (read_label(s, o))
		return true;
	o->kind = VALUE;
	take(s, '#');
	if (read_register(s, &o->value.place))
		return true;
	o->value.is_constant = true;
	if (read_number(s, &o->value.constant))
		return true;
	o->kind = WORD;
	n = strspn(*s, "abcdefghijklmnopqrstuvwxyz0123456789_");
	if (!n || n >= sizeof(o->word))
		return false;
	memcpy(o->word, *s, n);
	*s += n;
	return true;
}

/* --- instructions ---------------------------------------------------------------------------- */

/* The place of operand i; false: it is none. */
static bool operand_place(const struct statement *st, unsigned i, struct asm_place *p)
{
	*p = st->o[i].value.place;
	return i < st->n && st->o[i].kind == VALUE && !st->o[i].value.is_constant;
}

static bool operand_value(const struct statement *st, unsigned i, struct arm_value *v)
{
	*v = st->o[i].value;
	return i < st->n && st->o[i].kind == VALUE;
}

static bool operand_memory(const struct statement *st, unsigned i, struct arm_memory *m)
{
	if (i >= st->n)
		return false;
	*m = st->o[i].memory;
	if (st->o[i].kind == MEMORY)
		return true;
	*m = (struct arm_memory){.is_arg = true, .base = st->o[i].value.place};
	return st->o[i].kind == VALUE && m->base.is_arg;
}

static bool read_computation(const struct statement *st, struct arm_step *t)
{
	static const struct {
		const char *name;
		unsigned n;
		int op;
		bool inverts;
	} names[] = {{"mov", 2, HEDDLE_XCHG, false}, {"mvn", 2, HEDDLE_XCHG, true},
		{"neg", 2, HEDDLE_SUB, false}, {"add", 3, HEDDLE_ADD, false},
		{"sub", 3, HEDDLE_SUB, false}, {"and", 3, HEDDLE_AND, false},
		{"bic", 3, HEDDLE_AND, true}, {"orr", 3, HEDDLE_OR, false},
		{"orn", 3, HEDDLE_OR, true}, {"eor", 3, HEDDLE_XOR, false},
		{"eon", 3, HEDDLE_XOR, true}};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(st->name, names[i].name) != 0 || st->n != names[i].n)
			continue;
		t->action = ARM_COMPUTE;
		t->op = names[i].op;
		t->inverts = names[i].inverts;
		t->has_to = true;
		t->a = (struct arm_value){.is_constant = true};
		return operand_place(st, 0, &t->to) && operand_value(st, st->n - 1, &t->b) &&
		       (st->n == 2 || operand_value(st, 1, &t->a));
	}
	return false;
}

/* Fences by the last letters of their scope; isb and others. After dsb ishst nothing begins before
 * earlier stores are complete: a full one. */
static bool read_barrier(const struct statement *st, struct arm_step *t)
{
	const char *scope = st->o[0].word;
	size_t n = strlen(scope);

	t->action = ARM_FENCE;
	if (!strcmp(st->name, "isb")) {
		t->order = __ATOMIC_RELAXED | HEDDLE_FENCE_CONTEXT << HEDDLE_FENCE;
		return st->n == 0 || (st->n == 1 && st->o[0].kind == WORD);
	}
	if ((strcmp(st->name, "dmb") != 0 && strcmp(st->name, "dsb") != 0) || st->n != 1 ||
		st->o[0].kind != WORD)
		return false;
	if (n >= 2 && !strcmp(scope + n - 2, "ld"))
		t->order = __ATOMIC_ACQUIRE | HEDDLE_FENCE_LOADS << HEDDLE_FENCE;
	else if (n >= 2 && !strcmp(scope + n - 2, "st") && st->name[1] == 'm')
		t->order = __ATOMIC_RELEASE | HEDDLE_FENCE_STORES << HEDDLE_FENCE;
	else
		t->order = __ATOMIC_SEQ_CST | HEDDLE_FENCE_FULL << HEDDLE_FENCE;
	return true;
}

static bool read_simple(const struct statement *st, struct arm_step *t)
{
	static const char *const nothing[] = {
		"nop", "sev", "sevl", "clrex", "prfm", ".arch_extension"};
	static const char *const pauses[] = {"yield", "wfe"};

	for (unsigned i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (!strcmp(st->name, nothing[i]))
			return st->n == (i == 4 ? 2 : i == 5);
	for (unsigned i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++)
		if (!strcmp(st->name, pauses[i])) {
			t->action = ARM_PAUSE;
			return st->n == 0;
		}
	if (!strcmp(st->name, "cmp")) {
		t->action = ARM_COMPARE;
		return st->n == 2 && operand_value(st, 0, &t->a) && operand_value(st, 1, &t->b);
	}
	if (!strcmp(st->name, "cset")) {
		t->action = ARM_SET;
		t->has_to = true;
		t->op = !strcmp(st->o[1].word, "ne");
		return st->n == 2 && operand_place(st, 0, &t->to) && st->o[1].kind == WORD &&
		       (t->op || !strcmp(st->o[1].word, "eq"));
	}
	if (!strcmp(st->name, "mrs")) {
		t->action = ARM_CYCLES;
		t->has_to = true;
		return st->n == 2 && operand_place(st, 0, &t->to) && st->o[1].kind == WORD &&
		       !strcmp(st->o[1].word, "cntvct_el0");
	}
	return read_barrier(st, t);
}

static bool read_branch(const struct statement *st, struct arm_step *t)
{
	const struct operand *to = &st->o[st->n ? st->n - 1 : 0];

	if (!st->n || (to->kind != LABEL_BEFORE && to->kind != LABEL_AFTER))
		return false;
	t->target = (int)to->value.constant;
	t->order = to->kind == LABEL_BEFORE;
	if (!strcmp(st->name, "cbnz")) {
		t->action = ARM_NONZERO;
		return st->n == 2 && operand_value(st, 0, &t->a);
	}
	t->action = ARM_UNEQUAL;
	return st->n == 1 && (!strcmp(st->name, "b.ne") || !strcmp(st->name, "bne"));
}

static int c11_order(bool acquires, bool releases)
{
	return acquires && releases ? __ATOMIC_SEQ_CST
	       : acquires	    ? __ATOMIC_ACQUIRE
	       : releases	    ? __ATOMIC_RELEASE
				    : __ATOMIC_RELAXED;
}

/* The end of a name: b or h; that of the register otherwise. */
static bool read_width(const char *end, unsigned size, struct arm_step *t)
{
	t->width = *end == 'b' ? 1 : *end == 'h' ? 2 : size;
	return !*end || ((*end == 'b' || *end == 'h') && !end[1]);
}

/* Atomics of one instruction: ldadd, stadd, swp, cas, with a, l, al and b, h after it. */
static bool read_atomic(const struct statement *st, struct arm_step *t)
{
	static const struct {
		const char *name;
		int op;
	} names[] = {{"add", HEDDLE_ADD}, {"clr", HEDDLE_AND}, {"set", HEDDLE_OR},
		{"eor", HEDDLE_XOR}, {"smax", HEDDLE_MAX}, {"smin", HEDDLE_MIN},
		{"umax", HEDDLE_UMAX}, {"umin", HEDDLE_UMIN}, {"", HEDDLE_XCHG}};
	const char *end = st->name;
	bool keeps, acquires, cas = !strncmp(end, "cas", 3), swap = !strncmp(end, "swp", 3);
	unsigned i = 0;

	keeps = cas || swap || !strncmp(end, "ld", 2);
	if (!keeps && strncmp(end, "st", 2) != 0)
		return false;
	end += cas || swap ? 3 : 2;
	if (!cas && !swap)
		while (strncmp(end, names[i].name, strlen(names[i].name)) != 0)
			i++;
	else
		i = 8;
	if (!cas && !swap && i == 8)
		return false;
	end += strlen(names[i].name);
	acquires = *end == 'a';
	end += acquires;
	t->order = c11_order(acquires, *end == 'l');
	end += *end == 'l';
	t->action = cas ? ARM_CAS : ARM_RMW;
	t->op = names[i].op;
	t->inverts = !strncmp(names[i].name, "clr", 3);
	t->has_to = keeps;
	if (st->n != 2u + keeps || !operand_value(st, cas ? 1 : 0, &t->a) || t->a.is_constant ||
		(keeps && !operand_place(st, cas ? 0 : 1, &t->to)))
		return false;
	return read_width(end, t->a.place.size, t) && operand_memory(st, st->n - 1, &t->at);
}

static bool read_access(const struct statement *st, struct arm_step *t)
{
	static const struct {
		const char *name;
		enum arm_action action;
		int order;
	} names[] = {{"ldaxr", ARM_LOAD_EXCLUSIVE, __ATOMIC_ACQUIRE},
		{"ldxr", ARM_LOAD_EXCLUSIVE, __ATOMIC_RELAXED},
		{"ldapr", ARM_LOAD, __ATOMIC_ACQUIRE}, {"ldar", ARM_LOAD, __ATOMIC_SEQ_CST},
		{"ldr", ARM_LOAD, __ATOMIC_RELAXED},
		{"stlxr", ARM_STORE_EXCLUSIVE, __ATOMIC_RELEASE},
		{"stxr", ARM_STORE_EXCLUSIVE, __ATOMIC_RELAXED},
		{"stlr", ARM_STORE, __ATOMIC_SEQ_CST}, {"str", ARM_STORE, __ATOMIC_RELAXED}};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned exclusive = names[i].action == ARM_STORE_EXCLUSIVE;

		if (strncmp(st->name, names[i].name, strlen(names[i].name)) != 0)
			continue;
		t->action = names[i].action;
		t->order = names[i].order;
		t->has_to = t->action != ARM_STORE;
		if (st->n != 2 + exclusive || (t->has_to && !operand_place(st, 0, &t->to)))
			return false;
		if (t->action != ARM_LOAD && t->action != ARM_LOAD_EXCLUSIVE &&
			(!operand_value(st, exclusive, &t->a) || t->a.is_constant))
			return false;
		return read_width(st->name + strlen(names[i].name),
			       t->has_to && !exclusive ? t->to.size : t->a.place.size, t) &&
		       operand_memory(st, st->n - 1, &t->at);
	}
	return false;
}

/* --- the template ---------------------------------------------------------------------------- */

static bool read_statement(const char *s, struct arm_step *t)
{
	struct statement st = {.n = 0};
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._");

	if (!n || n >= sizeof(st.name))
		return false;
	for (size_t i = 0; i < n; i++)
		st.name[i] = (char)tolower((unsigned char)s[i]);
	s += n;
	skip_blanks(&s);
	if (*s)
		do {
			if (st.n == OPERANDS || !parse_operand(&s, &st.o[st.n]))
				return false;
			st.n++;
		} while (take(&s, ','));
	skip_blanks(&s);
	memset(t, 0, sizeof(*t));
	if (*s)
		return false;
	if (st.n && (st.o[st.n - 1].kind == LABEL_BEFORE || st.o[st.n - 1].kind == LABEL_AFTER))
		return read_branch(&st, t);
	if (read_computation(&st, t) || read_access(&st, t))
		return true;
	memset(t, 0, sizeof(*t));
	if (read_atomic(&st, t))
		return true;
	memset(t, 0, sizeof(*t));
	return read_simple(&st, t);
}

/* 1: at the beginning of a statement */
static bool read_labels(const char **s, struct label label[LABELS], unsigned *n, int step)
{
	size_t digits;

	for (;;) {
		skip_blanks(s);
		digits = strspn(*s, "0123456789");
		if (!digits || (*s)[digits] != ':')
			return true;
		if (*n == LABELS || digits > 4)
			return false;
		label[(*n)++] = (struct label){(unsigned)strtoul(*s, NULL, 10), step};
		*s += digits + 1;
	}
}

/* The last label of the name before the step, or the first one after it. */
static bool find_target(struct arm_program *p, int i, const struct label *label, unsigned n)
{
	struct arm_step *t = &p->step[i];
	unsigned number = (unsigned)t->target;
	bool before = t->order;

	t->order = 0;
	t->target = -1;
	for (unsigned k = 0; k < n; k++)
		if (label[k].number == number &&
			(before ? label[k].step <= i : label[k].step > i && t->target < 0))
			t->target = label[k].step;
	return t->target >= 0;
}

bool arm_parse(const char *text, size_t length, struct arm_program *p)
{
	char buffer[TEXT_MAX], *s = buffer, *end, *comment;
	struct label label[LABELS];
	unsigned labels = 0;
	const char *at;

	p->n = p->nloops = 0;
	if (length >= sizeof(buffer) || memchr(text, 0, length))
		return false;
	memcpy(buffer, text, length);
	buffer[length] = 0;
	for (; s; s = end) {
		end = strpbrk(s, ";\n");
		if (end)
			*end++ = 0;
		comment = strstr(s, "//");
		if (comment)
			*comment = 0;
		at = s;
		if (!read_labels(&at, label, &labels, p->n))
			return false;
		if (*at && (p->n == ARM_STEPS || !read_statement(at, &p->step[p->n++])))
			return false;
	}
	for (int i = 0; i < p->n; i++)
		if ((p->step[i].action == ARM_NONZERO || p->step[i].action == ARM_UNEQUAL) &&
			!find_target(p, i, label, labels))
			return false;
	return true;
}
