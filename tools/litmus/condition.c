/* SPDX-License-Identifier: ISC */
/* condition.c - the values that a litmus test asks for: see litmus.h. */
#include "litmus/litmus.h"

#include <string.h>

static unsigned item_of(struct litmus *t, int thread, const char *name)
{
	struct litmus_item *i;

	for (unsigned k = 0; k < t->nitems; k++)
		if (t->items[k].thread == thread && !strcmp(t->items[k].name, name))
			return k;
	if (t->nitems == LITMUS_ITEMS)
		litmus_refuse(t, t->line, "more than %u registers and locations in the condition",
			LITMUS_ITEMS);
	i = &t->items[t->nitems];
	*i = (struct litmus_item){.thread = thread,
		.name = name,
		.shown = thread < 0 ? xprintf("[%s]", name) : xprintf("%d:%s", thread, name)};
	if (strlen(i->shown) > 31)
		litmus_refuse(t, t->line, "%s: a name of more than 31 characters", i->shown);
	return t->nitems++;
}

/* 0:X1 */
static unsigned read_register(struct litmus *t, const char **at, int64_t thread)
{
	static const char *(*const canonical[])(const char *) = {[DIALECT_ARM] = arm_register,
		[DIALECT_POWER] = power_register,
		[DIALECT_RISCV] = riscv_register,
		[DIALECT_X86] = x86_register};
	const char *name;

	need_word(t, at, ":");
	name = read_name(t, at);
	if (thread < 0 || thread >= t->nthreads)
		litmus_refuse(t, t->line, "there is no thread %lld", (long long)thread);
	if (name && canonical[t->dialect]) {
		const char *known = canonical[t->dialect](name);

		if (!known)
			litmus_refuse(t, t->line, "%s is no register that heddle knows", name);
		name = known;
		litmus_register(t, (unsigned)thread, name);
	}
	if (!name)
		litmus_refuse(t, t->line, "a register expected after `:'");
	return item_of(t, (int)thread, name);
}

static unsigned read_item(struct litmus *t, const char **at)
{
	int64_t thread;
	bool bracket;
	const char *name;

	if (read_number(t, at, &thread))
		return read_register(t, at, thread);
	bracket = pass_word(t, at, "[");
	if (!bracket)
		pass_word(t, at, "*");
	name = read_name(t, at);
	if (!name)
		litmus_refuse(t, t->line, "a register or location expected before `%.*s'",
			(int)strcspn(*at, "\n"), *at);
	if (bracket)
		need_word(t, at, "]");
	litmus_location(t, name);
	return item_of(t, -1, name);
}

static const struct condition *condition_new(struct condition c)
{
	struct condition *made = xmalloc(sizeof(*made));

	*made = c;
	return made;
}

static const struct condition *negation(const struct condition *c)
{
	return condition_new((struct condition){.kind = CONDITION_NOT, .left = c});
}

static const struct condition *read_any(struct litmus *t, const char **at);

static const struct condition *read_one(struct litmus *t, const char **at)
{
	const struct condition *c;
	struct condition atom = {.kind = CONDITION_EQUAL};
	bool differs;

	if (pass_word(t, at, "~") || pass_word(t, at, "not"))
		return negation(read_one(t, at));
	if (pass_word(t, at, "true"))
		return condition_new((struct condition){.kind = CONDITION_TRUE});
	if (pass_word(t, at, "false"))
		return negation(condition_new((struct condition){.kind = CONDITION_TRUE}));
	if (pass_word(t, at, "(")) {
		c = read_any(t, at);
		need_word(t, at, ")");
		return c;
	}
	atom.item = read_item(t, at);
	differs = pass_word(t, at, "<>") || pass_word(t, at, "!=");
	if (!differs)
		need_word(t, at, "=");
	pass_word(t, at, "="); /* == */
	atom.value = read_value(t, at);
	c = condition_new(atom);
	return differs ? negation(c) : c;
}

static const struct condition *read_conjunction(struct litmus *t, const char **at)
{
	const struct condition *c = read_one(t, at);

	while (pass_word(t, at, "/\\") || pass_word(t, at, "&&"))
		c = condition_new((struct condition){
			.kind = CONDITION_AND, .left = c, .right = read_one(t, at)});
	return c;
}

static const struct condition *read_any(struct litmus *t, const char **at)
{
	const struct condition *c = read_conjunction(t, at);

	while (pass_word(t, at, "\\/") || pass_word(t, at, "||"))
		c = condition_new((struct condition){
			.kind = CONDITION_OR, .left = c, .right = read_conjunction(t, at)});
	return c;
}

/* The text in one line, with single blanks. */
static char *in_one_line(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		bool blank = strchr(" \t\r\n", *from);

		if (blank && (to == text || to[-1] == ' '))
			continue;
		*to++ = blank ? ' ' : *from;
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = 0;
	return text;
}

void litmus_read_condition(struct litmus *t, const char **at)
{
	const char *from;

	if (pass_word(t, at, "locations")) {
		need_word(t, at, "[");
		while (!pass_word(t, at, "]")) {
			read_item(t, at);
			pass_word(t, at, ";");
		}
	}
	t->filter = pass_word(t, at, "filter") ? read_any(t, at) : NULL;
	skip_blanks(t, at);
	from = *at;
	if (pass_word(t, at, "exists"))
		t->quantifier = QUANTIFIER_EXISTS;
	else if (pass_word(t, at, "~exists") || pass_word(t, at, "~ exists"))
		t->quantifier = QUANTIFIER_NOT_EXISTS;
	else if (pass_word(t, at, "forall"))
		t->quantifier = QUANTIFIER_FORALL;
	else if (**at)
		litmus_refuse(t, t->line, "exists, ~exists or forall expected before `%.*s'",
			(int)strcspn(*at, "\n"), *at);
	if (**at) {
		t->condition = read_any(t, at);
		t->condition_text = in_one_line(text_between(from, *at));
	} else {
		t->condition = condition_new((struct condition){.kind = CONDITION_TRUE});
		t->condition_text = "exists (true)";
	}
}

static bool same_value(const struct litmus_value *a, const struct litmus_value *b)
{
	if (a->address || b->address)
		return a->address && b->address && !strcmp(a->address, b->address);
	return a->number == b->number;
}

bool litmus_holds(const struct condition *c, const struct litmus_value *values)
{
	switch (c->kind) {
	case CONDITION_TRUE: return true;
	case CONDITION_NOT: return !litmus_holds(c->left, values);
	case CONDITION_AND: return litmus_holds(c->left, values) && litmus_holds(c->right, values);
	case CONDITION_OR: return litmus_holds(c->left, values) || litmus_holds(c->right, values);
	case CONDITION_EQUAL: return same_value(&values[c->item], &c->value);
	}
	return false;
}
