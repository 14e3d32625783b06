/* SPDX-License-Identifier: ISC */
/*
 * doctor.c - heddle doctor: checks the environment, and suggests remedies.
 *
 * Besides looking for files, it compiles a small program and explores it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "child/child.h"
#include "command/command.h"
#include "die.h"
#include "program/elffile.h"
#include "standard.h"
#include "temporary.h"

#define SPEED_US	300000 /* of the measurement of speed */

struct doctor {
	bool lacks;	    /* a requirement is missing */
	char bin[PATH_MAX]; /* the folder this program is in */
	char *tmp;
};

/* A store-buffering test whose assertion fails under TSO only. */
static const char test_program[] =
	"#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
	"static atomic_int x, y; static int a, b;\n"
	"static void *one(void *p)\n{\n"
	"	atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
	"	a = atomic_load_explicit(&y, memory_order_relaxed);\n	return p;\n}\n"
	"static void *two(void *p)\n{\n"
	"	atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
	"	b = atomic_load_explicit(&x, memory_order_relaxed);\n	return p;\n}\n"
	"int main(void)\n{\n	pthread_t s, t;\n"
	"	pthread_create(&s, 0, one, 0);\n	pthread_create(&t, 0, two, 0);\n"
	"	pthread_join(s, 0);\n	pthread_join(t, 0);\n	assert(a || b);\n}\n";

/* --- saying it ------------------------------------------------------------------------------- */

static void fine(const char *what, const char *text)
{
	printf("  ok    %-12s %s\n", what, text);
}

static void hint(const char *what, const char *text, const char *advice)
{
	printf("  note  %-12s %s\n%21s%s\n", what, text, "", advice);
}

static void put_lack(struct doctor *d, const char *what, const char *text, const char *advice)
{
	printf("  LACK  %-12s %s\n%21s%s\n", what, text, "", advice);
	d->lacks = true;
}

/* --- asking other programs ------------------------------------------------------------------- */

