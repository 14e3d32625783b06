/* SPDX-License-Identifier: ISC */
/* given.c - see given.h. */
#include "given.h"

#include <stdio.h>
#include <string.h>

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

struct gp_op given_op(int thread, int i)
{
	return now.program.op[thread][i];
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
