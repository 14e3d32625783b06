/* SPDX-License-Identifier: ISC */
/* follow.c - see follow.h. */
#include "replay/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "die.h"
#include "path.h"
#include "program/elffile.h"
#include "replay/read_replay.h"
#include "temporary.h"

/* Files of earlier versions repeat three bits of `detect`. */
static bool is_retired(const char *name)
{
	return !strcmp(name, "livelock") || !strcmp(name, "leaks") || !strcmp(name, "lock-order");
}

/* An untrusted file must not choose files to be written. */
static bool is_recorded(const char *path, const char *name)
{
	unsigned i = option_find(name);

	if (is_retired(name))
		return false;
	if (i == ~0u)
		die("%s: no option `%s'", path, name);
	return option_is_recorded(i);
}

void follow_options(struct options *o, const struct trace *t, const char *path)
{
	struct err err;

	for (u32 i = 0; i < t->noptions; i++)
		if (is_recorded(path, t->options[i].name) &&
			!option_set(o, t->options[i].name, t->options[i].value, &err))
			die("%s: %s", path, err.message);
	if (!realpath(path, o->replay))
		die("%s: %s", path, strerror(errno));
	o->check = t->program.check;
	o->keep_going = 0;
	o->time = 0;
}

char **follow_arguments(const struct trace *t)
{
	char **argv = xmalloc((t->nargs + 2) * sizeof(*argv));

	argv[0] = xstrdup(t->program.path);
	for (u32 i = 0; i < t->nargs; i++)
		argv[i + 1] = xstrdup(t->args[i].value);
	return argv;
}

const struct trace *follow_take(const struct status *st, const char *dir)
{
	const struct trace *t = NULL;

	if (st->nfindings && st->findings[0].replay[0]) {
		t = load_trace_or_warn(st->findings[0].replay);
		unlink(st->findings[0].replay);
	}
	rmdir(dir);
	return t;
}

/* --- the closest passing execution ------------------------------------------------------------ */

/* Can the execution be repeated? */
static bool is_followable(const struct trace *t)
{
	int fd = t->nevents && t->program.path[0] == '/'
			 ? open(t->program.path, O_RDONLY | O_CLOEXEC)
			 : -1;
	struct elf_facts facts;

	if (fd < 0)
		return false;
	facts = elf_inspect(fd);
	close(fd);
	return build_id_equal(&facts.build_id, &t->program.build_id);
}

const struct report *follow_passing(const struct report *failed, const char *input)
{
	static struct child child;
	struct options o;
	struct child_setup setup = {.input = input, .no_out = true};
	const struct trace *t = NULL;
	char *dir;

	if (!is_followable(failed->t))
		return NULL;
	dir = temporary_folder("passing");
	if (!dir)
		return NULL;
	option_defaults(&o);
	follow_options(&o, failed->t, failed->path);
	o.passing = 1;
	strcpy(o.replay_dir, dir);
	setup.argv = follow_arguments(failed->t);
	setup.until = clock_now() + PASSING_NS;
	child_start(&child, &o, &setup);
	close(child.fd);
	child_wait(&child, &(struct child_watch){NULL});
	t = follow_take(child.status, dir);
	return t ? report_open(t, failed->path) : NULL;
}