/* Run a program without a shell; its output (both channels) into text. Its exit status, or -1. */
static int ask(const char *const *argv, char *text, size_t room)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got = 1;
	pid_t pid;

	text[0] = 0;
	fflush(NULL);
	if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		standard_restore();
		execvp(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	while (got > 0) {
		char rest[512];
		bool full = n + 1 >= room;

		got = read(ends[0], full ? rest : text + n, full ? sizeof(rest) : room - 1 - n);
		if (got > 0 && !full)
			n += (size_t)got;
	}
	text[n] = 0;
	close(ends[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
		return -1;
	return WEXITSTATUS(status);
}

static char *first_line(char *text)
{
	text[strcspn(text, "\n")] = 0;
	return text;
}

static bool read_line(const char *path, char *text, size_t room)
{
	FILE *f = fopen(path, "re");
	bool good = f && fgets(text, (int)room, f);

	if (f)
		fclose(f);
	if (good)
		first_line(text);
	return good;
}

/* --- the parts ------------------------------------------------------------------------------- */

static void check_installation(struct doctor *d)
{
	static const char *const parts[] = {"heddle-cc", "../lib/libheddle.a",
		"../lib/heddle/heddle_pass.so", "../lib/heddle/exports.list",
		"../include/heddle/heddle.h"};
	bool all = true;

	for (size_t i = 0; i < array_size(parts); i++) {
		const char *path = xprintf("%s/%s", d->bin, parts[i]);

		if (access(path, R_OK) == 0)
			continue;
		put_lack(d, "files", xprintf("%s is missing", path),
			"run `make' in heddle's source, or `make install'");
		all = false;
	}
	if (all)
		fine("files", xprintf("heddle-cc, pass and runtime beside %s/heddle", d->bin));
}

static bool check_compiler(struct doctor *d)
{
	const char *const argv[] = {xprintf("%s/heddle-cc", d->bin), "--version", NULL};
	char text[4096];

	if (ask(argv, text, sizeof(text)) != 0) {
		put_lack(d, "compiler", *text ? first_line(text) : "heddle-cc does not run",
			"install clang and LLVM's development files: apt-get install clang "
			"llvm-dev");
		return false;
	}
	fine("compiler", first_line(text));
	return true;
}

static bool compile(struct doctor *d, char *program)
{
	char source[128], text[4096];
	const char *const argv[] = {xprintf("%s/heddle-cc", d->bin), "-g", "-O1", "-pthread", "-o",
		program, source, NULL};
	FILE *f;

	snprintf(source, sizeof(source), "%s/sb.c", d->tmp);
	f = fopen(source, "we");
	if (!f || fputs(test_program, f) < 0 || fclose(f) != 0) {
		put_lack(d, "temp files", xprintf("%s: %s", source, strerror(errno)),
			"make room in /tmp");
		return false;
	}
	if (ask(argv, text, sizeof(text)) != 0 || access(program, X_OK) != 0) {
		put_lack(d, "compiling", first_line(text),
			"a small program could not be compiled: was heddle built with this LLVM?");
		return false;
	}
	fine("compiling", "the pass loads, a small program compiles and links");
	return true;
}

static void run_program(struct doctor *d, char *program, struct options *o, struct child *c)
{
	char *argv[] = {program, NULL};
	struct child_setup setup = {.argv = argv, .out_to_err = true};

	strcpy(o->replay_dir, d->tmp);
	child_start(c, o, &setup);
	child_wait(c, &(struct child_watch){NULL});
}

/* Test the whole chain: one failing execution. */
static bool check_exploring(struct doctor *d, char *program)
{
	struct options o;
	struct child c;

	option_defaults(&o);
	o.strategy = STRATEGY_DFS;
	run_program(d, program, &o, &c);
	if (c.status->state != STATUS_DONE || c.status->nfindings != 1) {
		put_lack(d, "exploring",
			c.status->note[0] ? c.status->note
					  : "the error of the small program was not found",
			"report this as a bug of heddle, with the output of `heddle doctor'");
		return false;
	}
	fine("exploring", "the reordering of the small program was found");
	return true;
}

static void measure_speed(struct doctor *d, char *program)
{
	struct options o;
	struct child c;

	option_defaults(&o);
	o.model = MODEL_SC;
	o.strategy = STRATEGY_RANDOM;
	o.time = SPEED_US;
	run_program(d, program, &o, &c);
	if (c.status->state == STATUS_DONE && c.status->nanoseconds)
		fine("speed", xprintf("%.0f executions a second (2 threads, random)",
				      (double)c.status->executions * 1e9 /
					      (double)c.status->nanoseconds));
}

static void check_self_run(struct doctor *d)
{
	char *program;

	d->tmp = temporary_folder("doctor");
	if (!d->tmp) {
		put_lack(d, "temp files", strerror(errno), "make /tmp, or $TMPDIR, writable");
		return;
	}
	program = xprintf("%s/sb", d->tmp);
	if (compile(d, program) && check_exploring(d, program))
		measure_speed(d, program);
	remove_folder(d->tmp);
}

static void check_libraries(struct doctor *d)
{
	static const char *const names[] = {"libunwind.so.8", "libunwind.so"};
	struct link_map *map = NULL;
	char path[PATH_MAX];
	void *library = NULL;

	for (size_t i = 0; i < array_size(names) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY);
	if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && realpath(map->l_name, path))
		fine("libunwind", path);
	else
		put_lack(d, "libunwind", "not found: reports would have no call stacks",
			"apt-get install libunwind-dev");
	fine("libdw", xprintf("elfutils %s", dwfl_version(NULL)));
}

static void check_machine(struct doctor *d)
{
	char text[256];
	int persona = personality(0xffffffff);

	if (arch_may_set_tp())
		fine(ARCH_TP_FEATURE, "thread-local storage is switched in user mode");
	else
		hint(ARCH_TP_FEATURE, "not available: each switch of threads costs a system call",
			"needs a newer kernel (5.9) or processor");
	if (persona >= 0 && personality((unsigned long)persona | ADDR_NO_RANDOMIZE) >= 0)
		fine("addresses", "randomisation can be turned off for the tested program");
	else
		hint("addresses",
			"randomisation cannot be turned off here (a container's seccomp?)",
			"addresses in reports differ from run to run");
	if (persona >= 0)
		personality((unsigned long)persona);
	if (read_line("/proc/sys/kernel/core_pattern", text, sizeof(text)))
		fine("core files",
			xprintf("core_pattern is `%s'; crashes of the tested program are "
				"caught first",
				text));
}

static void check_gdb(struct doctor *d)
{
	static const char *const argv[] = {"gdb", "--version", NULL};
	char text[4096], scope[16] = "0";

	if (ask(argv, text, sizeof(text)) != 0) {
		hint("gdb", "not found: `heddle replay --gdb' will not work",
			"apt-get install gdb");
		return;
	}
	read_line("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof(scope));
	if (atoi(scope) > 1 && geteuid() != 0)
		hint("gdb", xprintf("ptrace_scope is %s: gdb may not debug", scope),
			"sysctl kernel.yama.ptrace_scope=1");
	else
		fine("gdb", first_line(text));
}

static int run_doctor(int argc, char **argv)
{
	static struct doctor d;
	struct settings s;
	ssize_t n = readlink("/proc/self/exe", d.bin, sizeof(d.bin) - 1);
	char *slash = n > 0 ? strrchr(d.bin, '/') : NULL;

	if (settings_read(&s, &command_doctor, argc, argv) != argc)
		die("doctor: takes no arguments");
	if (slash)
		*slash = 0;
	printf("heddle %s\n\n", HEDDLE_VERSION);
	check_installation(&d);
	check_libraries(&d);
	if (check_compiler(&d))
		check_self_run(&d);
	check_machine(&d);
	check_gdb(&d);
	printf("\n%s\n", d.lacks ? "Some requirement of heddle is not met."
				 : "All requirements of heddle are met.");
	return d.lacks ? EXIT_USAGE : EXIT_CLEAN;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "check the environment",
	.usage = "",
	.text = "Check compiler, libraries and machine, compile and explore a small program,\n"
		"and name a remedy for everything that is missing.\n\n"
		"Exit status: 0 all requirements are met; 2 one is not.\n",
	.examples = "  heddle doctor\n",
	.groups = 0,
	.run = run_doctor,
};
