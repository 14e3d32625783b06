/* SPDX-License-Identifier: ISC */
/* goal_read.c - see goal.h: backtraces in text. */
#include "goal/goal_priv.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "die.h"
#include "path.h"

/* --- the functions of the program ------------------------------------------------------------ */

struct functions {
	struct goal_frame *at; /* by name */
	size_t n, room;
};

static int by_function(const void *a, const void *b)
{
	const struct goal_frame *x = a, *y = b;

	return strcmp(x->function, y->function);
}

const char *file_of_function(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);
	Dwarf_Attribute number;
	Dwarf_Word value;
	Dwarf_Die unit;

	if (file || !dwarf_attr(die, DW_AT_decl_file, &number) ||
		dwarf_formudata(&number, &value) != 0 || value ||
		!dwarf_diecu(die, &unit, NULL, NULL))
		return file;
	return dwarf_diename(&unit);
}

static int add_function(Dwarf_Die *die, void *to)
{
	struct functions *f = to;
	const char *name = dwarf_diename(die), *file = file_of_function(die);
	Dwarf_Attribute declaration;

	if (!name || !file || dwarf_attr(die, DW_AT_declaration, &declaration))
		return DWARF_CB_OK;
	if (f->n == f->room) {
		f->room = f->room ? 2 * f->room : 64;
		f->at = xgrow(f->at, f->room * sizeof(*f->at));
	}
	f->at[f->n++] = (struct goal_frame){xstrdup(name), xstrdup(path_base(file)), 0};
	return DWARF_CB_OK;
}

struct functions *functions_read(const char *program)
{
	struct functions *f = xmalloc(sizeof(*f));
	int fd = path_open(program);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	u8 type;

	while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &root, NULL) == 0)
		dwarf_getfuncs(&root, add_function, f, 0);
	if (!f->n)
		die("reproduce: %s has no debug information: compile it with -g",
			path_here(program));
	qsort(f->at, f->n, sizeof(*f->at), by_function);
	return f;
}

/* Does the program have a function of this name, in a file of this name ("": any)? */
static bool functions_have(const struct functions *f, const char *function, const char *file)
{
	struct goal_frame key = {.function = (char *)function};
	const struct goal_frame *p = bsearch(&key, f->at, f->n, sizeof(key), by_function);

	if (!p)
		return false;
	while (p > f->at && !strcmp(p[-1].function, function))
		p--;
	for (; p < f->at + f->n && !strcmp(p->function, function); p++)
		if (!*file || !strcmp(p->file, file))
			return true;
	return false;
}

/* --- lines ----------------------------------------------------------------------------------- */

static char *copy_part(const char *from, size_t n)
{
	return xprintf("%.*s", (int)n, from);
}

/* " at src/queue.c:17", or without "at", with a column: the last FILE:NUMBER of the line. */
static void read_frame_source(const char *s, struct goal_frame *to)
{
	const char *colon = s + strlen(s), *begin;

	to->file = xstrdup("");
	while (colon > s && !(*colon == ':' && colon[1] >= '0' && colon[1] <= '9'))
		colon--;
	if (colon == s)
		return;
	begin = colon; /* in FILE:LINE:COLUMN that is the column */
	while (begin > s && begin[-1] >= '0' && begin[-1] <= '9')
		begin--;
	if (begin < colon && begin > s && begin[-1] == ':')
		colon = begin - 1;
	begin = colon;
	while (begin > s && begin[-1] != ' ' && begin[-1] != '(')
		begin--;
	to->line = (int)strtol(colon + 1, NULL, 10);
	to->file = copy_part(begin, (size_t)(colon - begin));
	to->file = xstrdup(path_base(to->file));
}

/* "#3  0x00005555 in worker (arg=0x0) at queue.c:17", "#3 0x5555 worker+0x10 queue.c:17". The
 * number; -1: the line is no frame. */
static long read_goal_frame(const char *line, struct goal_frame *to)
{
	char *rest;
	const char *s = line + strspn(line, " \t");
	long number;
	size_t n;

	if (*s++ != '#' || *s < '0' || *s > '9')
		return -1;
	number = strtol(s, &rest, 10);
	s = rest + strspn(rest, " \t");
	if (!strncmp(s, "0x", 2)) {
		s += strcspn(s, " \t\n");
		s += strspn(s, " \t");
	}
	if (!strncmp(s, "in ", 3))
		s += 3;
	n = *s == '<' ? strcspn(s, "\n") : strcspn(s, " \t\n(+");
	to->function = copy_part(s, n);
	read_frame_source(s + n, to);
	return number;
}

