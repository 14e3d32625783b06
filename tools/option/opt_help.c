/* SPDX-License-Identifier: ISC */
/* opt_help.c - the pages of commands (opt.h). */
#include <stdio.h>
#include <string.h>

#include "option/opt.h"

static void help_line(FILE *out, const struct option_text *o)
{
	char left[64];
	int n = 0;

	if (o->letter)
		n = snprintf(left, sizeof(left), "-%c, ", o->letter);
	snprintf(left + n, sizeof(left) - (size_t)n, "--%s%s%s", o->name, *o->value ? " " : "",
		o->value);
	if (strlen(left) > 22)
		fprintf(out, "  %s\n  %-22s  %s", left, "", o->help);
	else
		fprintf(out, "  %-22s  %s", left, o->help);
	if (o->standard)
		fprintf(out, " [%s]", o->standard);
	fputc('\n', out);
}

static void help_detect(FILE *out)
{
	const char *name, *words;
	bool on;

	fprintf(out, "\nDetectors (--detect):\n");
	for (unsigned i = 0; (name = detect_describe(i, &words, &on)); i++)
		fprintf(out, "  %-10s  %s %s\n", name, words, on ? "[on]" : "[off]");
	fprintf(out, "  heddle help NAME prints the page of a detector.\n");
}

/* The options that people need first, in fewer words than on the page of a command, which has all;
 * NULL: it is none of these. */
static const char *first_words(const char *name)
{
	static const struct {
		const char *name, *words;
	} first[] = {
		{"model", "memory model: rc11 (C11), tso (x86), sc, ... "
			  "(heddle help models)"},
		{"strategy", "all executions, or samples: random, pct, ... "
			     "(heddle help strategies)"},
		{"time", "stop after this many seconds (0: no limit)"},
		{"detect", "kinds of failures to look for (heddle help findings)"},
		{"keep-going", "do not stop at the first finding"},
		{"jobs", "number of processes, or all: one for each processor"},
		{"suite", "explore each test of a suite separately (heddle help suites)"},
		{"html", "write a page for a browser; DIR/: one for each finding "
			 "(heddle help html)"},
		{"suppressions", "known findings (default: heddle.supp, if it exists)"},
		{"replay-dir", "folder of replay files (default: the current one)"},
		{"operations", "operations of a client, at most (default 4)"},
		{"threads", "threads of a client, at most (default 3)"},
		{"output", "folder of the clients (default: LIST.clients)"},
		{"from", "the model to compare with"},
		{"to", "the model that is explored"},
		{"level", "what is compared: findings, outcomes, state or executions"},
		{"patch", "write the diff to this file (default: print it)"},
		{"changes", "kinds of changes that are permitted"},
	};

	for (size_t i = 0; i < array_size(first); i++)
		if (!strcmp(name, first[i].name))
			return first[i].words;
	return NULL;
}

static void command_head(const struct command *c, FILE *out)
{
	fprintf(out, "Usage: heddle %s%s%s\n\n%s", c->name, *c->usage ? " " : "", c->usage,
		c->text);
}

void command_summarise(const struct command *c, FILE *out)
{
	struct option_text o;

	if (!(c->groups & GROUP_EXPLORE)) { /* it has few options */
		command_describe(c, out);
		return;
	}
	command_head(c, out);
	fprintf(out, "\nOptions to begin with:\n");
	for (unsigned i = 0; option_text(c, i, &o); i++) {
		o.help = first_words(o.name);
		o.standard = NULL;
		if (o.help)
			help_line(out, &o);
	}
	fprintf(out,
		"\nAll options: heddle %s --help all. Other topics: heddle help.\n\nExamples:\n%s",
		c->name, c->examples);
}

void command_describe(const struct command *c, FILE *out)
{
	struct option_text o;
	unsigned i = 0;

	command_head(c, out);
	if (c->groups & GROUP_EXPLORE)
		fprintf(out, "\nThe search:\n");
	for (; option_text(c, i, &o) && o.explore; i++)
		help_line(out, &o);
	if (c->groups & GROUP_EXPLORE)
		help_detect(out);
	if (c->groups)
		fprintf(out, "\nOptions:\n");
	for (; option_text(c, i, &o) && c->groups; i++)
		help_line(out, &o);
	fprintf(out, "\nExamples:\n%s", c->examples);
}
