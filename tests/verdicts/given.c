/* SPDX-License-Identifier: ISC */
/* given.c - see given.h. */
#include "given.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct gp_op) > 8 && sizeof(struct gp_op) <= 16, "two words");

static struct counted now;

bool given_next(void)
{
	return fread(&now, sizeof now, 1, stdin) == 1;
}

int given_threads(void)
{
	return now.program.nthreads;
}

int given_places(void)
{
	return now.program.nplaces;
}

int given_length(int thread)
{
	return now.program.nops[thread];
}

uint64_t given_op(int thread, int i, int half)
{
	const struct gp_op *o = &now.program.op[thread][i];
	uint64_t word = 0;

	memcpy(&word, (const char *)o + 8 * half, half ? sizeof *o - 8 : 8);
	return word;
}

enum gp_kind given_use(int object)
{
	for (int t = 0; t < now.program.nthreads; t++)
		for (int i = 0; i < now.program.nops[t]; i++)
			if (now.program.op[t][i].place == object &&
				now.program.op[t][i].kind != GP_NOTHING)
				return (enum gp_kind)now.program.op[t][i].kind;
	return GP_NOTHING;
}

bool given_spawned(int thread)
{
	return gp_is_spawned(&now.program, thread);
}

bool given_plain(int place)
{
	return now.plain[place];
}

unsigned given_initial(int place)
{
	return now.program.initial[place];
}

int given_final(int place)
{
	return now.final[place];
}

unsigned given_style(void)
{
	return (unsigned)((now.seed * 0x9e3779b97f4a7c15u) >> 32);
}

const char *given_name(void)
{
	return now.program.name;
}

unsigned given_verdict(const char *model)
{
	int m = 0;

	while (strcmp(model, gp_model_names[m]))
		m++;
	return now.verdict[m];
}

void given_print(void)
{
	gprogram_print(&now.program);
	if (*now.change)
		printf("#   %s\n", now.change);
	for (int l = 0; l < now.program.nplaces; l++)
		if (now.final[l] != COUNT_ANY)
			printf("#   at the end %s = %d\n", gp_place_name(l), now.final[l]);
}
