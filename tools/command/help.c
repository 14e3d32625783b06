/* SPDX-License-Identifier: ISC */
/* help.c - heddle help: a page of the manual, or the list of pages. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "die.h"
#include "help/manual.h"
#include "help/page.h"

#define NAMES_MAX 128 /* commands and pages */

void command_list(FILE *out)
{
	fprintf(out, "Usage: heddle COMMAND ...\n\n"
		     "Heddle runs a concurrent C program many times, each time with a different\n"
		     "order of its threads and of the stores in their store buffers, until one\n"
		     "execution fails.\n\n");
	for (unsigned i = 0; commands[i]; i++)
		fprintf(out, "  %-9s  %s\n", commands[i]->name, commands[i]->summary);
	fprintf(out, "\n"
		     "Examples:\n"
		     "  heddle-cc -g -o sb sb.c           compile for heddle\n"
		     "  heddle run --model tso ./sb       look for a failing execution\n"
		     "  heddle replay sb.heddle           see it again\n"
		     "  heddle help run                   the page of a command\n"
		     "  heddle help race                  the page of a detector\n");
}

static void show_topic(const char *name)
{
	const char *names[NAMES_MAX];
	unsigned n = 0;

	for (const struct page *p = pages; p->name; p++) {
		if (!strcmp(p->name, name)) {
			fputs(p->text, stdout);
			return;
		}
		names[n++] = p->name;
	}
	for (unsigned i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name)) {
			command_describe(commands[i], stdout);
			return;
		}
		names[n++] = commands[i]->name;
	}
	BUG_ON(n >= NAMES_MAX);
	names[n] = NULL;
	die_unknown("help about", name, names);
}

/* A page begins with "name - title", and that of a detector has its default behind some spaces. */
static void list_page(const struct page *p)
{
	const char *title = strstr(p->text, " - ") + 3, *end = strchr(title, '\n');
	const char *gap = memmem(title, (size_t)(end - title), "   ", 3);

	printf("  %-12s  %.*s", p->name, (int)((gap ? gap : end) - title), title);
	if (gap) {
		gap += strspn(gap, " ");
		printf(" (%.*s)", (int)(end - gap), gap);
	}
	putchar('\n');
}

static void list_pages(const char *title, bool detectors)
{
	printf("\n%s (heddle help NAME):\n", title);
	for (const struct page *p = pages; p->name; p++)
		if (page_is_detector(p) == detectors)
			list_page(p);
}

static int run_help(int argc, char **argv)
{
	struct settings s;
	int first = settings_read(&s, &command_help, argc, argv);

	if (s.man)
		manual_page(stdout);
	else if (s.complete)
		manual_complete(s.complete, stdout);
	else if (first + 1 < argc) {
		die("help: name one command, detector or topic");
	} else if (first < argc) {
		show_topic(argv[first]);
	} else {
		command_list(stdout);
		list_pages("Detectors", true);
		list_pages("Other topics", false);
		printf("\nThe pages' examples/ and tests/ are folders of heddle's source; an "
		       "installed heddle has\nexamples/ in share/doc/heddle.\n");
	}
	return EXIT_CLEAN;
}

const struct command command_help = {
	.name = "help",
	.summary = "this list, or the page of a command, detector or topic",
	.usage = "[COMMAND | DETECTOR | TOPIC]",
	.text = "Print the page of a command (use, options, exit status), of a detector\n"
		"(findings, limits, switch, cost), or of another topic, such as the memory\n"
		"models. Without a name: the list of all pages.\n",
	.examples = "  heddle help run\n  heddle help race\n  heddle help models\n  heddle help "
		    "--man | man -l -\n"
		    "  eval \"$(heddle help --complete bash)\"\n",
	.groups = GROUP_HELP,
	.run = run_help,
};
