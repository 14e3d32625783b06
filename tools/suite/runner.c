/* SPDX-License-Identifier: ISC */
/* runner.c - see runner.h. */
#include "suite/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "die.h"
#include "program/elffile.h"
#include "program/emulator.h"

static const struct runner runners[] = {
#define RUNNER(...) {__VA_ARGS__},
#include "suite/runner.def"
#undef RUNNER
};

const struct runner *runner_of(const char *program)
{
	const char *symbols[array_size(runners)];
	int found;

	for (size_t i = 0; i < array_size(runners); i++)
		symbols[i] = runners[i].symbol;
	found = elf_find_symbol(program, symbols, array_size(runners));
	return found < 0 ? NULL : &runners[found];
}

/* --- command lines --------------------------------------------------------------------------- */

static size_t count_command_words(const char *s)
{
	size_t n = 0;

	for (; *s; s += strspn(s, " ")) {
		n++;
		s += strcspn(s, " ");
	}
	return n;
}

/* argv, then the words; a word % is the test. */
static char **append_words(char **argv, const char *words, const char *test)
{
	size_t n = 0;
	char **all, *word, *rest = xstrdup(words);

	while (argv[n])
		n++;
	all = xmalloc((n + count_command_words(words) + 1) * sizeof(*all));
	memcpy(all, argv, n * sizeof(*all));
	while ((word = strsep(&rest, " ")))
		all[n++] = strcmp(word, "%") ? word : xstrdup(test);
	return all;
}

char **runner_command(const struct runner *r, char **argv, const char *test)
{
	return append_words(argv, r->single, test);
}

/* --- the list -------------------------------------------------------------------------------- */

/* Start the program natively, with its standard output in a pipe. Returns the pipe's other end. */
static FILE *start(char **argv, const char *input, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	char **words = emulator_words(argv);
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) != 0)
		die("cannot make a pipe: %s", strerror(errno));
	unsetenv("HEDDLE_OPTIONS");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, input ? input : "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	error = posix_spawnp(pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (error)
		die("%s: cannot be executed: %s", words[0], strerror(error));
	return fdopen(ends[0], "r");
}

static char **read_names(const struct runner *r, FILE *in, size_t *n)
{
	regmatch_t group[2];
	char **names = NULL, *line = NULL;
	size_t size = 0, room = 0;
	regex_t pattern;
	ssize_t length;

	regcomp(&pattern, r->line, REG_EXTENDED);
	while ((length = getline(&line, &size, in)) > 0) {
		line[length - (line[length - 1] == '\n')] = 0;
		if (regexec(&pattern, line, 2, group, 0) != 0)
			continue;
		if (*n + 1 >= room) {
			room = room ? 2 * room : 64;
			names = xgrow(names, room * sizeof(*names));
		}
		names[(*n)++] = xprintf("%.*s", (int)(group[1].rm_eo - group[1].rm_so),
			line + group[1].rm_so);
		names[*n] = NULL;
	}
	regfree(&pattern);
	free(line);
	return names;
}

char **runner_tests(const struct runner *r, const struct child_setup *setup)
{
	char **names;
	int status;
	size_t n = 0;
	pid_t pid;
	FILE *in = start(append_words(setup->argv, r->list, ""), setup->input, &pid);

	names = read_names(r, in, &n);
	fclose(in);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!n)
		die("%s: lists no test with %s, as programs with %s do", setup->argv[0], r->list,
			r->name);
	return names;
}
