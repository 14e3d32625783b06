/* SPDX-License-Identifier: ISC */
/* executions.c - see executions.h. */
#include "executions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void execution_clear(struct execution *x)
{
	memset(x, 0, sizeof *x);
	memset(x->rf, SLOT_NONE, sizeof x->rf);
}

void execution_waits(struct execution *x, int slot)
{
	memset(x->rf[slot - 1], SLOT_NONE, sizeof x->rf[0]);
	x->reg[slot - 1] = 0;
}

struct execution execution_part(const struct execution *x, enum part part)
{
	struct execution y = *x;

	if (part != PART_ALL)
		memset(y.co, 0, sizeof y.co);
	if (part == PART_RF)
		memset(y.memory, 0, sizeof y.memory);
	if (part == PART_OUTCOME) {
		memset(y.rf, 0, sizeof y.rf);
		memset(y.rare, 0, sizeof y.rare);
		memset(y.memory + GP_MEMORY, 0, GP_MUTEXES);
	}
	return y;
}

/* --- sets ------------------------------------------------------------------------------------- */

static unsigned hash(const struct execution *x)
{
	uint64_t h = 14695981039346656037u, word;

	for (size_t i = 0; i < sizeof *x; i += sizeof word) {
		word = 0;
		memcpy(&word, (const char *)x + i, i + 8 > sizeof *x ? sizeof *x - i : 8);
		h = (h ^ word) * 1099511628211u;
		h ^= h >> 32;
	}
	return (unsigned)h;
}

static unsigned *find(const struct executions *s, const struct execution *x)
{
	unsigned i = hash(x) & (2 * s->max - 1);

	while (s->bucket[i] && memcmp(&s->x[s->bucket[i] - 1], x, sizeof *x))
		i = (i + 1) & (2 * s->max - 1);
	return &s->bucket[i];
}

static void grow(struct executions *s)
{
	s->max = s->max ? 2 * s->max : 64;
	s->x = realloc(s->x, s->max * sizeof *s->x);
	free(s->bucket);
	s->bucket = calloc(2 * s->max, sizeof *s->bucket);
	if (!s->x || !s->bucket) {
		fprintf(stderr, "out of memory\n");
		exit(2);
	}
	for (unsigned i = 0; i < s->n; i++)
		*find(s, &s->x[i]) = i + 1;
}

void executions_clear(struct executions *s)
{
	s->n = 0;
	if (s->max > 1024) { /* few programs have so many: clearing it would slow all others */
		free(s->x);
		free(s->bucket);
		*s = (struct executions){0};
	} else if (s->max) {
		memset(s->bucket, 0, 2 * s->max * sizeof *s->bucket);
	}
}

bool executions_add(struct executions *s, const struct execution *x, enum part part)
{
	struct execution key = execution_part(x, part);
	unsigned *at;

	if (s->n == s->max)
		grow(s);
	at = find(s, &key);
	if (*at)
		return false;
	s->x[s->n++] = key;
	*at = s->n;
	return true;
}

bool executions_have(const struct executions *s, const struct execution *x)
{
	return s->max && *find(s, x);
}

/* --- printing --------------------------------------------------------------------------------- */

static void slot_text(unsigned slot, char to[16])
{
	if (slot == SLOT_INIT)
		snprintf(to, 16, "init");
	else
		snprintf(to, 16, "T%u.%u", (slot - 1) / GP_OPS + 1, (slot - 1) % GP_OPS);
}

static void print_read(const struct gprogram *p, const struct execution *x, int t, int i)
{
	int slot = gp_slot(t, i) - 1;
	char from[16], text[120];

	if (x->rf[slot][0] == SLOT_NONE)
		return;
	gp_op_text(p, t, i, text, sizeof text);
	if (p->op[t][i].kind == GP_CHOOSE) {
		printf("  %d: r%d = %d chosen;", i, i, x->rf[slot][0]);
		return;
	}
	printf("  %d: %s [%d from", i, text, x->reg[slot]);
	for (int k = 0; k < GP_PIECES && x->rf[slot][k] != SLOT_NONE; k++) {
		slot_text(x->rf[slot][k], from);
		printf("%s %s", k ? " then" : "", from);
	}
	printf("%s];", x->rare[slot] ? " FAILS SPURIOUSLY" : "");
}

void execution_print(const struct gprogram *p, const struct execution *x)
{
	char name[16];

	for (int t = 0; t < p->nthreads; t++) {
		printf("#     T%d:", t + 1);
		for (int i = 0; i < p->nops[t]; i++)
			print_read(p, x, t, i);
		printf("\n");
	}
	printf("#     co:");
	for (int l = 0; l < GP_PLACES; l++) {
		if (!x->co[l][0])
			continue;
		printf("  %s: init", gp_place_name(l));
		for (int i = 0; i < CO_MAX && x->co[l][i]; i++) {
			slot_text(x->co[l][i], name);
			printf(" < %s", name);
		}
		printf(" = %d;", x->memory[l]);
	}
	printf("\n");
}
