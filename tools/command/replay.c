/* SPDX-License-Identifier: ISC */
/*
 * replay.c - heddle replay: run a failing execution again, in a new process.
 *
 * The program must be the very one that failed (build-id). The runtime follows the choices in the
 * file and writes a new trace, which is reported. With --gdb the process is gdb's child.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child/child.h"
#include "command/command.h"
#include "die.h"
#include "path.h"
#include "program/elffile.h"
#include "program/place_words.h"
#include "replay/follow.h"
#include "replay/gdb_script.h"
#include "replay/read_replay.h"
#include "standard.h"
#include "temporary.h"

static void check_program(const struct trace *t)
{
	struct elf_facts facts;

	if (t->program.path[0] != '/')
		die("the program's path in the replay file is not absolute: `%s'", t->program.path);
	if (access(t->program.path, F_OK) != 0)
		die("%s: %s: the program that failed", t->program.path, strerror(errno));
	program_check(t->program.path, &facts);
	if (!build_id_equal(&facts.build_id, &t->program.build_id))
		die("%s is not the program that failed: build-id %s, in the replay file %s: after "
		    "a rebuild, `heddle run' it again",
			t->program.path, build_id_text(&facts.build_id),
			build_id_text(&t->program.build_id));
}

/* --- gdb ------------------------------------------------------------------------------------- */

/*
 * Does gdb need a shell to start this? Without one it splits arguments at white space. With one it
 * quotes them, but does not fully quote the program's path (a backquote); such a path is never
 * passed to a shell.
 */
static bool needs_shell(char **argv)
{
	for (char **word = argv + 1; *word; word++) {
		if (shell_word(*word) == *word)
			continue;
		if (shell_word(argv[0]) != argv[0])
			die("gdb passes the arguments of %s through a shell, which cannot quote "
			    "that name: move the program, and `heddle run' it again",
				argv[0]);
		return true;
	}
	return false;
}

/*
 * Nothing in the replay file is evaluated: the program and its arguments are single words; the
 * program's own scripts for gdb are not loaded, and nothing is fetched from a server.
 */
static _Noreturn void run_gdb(struct settings *s, char **argv, const struct report *r)
{
	const char *select = gdb_select(r->function);
	const char *const fixed[] = {"gdb", "-q", "-iex", "set auto-load no",
		"-iex", "set auto-load libthread-db on", "-ex", NULL,
		/* the runtime's own: pages that are copied when first written */
		"-ex", "handle SIGSEGV nostop noprint pass", "-ex", "set print thread-events off",
		"-ex", "set confirm off", "-x", gdb_script(r), "-ex", "run", "-ex",
		select ? select : "backtrace -1", "--args"};
	unsigned n = 0;
	struct child child;
	const char **words;

	while (argv[n])
		n++;
	unsetenv("DEBUGINFOD_URLS");
	setenv("SHELL", "/bin/sh", 1); /* gdb quotes for this one */
	words = xmalloc((array_size(fixed) + n + 1) * sizeof(*words));
	memcpy(words, fixed, sizeof(fixed));
	for (unsigned i = 0; i < array_size(fixed); i++)
		if (!words[i])
			words[i] = needs_shell(argv) ? "set startup-with-shell on"
						     : "set startup-with-shell off";
	memcpy(words + array_size(fixed), argv, n * sizeof(*argv));
	s->explore.break_at_failure = 1;
	child_prepare(&child, &s->explore, s->verbose);
	fflush(NULL);
	standard_restore();
	execvp("gdb", (char *const *)words);
	if (errno == ENOENT)
		die("gdb is not installed (apt-get install gdb)");
	die("gdb: %s", strerror(errno));
}

/* --- a new trace ----------------------------------------------------------------------------- */

