/* SPDX-License-Identifier: ISC */
/* compare.c - the result of `heddle compare`: new end states, and the verdict in one line. */
#include "report/summary.h"

#include "die.h"

const char *portable_name(u32 portable)
{
	static const char *const names[] = {[PORTABLE] = "portable",
		[PORTABLE_NOT] = "not portable",
		[PORTABLE_UNKNOWN] = "unknown"};

	return portable < array_size(names) && names[portable] ? names[portable] : "unknown";
}

char *item_name(const struct report *r, const struct status_item *item)
{
	struct variable v;

	if (!item->size)
		return xprintf("T%llu's result", (unsigned long long)item->addr);
	if (r && symbol_variable(r->symbols, item->addr, item->size, NULL, &v))
		return v.name;
	return xprintf("[0x%llx]", (unsigned long long)item->addr);
}

/* As its type shows it. */
static char *item_value(const struct report *r, const struct status_item *item)
{
	struct variable v;

	if (item->size && r && symbol_variable(r->symbols, item->addr, item->size, NULL, &v))
		return name_of_value(r, &v.leaf, &item->value, item->size);
	return xprintf("%llu", (unsigned long long)item->value);
}

static void text_state(const struct end_state *s, const struct report *r, FILE *out)
{
	fprintf(out, "  %12llu  ", (unsigned long long)s->executions);
	if (!s->n)
		fputs("nothing has changed", out);
	for (u32 i = 0; i < s->n; i++)
		fprintf(out, "%s%s = %s", i ? ", " : "", item_name(r, &s->item[i]),
			item_value(r, &s->item[i]));
	if (s->more)
		fprintf(out, " and %u more", s->more);
	fputc('\n', out);
}

static void text_states(const struct status_compare *c, const struct report *r, FILE *out)
{
	u64 n = c->new_states < NEW_STATES ? c->new_states : NEW_STATES;

	if (!n)
		return;
	fprintf(out, "  %12s  new end states\n", "executions");
	for (u64 i = 0; i < n; i++)
		text_state(&c->state[i], r, out);
	if (c->new_states > n)
		fprintf(out, "  and %llu more\n", (unsigned long long)(c->new_states - n));
	fputc('\n', out);
}

static const char *counted(u64 n, const char *word)
{
	return xprintf("%llu %s%s", (unsigned long long)n, word, n == 1 ? "" : "s");
}

/* "1 of 4 outcomes, 1 finding"; "" = nothing. */
static const char *what_is_new(const struct status_compare *c)
{
	const char *what = "";

	if (c->new_outcomes)
		what = xprintf("%llu of %s", (unsigned long long)c->new_outcomes,
			counted(c->outcomes, "outcome"));
	else if (c->new_states)
		what = xprintf("%llu of %s", (unsigned long long)c->new_states,
			counted(c->states, "end state"));
	else if (c->executions)
		what = counted(c->executions, "execution");
	if (!c->nfindings)
		return what;
	return xprintf("%s%s%s", what, *what ? ", " : "", counted(c->nfindings, "finding"));
}

static const char *what_was_compared(const struct status_compare *c)
{
	switch (c->level) {
	case LEVEL_OUTCOMES: return counted(c->outcomes, "outcome");
	case LEVEL_STATE: return counted(c->states, "end state");
	case LEVEL_EXECUTIONS: return "executions";
	default: return "findings";
	}
}

void text_compare(const struct summary *s, const struct report *r, FILE *out)
{
	const struct status_compare *c = s->compare;
	const char *new = what_is_new(c);

	text_states(c, r, out);
	if (c->level == LEVEL_OUTCOMES && !c->outcomes)
		fprintf(out, "note: nothing is observed: heddle_observe() defines outcomes\n");
	switch (c->portable) {
	case PORTABLE:
		fprintf(out, "PORTABLE from %s to %s: nothing is new (%s)\n\n", s->from, s->model,
			what_was_compared(c));
		return;
	case PORTABLE_NOT:
		fprintf(out, "NOT PORTABLE from %s to %s: new: %s\n\n", s->from, s->model, new);
		return;
	}
	fprintf(out, "UNKNOWN from %s to %s: ", s->from, s->model);
	if (*new)
		fprintf(out, "%s not seen under %s, whose exploration is incomplete\n\n", new,
			s->from);
	else
		fprintf(out, "nothing new, but the exploration is incomplete\n\n");
}
