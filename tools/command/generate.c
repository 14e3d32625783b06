/* SPDX-License-Identifier: ISC */
/*
 * generate.c - heddle generate: clients of a structure from a list of its operations, explored
 * as the tests of a suite.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "die.h"
#include "generate/client.h"
#include "generate/failures.h"
#include "path.h"
#include "program/compiler.h"
#include "suite/suite.h"

#define CLIENT_SECONDS 10 /* unless --time */

/* --- the clients ----------------------------------------------------------------------------- */

/* ring_ops.h: ring_ops.clients */
static const char *name_folder(const char *list)
{
	const char *base = path_base(list), *dot = strrchr(base, '.');

	return xprintf("%.*s.clients", (int)(dot && dot != base ? dot - base : (long)strlen(base)),
		base);
}

static const char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? xprintf("%.*s/", (int)(slash - path), path) : ".";
}

/* Write clients.c and compile it. Returns the program. */
static char *make_program(
	const struct settings *s, const char *list, const char *folder, char **arguments)
{
	char *program = xprintf("%s/clients", folder);
	const char *source = xprintf("%s.c", program);
	const char *const words[] = {"-g", "-O1", "-pthread", "-iquote", folder_of(list), "-o",
		program, source, NULL};
	struct list l;
	struct clients c;
	FILE *f;

	if (access(list, R_OK) != 0)
		die("%s: %s", list, strerror(errno));
	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		die("%s: %s", folder, strerror(errno));
	l = list_read(list, arguments, folder);
	c = clients_make(&l, s->threads, s->operations);
	f = fopen(source, "we");
	if (!f)
		die("%s: %s", source, strerror(errno));
	clients_write(&c, f);
	if (fclose(f) != 0)
		die("%s: %s", source, strerror(errno));
	if (!compiler_run(words, arguments, NULL))
		die("generate: the list does not compile: see above");
	return program;
}

/* --- the batch ------------------------------------------------------------------------------- */

static void take_client(const struct job *j, const char *word, const char *rest)
{
	if (!strcmp(word, "FAILED"))
		failures_add(j);
	else if (j->to.text && (strcmp(word, "ok") != 0 || j->s.verbose))
		fprintf(j->to.text, "%-7s %s  %s\n", word, j->result.name, rest);
}

static const char *show_failures(FILE *out)
{
	unsigned n = failures_show(out);

	return n ? xprintf(" in %u way%s", n, n == 1 ? "" : "s") : "";
}

/* The same command line with the program in place of the list; replay files go to its folder. */
static char **name_program(const struct settings *s, char **argv, int first, char *program)
{
	char **words = xmalloc(((size_t)first + 3) * sizeof(*words));
	int n = first;

	memcpy(words, argv, (size_t)first * sizeof(*words));
	if (!s->replay_dir)
		words[n++] = xprintf("--replay-dir=%.*s",
			(int)(path_base(program) - program), program);
	words[n] = program;
	return words;
}

static int count_arguments(char **words)
{
	int n = 0;

	while (words[n])
		n++;
	return n;
}

static int run_generate(int argc, char **argv)
{
	static const struct suite_view view = {"client", take_client, show_failures};
	static struct job j;
	int first = settings_read(&j.s, &command_generate, argc, argv);
	const char *folder;
	char *program, **words;

	if (first == argc)
		die("generate: name a list of operations, as in `heddle generate queue_ops.c' "
		    "(heddle help clients)");
	if (j.s.explore.shard || j.s.explore.checkpoint[0] || j.s.explore.resume[0])
		die("generate: not with --shard, --checkpoint or --resume: use heddle run "
		    "--suite with the program of the clients");
	folder = j.s.output ? j.s.output : name_folder(argv[first]);
	program = make_program(&j.s, argv[first], folder, argv + first + 1);
	words = name_program(&j.s, argv, first, program);
	job_prepare(&j, &command_generate, count_arguments(words), words);
	return suite_run(&j, argv, &view);
}

static void set_time(struct options *o)
{
	o->time = CLIENT_SECONDS * 1000000;
}

const struct command command_generate = {
	.name = "generate",
	.summary = "test a structure by clients made from a list of its operations",
	.usage = "[OPTIONS] LIST [ARGUMENTS OF heddle-cc]",
	.text = "Read a list of a structure's operations, a C file with the macros of\n"
		"<heddle/generate.h>, and write and explore its clients: all programs in which\n"
		"two or three threads perform up to four of the operations, each once however\n"
		"its threads are ordered. Failures of the same kind are one, shown for the\n"
		"smallest client that has it. The clients, a program and its source, stay in\n"
		"LIST.clients, or --output. `heddle help clients' has the details.\n\n"
		"Exit status: 0 all clients explored completely, nothing found; 1 a finding; 2\n"
		"usage or environment; 3 nothing found, but a client's exploration is\n"
		"incomplete.\n",
	.examples = "  heddle generate queue_ops.c\n"
		    "  heddle generate --model pso -j queue_ops.c queue.c -O2 -DFAST\n"
		    "  heddle generate --operations 5 --threads 2 queue_ops.c queue.c\n",
	.groups = GROUP_EXPLORE | GROUP_RENDER | GROUP_RUN | GROUP_GENERATE,
	.run = run_generate,
	.defaults = set_time,
};