static int conclude(const struct settings *s, const struct child *c, const char *path)
{
	const struct status *st = c->status;
	const char *program = path_here(path);

	if (c->interrupted && !st->nfindings)
		die("interrupted");
	if (st->state == STATUS_DIVERGED || st->state == STATUS_REFUSED)
		die("%s", place_words(xprintf("%.*s", (int)sizeof(st->note), st->note)));
	if (st->state == STATUS_DONE && st->nfindings)
		return EXIT_FINDING;
	if (st->state == STATUS_DONE) {
		printf("%s: the execution was repeated and no longer fails\n", program);
		return EXIT_CLEAN;
	}
	if (WIFEXITED(c->wait_status) && WEXITSTATUS(c->wait_status) == EXIT_BUG)
		exit(EXIT_BUG);
	if (st->state == STATUS_EXPLORING)
		return EXIT_FINDING; /* it died as before, without a report */
	die("%s: the program ended before it could be replayed", program);
}

static void render(const struct settings *s, const struct trace *t, const char *path,
	char **argv, const struct outputs *to)
{
	struct report *r = report_open(t, path);
	struct found finding = {.report = r};
	struct result result = {
		.summary = {
			.model = model_is_file(s->explore.model) ? path_base(s->explore.cat)
							      : model_name(s->explore.model),
			.strategy = strategy_name(s->explore.strategy),
			.options = &s->explore,
			.exit_code = EXIT_FINDING,
		},
		.findings = &finding,
		.nfindings = 1,
	};

	if (to->html || to->html_folder)
		finding.passing = follow_passing(r, s->input);
	report_select(r, s->style.all);
	if (to->text)
		text_report(r, &s->style, to->text);
	results_write(&(struct results){.program = t->program.path,
			      .command_line = command_line(argv),
			      .at = &result,
			      .n = 1,
			      .exit_code = EXIT_FINDING},
		to);
}

static int run_replay(int argc, char **argv)
{
	struct settings s;
	struct child child;
	int first = settings_read(&s, &command_replay, argc, argv), exit_code;
	char *dir;
	struct child_setup setup = {.input = s.input, .verbose = s.verbose};
	const struct trace *t, *again;
	struct outputs to;

	if (first + 1 != argc)
		die("replay: name one replay file (NAME.heddle)");
	t = load_trace(argv[first]);
	follow_options(&s.explore, t, argv[first]);
	check_program(t);
	setup.argv = follow_arguments(t);
	if (s.gdb) {
		struct report *r = report_open(t, argv[first]);

		report_select(r, true);
		run_gdb(&s, setup.argv, r);
	}
	to = settings_outputs(&s);
	setup.out_to_err = !to.text;
	dir = temporary_folder("replay");
	if (!dir)
		die("no temporary folder: %s", strerror(errno));
	strcpy(s.explore.replay_dir, dir);
	child_start(&child, &s.explore, &setup);
	child_wait(&child, &(struct child_watch){NULL});
	again = follow_take(child.status, dir);
	exit_code = conclude(&s, &child, argv[first]);
	if (exit_code == EXIT_FINDING)
		render(&s, again ? again : t, argv[first], argv, &to);
	return exit_code;
}

const struct command command_replay = {
	.name = "replay",
	.summary = "repeat a failing execution from its replay file",
	.usage = "[OPTIONS] FILE",
	.text = "Run the program of a replay file along the recorded choices, and report the\n"
		"failure. With --gdb, stop in gdb at the failure; in a deadlock, in one blocked\n"
		"thread after the other (continue). The innermost frames are heddle's; at the\n"
		"first stop the program's own is selected, later `heddle where' does it. There,\n"
		"`heddle back' goes to the step before, `heddle step' to the next one, `heddle\n"
		"goto N' to any; `info heddle threads' has what each thread does next or waits\n"
		"for, `info heddle buffers', `locks' and `next' the rest of the state.\n\n"
		"Exit status: 1 it failed again; 0 it no longer fails; 2 it cannot be replayed\n"
		"(another program, a damaged file, or the execution diverged).\n",
	.examples = "  heddle replay sb.heddle\n"
		    "  heddle replay --gdb sb.heddle\n",
	.groups = GROUP_RENDER | GROUP_REPLAY,
	.run = run_replay,
};
