/* SPDX-License-Identifier: ISC */
/* run.c - see run.h. */
#include "litmus/run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "program/compiler.h"

/* --- the program ------------------------------------------------------------------------------ */

/* The name of the test as that of a file. */
static char *file_name(const struct litmus *t)
{
	char *name = xstrdup(t->name);

	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("+-.", *c))
			*c = '_';
	return *name && *name != '.' ? name : xprintf("test%s", name);
}

char *litmus_build(struct litmus *t, const char *folder, bool tracks_deps)
{
	char *program = xprintf("%s/%s", folder, file_name(t));
	const char *source = xprintf("%s.c", program);
	/* Not optimised: false dependencies would go. */
	const char *const words[] = {"-g", "-O0", "-w", "-pthread", "-o", program, source,
		tracks_deps ? "--deps" : NULL, NULL};
	char *none[] = {NULL};
	FILE *f = fopen(source, "we");
	bool written;

	if (!f)
		die("%s: %s", source, strerror(errno));
	written = litmus_write(t, f);
	if (fclose(f) != 0)
		die("%s: %s", source, strerror(errno));
	if (!written)
		return NULL;
	if (!compiler_run(words, none, NULL)) {
		t->problem = xprintf("%s: its program does not compile: see above", t->path);
		return NULL;
	}
	return program;
}

/* --- states ----------------------------------------------------------------------------------- */

struct state {
	struct litmus_value values[LITMUS_ITEMS];
	u64 executions;
	char *text;
};

static struct litmus_value litmus_value_of(const struct litmus *t, int64_t n)
{
	int64_t location = n - RUN_ADDRESSES;

	if (location >= 0 && location < t->nlocations)
		return (struct litmus_value){.address = t->locations[location].name};
	return (struct litmus_value){.number = n};
}

static unsigned name_index(const struct status_outcomes *o, const char *name)
{
	unsigned k = 0;

	while (k < o->nnames && strcmp(o->name[k], name) != 0)
		k++;
	return k;
}

static void read_state(
	const struct litmus *t, const struct status_outcomes *o, unsigned row, struct state *s)
{
	s->executions = o->row[row].executions;
	s->text = xstrdup("");
	for (unsigned i = 0; i < t->nitems; i++) {
		unsigned k = name_index(o, t->items[i].shown);
		struct litmus_value v = k < o->nnames ? litmus_value_of(t, o->row[row].value[k])
						      : (struct litmus_value){0};

		s->values[i] = v;
		s->text = v.address ? xprintf("%s%s%s=%s;", s->text, i ? " " : "",
					      t->items[i].shown, v.address)
				    : xprintf("%s%s%s=%lld;", s->text, i ? " " : "",
					      t->items[i].shown, (long long)v.number);
	}
}

static int compare_final_states(const void *a, const void *b)
{
	return strcmp(((const struct state *)a)->text, ((const struct state *)b)->text);
}

/* --- the result ------------------------------------------------------------------------------- */

const char *litmus_observation(const struct litmus_counts *c)
{
	return !c->positive ? "Never" : c->negative ? "Sometimes" : "Always";
}

static bool is_ok(const struct litmus *t, const struct litmus_counts *c)
{
	switch (t->quantifier) {
	case QUANTIFIER_EXISTS: return c->positive;
	case QUANTIFIER_NOT_EXISTS: return !c->positive;
	case QUANTIFIER_FORALL: return !c->negative;
	}
	return false;
}

/* The states that count, in order. */
static unsigned read_states(const struct litmus *t, const struct summary *s, struct state **states)
{
	const struct status_outcomes *o = s->outcomes;
	unsigned n = 0;

	*states = xmalloc(((o ? o->n : 0) + 1) * sizeof(**states));
	if (!t->nitems) {
		**states = (struct state){.executions = s->executions, .text = ""};
		return s->executions > 0;
	}
	for (unsigned i = 0; o && i < o->n; i++) {
		read_state(t, o, i, &(*states)[n]);
		n += !t->filter || litmus_holds(t->filter, (*states)[n].values);
	}
	qsort(*states, n, sizeof(**states), compare_final_states);
	return n;
}

struct litmus_counts litmus_show(const struct litmus *t, const struct summary *s, FILE *out)
{
	static const char *const kinds[] = {"Allowed", "Forbidden", "Required"};
	struct state *states;
	unsigned n = read_states(t, s, &states);
	struct litmus_counts c = {0, 0};

	for (unsigned i = 0; i < n; i++) {
		if (litmus_holds(t->condition, states[i].values))
			c.positive += states[i].executions;
		else
			c.negative += states[i].executions;
	}
	fprintf(out, "Test %s %s\nStates %u\n", t->name, kinds[t->quantifier], n);
	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%s\n", states[i].text);
	fprintf(out, "%s\nWitnesses\nPositive: %llu Negative: %llu\nCondition %s\n",
		is_ok(t, &c) ? "Ok" : "No", (unsigned long long)c.positive,
		(unsigned long long)c.negative, t->condition_text);
	fprintf(out, "Observation %s %s %llu %llu\n", t->name, litmus_observation(&c),
		(unsigned long long)c.positive, (unsigned long long)c.negative);
	return c;
}
