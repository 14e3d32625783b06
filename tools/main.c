/* SPDX-License-Identifier: ISC */
/* main.c - heddle: the table of commands. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "child/interrupt.h"
#include "command/command.h"
#include "die.h"
#include "standard.h"

const struct command *const commands[] = {
	&command_run,
	&command_prove,
	&command_compare,
	&command_replay,
	&command_report,
	&command_explain,
	&command_graph,
	&command_fences,
	&command_relax,
	&command_known,
	&command_generate,
	&command_reproduce,
	&command_flight,
	&command_litmus,
	&command_merge,
	&command_model,
	&command_kater,
	&command_doctor,
	&command_help,
	&command_version,
	NULL,
};

/* Dies if there is none of this name. */
static const struct command *find_command(const char *name)
{
	const char *names[array_size(commands)];
	size_t i;

	if (name[0] == '-')
		die("no command before `%s': options come after it, as in `heddle run %s ...'",
			name, name);
	if (strchr(name, '/') || strchr(name, '.'))
		die("no command `%s': `heddle run PROGRAM' explores one, `heddle replay "
		    "FILE.heddle' repeats a "
		    "failure",
			name);
	for (i = 0; commands[i]; i++) {
		names[i] = commands[i]->name;
		if (!strcmp(name, names[i]))
			return commands[i];
	}
	names[i] = NULL;
	die_unknown("command", name, names);
}

static int dispatch(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!*name) {
		command_list(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		name = "help";
	if (!strcmp(name, "--version"))
		name = "version";
	return find_command(name)->run(argc - 1, argv + 1);
}

struct command_words {
	int argc;
	char **argv;
	int code;
};

static void *run_there(void *arg)
{
	struct command_words *w = arg;

	w->code = dispatch(w->argc, w->argv);
	return NULL;
}

#define STACK (8 << 20)

/* With a small stack (ulimit -s) on another one: libdw needs some hundred KiB. */
int main(int argc, char **argv)
{
	struct command_words w = {argc, argv, EXIT_USAGE};
	struct rlimit limit;
	pthread_attr_t attr;
	pthread_t thread;

	standard_open();
	interrupt_begin();
	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK)
		return dispatch(argc, argv);
	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, STACK) != 0 ||
		pthread_create(&thread, &attr, run_there, &w) != 0)
		return dispatch(argc, argv);
	pthread_join(thread, NULL);
	return w.code;
}
