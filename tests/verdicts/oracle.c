/* SPDX-License-Identifier: ISC */
/*
 * oracle.c - programs of counted.h, judged by enumeration:
 *
 *     oracle [--weaken] [--judge] [--most CANDIDATES] [--show] SEED N
 *
 * Writes N programs to standard output, from those of seed SEED on. With --weaken, or --judge, the
 * verdict of each under each model is that of all its executions, as the axioms allow them
 * (tests/agree/enumerate.h); programs with more CANDIDATES for executions (4000) are left out.
 * With --show they are printed as text.
 */
#include "counted.h"
#include "enumerate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long most = 4000;
static struct enumeration all;

static bool ends_wrong(const struct counted *c, enum gp_model m)
{
	const struct executions *o = &all.outcomes[m];

	for (unsigned i = 0; i < o->n; i++)
		for (int l = 0; l < GP_MEMORY; l++)
			if (c->final[l] != COUNT_ANY && c->final[l] != o->x[i].memory[l])
				return true;
	return false;
}

static bool judge(struct counted *c)
{
	if (!enumerate(&c->program, most, &all))
		return false;
	for (enum gp_model m = 0; m < GP_MODELS; m++)
		c->verdict[m] =
			(uint8_t)((all.race[m] ? HAS_RACE : 0) | (all.stuck[m].n ? HAS_STUCK : 0) |
				  (all.failure[m] || ends_wrong(c, m) ? HAS_FAILURE : 0));
	return true;
}

static void show(const struct counted *c, bool judged)
{
	gprogram_print(&c->program);
	if (*c->change)
		printf("#   %s\n", c->change);
	for (int l = 0; l < GP_MEMORY; l++)
		if (c->final[l] != COUNT_ANY)
			printf("#   at the end %s = %d\n", gp_place_name(l), c->final[l]);
	for (int m = 0; m < GP_MODELS && judged; m++)
		printf("#   %s:%s%s%s%s\n", gp_model_names[m], c->verdict[m] ? "" : " clean",
			c->verdict[m] & HAS_RACE ? " race" : "",
			c->verdict[m] & HAS_FAILURE ? " failure" : "",
			c->verdict[m] & HAS_STUCK ? " stuck" : "");
}

int main(int argc, char **argv)
{
	bool weaken = false, judged = false, shown = false;
	unsigned long n, skipped = 0, harmful = 0;
	uint64_t seed;
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		weaken |= !strcmp(argv[i], "--weaken");
		judged |= !strcmp(argv[i], "--weaken") || !strcmp(argv[i], "--judge");
		shown |= !strcmp(argv[i], "--show");
		if (!strcmp(argv[i], "--most") && i + 1 < argc)
			most = strtoul(argv[++i], NULL, 10);
	}
	if (argc - i != 2) {
		fprintf(stderr,
			"oracle [--weaken] [--judge] [--most CANDIDATES] [--show] SEED N\n");
		return 2;
	}
	seed = strtoull(argv[i], NULL, 10);
	n = strtoul(argv[i + 1], NULL, 10);
	for (unsigned long done = 0; done < n; seed++) {
		struct counted c;

		counted_generate(&c, seed, weaken);
		if (judged && !judge(&c)) {
			skipped++;
			continue;
		}
		done++;
		harmful += c.verdict[GP_RC11] != 0;
		if (shown)
			show(&c, judged);
		else if (fwrite(&c, sizeof c, 1, stdout) != 1)
			return 2;
	}
	fprintf(stderr, "oracle: %lu programs, the next seed is %llu", n, (unsigned long long)seed);
	if (judged)
		fprintf(stderr, ", %lu are too big and left out; %lu are wrong in rc11", skipped,
			harmful);
	fprintf(stderr, "\n");
	return 0;
}