/* "Thread 2 (Thread 0x7f...", "TID 1234:", "Thread T1 (tid=...)": the words before the bracket. */
static char *read_title(const char *line)
{
	const char *s = line + strspn(line, " \t");
	size_t n = strcspn(s, "(:\n");

	if (strncmp(s, "Thread ", 7) != 0 && strncmp(s, "TID ", 4) != 0)
		return NULL;
	while (n && s[n - 1] == ' ')
		n--;
	return copy_part(s, n);
}

/* --- threads --------------------------------------------------------------------------------- */

static bool is_name_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Has the thread ended the process? */
static bool aborts(const char *function)
{
	static const char *const names[] = {"abort", "__GI_abort", "raise", "__GI_raise",
		"__assert_fail", "__GI___assert_fail", "__assert_fail_base", "pthread_kill",
		"__pthread_kill_implementation", "__pthread_kill_internal", "__libc_message",
		"__fortify_fail", "__stack_chk_fail"};

	return is_name_of(function, names, array_size(names));
}

void reader_end_thread(struct goal_reader *x)
{
	if (x->t.n) {
		x->g.thread = xgrow(x->g.thread, (x->g.n + 1) * sizeof(x->t));
		if (!x->t.name)
			x->t.name = xprintf("thread %u of the text", x->g.n + x->g.others + 1);
		x->g.thread[x->g.n++] = x->t;
	} else if (x->t.all) {
		x->g.others++;
	}
	x->t = (struct goal_thread){.n = 0};
}

void reader_frame(struct goal_reader *x, const struct goal_frame *f)
{
	struct goal_thread *t = &x->t;
	bool ours = functions_have(x->of, f->function, f->file);

	x->frames++;
	t->failed |= aborts(f->function) || strstr(f->function, "signal handler called");
	t->runs |= ours && !t->all;
	t->all++;
	if (!ours)
		return;
	t->at = xgrow(t->at, (t->n + 1) * sizeof(*t->at));
	t->at[t->n++] = *f;
}

/* A sanitizer's report, or gdb's words: "Thread 3 "service" received signal SIGSEGV", "Program
 * terminated with signal 11",
 * "[Current thread is 1 (Thread 0x7f...)]". True: the line is one of these. */
static bool take_signal(struct goal_reader *x, const char *line)
{
	const char *current = strstr(line, "Current thread is ");
	bool received = strstr(line, "received signal");

	if (current && !x->receiver)
		x->receiver = strtol(current + strlen("Current thread is "), NULL, 10);
	if (received && !strncmp(line, "Thread ", 7))
		x->receiver = strtol(line + 7, NULL, 10);
	x->report |= strstr(line, "Sanitizer: ") != NULL;
	x->signal |= received || x->report || strstr(line, "terminated with signal");
	return current || received;
}

static void take_line(struct goal_reader *x, const char *line)
{
	struct goal_frame f = {.line = 0};
	char *title = take_signal(x, line) ? NULL : read_title(line);
	long number = title ? -1 : read_goal_frame(line, &f);

	if (title)
		x->title = title;
	if (number == 0) {
		reader_end_thread(x);
		x->t.name = x->title;
		x->title = NULL;
	}
	if (number >= 0 && !(x->report && x->g.n + x->g.others))
		reader_frame(x, &f);
}

/* Without a thread that has aborted, it is the one that received the signal, as the text says; or
 * the only one that is in the program's own code. */
static void find_failed(struct goal_reader *x)
{
	const char *receiver = xprintf("Thread %ld", x->receiver);
	struct goal_thread *found = NULL;

	for (unsigned i = 0; i < x->g.n; i++) {
		struct goal_thread *t = &x->g.thread[i];

		x->g.failed |= t->failed;
		x->g.running += t->runs;
		if (t->runs && (!found || !strcmp(t->name, receiver)))
			found = t;
	}
	if (x->g.failed || !x->signal)
		return;
	if (!found || (x->g.running > 1 && strcmp(found->name, receiver) != 0))
		die("%s: the thread that received the signal is unknown: none of the test's code "
		    "aborts or crashes there",
			x->path);
	found->failed = x->g.failed = true;
}

struct goal reader_end(struct goal_reader *x, const char *what)
{
	if (!x->frames)
		die("%s: %s", x->path, what);
	if (!x->g.n)
		die("%s: none of its %u frames is in a function of the program", x->path,
			x->frames);
	find_failed(x);
	return x->g;
}

struct goal goal_read(const char *path, const struct functions *of)
{
	struct goal_reader x = {.of = of, .path = path};
	FILE *from = !strcmp(path, "-") ? stdin : fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	if (!from)
		die("%s: %s", path, strerror(errno));
	while (getline(&line, &room, from) > 0)
		take_line(&x, line);
	reader_end_thread(&x);
	if (from != stdin)
		fclose(from);
	return reader_end(&x, "no line of a backtrace (`#0 ... in f () at f.c:1', as gdb's `thread "
			      "apply all bt' prints it)");
}
