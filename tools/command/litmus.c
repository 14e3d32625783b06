/* SPDX-License-Identifier: ISC */
/* litmus.c - heddle litmus: litmus tests in herd's format, and its kind of answer. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "die.h"
#include "job/job.h"
#include "litmus/expected.h"
#include "litmus/run.h"
#include "model/model.h"
#include "option/model_file.h"
#include "temporary.h"

static struct {
	unsigned tests, shown, unread, incomplete, differ;
} counts;

#define LINUX_MODEL "lkmm" /* a file */

/* The model of its language. */
static enum model_id model_of_test(const struct litmus *t)
{
	for (unsigned m = 0; t->dialect != DIALECT_LINUX && m < MODEL_AUTO; m++) {
		const char *language = model_of((enum model_id)m)->language;

		if (language && !strcmp(language, t->language))
			return (enum model_id)m;
	}
	return MODEL_CAT;
}

/* The same command line with the program in place of the tests. */
static char **words_of_program(char **argv, int first, const char *folder, char *program)
{
	char **words = xmalloc(((size_t)first + 3) * sizeof(*words));

	memcpy(words, argv, (size_t)first * sizeof(*words));
	words[first] = xprintf("--replay-dir=%s", folder);
	words[first + 1] = program;
	return words;
}

static struct job *explore_test(
	const struct litmus *t, char **words, int n, enum model_id m, enum races races)
{
	struct job *j = xmalloc(sizeof(*j));
	struct options *o = &j->s.explore;

	job_prepare(j, &command_litmus, n, words);
	o->model = m;
	if (m == MODEL_CAT && !o->cat[0])
		snprintf(o->cat, sizeof(o->cat), "%s", model_file_named(LINUX_MODEL));
	o->rcpc |= t->rcpc;
	if (t->exclusive)
		o->arch_rmw = ARCH_RMW_LLSC;
	o->races = races;
	o->keep_going = races == RACES_PROMOTE;
	o->max_findings = STATUS_FINDINGS;
	job_explore(j);
	return j;
}

static void show_flags(const struct job *j)
{
	for (unsigned i = 0; i < j->result.nfindings; i++)
		printf("Flag %s\n", found_message(&j->result.findings[i]));
}

static void show_extent(const struct litmus *t, const struct summary *s)
{
	const char *text = summary_text(s), *last = strstr(text, "heddle: ");

	printf("Time %s %.2f\n", t->name, s->seconds);
	if (s->complete && !s->outcomes->more)
		return;
	printf("Incomplete %s: %s\n", t->name, last ? last + strlen("heddle: ") : text);
	counts.incomplete++;
}

static void run_test(struct litmus *t, char **argv, int first, const char *folder, enum model_id m)
{
	char *program = litmus_build(t, folder, model_is_hardware(m));
	struct litmus_counts c;
	char **words;
	const struct job *j;

	if (!program) {
		warn("%s", t->problem);
		counts.unread++;
		return;
	}
	words = words_of_program(argv, first, folder, program);
	/* The values of racing accesses are states, too. */
	j = explore_test(t, words, first + 2, m, RACES_PROMOTE);
	if (j->result.error) {
		warn("%s: %s", t->path, j->result.error);
		counts.unread++;
		return;
	}
	if (counts.shown++)
		putchar('\n');
	c = litmus_show(t, &j->result.summary, stdout);
	show_flags(j);
	if (t->dialect == DIALECT_C && !model_is_hardware(m))
		show_flags(explore_test(t, words, first + 2, m, RACES_REPORT));
	show_extent(t, &j->result.summary);
	if (expected_differs(t->name, litmus_observation(&c)))
		counts.differ++;
}

static void read_and_run(
	const struct settings *s, char **argv, int first, const char *path, const char *folder)
{
	struct litmus failed, *t = litmus_read(path, &failed);
	enum model_id m = s->explore.model;

	counts.tests++;
	if (!t) {
		warn("%s", failed.problem);
		counts.unread++;
		return;
	}
	run_test(t, argv, first, folder, m == MODEL_AUTO ? model_of_test(t) : m);
}

static int show_counts(void)
{
	if (counts.tests > 1 || counts.differ)
		printf("\nheddle: %u test%s, %u not read, %u incomplete, %u with unexpected "
		       "results\n",
			counts.tests, counts.tests == 1 ? "" : "s", counts.unread,
			counts.incomplete, counts.differ);
	if (counts.differ)
		return EXIT_FINDING;
	if (counts.unread)
		return EXIT_USAGE;
	return counts.incomplete ? EXIT_CUT : EXIT_CLEAN;
}

static int run_litmus(int argc, char **argv)
{
	static struct settings s;
	int first = settings_read(&s, &command_litmus, argc, argv), code;
	const char *folder = s.output;

	if (first == argc)
		die("litmus: name a test, as in `heddle litmus mp.litmus'");
	if (s.expected)
		expected_read(s.expected);
	if (!folder)
		folder = temporary_folder("litmus");
	else if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		die("%s: %s", folder, strerror(errno));
	if (!folder)
		die("cannot make a folder for the tests' programs: %s", strerror(errno));
	for (int i = first; i < argc; i++)
		read_and_run(&s, argv, first, argv[i], folder);
	code = show_counts();
	if (!s.output)
		remove_folder(folder);
	return code;
}

const struct command command_litmus = {
	.name = "litmus",
	.summary = "litmus tests in herd's format, on the models of heddle",
	.usage = "[OPTIONS] FILE...",
	.text = "Read litmus tests, in C (with C11's or the kernel's primitives) or in assembly "
		"of\n"
		"AArch64, POWER, RISC-V or x86, explore each, and print its final states, and\n"
		"whether the condition holds always, sometimes or never, as herd does. Without\n"
		"--model, that of the language's machine is taken; rc11 for C. `heddle help\n"
		"litmus' has the format, and what is not supported.\n\n"
		"Exit status: 0 all explored completely; 1 results differ from --expected; 2 a\n"
		"test could not be read, or usage; 3 incomplete.\n",
	.examples = "  heddle litmus MP+dmb+addr.litmus\n"
		    "  heddle litmus --model rc11 tests/*.litmus\n"
		    "  heddle litmus --expected herd.log tests/*.litmus\n",
	.groups = GROUP_EXPLORE | GROUP_RUN | GROUP_LITMUS,
	.run = run_litmus,
};
