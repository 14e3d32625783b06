/* SPDX-License-Identifier: ISC */
/* expected.c - see expected.h. */
#include "litmus/expected.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "die.h"

static struct {
	char *name, *expected;
} * rows;
static size_t n;

/* An observation; or a kind, as in herd's kinds.txt: is what the condition describes allowed,
 * forbidden, or in every execution? */
static bool is_expectation(const char *word)
{
	static const char *const words[] = {"Sometimes", "Never", "Always", "Allow", "Allowed",
		"Forbid", "Forbidden", "Require", "Required"};

	for (size_t i = 0; word && i < array_size(words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static bool is_as_expected(const char *expected, const char *observation)
{
	if (expected[0] == 'F')
		return !strcmp(observation, "Never");
	if (expected[0] == 'R')
		return !strcmp(observation, "Always");
	if (!strncmp(expected, "Allow", 5))
		return strcmp(observation, "Never") != 0;
	return !strcmp(expected, observation);
}

static void read_expectation(char *line)
{
	char *rest = line, *name = strtok_r(rest, " \t\n", &rest), *word;

	if (name && !strcmp(name, "Observation"))
		name = strtok_r(rest, " \t\n", &rest);
	word = strtok_r(rest, " \t\n", &rest);
	if (!name || !is_expectation(word))
		return;
	rows = xgrow(rows, (n + 1) * sizeof(*rows));
	rows[n].name = xstrdup(name);
	rows[n++].expected = xstrdup(word);
}

void expected_read(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f)
		die("%s: %s", path, strerror(errno));
	while (getline(&line, &room, f) > 0)
		read_expectation(line);
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
			if (is_as_expected(rows[i].expected, observation))
				return false;
			printf("Differs %s: expected %s\n", name, rows[i].expected);
			return true;
		}
	return false;
}
