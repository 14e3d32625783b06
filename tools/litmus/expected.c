/* SPDX-License-Identifier: ISC */
/* expected.c - see expected.h. */
#include "litmus/expected.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"

static struct {
	char *name, *observation;
} * rows;
static size_t n;

static bool is_observation(const char *word)
{
	return word &&
	       (!strcmp(word, "Sometimes") || !strcmp(word, "Never") || !strcmp(word, "Always"));
}

static void read_observation(char *line)
{
	char *rest = line, *name = strtok_r(rest, " \t\n", &rest), *word;

	if (name && !strcmp(name, "Observation"))
		name = strtok_r(rest, " \t\n", &rest);
	word = strtok_r(rest, " \t\n", &rest);
	if (!name || !is_observation(word))
		return;
	rows = xgrow(rows, (n + 1) * sizeof(*rows));
	rows[n].name = xstrdup(name);
	rows[n++].observation = xstrdup(word);
}

void expected_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (getline(&line, &room, f) > 0)
		read_observation(line);
	free(line);
	fclose(f);
	if (!n)
		die("%s: no results in it: lines as `Observation MP Sometimes 1 2' are expected",
			path);
}

bool expected_differs(const char *name, const char *observation)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].name, name)) {
			if (!strcmp(rows[i].observation, observation))
				return false;
			printf("Differs %s: expected %s\n", name, rows[i].observation);
			return true;
		}
	return false;
}
